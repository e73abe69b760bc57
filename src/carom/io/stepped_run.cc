#include "carom/io/stepped_run.h"

#include <fmt/format.h>

#include "carom/base/errors.h"
#include "carom/base/names.h"

namespace carom::inline io {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& hint) {
  throw InputError({"E0614", what, {}, hint, {}, 0, 0, {}});
}

}  // namespace

SteppedRun::SteppedRun(Scenario scenario) : SteppedRun(scenario, nullptr, simulation_options(scenario)) {}

SteppedRun::SteppedRun(Scenario scenario, std::unique_ptr<Scheme> scheme, const SimulationOptions& options)
    : scenario_(std::move(scenario)), scheme_(std::move(scheme)) {
  if (!scheme_) {
    check_scheme(scenario_);
    scheme_ = make_scheme(scenario_);
  }
  solver_ = make_solver(scenario_);
  stepper_ = std::make_unique<Stepper>(*scenario_.model.system, *scheme_, *solver_, scenario_.model.initial, options);
}

bool SteppedRun::step(Recorder* also) {
  also_ = also;
  return stepper_->step(this);
}

bool SteppedRun::advance(double until, Recorder* also) {
  also_ = also;
  return stepper_->advance(until, this);
}

void SteppedRun::step(const System& system, const StepView& view) {
  for (auto& [formula, output] : outputs_) {
    output->channels.pass({view.result.next, &view.result, view.audit, *view.auditor});
    output->fresh = false;
  }
  if (also_) also_->step(system, view);
}

std::vector<std::string> SteppedRun::inputs() const {
  std::vector<std::string> names;
  for (const Input& input : scenario_.inputs) names.push_back(input.name);
  return names;
}

std::size_t SteppedRun::number_of(const std::string& input) const {
  const auto& inputs = scenario_.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].name == input) return i;
  refuse(fmt::format("the model has no input '{}'", input),
         inputs.empty() ? "it has none: [input.NAME] in the model file, or ModelBuilder::add_input"
                        : suggestion(input, this->inputs()));
}

void SteppedRun::set(const std::string& input, double value) { stepper_->set_input(number_of(input), value); }
double SteppedRun::input(const std::string& name) const { return *scenario_.inputs[number_of(name)].value; }

SteppedRun::Output& SteppedRun::output(const std::string& formula) {
  const auto it = outputs_.find(formula);
  if (it != outputs_.end()) return *it->second;
  try {
    return *outputs_.emplace(formula, std::make_unique<Output>(formula, scenario_)).first->second;
  } catch (const ExpressionError& error) {
    refuse(fmt::format("'{}': {}", formula, error.what()), error.hint());
  }
}

double SteppedRun::get(const std::string& formula) {
  Output& out = output(formula);
  if (out.fresh) return out.value;
  out.channels.clear();
  out.channels.sample_passed({state(), stepper_->last_step(), stepper_->step_audit(), stepper_->auditor()});
  try {
    out.value = out.formula.evaluate(out.channels, Expression::Scope::instant)[0];
  } catch (const ExpressionError& error) {
    refuse(fmt::format("'{}': {}", formula, error.what()), error.hint());
  }
  out.fresh = true;
  return out.value;
}

SteppedCheckpoint SteppedRun::save() const {
  SteppedCheckpoint checkpoint{stepper_->save(), {}};
  for (const auto& [formula, output] : outputs_)
    checkpoint.outputs[formula] = {output->channels.memory(), output->value, output->fresh};
  return checkpoint;
}

void SteppedRun::restore(const SteppedCheckpoint& checkpoint) {
  stepper_->restore(checkpoint.run);
  outputs_.clear();
  for (const auto& [formula, saved] : checkpoint.outputs) {
    Output& out = output(formula);
    out.channels.take_memory(saved.memory);
    out.value = saved.value;
    out.fresh = saved.fresh;
  }
}

}  // namespace carom::inline io
