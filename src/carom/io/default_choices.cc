// The scheme, by what the model has and what schemes have been measured to keep:
//
//   joints as constraints      ggl_unified: joints stay closed and keep their energy, impacts follow their law
//   otherwise                  moreau_jean: the impact law holds in every step, bodies come to rest
//   neither can                the first that treats the model
//
// The step, by the fastest of the model's times:
//
//   h = min(T/1000, 0.01/omega, 0.05/sqrt(k/m))      omega: turning at the start; k/m: stiffest spring against mass
//
// rounded down to 1, 2 or 5 times a power of ten. k/m is the largest eigenvalue of -M^-1 dh/dq at the start, by power
// iteration.
#include "carom/io/default_choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/iteration_matrix.h"

namespace carom {

namespace {

bool treats(const Scenario& scenario, const std::string& name) {
  const SchemeEntry& scheme = schemes().find(name);
  const auto given = scenario.simulation.scheme_parameters.find(name);
  return !refusal(scheme, *scenario.model.system,
                  given == scenario.simulation.scheme_parameters.end() ? ParameterValues{} : given->second);
}

void choose_scheme(Scenario& scenario) {
  const FeatureSet features = scenario.model.system->features();
  struct Candidate {
    const char* name;
    const char* reason;
  };
  std::vector<Candidate> candidates;
  if (features.contains(Feature::joints))
    candidates.push_back({"ggl_unified", "joints stay closed and keep their energy"});
  candidates.push_back({"moreau_jean", "the impact law holds in every step, bodies come to rest"});
  for (const Candidate& candidate : candidates)
    if (treats(scenario, candidate.name)) {
      scenario.simulation.scheme = candidate.name;
      scenario.choices.push_back(fmt::format("scheme {}: {}", candidate.name, candidate.reason));
      return;
    }
  for (const SchemeEntry* scheme : schemes().entries())
    if (treats(scenario, scheme->name)) {
      scenario.simulation.scheme = scheme->name;
      scenario.choices.push_back(fmt::format("scheme {}: it treats all this model has", scheme->name));
      return;
    }
  scenario.simulation.scheme = "moreau_jean";  // its refusal is told
}

// The largest |eigenvalue| of M^-1 dh/dq at the start, roughly.
double stiffest(const System& system, const State& start) {
  if (system.nv() == 0) return 0.0;
  ContactSet contacts;
  ActiveSet none;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  none.reset(contacts);
  Evaluation at;
  system.evaluate(start.t, start.q, start.v, Need::inertia | Need::force | Need::force_jacobian, none, at);
  IterationMatrix M;
  M.factor(at.M);
  Vector x(system.nv()), y(system.nv());
  for (Index i = 0; i < system.nv(); ++i) x[i] = 1.0 + 0.37 * (i % 5);
  double value = 0.0;
  for (int k = 0; k < 30; ++k) {
    const double size = x.norm();
    if (!(size > 0.0) || !std::isfinite(size)) return value;
    x /= size;
    y.setZero();
    at.dh_dq.multiply_add(1.0, x.data(), y.data());
    M.solve(y.data());
    value = std::abs(y.norm());
    x = y;
  }
  return value;
}

double rounded_down(double h) {
  const double decade = std::pow(10.0, std::floor(std::log10(h)));
  for (const double digit : {5.0, 2.0})
    if (h >= digit * decade * (1.0 - 1e-12)) return digit * decade;
  return decade;
}

void choose_step(Scenario& scenario) {
  const System& system = *scenario.model.system;
  const State& start = scenario.model.initial;
  double h = scenario.simulation.t_end / 1000.0;
  std::string reason = "a thousandth of t_end";
  double fastest = 0.0;
  for (Index i = 0; i < system.nv(); ++i) {
    const std::string name = system.velocity_name(i);
    if (name.ends_with("rate") || name.find("spin") != std::string::npos)
      fastest = std::max(fastest, std::abs(start.v[i]));
  }
  if (fastest > 0.0 && 0.01 / fastest < h) {
    h = 0.01 / fastest;
    reason = fmt::format("a hundredth of a radian at {:.3g} rad/s", fastest);
  }
  if (const double k = stiffest(system, start); k > 0.0 && 0.05 / std::sqrt(k) < h) {
    h = 0.05 / std::sqrt(k);
    reason = fmt::format("125 steps in a swing of the stiffest spring ({:.3g} Hz)", std::sqrt(k) / 6.283185307179586);
  }
  scenario.simulation.step = rounded_down(h);
  scenario.choices.push_back(fmt::format("step {} s: {}", scenario.simulation.step, reason));
}

}  // namespace

void make_choices(Scenario& scenario) {
  if (scenario.simulation.scheme == automatic_scheme) choose_scheme(scenario);
  if (scenario.simulation.step == 0.0 && scenario.simulation.t_end > 0.0) choose_step(scenario);
}

}  // namespace carom
