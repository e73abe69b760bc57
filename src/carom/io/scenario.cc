#include "carom/io/scenario.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "carom/base/errors.h"
#include "carom/io/scheme_word.h"
#include "carom/system/layout.h"

namespace carom::inline io {

Override parse_override(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError({"E0103",
                      fmt::format("--set {}: this is not name=value", text),
                      {},
                      "for example --set simulation.step=1e-4",
                      {},
                      0,
                      0,
                      {}});
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Scenario scenario_of(const std::string& name, Model model, SimulationSettings simulation) {
  Scenario scenario;
  scenario.name = scenario.title = name;
  scenario.model_name = name;
  scenario.model = std::move(model);
  scenario.simulation = std::move(simulation);
  scenario.output.file = name + ".h5";
  return scenario;
}

NamedExpression measured(const std::string& name, const std::string& formula) { return {name, Expression(formula)}; }

SimulationSummary simulate(const Scenario& scenario, Recorder* recorder) {
  check_scheme(scenario);
  const auto scheme = make_scheme(scenario);
  const auto solver = make_solver(scenario);
  return simulate(*scenario.model.system, *scheme, *solver, scenario.model.initial, simulation_options(scenario),
                  recorder);
}

std::unique_ptr<Scheme> make_scheme(const Scenario& scenario) {
  return make_scheme(scenario, scenario.simulation.scheme);
}

std::unique_ptr<InclusionSolver> make_solver(const Scenario& scenario) {
  return carom::make_solver(scenario.simulation.solver, scenario.simulation.solver_parameters);
}

SimulationOptions simulation_options(const Scenario& scenario) {
  SimulationOptions options;
  options.t_end = scenario.simulation.t_end;
  options.dt = scenario.simulation.step;
  options.on_failure = scenario.simulation.on_failure;
  options.max_halvings = scenario.simulation.max_halvings;
  options.on_missed = scenario.simulation.on_missed;
  options.limits = scenario.simulation.limits;
  options.inputs = scenario.inputs;
  return options;
}

std::vector<std::pair<std::string, double>> numbers(const Scenario& scenario) {
  std::vector<std::pair<std::string, double>> list;
  for (const NamedNumber& parameter : scenario.parameters) list.emplace_back(parameter.name, parameter.value);
  for (const auto& [name, value] : scenario.model_parameters)
    if (const double* x = std::get_if<double>(&value)) list.emplace_back(name, *x);
  return list;
}

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ParameterValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) std::visit([&, &key = name](const auto& x) { json[key] = x; }, value);
  return json;
}

Json to_json(const Layout& layout) {
  Json fields = Json::object();
  for (const Field& field : layout.fields())
    fields[field.path] = {
        {"unit", field.unit}, {"meaning", field.meaning}, {"rows", field.rows}, {"width", field.width}};
  return fields;
}

const char* to_word(FailurePolicy policy) {
  switch (policy) {
    case FailurePolicy::halve: return "halve_step";
    case FailurePolicy::stop: return "stop";
    case FailurePolicy::proceed: return "continue";
  }
  return "";
}

}  // namespace

std::string resolved_json(const Scenario& scenario) {
  const SimulationSettings& simulation = scenario.simulation;
  const SchemeEntry& scheme = scheme_registry().find(simulation.scheme);
  const SolverEntry& solver = solvers().find(simulation.solver);
  const auto given = simulation.scheme_parameters.find(scheme.name);
  const Parameters scheme_values(scheme.parameters,
                                 given == simulation.scheme_parameters.end() ? ParameterValues{} : given->second,
                                 "scheme " + scheme.name);
  const Parameters solver_values(solver.parameters, simulation.solver_parameters, "solver " + solver.name);

  Json json;
  json["title"] = scenario.title;
  json["overrides"] = scenario.overrides;
  json["parameters"] = Json::object();
  for (const NamedNumber& parameter : scenario.parameters) json["parameters"][parameter.name] = parameter.value;
  json["model"] = {{"name", scenario.model_name}, {"parameters", to_json(scenario.model_parameters)}};
  json["laws"] = Json::object();
  for (const auto& [name, law] : scenario.laws)
    json["laws"][name] = {{"restitution", law.restitution},
                          {"friction", law.friction},
                          {"tangential_restitution", law.tangential_restitution},
                          {"spin_radius", law.spin_radius},
                          {"spin_reservoir", law.spin_reservoir == SpinReservoir::exact ? "exact" : "ellipsoid"}};
  json["simulation"] = {{"t_end", simulation.t_end},
                        {"step", simulation.step},
                        {"scheme", {{"name", scheme.name}, {"parameters", to_json(scheme_values.values())}}},
                        {"solver", {{"name", solver.name}, {"parameters", to_json(solver_values.values())}}},
                        {"on_failure", to_word(simulation.on_failure)},
                        {"max_halvings", simulation.max_halvings},
                        {"on_missed", simulation.on_missed == MissedPolicy::halve ? "halve_step" : "report"},
                        {"limits",
                         {{"energy", simulation.limits.energy},
                          {"penetration", simulation.limits.penetration},
                          {"play", simulation.limits.play},
                          {"joint_error", simulation.limits.joint_error}}}};
  json["output"] = {{"fields_every", scenario.output.fields_every},
                    {"contacts", scenario.output.contacts},
                    {"checkpoint_every", scenario.output.checkpoint_every},
                    {"checkpoint_keep", scenario.output.checkpoint_keep}};
  json["state"] = to_json(layout_of(*scenario.model.system));
  json["signals"] = Json::object();
  for (const NamedExpression& signal : scenario.signals) json["signals"][signal.name] = signal.expression.text();
  json["measure"] = Json::object();
  for (const NamedExpression& measure : scenario.measures) json["measure"][measure.name] = measure.expression.text();
  json["expect"] = Json::object();
  for (const NamedExpression& expectation : scenario.expectations)
    json["expect"][expectation.name] = expectation.expression.text();
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace carom::inline io
