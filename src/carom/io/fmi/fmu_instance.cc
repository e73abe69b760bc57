#include "carom/io/fmi/fmu_instance.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "carom/base/errors.h"
#include "carom/io/fmi/fmu_state.h"

namespace carom::inline io {

namespace {

using Causality = FmuVariable::Causality;
constexpr double never = std::numeric_limits<double>::infinity();

const char* to_word(Causality causality) {
  switch (causality) {
    case Causality::parameter: return "a parameter";
    case Causality::input: return "an input";
    case Causality::output: return "an output";
  }
  return "";
}

}  // namespace

FmuInstance::FmuInstance(const std::string& resources)
    : resources_(resources), description_(read_fmu_description(resources)), stop_(never) {
  make();
}

void FmuInstance::require(bool possible, const char* call) const {
  constexpr const char* words[] = {"instantiated", "in initialization mode", "stepping", "terminated"};
  if (!possible)
    throw FmuRefusal(fmt::format("{} does not fit here: the instance is {}", call, words[static_cast<int>(phase_)]));
}

void FmuInstance::make() {
  std::vector<Override> overrides = description_.overrides;
  for (const auto& [reference, value] : given_)
    if (variables_[reference].causality == Causality::parameter)
      overrides.push_back(override_of(variables_[reference], value));
  Scenario scenario = read_scenario(resources_ + "/" + description_.model, overrides);
  variables_ = fmu_variables(scenario, description_.outputs);
  scenario.simulation.t_end = stop_;
  run_ = std::make_unique<SteppedRun>(std::move(scenario));
  for (const auto& [reference, value] : given_)
    if (variables_[reference].causality == Causality::input) run_->set(variables_[reference].name, value);
  changed_ = false;
  refresh();
}

void FmuInstance::refresh() {
  values_.resize(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const FmuVariable& variable = variables_[i];
    switch (variable.causality) {
      case Causality::parameter: values_[i] = variable.start; break;
      case Causality::input: values_[i] = run_->input(variable.name); break;
      case Causality::output: values_[i] = run_->get(variable.formula); break;
    }
  }
}

void FmuInstance::set(std::span<const std::uint32_t> references, std::span<const double> values) {
  require(phase_ != Phase::terminated, "fmi2SetReal");
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (references[i] >= variables_.size())
      throw FmuRefusal(fmt::format("fmi2SetReal: there is no variable with the value reference {}", references[i]));
    const FmuVariable& variable = variables_[references[i]];
    const bool settable = variable.causality == Causality::input ||
                          (variable.causality == Causality::parameter && phase_ != Phase::stepping);
    if (!settable)
      throw FmuRefusal(fmt::format(
          "fmi2SetReal: {} is {}{}", variable.name, to_word(variable.causality),
          variable.causality == Causality::parameter ? " and is set before the end of the initialization" : ""));
    if (!std::isfinite(values[i])) throw FmuRefusal(fmt::format("fmi2SetReal: {} is not a number", variable.name));
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    const FmuVariable& variable = variables_[references[i]];
    given_[references[i]] = values_[references[i]] = values[i];
    if (variable.causality == Causality::input) run_->set(variable.name, values[i]);
    if (variable.causality == Causality::parameter) changed_ = true;
  }
  if (phase_ != Phase::initializing || !changed_) return;
  try {
    make();
  } catch (const InputError&) {
    changed_ = true;  // perhaps half of the values are still to come: the end of the initialization will tell
  }
}

void FmuInstance::set_up(double start, double stop) {
  require(phase_ == Phase::instantiated, "fmi2SetupExperiment");
  if (start != run_->scenario().model.initial.t)
    throw FmuRefusal(fmt::format("fmi2SetupExperiment: the model begins at t = {}, not at {}",
                                 run_->scenario().model.initial.t, start));
  if (!(stop > start)) throw FmuRefusal("fmi2SetupExperiment: the stop time is not after the start");
  stop_ = stop;
  changed_ = true;
}

void FmuInstance::enter_initialization() {
  require(phase_ == Phase::instantiated, "fmi2EnterInitializationMode");
  if (changed_) make();
  phase_ = Phase::initializing;
}

void FmuInstance::exit_initialization() {
  require(phase_ == Phase::initializing, "fmi2ExitInitializationMode");
  if (changed_) make();
  phase_ = Phase::stepping;
}

void FmuInstance::do_step(double t, double length) {
  require(phase_ == Phase::stepping, "fmi2DoStep");
  const double until = t + length, rounding = 1e-6 * run_->scenario().simulation.step + 1e-12 * std::abs(t);
  if (!(length > 0.0) || !std::isfinite(until)) throw FmuRefusal("fmi2DoStep: the length of the step must be positive");
  if (std::abs(t - run_->t()) > rounding)
    throw FmuRefusal(fmt::format("fmi2DoStep: from t = {}, but the instance is at t = {}", t, run_->t()));
  if (until > stop_ + rounding)
    throw FmuRefusal(fmt::format("fmi2DoStep: to t = {}, beyond the stop time {}", until, stop_));
  const bool reached = run_->advance(until);
  refresh();
  if (!reached) throw FmuRefusal(run_->stepper().so_far().advice, true);
}

void FmuInstance::terminate() {
  require(phase_ == Phase::stepping, "fmi2Terminate");
  phase_ = Phase::terminated;
}

void FmuInstance::reset() {
  given_.clear();
  stop_ = never;
  phase_ = Phase::instantiated;
  make();
}

std::uint32_t FmuInstance::save(std::uint32_t replaced) {
  if (replaced != 0) saved(replaced);
  const std::uint32_t state = replaced != 0 ? replaced : ++last_state_;
  saved_[state] = {run_->save(), values_, phase_};
  return state;
}

const FmuInstance::Saved& FmuInstance::saved(std::uint32_t state) const {
  const auto it = saved_.find(state);
  if (it == saved_.end()) throw FmuRefusal("there is no such state of this instance");
  return it->second;
}

void FmuInstance::restore(std::uint32_t state) {
  const Saved& back = saved(state);
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].causality != Causality::output) {
      const auto reference = static_cast<std::uint32_t>(i);
      if (variables_[i].causality == Causality::input || back.values[i] != values_[i])
        given_[reference] = back.values[i];
      changed_ = changed_ || (variables_[i].causality == Causality::parameter && back.values[i] != values_[i]);
    }
  if (changed_) make();
  run_->restore(back.run);
  values_ = back.values;
  phase_ = back.phase;
}

void FmuInstance::forget(std::uint32_t state) {
  saved(state);
  saved_.erase(state);
}

std::string FmuInstance::serialize(std::uint32_t state) const {
  const Saved& what = saved(state);
  return fmu_state_bytes({guid(), static_cast<int>(what.phase), what.values, what.run});
}

std::uint32_t FmuInstance::deserialize(const std::string& bytes) {
  FmuState state = fmu_state_from(bytes);
  if (state.guid != guid() || state.values.size() != variables_.size())
    throw FmuRefusal("fmi2DeSerializeFMUstate: the bytes are the state of another model");
  saved_[++last_state_] = {std::move(state.run), std::move(state.values), static_cast<Phase>(state.phase)};
  return last_state_;
}

}  // namespace carom::inline io
