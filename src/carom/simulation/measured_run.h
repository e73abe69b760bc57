// A run whose steps are taken apart by the CPU time their parts take: for benchmarks.
//
//   MeasuredRun run(system, scheme, solver, start, options);
//   while (run.step()) ...
//   run.times().solve / run.times().total()
//
// System, scheme, solver and recorder are handed to an ordinary Stepper behind others that start and stop a clock and
// pass everything on: the bits are the same, and a run that is not measured pays nothing. A look at the clock costs
// some 0.3 us: with models of a few bodies the clock is a part of what it shows.
#pragma once

#include <memory>

#include "carom/simulation/stepper.h"

namespace carom::inline simulation {

// CPU seconds of all threads. A part that calls another does not count its time.
struct StepTimes {
  double detection = 0;    // who may touch: System::detect, whoever asks
  double assembly = 0;     // M, h, W, gaps of a step: System::evaluate, as the scheme asks
  double solve = 0;        // inclusion problems
  double integration = 0;  // the scheme's own: factors, the operator G, positions, tests
  double audit = 0;        // energies, gaps and missed contacts at the end of the step; the driver itself
  double recording = 0;
  double total() const { return detection + assembly + solve + integration + audit + recording; }
};

class MeasuredRun {
 public:
  MeasuredRun(const System& system, const Scheme& scheme, const InclusionSolver& solver, const State& start,
              const SimulationOptions& options);
  ~MeasuredRun();

  bool step(Recorder* recorder = nullptr);
  const StepTimes& times() const;  // since the beginning
  const Stepper& stepper() const;
  long solves() const;  // inclusion problems so far

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::inline simulation
