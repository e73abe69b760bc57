// What an FMU shows of a scenario. The place in the list is the value reference:
//
//   parameters   of the file and of the analytic model, and simulation.step: set before the run
//   inputs       [input.NAME]
//   outputs      signals of the file and formulas asked for; without any, all coordinates and velocities
//
// Everything is in SI units.
#pragma once

#include <string>
#include <vector>

#include "carom/io/scenario.h"

namespace carom::inline io {

struct FmuVariable {
  enum class Causality { parameter, input, output };
  Causality causality = Causality::output;
  std::string name;
  Dimension dimension = Dimension::anything();
  std::string doc = {};
  double start = 0.0;        // of parameters and inputs
  std::string formula = {};  // of outputs
};

// Signals first. InputError E0614 if nothing is named and the model has too many coordinates to show them all.
std::vector<NamedExpression> fmu_outputs(const Scenario& scenario, const std::vector<NamedExpression>& asked_for);

// InputError E0614 if an output means nothing or a name stands for two things.
std::vector<FmuVariable> fmu_variables(const Scenario& scenario, const std::vector<NamedExpression>& outputs);

// --set of a parameter with this value.
Override override_of(const FmuVariable& parameter, double value);

}  // namespace carom::inline io
