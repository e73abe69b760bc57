#include <fmt/format.h>

#include <map>
#include <pugixml.hpp>
#include <sstream>

#include "carom/base/version.h"
#include "carom/io/fmi/fmu_file.h"

namespace carom::inline io {

namespace {

using Causality = FmuVariable::Causality;

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(value.c_str());
}
void set(pugi::xml_node node, const char* name, double value) { set(node, name, fmt::format("{}", value)); }

// The name of its SI unit; empty: nobody knows, or a pure number.
std::string unit_of(const FmuVariable& variable) {
  return variable.dimension.any || variable.dimension == Dimension{} ? "" : si_unit(variable.dimension);
}

void add_units(pugi::xml_node root, const std::vector<FmuVariable>& variables) {
  std::map<std::string, Dimension> units;
  for (const FmuVariable& variable : variables)
    if (const std::string unit = unit_of(variable); !unit.empty()) units.emplace(unit, variable.dimension);
  if (units.empty()) return;
  pugi::xml_node list = root.append_child("UnitDefinitions");
  for (const auto& [name, dimension] : units) {
    pugi::xml_node unit = list.append_child("Unit");
    set(unit, "name", name);
    bool whole = true;
    for (const int sixth : dimension.sixths) whole = whole && sixth % 6 == 0;
    if (!whole) continue;
    pugi::xml_node base = unit.append_child("BaseUnit");
    const char* names[] = {"m", "kg", "s", "rad"};
    for (std::size_t k = 0; k < 4; ++k)
      if (dimension.sixths[k] != 0) set(base, names[k], fmt::format("{}", dimension.sixths[k] / 6));
  }
}

void add_variable(pugi::xml_node list, std::size_t reference, const FmuVariable& variable) {
  pugi::xml_node scalar = list.append_child("ScalarVariable");
  set(scalar, "name", variable.name);
  set(scalar, "valueReference", fmt::format("{}", reference));
  if (!variable.doc.empty()) set(scalar, "description", variable.doc);
  pugi::xml_node real;
  switch (variable.causality) {
    case Causality::parameter:
      set(scalar, "causality", "parameter");
      set(scalar, "variability", "fixed");
      set(scalar, "initial", "exact");
      break;
    case Causality::input:
      set(scalar, "causality", "input");
      set(scalar, "variability", "continuous");
      break;
    case Causality::output:
      set(scalar, "causality", "output");
      set(scalar, "variability", "continuous");
      set(scalar, "initial", "calculated");
      break;
  }
  real = scalar.append_child("Real");
  if (const std::string unit = unit_of(variable); !unit.empty()) set(real, "unit", unit);
  if (variable.causality != Causality::output) set(real, "start", variable.start);
}

}  // namespace

std::string model_description(const Scenario& scenario, const std::string& identifier, const std::string& guid,
                              const std::vector<FmuVariable>& variables) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  pugi::xml_node root = document.append_child("fmiModelDescription");
  const BuildInfo& build = build_info();
  set(root, "fmiVersion", "2.0");
  set(root, "modelName", scenario.name);
  set(root, "guid", guid);
  if (!scenario.title.empty()) set(root, "description", scenario.title);
  set(root, "generationTool", fmt::format("carom {} ({})", build.version, build.commit));
  set(root, "variableNamingConvention", "flat");
  set(root, "numberOfEventIndicators", "0");

  pugi::xml_node cosimulation = root.append_child("CoSimulation");
  set(cosimulation, "modelIdentifier", identifier);
  set(cosimulation, "needsExecutionTool", "false");
  set(cosimulation, "canHandleVariableCommunicationStepSize", "true");
  set(cosimulation, "canInterpolateInputs", "false");
  set(cosimulation, "canBeInstantiatedOnlyOncePerProcess", "false");
  set(cosimulation, "canGetAndSetFMUstate", "true");
  set(cosimulation, "canSerializeFMUstate", "true");

  add_units(root, variables);
  pugi::xml_node categories = root.append_child("LogCategories");
  for (const char* name : {"logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal"})
    set(categories.append_child("Category"), "name", name);
  pugi::xml_node experiment = root.append_child("DefaultExperiment");
  set(experiment, "startTime", scenario.model.initial.t);
  set(experiment, "stopTime", scenario.simulation.t_end);
  set(experiment, "stepSize", scenario.simulation.step);

  pugi::xml_node list = root.append_child("ModelVariables");
  for (std::size_t i = 0; i < variables.size(); ++i) add_variable(list, i, variables[i]);
  pugi::xml_node structure = root.append_child("ModelStructure");
  for (const char* kind : {"Outputs", "InitialUnknowns"}) {
    pugi::xml_node unknowns;
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].causality != Causality::output) continue;
      if (!unknowns) unknowns = structure.append_child(kind);
      set(unknowns.append_child("Unknown"), "index", fmt::format("{}", i + 1));
    }
  }
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace carom::inline io
