// The scheme, by what the model has and what schemes promise (schemes/scheme.h, held by tests/batteries):
//
//   joints as constraints      they stay closed at step ends, and make or lose energy of order 2 in the step
//   contacts                   the impact law holds in every step, bodies come to rest
//   almost elastic contacts    they bring in no energy (where less is given back, losses hide it): by the scheme,
//   without
//                              friction, or by a passive law (schemes/passive_impact.h)
//   springs, flexible parts    implicit in the forces
//   joints alone               of high order: fast moments, as of a whip, are followed too. Only where the joints are
//                              independent: such schemes eliminate their forces one stage after the other
//
// Of the schemes that treat the model the one that keeps most of this is taken; among equals the cheaper one. A scheme
// whose joints may be taken at midpoints is also tried with that. What it does not keep is told too.
//
// The step, by the fastest of the model's times (time_scales.h):
//
//   h = min(T/1000, 0.01/turning, 0.01/driven, 0.05/swing, crossing/4, 0.1 size/speed)
//
// rounded down to 1, 2 or 5 times a power of ten.
#include "carom/io/default_choices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/io/start_report.h"
#include "carom/io/time_scales.h"

namespace carom::inline io {

namespace {

struct Promise {
  const char* text;
  bool kept;
};

struct Candidate {
  const SchemeEntry* scheme = nullptr;
  bool midpoint = false;  // with directions = "midpoint"
  std::vector<Promise> promises = {};

  long broken() const {
    return std::count_if(promises.begin(), promises.end(), [](const Promise& p) { return !p.kept; });
  }
};

struct Needs {
  bool joints, contacts, elastic, stiff;
  bool smooth;      // independent joints and nothing else
  bool law_yields;  // the elastic contacts have passive laws
};

constexpr double almost_elastic = 0.9;  // restitution from which on gained energy is not lost again

bool has_forces_of_position(const Model& model) {
  const System& system = *model.system;
  ContactSet contacts;
  ActiveSet none;
  system.detect(model.initial.t, model.initial.q, model.initial.v, 0.0, contacts);
  none.reset(contacts);
  Evaluation at;
  system.evaluate(model.initial.t, model.initial.q, model.initial.v, Need::force | Need::force_jacobian, none, at);
  Vector x = Vector::Ones(system.nv()), y = Vector::Zero(system.nv());
  at.dh_dq.multiply_add(1.0, x.data(), y.data());
  return y.size() > 0 && y.cwiseAbs().maxCoeff() > 0.0;
}

ParameterValues parameters_of(const Scenario& scenario, const Candidate& candidate) {
  const auto given = scenario.simulation.scheme_parameters.find(candidate.scheme->name);
  ParameterValues values = given == scenario.simulation.scheme_parameters.end() ? ParameterValues{} : given->second;
  if (candidate.midpoint) values["directions"] = std::string("midpoint");
  return values;
}

std::vector<Promise> promises(const Scenario& scenario, const Candidate& candidate, const Needs& needs) {
  const Promises& kept = candidate.scheme->promises;
  Orders orders = kept.orders;
  if (candidate.scheme->orders_with)
    orders = candidate.scheme->orders_with(
        Parameters(candidate.scheme->parameters, parameters_of(scenario, candidate), candidate.scheme->name));
  std::vector<Promise> list;
  if (needs.joints) {
    list.push_back({"joints stay closed", kept.position_level});
    list.push_back({"joints keep their energy to order 2", orders.joint_energy >= 2.0});
  }
  if (needs.contacts) {
    list.push_back({"impacts follow their law in every step", kept.impact_law});
    list.push_back({"bodies come to rest", kept.rests && !kept.sinks});
  }
  if (needs.elastic) list.push_back({"contacts bring in no energy", kept.passive || (needs.law_yields && kept.yields)});
  if (needs.smooth) list.push_back({"smooth motion of order 4 and more", orders.persistent >= 4.0});
  if (needs.stiff) list.push_back({"stiff forces are implicit", kept.implicit_force});
  if (list.empty()) list.push_back({"order 2 in free flight", orders.free_flight >= 2.0});
  return list;
}

bool can_take_midpoints(const Scenario& scenario, const SchemeEntry& scheme) {
  const auto given = scenario.simulation.scheme_parameters.find(scheme.name);
  if (given != scenario.simulation.scheme_parameters.end() && given->second.contains("directions")) return false;
  return offers_midpoints(scheme);
}

// The cheap and well-tried ones first; those that locate events are references, not for every day.
std::vector<const SchemeEntry*> by_cost() {
  std::vector<const SchemeEntry*> list;
  for (const char* name : {"moreau_jean", "ggl_unified", "projection_combined"})
    list.push_back(&scheme_registry().find(name));
  for (const SchemeEntry* scheme : scheme_registry().entries())
    if (!scheme->promises.event_driven && std::find(list.begin(), list.end(), scheme) == list.end())
      list.push_back(scheme);
  return list;
}

void choose_scheme(Scenario& scenario) {
  const System& system = *scenario.model.system;
  const FeatureSet features = system.features();
  const bool contacts = features.contains(Feature::contacts);
  bool elastic = false, law_yields = true;
  for (const auto& [name, law] : scenario.laws) {
    if (!contacts || law.restitution < almost_elastic) continue;
    elastic = true;
    law_yields = law_yields && law.is_passive();
  }
  Needs needs{features.contains(Feature::joints),     contacts, elastic,
              has_forces_of_position(scenario.model), false,    law_yields};
  needs.smooth = needs.joints && !contacts && !needs.stiff && joints_are_independent(scenario.model);
  Candidate best;
  for (const SchemeEntry* scheme : by_cost())
    for (const bool midpoint : {false, true}) {
      Candidate candidate{scheme, midpoint};
      if (midpoint && !(needs.joints && can_take_midpoints(scenario, *scheme))) continue;
      if (refusal(*scheme, system, parameters_of(scenario, candidate))) continue;
      candidate.promises = promises(scenario, candidate, needs);
      if (!best.scheme || candidate.broken() < best.broken()) best = candidate;
    }
  if (!best.scheme) {
    scenario.simulation.scheme = "moreau_jean";  // its refusal is told
    return;
  }
  scenario.simulation.scheme = best.scheme->name;
  scenario.simulation.scheme_parameters[best.scheme->name] = parameters_of(scenario, best);
  std::vector<std::string> kept, broken;
  for (const Promise& promise : best.promises) (promise.kept ? kept : broken).emplace_back(promise.text);
  scenario.choices.push_back(
      fmt::format("scheme {}{}: {}{}", best.scheme->name, best.midpoint ? " with directions = \"midpoint\"" : "",
                  kept.empty() ? "it treats all this model has" : fmt::format("{}", fmt::join(kept, ", ")),
                  broken.empty() ? "" : fmt::format("; not kept: {}", fmt::join(broken, ", "))));
}

// What an impact law left out has become. Only with friction, or with several restitutions, does it differ from
// Newton's.
void tell_impact_law(Scenario& scenario) {
  std::vector<std::string> rough;
  for (const std::string& name : scenario.laws_without_type)
    if (const ContactParameters& law = scenario.laws.at(name); law.is_passive() && law.friction > 0.0)
      rough.push_back("law." + name);
  if (rough.empty()) return;
  const std::string& scheme = scenario.simulation.scheme;
  const bool yields = scheme_registry().find(scheme.substr(0, scheme.find(':'))).promises.yields;
  scenario.choices.push_back(
      yields
          ? fmt::format("impact law passive ({}): Newton's, with less restitution where an impact with friction "
                        "would bring in energy; type = \"newton\" is the plain law",
                        fmt::join(rough, ", "))
          : fmt::format("impact law newton ({}): scheme {} has no passive one, and impacts with friction may bring in "
                        "energy",
                        fmt::join(rough, ", "), scheme));
}

double rounded_down(double h) {
  const double decade = std::pow(10.0, std::floor(std::log10(h)));
  for (const double digit : {5.0, 2.0})
    if (h >= digit * decade * (1.0 - 1e-12)) return digit * decade;
  return decade;
}

void choose_step(Scenario& scenario) {
  double h = scenario.simulation.t_end / 1000.0;
  std::string reason = "a thousandth of t_end";
  const auto at_most = [&](double limit, const std::string& why) {
    if (!(limit > 0.0) || !(limit < h)) return;
    h = limit;
    reason = why;
  };
  if (scenario.model.system->nv() > 0) {
    const TimeScales scales(scenario.model);
    if (const double omega = scales.turning(); omega > 0.0)
      at_most(0.01 / omega, fmt::format("a hundredth of a radian at {:.3g} rad/s", omega));
    if (const double omega = scales.driven(); omega > 0.0)
      at_most(0.01 / omega, fmt::format("a hundredth of a radian at {:.3g} rad/s, which forces give soon", omega));
    if (const double omega = scales.swing(); omega > 0.0)
      at_most(0.05 / omega,
              fmt::format("125 steps in a swing of the stiffest spring ({:.3g} Hz)", omega / (2.0 * std::numbers::pi)));
    if (const auto crossing = scales.crossing(); crossing.clearance > 0.0)
      at_most(0.25 * crossing.time(),
              fmt::format("{} moves by a quarter of the time it takes through its clearance of {:.3g} m",
                          crossing.contact, crossing.clearance));
    if (const auto passing = scales.passing(); passing.size > 0.0)
      at_most(0.1 * passing.size / passing.speed,
              fmt::format("{} moves by a tenth of its size of {:.3g} m", passing.body, passing.size));
  }
  scenario.simulation.step = rounded_down(h);
  scenario.choices.push_back(fmt::format("step {} s: {}", scenario.simulation.step, reason));
}

}  // namespace

bool offers_midpoints(const SchemeEntry& scheme) {
  return std::any_of(scheme.parameters.begin(), scheme.parameters.end(), [](const ParameterSpec& p) {
    return p.name == "directions" && std::count(p.words.begin(), p.words.end(), "midpoint") > 0;
  });
}

void make_choices(Scenario& scenario) {
  if (scenario.simulation.scheme == automatic_scheme) choose_scheme(scenario);
  tell_impact_law(scenario);
  if (scenario.simulation.step == 0.0 && scenario.simulation.t_end > 0.0) choose_step(scenario);
}

}  // namespace carom::inline io
