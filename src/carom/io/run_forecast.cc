#include "carom/io/run_forecast.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace carom::inline io {

namespace {

// What the recorder keeps besides the state, reactions and signals: time and eight energies a sample; time, length,
// residual, four counts a step.
constexpr double kNumbersPerSample = 9.0;
constexpr double kBytesPerStep = 3 * 8 + 4 * 4;
constexpr double kBytesPerContact = 189;  // a row of /contact/table and of /contact/cone

}  // namespace

RunForecast forecast_run(const Scenario& scenario) {
  const double span = scenario.simulation.t_end - scenario.model.initial.t;
  RunForecast forecast;
  forecast.steps = std::ceil(span / scenario.simulation.step - 1e-6);
  forecast.samples = std::ceil(span / std::max(scenario.output.fields_every, scenario.simulation.step)) + 1.0;
  ContactSet contacts;
  const State& start = scenario.model.initial;
  scenario.model.system->detect(start.t, start.q, start.v, scenario.simulation.step, contacts);
  Index joints = 0, rows = 0;
  for (const Constraint& constraint : contacts.constraints) {
    if (!constraint.bilateral) {
      forecast.contacts += 1.0;
      continue;
    }
    ++joints;
    rows = std::max(rows, constraint.law->dim());
  }
  const double numbers = joints * (rows + 1) + scenario.model.system->nq() + scenario.model.system->nv() +
                         kNumbersPerSample + static_cast<double>(scenario.signals.size());
  forecast.bytes = 8.0 * numbers * forecast.samples + kBytesPerStep * forecast.steps;
  if (scenario.output.contacts) forecast.contact_bytes = kBytesPerContact * forecast.contacts * forecast.steps;
  std::set<std::pair<std::string, Reduction>> kept;
  for (const auto* formulas : {&scenario.measures, &scenario.expectations})
    for (const NamedExpression& formula : *formulas)
      for (const Expression::Reference& reference : formula.expression.references())
        kept.emplace(reference.name, reference.reduction);
  forecast.memory = 8.0 * static_cast<double>(kept.size()) * forecast.steps;
  return forecast;
}

}  // namespace carom::inline io
