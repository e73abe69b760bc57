// A scenario that its user steps: inputs are set and outputs read by name between the steps.
//
//   SteppedRun run(scenario);
//   while (run.t() < 1.0) {
//     run.set("motor", -0.2 * (run.get("crank.rate") - 150.0));
//     if (!run.step()) break;
//   }
//
// An output is any formula of one moment (channels.h). Impulses add up from one reading to the next, so that none is
// lost between two communication points; everything else is that of the last step's end. Velocities are those after the
// impacts of the step.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "carom/io/channel_recorder.h"
#include "carom/io/channels.h"
#include "carom/io/scenario.h"
#include "carom/simulation/stepper.h"

namespace carom::inline io {

// A moment of a stepped run: also what its outputs have counted and added up (turns, impulses not read yet).
struct SteppedCheckpoint {
  struct Output {
    std::vector<double> memory;
    double value = 0.0;
    bool fresh = false;
  };
  Checkpoint run;
  std::map<std::string, Output> outputs;  // by formula
};

class SteppedRun final : private Recorder {
 public:
  // InputError if its scheme cannot treat its model.
  explicit SteppedRun(Scenario scenario);
  // With a scheme of one's own (null: the scenario's), which is not asked what it can treat, and other options.
  SteppedRun(Scenario scenario, std::unique_ptr<Scheme> scheme, const SimulationOptions& options);
  SteppedRun(const SteppedRun&) = delete;
  SteppedRun& operator=(const SteppedRun&) = delete;

  const Scenario& scenario() const { return scenario_; }
  const Stepper& stepper() const { return *stepper_; }
  double t() const { return stepper_->t(); }
  const State& state() const { return stepper_->state(); }

  // False if no step was made: the end is reached, or the run failed (stepper().outcome()). Also shown to another
  // recorder, if there is one.
  bool step(Recorder* also = nullptr);
  bool advance(double until, Recorder* also = nullptr);

  std::vector<std::string> inputs() const;
  void set(const std::string& input, double value);  // InputError E0614 if there is none of that name
  double input(const std::string& name) const;
  double get(const std::string& formula);  // InputError E0614 if it means nothing

  SteppedCheckpoint save() const;
  // Also of another run of the same scenario. An output first read after the save counts from there.
  void restore(const SteppedCheckpoint& checkpoint);

  SimulationSummary summary() const { return stepper_->summary(); }

 private:
  struct Output {
    Output(const std::string& text, const Scenario& scenario)
        : formula(text), channels(*scenario.model.system, scenario.model.initial, formula_context(scenario)) {
      channels.need(formula);
    }
    Expression formula;
    Channels channels;
    double value = 0.0;
    bool fresh = false;
  };

  std::size_t number_of(const std::string& input) const;
  Output& output(const std::string& formula);
  void step(const System& system, const StepView& view) override;

  Scenario scenario_;
  std::unique_ptr<Scheme> scheme_;
  std::unique_ptr<InclusionSolver> solver_;
  std::unique_ptr<Stepper> stepper_;
  std::map<std::string, std::unique_ptr<Output>, std::less<>> outputs_;
  Recorder* also_ = nullptr;
};

}  // namespace carom::inline io
