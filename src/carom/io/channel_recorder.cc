#include "carom/io/channel_recorder.h"

#include <cmath>

namespace carom::inline io {

ChannelRecorder::ChannelRecorder(const Scenario& scenario)
    : channels_(*scenario.model.system, scenario.model.initial, formula_context(scenario)) {}

FormulaContext formula_context(const Scenario& scenario) {
  FormulaContext context;
  for (const NamedNumber& parameter : scenario.parameters)
    context.numbers.push_back({parameter.name, parameter.value, parameter.dimension});
  for (const auto& [name, value] : scenario.model_parameters)
    if (const double* x = std::get_if<double>(&value)) context.numbers.push_back({name, *x});
  for (const NamedExpression& signal : scenario.signals) context.signals.push_back({signal.name, signal.expression});
  context.joints = scenario.joints;
  context.points = scenario.points;
  context.maximal = scenario.maximal;
  context.bare_numbers = scenario.bare_numbers;
  return context;
}

void ChannelRecorder::need(const std::vector<NamedExpression>& expressions) {
  for (const NamedExpression& named : expressions) channels_.need(named.expression);
}

void ChannelRecorder::begin(const System& system, const State& start) {
  Auditor auditor;
  StepAudit energy;
  auditor.begin(system, start, energy);
  channels_.sample({start, nullptr, energy, auditor});
}

void ChannelRecorder::step(const System&, const StepView& view) {
  channels_.sample({view.result.next, &view.result, view.audit, *view.auditor, &view.before});
}

std::vector<Measurement> ChannelRecorder::measure(const std::vector<NamedExpression>& expressions) const {
  std::vector<Measurement> measured;
  for (const NamedExpression& named : expressions) {
    Measurement& next = measured.emplace_back(Measurement{named.name, {}, {}});
    try {
      const double value = named.expression.evaluate(channels_).data[0];
      if (std::isnan(value))
        next.trouble = not_a_number;
      else
        next.value = value;
    } catch (const ExpressionError& error) {
      next.trouble = error.what();
    }
  }
  return measured;
}

}  // namespace carom::inline io
