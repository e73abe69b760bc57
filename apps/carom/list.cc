// carom list: what the registries hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "carom/base/units.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/io/fields.h"
#include "carom/io/scenario_catalogue.h"
#include "carom/laws/law_words.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/schemes/scheme.h"
#include "command.h"
#include "json_line.h"
#include "words.h"

namespace carom::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Row {
  std::string name;
  std::string title;
  std::vector<std::string> details;  // printed below the title
  Json json;                         // the fields beside name and title
};
using Table = std::vector<Row>;

Json to_json(const ParameterValue& value) {
  return std::visit([](const auto& x) { return Json(x); }, value);
}

// "theta = 0.5" with its range or words; one line each.
void describe_parameters(const std::vector<ParameterSpec>& specs, Row& row) {
  row.json["parameters"] = Json::array();
  for (const ParameterSpec& spec : specs) {
    std::string line = fmt::format("{} = {}", spec.name, to_text(spec.default_value));
    Json json = {{"name", spec.name}, {"default", to_json(spec.default_value)}, {"doc", spec.doc}};
    if (!spec.words.empty()) {
      line += fmt::format("  ({})", fmt::join(spec.words, ", "));
      json["words"] = spec.words;
    }
    if (std::isfinite(spec.min)) json["min"] = spec.min;
    if (std::isfinite(spec.max)) json["max"] = spec.max;
    if (!spec.doc.empty()) line += "  " + spec.doc;
    row.details.push_back(line);
    row.json["parameters"].push_back(json);
  }
}

std::string promises(const SchemeEntry& scheme) {
  std::vector<std::string> words;
  if (scheme.promises.position_level)
    words.push_back(scheme.treats.contains(Feature::contacts) && !scheme.promises.penetrates
                        ? "no penetration at step ends"
                        : "joints closed at step ends");
  if (scheme.promises.velocity_level) words.push_back("velocity constraints at step ends");
  if (scheme.promises.impact_law) words.push_back("impact law in every step");
  if (scheme.promises.implicit_force) words.push_back("stiff forces");
  if (scheme.promises.conserves) words.push_back("energy of conservative models");
  if (scheme.promises.passive) words.push_back("no energy from frictionless contacts");
  return fmt::format("{}", fmt::join(words, ", "));
}

Table list_schemes() {
  Table table;
  for (const SchemeEntry* scheme : scheme_registry().entries()) {
    Row row{scheme->name, scheme->title, {}, {}};
    const Orders& orders = scheme->promises.orders;
    const double rotation = orders.rotation();
    row.details.push_back(
        scheme->promises.event_driven
            ? "errors set by tolerances, not by the step"
            : fmt::format("order {} in free flight{}, {} in persistent contact, {} across impacts", orders.free_flight,
                          rotation < orders.free_flight && scheme->treats.contains(Feature::quaternions)
                              ? fmt::format(" ({} in rotations in space)", rotation)
                              : "",
                          orders.persistent, orders.impact));
    if (scheme->treats.contains(Feature::joints) && !scheme->promises.event_driven && !scheme->promises.conserves)
      row.details.push_back(fmt::format("energy in joints of order {}", orders.joint_energy));
    if (const std::string kept = promises(*scheme); !kept.empty()) row.details.push_back("keeps: " + kept);
    std::vector<std::string_view> refused, treated;
    for (const Feature feature : all_features) {
      const bool treats = scheme->treats.contains(feature);
      (treats ? treated : refused).push_back(treats ? name_of(feature) : to_text(feature));
    }
    if (!refused.empty()) row.details.push_back(fmt::format("does not treat: {}", fmt::join(refused, ", ")));
    if (!scheme->promises.rests) row.details.push_back("does not: bring bodies to rest after impacts with 0 < e < 1");
    if (scheme->promises.sinks)
      row.details.push_back("does not: hold resting contacts with e < 1, they sink by the order of the step");
    if (!scheme->reference.empty()) row.details.push_back("after " + scheme->reference);
    row.json = {{"reference", scheme->reference},
                {"orders",
                 {{"free_flight", scheme->promises.orders.free_flight},
                  {"persistent", scheme->promises.orders.persistent},
                  {"impact", scheme->promises.orders.impact},
                  {"joint_energy", scheme->promises.orders.joint_energy}}},
                {"position_level", scheme->promises.position_level},
                {"velocity_level", scheme->promises.velocity_level},
                {"impact_law", scheme->promises.impact_law},
                {"treats", treated},
                {"implicit_force", scheme->promises.implicit_force},
                {"rests", scheme->promises.rests && !scheme->promises.sinks},
                {"passive", scheme->promises.passive},
                {"event_driven", scheme->promises.event_driven}};
    describe_parameters(scheme->parameters, row);
    table.push_back(row);
  }
  return table;
}

Table list_solvers() {
  Table table;
  for (const SolverEntry* solver : solvers().entries()) {
    Row row{solver->name, solver->title, {"accepts " + solver->accepts}, {{"accepts", solver->accepts}}};
    describe_parameters(solver->parameters, row);
    table.push_back(row);
  }
  return table;
}

Table list_models() {
  Table table;
  for (const AnalyticEntry* model : analytic_models().entries()) {
    Row row{model->name, model->title, {}, {{"reference", model->reference}, {"law", model->has_contacts}}};
    if (!model->reference.empty()) row.details.push_back("after " + model->reference);
    describe_parameters(model->parameters, row);
    table.push_back(row);
  }
  return table;
}

Table list_laws() {
  Table table;
  for (const LawWord& law : law_words())
    table.push_back({law.part + "." + law.type, law.title, {law.keys}, {{"part", law.part}, {"type", law.type}}});
  return table;
}

Table list_joints() {
  Table table;
  for (const model::JointKind* joint : model::joint_kinds().entries()) {
    std::vector<std::string> coordinates;
    for (const model::CoordinateTemplate& c : joint->spatial_coordinates) coordinates.push_back(c.name);
    Row row{joint->name, joint->title, {}, {{"rows", joint->spatial.size()}, {"coordinates", coordinates}}};
    if (joint->transmission) {
      row.details.push_back("a transmission: it takes one freedom of the joints it couples");
      table.push_back(row);
      continue;
    }
    row.details.push_back(
        fmt::format("takes {} of six freedoms in space{}", joint->spatial.size(),
                    coordinates.empty() ? "" : fmt::format("; coordinates: {}", fmt::join(coordinates, ", "))));
    table.push_back(row);
  }
  return table;
}

Table list_units() {
  Table table;
  for (const UnitEntry& unit : units()) {
    const Unit value = *find_unit(unit.name);
    std::string line = fmt::format("{} = {:.12g} {}", unit.name, value.scale(), si_unit(unit.dimension));
    if (unit.prefixed) line += "; with n u m c d k M G before it";
    table.push_back({unit.name,
                     unit.doc,
                     {line},
                     {{"si", value.scale()}, {"dimension", si_unit(unit.dimension)}, {"prefixes", unit.prefixed}}});
  }
  return table;
}

// Every kind of table of the model file.
Table list_tables() {
  Table table;
  for (const TableSpec& spec : model_tables())
    if (!spec.path.empty()) table.push_back({spec.path, spec.title, {}, {{"fields", spec.names()}}});
  return table;
}

Table list_scenarios() {
  Table table;
  std::vector<ScenarioFile> files = find_scenarios();
  const char* root = std::getenv("CAROM_ROOT");  // the launcher says where it lies
  if (files.empty() && root) files = find_scenarios(std::string(root) + "/scenarios");
  for (const ScenarioFile& file : files) table.push_back({file.path, file.title, {}, Json::object()});
  if (table.empty())
    throw InputError({"E0112",
                      "carom list: there is no folder 'scenarios' here",
                      "list",
                      "go to Carom's own folder, or start it there",
                      {},
                      0,
                      0,
                      {}});
  return table;
}

constexpr struct {
  const char* name;
  Table (*make)();
} kTables[] = {{"schemes", list_schemes}, {"solvers", list_solvers},    {"models", list_models},
               {"laws", list_laws},       {"joints", list_joints},      {"units", list_units},
               {"tables", list_tables},   {"scenarios", list_scenarios}};

struct Options {
  std::string what;
  bool json = false;
};

ExitCode run_list(const Options& options) {
  for (const auto& table : kTables) {
    if (options.what != table.name) continue;
    for (const Row& row : table.make()) {
      if (options.json) {
        Json json = {{"name", row.name}, {"title", row.title}};
        json.update(row.json);
        print_json_line(json);
      } else {
        fmt::print("{:<28} {}\n", row.name, row.title);
        for (const std::string& line : row.details) fmt::print("{:<28}   {}\n", "", line);
      }
    }
    return ExitCode::fine;
  }
  throw InputError({"E0110",
                    fmt::format("carom list: nothing is called '{}'", options.what),
                    "list",
                    suggestion(options.what, list_topics()),
                    {},
                    0,
                    0,
                    {}});
}

}  // namespace

std::vector<std::string> list_topics() {
  std::vector<std::string> names;
  for (const auto& table : kTables) names.emplace_back(table.name);
  return names;
}

void add_list(CLI::App& app, ExitCode& code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "list", "Schemes, solvers, models, laws, joints, units, tables of the model file or scenarios that exist");
  command->add_option("what", options->what, "schemes, solvers, models, laws, joints, units, tables or scenarios")
      ->required();
  command->add_flag("--json", options->json, "One JSON object per line");
  command->footer(R"(
Examples:
  carom list schemes                  orders, promises, parameters
  carom list joints --json            one object a line, for scripts)");
  command->callback([options, &code] { code = run_list(*options); });
}

}  // namespace carom::cli
