// A circuit breaker with data of our own, after section 6.5 of Acary 2012, whose data are not public: 7 bodies, 12
// contacts. Friction in the latch holds it closed; a plunger trips it.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/model/mechanisms/circuit_breaker.h"
#include "carom/study/reproduce/acary_2012.h"
#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study {

namespace {

using acary_2012::kPublication;
using model::CircuitBreaker;

constexpr double kStep = 1e-5, kEnd = 40e-3, kPlay = 5e-5;
constexpr double kTimeMargin =
    0.15e-3;  // s: when a contact that chatters is open for good differs between runs by about 0.1 ms
constexpr const char* kOther = "another implementation";

struct Switching {
  Trace trace;
  double speed_closed = 0.0;                        // largest |v| just before the trip
  double latch_normal = 0.0, latch_friction = 0.0;  // forces just before the trip
  double release = INFINITY, opening = INFINITY, stop = INFINITY;
  double carrier = 0.0, handle = 0.0;  // angles at the end
  double deepest = 0.0;                // of all contacts
  double open_joints = 0.0;
  double aside = 0.0;  // largest z
};

// The end of the last step with an impulse on any contact of this name; of the first one from `from` on.
double last_touch(const Trace& trace, std::string_view name) {
  double t = 0.0;
  for (std::size_t k = 0; k < trace.names.size(); ++k)
    for (std::size_t i = 0; i < trace.t.size(); ++i)
      if (trace.names[k].starts_with(name) && trace.normal_impulse[k][i] > 0.0) t = std::max(t, trace.t[i]);
  return t;
}
double first_touch(const Trace& trace, std::string_view name, double from = 0.0) {
  double t = INFINITY;
  for (std::size_t k = 0; k < trace.names.size(); ++k)
    for (std::size_t i = 0; i < trace.t.size(); ++i)
      if (trace.names[k].starts_with(name) && trace.t[i] > from && trace.normal_impulse[k][i] > 0.0)
        t = std::min(t, trace.t[i]);
  return t;
}
// Contacts of this name were closed until then, and open for at least a millisecond.
double first_opening(const Trace& trace, std::string_view name) {
  double closed = 0.0;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    bool pressed = false;
    for (std::size_t k = 0; k < trace.names.size(); ++k)
      pressed = pressed || (trace.names[k].starts_with(name) && trace.normal_impulse[k][i] > 0.0);
    if (pressed) closed = trace.t[i];
    if (!pressed && trace.t[i] > closed + 1e-3) return closed;
  }
  return INFINITY;
}

Switching run(const std::string& scheme, const CircuitBreaker& data, double dt = kStep, double t_end = kEnd) {
  const Model model = model::circuit_breaker(data);
  Switching s;
  SchemeParameters parameters;  // Moreau-Jean takes W where the step begins (acary_2012_ring.cc)
  if (scheme == "moreau_jean") parameters["directions"] = std::string("start");
  s.trace = trace_run({model, scheme, parameters, dt, t_end});
  const Trace& trace = s.trace;
  const bool spatial = data.space == Space::spatial;
  const std::size_t before = std::min(trace.t.size() - 1, static_cast<std::size_t>(std::lround(data.trip_time / dt)));
  for (const Trace::Series& v : trace.v) s.speed_closed = std::max(s.speed_closed, std::abs(v[before]));
  for (std::size_t k = 0; k < trace.names.size(); ++k) {
    const std::string& name = trace.names[k];
    if (name.starts_with("latch")) {
      s.latch_normal += trace.normal_impulse[k][before] / dt;
      s.latch_friction += trace.friction_impulse[k][before] / dt;
    }
    const bool joint = name.ends_with("axle") || name == "plunger_guide";
    for (const double g : trace.gap[k]) {
      if (joint && std::isfinite(g)) s.open_joints = std::max(s.open_joints, std::abs(g));
      if (!joint && g < 0.0) s.deepest = std::max(s.deepest, -g);
    }
  }
  s.release = first_opening(trace, "latch");
  s.opening = first_opening(trace, "pad");
  s.stop = first_touch(trace, "carrier_stop");
  const auto angle = [&](std::size_t body) {
    return spatial ? 2.0 * std::atan2(trace.q[7 * body + 6].back(), trace.q[7 * body + 3].back())
                   : trace.q[3 * body + 2].back();
  };
  s.handle = angle(0);
  s.carrier = angle(2);
  if (spatial)
    for (std::size_t body = 0; body < 7; ++body) s.aside = std::max(s.aside, largest_absolute(trace.q[7 * body + 2]));
  return s;
}

void judge_switching(const std::string& name, const Switching& s, ReproductionReport& report) {
  const auto row = [&](const char* quantity, const char* number, double computed, const Accept& accept) {
    report.rows.push_back(judge(name + quantity, independent(number, kOther), computed, accept));
  };
  const auto time = [](double ms) { return between(1e-3 * ms - kTimeMargin, 1e-3 * ms + kTimeMargin); };
  row("largest |v| at 20 ms [m/s, rad/s]", "at most 1e-8", s.speed_closed, at_most(1e-8));
  row("normal force of the latch at 20 ms [N]", "8.07", s.latch_normal, within(0.01, 8.07));
  row("friction of the latch at 20 ms [N]", "0.51", s.latch_friction, within(0.05, 0.51));
  row("the latch is released at [s]", "20.99e-3", s.release, time(20.99));
  row("the arm leaves its pad at [s]", "21.57e-3", s.opening, time(21.57));
  row("the carrier meets its stop at [s]", "24.34e-3", s.stop, time(24.34));
  row("angle of the carrier at the end [rad]", "0.350", s.carrier, between(0.345, 0.355));
  row("angle of the handle at the end [rad]", "-1.000", s.handle, between(-1.005, -0.995));
}

ReproductionReport run_breaker() {
  ReproductionReport report;
  report.settings = {
      "dt 1e-5 s, T 40 ms; all data are ours (model/mechanisms/circuit_breaker.h); faces see 0.1 mm deep from the "
      "side, not 0.5 mm: deeper ones cannot be "
      "projected away after the carrier has met its stop; times of events are compared, never their number"};
  const Switching planar = run("projection_combined", {});
  judge_switching("", planar, report);
  report.rows.push_back(
      judge("largest penetration [m]", independent("at most 1e-11", kOther), planar.deepest, at_most(1e-10)));
  report.rows.push_back(judge("friction over normal force of the latch, over its coefficient",
                              says("the equilibrium is guaranteed by means of Coulomb's friction"),
                              planar.latch_friction / planar.latch_normal / 0.2, between(0.1, 1.0)));

  const Switching coarse = run("projection_combined", {}, 5e-5);
  for (const auto& [quantity, number, computed] : {std::tuple{"the latch is released at [s]", 21.00, coarse.release},
                                                   std::tuple{"the arm leaves its pad at [s]", 21.55, coarse.opening},
                                                   std::tuple{"the carrier meets its stop at [s]", 24.35, coarse.stop}})
    report.rows.push_back(judge(fmt::format("dt 5e-5 s: {}", quantity),
                                independent(fmt::format("{:.2f}e-3", number), kOther), computed,
                                between(1e-3 * number - 2.0 * kTimeMargin, 1e-3 * number + 2.0 * kTimeMargin)));

  const Switching plain = run("moreau_jean", {});
  report.rows.push_back(
      judge("Moreau-Jean: largest penetration over the play",
            says("the violation of constraints come into play with the characteristic lengths of the clearances"),
            plain.deepest / kPlay, at_least(1.0)));

  const Switching untouched = run("projection_combined", {.trip_force = 0.0});
  report.rows.push_back(judge("no trip: largest |angle| of the carrier at 40 ms [rad]", own("stays closed"),
                              std::abs(untouched.carrier), at_most(0.02)));
  report.rows.push_back(judge("no trip: last impulse of the latch [s]", own("held to the end"),
                              last_touch(untouched.trace, "latch"), at_least(kEnd - kStep)));
  const Switching slippery = run("projection_combined", {.latch_friction = 0.0, .trip_force = 0.0}, kStep, 15e-3);
  report.rows.push_back(judge("no friction in the latch, no trip: it is released at [s]", independent("1.6e-3", kOther),
                              slippery.release, between(1.4e-3, 1.8e-3)));
  report.rows.push_back(judge("no friction in the latch, no trip: angle of the carrier at the end [rad]",
                              own("opens by itself"), slippery.carrier, at_least(0.3)));

  // In space a step at rest costs twenty times one in the plane: it is tripped after 2 ms.
  const double early = 2e-3;
  const Switching spatial =
      run("projection_combined", {.space = Space::spatial, .trip_time = early}, 2.0 * kStep, 8e-3);
  for (const auto& [quantity, ms, computed] : {std::tuple{"the latch is released", 0.99, spatial.release},
                                               std::tuple{"the arm leaves its pad", 1.57, spatial.opening},
                                               std::tuple{"the carrier meets its stop", 4.34, spatial.stop}})
    report.rows.push_back(judge(fmt::format("in space: {} after the trip by [s]", quantity),
                                independent(fmt::format("{}e-3 in the plane", ms), kOther), computed - early,
                                between(1e-3 * ms - kTimeMargin, 1e-3 * ms + kTimeMargin)));
  report.rows.push_back(judge("in space: largest |v| before the trip [m/s, rad/s]", own("at most 1e-8"),
                              spatial.speed_closed, at_most(1e-8)));
  report.rows.push_back(
      judge("in space: largest penetration [m]", own("at most 1e-10"), spatial.deepest, at_most(1e-10)));
  report.rows.push_back(judge("in space: largest opening of the ideal joints [m]", own("at most 1e-10"),
                              spatial.open_joints, at_most(1e-10)));
  report.notes.push_back(fmt::format("in space: largest motion out of the plane {:.2g} m", spatial.aside));

  const Trace& t = planar.trace;
  const auto panel = [&](const char* title, const char* unit, std::vector<Curve> curves) {
    return Panel{title, {"time [ms]", false, 15.0, 40.0}, {unit}, std::move(curves)};
  };
  const std::vector<double> ms = scaled(t.t, 1e3);
  report.picture = {"A circuit breaker opens (after Acary 2012, section 6.5)",
                    {panel("angles", "[rad]", {{"handle", ms, t.q[2]}, {"carrier", ms, t.q[8]}, {"arm", ms, t.q[17]}}),
                     panel("speeds", "[rad/s]", {{"carrier", ms, t.v[8]}, {"arm", ms, t.v[17]}}),
                     panel("latch", "impulse of a step [N s]",
                           {{"normal", ms, t.normal_impulse[t.constraint("latch")]},
                            {"friction", ms, t.friction_impulse[t.constraint("latch")]}}),
                     panel("plunger", "y [mm]", {{"", ms, scaled(t.q[19], 1e3)}})},
                    2};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction circuit_breaker() {
  return {"circuit-breaker", "friction holds a circuit breaker closed until it is tripped", kPublication, run_breaker};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
