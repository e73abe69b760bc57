// Bodies that joints lead along curves of radius l at omega: a force that points as the joint does at the end of a step
// takes sin^2(omega h) of the energy from the velocity it turns, so a run of T loses about the share omega^2 h T.
// Explicit schemes are unstable from h sqrt(k/m) = 2 on; half of that is told.
#include "carom/io/foreseen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "carom/io/default_choices.h"
#include "carom/io/quantity_text.h"
#include "carom/io/time_scales.h"

namespace carom::inline io {

namespace {

constexpr double told_loss = 0.05;  // of the energy

bool has_play(const Model& model) {
  ContactSet contacts;
  model.system->detect(model.initial.t, model.initial.q, model.initial.v, 0.0, contacts);
  return std::any_of(contacts.constraints.begin(), contacts.constraints.end(),
                     [](const Constraint& c) { return !c.bilateral && c.clearance > 0.0; });
}

}  // namespace

std::vector<Foreseen> foresee(const Scenario& scenario) {
  std::vector<Foreseen> list;
  const System& system = *scenario.model.system;
  const SimulationSettings& settings = scenario.simulation;
  const auto known = scheme_registry().names();
  if (system.nv() == 0 || !(settings.step > 0.0) ||
      std::find(known.begin(), known.end(), settings.scheme) == known.end())
    return list;
  const SchemeEntry& scheme = scheme_registry().find(settings.scheme);
  if (scheme.promises.event_driven) return list;  // its step is its own
  const auto given = settings.scheme_parameters.find(scheme.name);
  const ParameterValues parameters = given == settings.scheme_parameters.end() ? ParameterValues{} : given->second;
  Orders orders = scheme.promises.orders;
  if (scheme.orders_with) orders = scheme.orders_with(Parameters(scheme.parameters, parameters, scheme.name));
  const bool loses = system.features().contains(Feature::joints) && orders.joint_energy < 2.0;
  const bool is_explicit = !scheme.promises.implicit_force;
  const bool play = has_play(scenario.model);
  if (!loses && !is_explicit && !play) return list;

  const TimeScales scales(scenario.model);
  if (const auto crossing = scales.crossing(); play && crossing.moved(settings.step) > crossing.clearance)
    list.push_back(
        {"simulation.step", "W0306",
         fmt::format("a step moves {} by {}, its clearance is {}", crossing.contact,
                     with_prefix(crossing.moved(settings.step), "m", 3), with_prefix(crossing.clearance, "m", 3)),
         fmt::format("step = \"{:.1g} s\" or less; or leave the step out", 0.25 * crossing.time())});
  // What springs do to a start may be held by other parts: then only what turns already is counted.
  if (const double omega = scales.swing() > 0.0 ? scales.turning() : scales.driven(); loses && omega > 0.0) {
    const double share = -std::expm1(-omega * omega * settings.step * settings.t_end);
    if (share > told_loss)
      list.push_back(
          {"simulation.scheme", "W0307",
           fmt::format("{} loses energy in joints in proportion to the step: up to {:.0f} % of it by t_end "
                       "(turning at {:.3g} rad/s)",
                       scheme.name, 100.0 * share, omega),
           offers_midpoints(scheme)
               ? fmt::format("simulation.{}.directions = \"midpoint\", or scheme = \"ggl_unified\"", scheme.name)
               : std::string("scheme = \"ggl_unified\", or a shorter step")});
  }
  if (const double omega = is_explicit ? scales.swing() : 0.0; settings.step * omega > 1.0)
    list.push_back(
        {"simulation.scheme", "W0308",
         fmt::format("{} is explicit in the forces, and the stiffest of them swings at {:.3g} rad/s: "
                     "{:.2g} rad a step",
                     scheme.name, omega, settings.step * omega),
         fmt::format("step = \"{:.1g} s\", or a scheme that keeps stiff forces (carom list schemes)", 0.2 / omega)});
  return list;
}

}  // namespace carom::inline io
