// One run of a published example, and everything its tables and figures are made of.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "carom/model/model.h"
#include "carom/simulation/simulate.h"

namespace carom::inline study {

using SchemeParameters = std::map<std::string, ParameterValue>;

struct PublishedRun {
  const Model& model;
  std::string scheme;
  SchemeParameters parameters;
  double dt, t_end;
};

// Step ends, the start included. Constraints are counted in the order in which the model first lists them.
struct Trace {
  using Series = std::vector<double>;
  Series t;
  std::vector<Series> q, v;              // by coordinate
  std::vector<std::string> names;        // of constraints
  std::vector<Series> gap, gap_rate;     // by constraint: g and its gamma_N; no number while it is not listed
  std::vector<Series> normal_impulse;    // by constraint, of the step that ended here
  std::vector<Series> friction_impulse;  // by constraint, the length of its other rows
  Series kinetic, potential;
  Series impact_loss, scheme_residual;  // of the step that ended here, see audit.h
  Series position_multiplier;           // largest of the step
  Series impact;                        // 1 if the scheme took the step that ended here as an impact, else 0
  double first_impact = 0;              // end of the first step with an impulse, seen at any `every`
  SimulationSummary summary;

  std::size_t constraint(std::string_view name) const;  // its number; LogicError if it was never listed
};

// A run that did not reach its end.
class RunFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Keeps every `every`-th step (and the start). Throws RunFailure.
Trace trace_run(const PublishedRun& run, long every = 1);

// Without traces, for long runs. `audit` measures gaps and energies. Throws RunFailure.
SimulationSummary summarize_run(const PublishedRun& run, bool audit = true, Recorder* recorder = nullptr);

}  // namespace carom::inline study
