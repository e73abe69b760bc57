#include "carom/io/fmi/fmu_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "carom/base/errors.h"
#include "carom/base/units.h"
#include "carom/io/channel_recorder.h"

namespace carom::inline io {

namespace {

using Causality = FmuVariable::Causality;

// Every output is looked at in every step; a pile of bodies has more than anybody connects.
constexpr Index most_coordinates = 200;

constexpr const char* step_key = "simulation.step";

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw InputError({"E0614", what, {}, hint, {}, 0, 0, {}});
}

}  // namespace

std::vector<NamedExpression> fmu_outputs(const Scenario& scenario, const std::vector<NamedExpression>& asked_for) {
  std::vector<NamedExpression> outputs = scenario.signals;
  outputs.insert(outputs.end(), asked_for.begin(), asked_for.end());
  if (!outputs.empty()) return outputs;
  const System& system = *scenario.model.system;
  if (system.nq() > most_coordinates)
    refuse(fmt::format("the model names no signal, and its {} coordinates are too many outputs", system.nq()),
           "name some in [output.signal], or with --output NAME=FORMULA");
  const auto add = [&](const std::string& name) { outputs.push_back(measured(name, "'" + name + "'")); };
  for (Index i = 0; i < system.nq(); ++i) add(system.coordinate_name(i));
  for (Index i = 0; i < system.nv(); ++i) add(system.velocity_name(i));
  return outputs;
}

std::vector<FmuVariable> fmu_variables(const Scenario& scenario, const std::vector<NamedExpression>& outputs) {
  std::vector<FmuVariable> list;
  for (const NamedNumber& parameter : scenario.parameters)
    list.push_back({Causality::parameter, parameter.name, parameter.dimension, parameter.doc, parameter.value});
  const auto of_file = [&](const std::string& name) {  // then that one sets it
    return std::any_of(scenario.parameters.begin(), scenario.parameters.end(),
                       [&](const NamedNumber& parameter) { return parameter.name == name; });
  };
  for (const auto& [name, value] : scenario.model_parameters)
    if (const double* x = std::get_if<double>(&value); x && !of_file(name))
      list.push_back({Causality::parameter, name, Dimension::anything(), "of the model " + scenario.model_name, *x});
  list.push_back({Causality::parameter, step_key, Dimension::of(0, 0, 1), "of the time stepping scheme",
                  scenario.simulation.step});
  for (const Input& input : scenario.inputs) {
    const auto unit = parse_unit(input.unit);
    list.push_back({Causality::input, input.name, unit ? unit->dimension : Dimension::anything(),
                    "held from one communication point to the next", *input.value});
  }
  Channels channels(*scenario.model.system, scenario.model.initial, formula_context(scenario));
  for (const NamedExpression& output : outputs) {
    try {
      channels.need(output.expression);
      list.push_back({Causality::output, output.name, output.expression.dimension(channels), output.expression.text(),
                      0.0, output.expression.text()});
    } catch (const ExpressionError& error) {
      refuse(fmt::format("output {}: {}", output.name, error.what()), error.hint());
    }
  }
  std::set<std::string> names;
  for (const FmuVariable& variable : list)
    if (!names.insert(variable.name).second)
      refuse(fmt::format("'{}' would stand for two variables of the FMU", variable.name),
             "name one of them differently");
  return list;
}

Override override_of(const FmuVariable& parameter, double value) {
  const bool bare = parameter.dimension.any || parameter.dimension == Dimension{};
  return {parameter.name, bare ? fmt::format("{}", value) : fmt::format("{} {}", value, si_unit(parameter.dimension))};
}

}  // namespace carom::inline io
