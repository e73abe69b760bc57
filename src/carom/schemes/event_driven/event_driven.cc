// Event-driven integration: between events the motion is smooth and is integrated as such, by CVODE where nothing is
// constrained and by IDA where joints or closed contacts are; an event is located, the instant is settled, and a new
// mode begins (docs/theory/event_driven.md).
//
//   smooth motion of a mode, up to the first guard that falls to zero or the end of the step   (mode_motion.h)
//     a gap closes | a contact force vanishes | sliding stops | friction leaves its disc
//   at the event                                                                               (settling.h)
//     impact:  M (v_plus - v_minus) = W Lambda,   -(gamma_plus + e gamma_minus) in N_C(Lambda)
//     mode:    gamma' = G lambda + c,             -gamma' in N_C(lambda)
//
// The step only says when the motion is looked at: its error is that of the tolerances. Every step starts from its
// state alone (the integrators begin anew, the mode is chosen anew), so a copied state continues with the same bits.
// Impulses of a step are sums: those of its impacts and the integrals of its forces.
//
// It is a reference for mechanisms, not a method for scenes: the integrators allocate, Jacobians are dense difference
// quotients, and time is spent at every single impact.
//
// References: Pfeiffer, Glocker (1996), Multibody Dynamics with Unilateral Contacts; Hindmarsh et al. (2005), SUNDIALS.

#include <algorithm>
#include <cmath>

#include "carom/schemes/event_driven/mode_motion.h"
#include "carom/schemes/event_driven/settling.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

using namespace event_driven;

// Instants closer than this, relative to the time and the step, are one.
constexpr double time_rounding = 1e-13;
// Local errors the integrators may make, in parts of the tolerance asked of the motion.
constexpr double local_part = 1e-2;
// How far past an event the new mode is asked for, in internal steps.
constexpr double moment_in_steps = 1e-3;
// This many events without any time in between, or that end a mode only to choose it again: the modes contradict each
// other.
constexpr int most_events_at_once = 100;
// This many internal steps that time does not notice: the integrator has lost its way.
constexpr int most_steps_at_once = 100;
// Three Gauss points: the forces of an internal step, to the order of the integrator.
constexpr double gauss_points[3] = {0.1127016653792583, 0.5, 0.8872983346207417};
constexpr double gauss_weights[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

class EventDriven final : public SchemeWith<EventMemory> {
 public:
  explicit EventDriven(const Parameters& p)
      : projection_(Parameters(PositionProjection::parameters(), {{"position_tolerance", 1e-14}}, "event_driven")) {
    options_.relative_tolerance = p.number("relative_tolerance");
    options_.absolute_tolerance = p.number("absolute_tolerance");
    options_.closing_gap = p.number("closing_gap");
    options_.accumulation_gap = p.number("accumulation_gap");
    options_.most_events = std::lround(p.number("most_events"));
    options_.stiff = p.word("unconstrained_method") == "backward_differences";
  }

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    begin_result(state, dt, result);
    find_contacts(system, state, dt, ws);
    const double t_end = result.next.t;
    Progress p{system,
               solver,
               options_,
               ws,
               memory_in(ws),
               result,
               {10.0 * options_.absolute_tolerance, 1e-12 * dt + time_rounding * std::abs(t_end)},
               state.t,
               state.q,
               state.v,
               {},
               {},
               {}};
    p.impulse.assign(ws.all.rows(), 0.0);
    p.work.assign(ws.all.rows(), 0.0);
    Mode mode;
    if (!move(p, t_end, mode)) return;
    result.next.q = p.q;
    result.next.v = p.v;
    report(p, state, mode);
    check_finite(result);
  }

 private:
  bool move(Progress& p, double t_end, Mode& mode) const {
    const double same = time_rounding * (std::abs(t_end) + p.result.dt_taken);
    bool impacts = false;
    if (!resolve_impacts(p, impacts) || !choose_mode(p, nullptr, nullptr, mode)) return false;
    int at_once = 0, unchanged = 0;
    for (long events = 0;; ++events) {
      if (!project(p, mode)) return false;
      if (t_end - p.t <= same) break;
      if (events > options_.most_events || at_once > most_events_at_once || unchanged > most_events_at_once)
        return p.fail(StepStatus::integrator_failed);
      const double began = p.t;
      const std::size_t reported = p.result.events.size();
      Vector acceleration;
      double moment = 0.0;
      if (!integrate(p, t_end, mode, acceleration, moment) || !project(p, mode) || !resolve_impacts(p, impacts))
        return false;
      if (t_end - p.t <= same) break;
      at_once = p.t - began <= same ? at_once + 1 : 0;
      const Past past{mode, acceleration, moment};
      Mode next;
      if (!choose_mode(p, &mode, impacts ? nullptr : &past, next)) return false;
      unchanged = p.result.events.size() == reported ? unchanged + 1 : 0;
      mode = std::move(next);
    }
    p.t = t_end;
    return true;
  }

  // One segment of smooth motion; impulses and work of its forces. `acceleration` and `moment` say how the mode would
  // go on past an event.
  bool integrate(Progress& p, double t_end, const Mode& mode, Vector& acceleration, double& moment) const {
    ModeMotion motion(p.system, p.ws.contacts, mode, options_.closing_gap);
    if (!motion.start(p.t, p.q, p.v, p.resolution)) return p.fail(StepStatus::singular);
    IntegratorOptions options;
    options.relative_tolerance = local_part * options_.relative_tolerance;
    options.absolute_tolerance.setConstant(motion.size(), local_part * options_.absolute_tolerance);
    options.absolute_tolerance.tail(motion.algebraic())
        .setConstant(std::max(options_.absolute_tolerance, options_.relative_tolerance * motion.force_size()));
    if (mode.flight > 0.0) {  // errors of a short flight are relative to the way it takes
      const double way = p.v.lpNorm<Eigen::Infinity>() * mode.flight;
      for (Index i = 0; i < p.q.size(); ++i)
        options.absolute_tolerance[i] =
            std::min(options.absolute_tolerance[i],
                     std::max(1e-10 * options_.absolute_tolerance, local_part * options_.relative_tolerance * way));
    }
    options.stiff = options_.stiff;
    options.longest_step = 0.25 * mode.flight;  // a short flight must not begin and end within one step
    options.first_step = 0.02 * mode.flight;
    const auto integrator = motion.algebraic() > 0 ? make_ida(motion, p.t, motion.y(), t_end, options)
                                                   : make_cvode(motion, p.t, motion.y(), t_end, options);
    Vector y(motion.size());
    for (int at_once = 0;;) {
      if (p.ws.interrupt.requested()) return p.fail(StepStatus::integrator_failed);
      const double before = integrator->t();
      const Integrator::Outcome outcome = integrator->advance();
      if (outcome == Integrator::Outcome::failed) return p.fail(StepStatus::integrator_failed);
      const double now = motion.first_dip(*integrator, before, integrator->t());
      const bool dipped = now < integrator->t();
      at_once = now > before ? 0 : at_once + 1;
      if (at_once > most_steps_at_once) return p.fail(StepStatus::integrator_failed);
      for (int i = 0; i < 3 && !mode.blocks.empty() && now > before; ++i) {
        const double t = before + gauss_points[i] * (now - before);
        integrator->interpolate(t, y.data());
        if (!motion.add_forces(t, y.data(), gauss_weights[i] * (now - before), p.impulse, p.work))
          return p.fail(StepStatus::singular);
      }
      p.t = now;
      if (dipped) {
        integrator->interpolate(now, y.data());
        break;
      }
      std::copy_n(integrator->y(), y.size(), y.data());
      if (outcome != Integrator::Outcome::stepped) break;
      if (!motion.rearm(now, y.data())) break;  // an event that was stepped over
    }
    moment = std::max(moment_in_steps * integrator->last_step(), 1e-14 * std::abs(p.t));
    motion.state(y.data(), p.q, p.v);
    return motion.acceleration(p.t, y.data(), acceleration) || p.fail(StepStatus::singular);
  }

  // Positions and velocities back onto the constraints of the mode.
  bool project(Progress& p, const Mode& mode) const {
    if (mode.blocks.empty()) return true;
    StepWorkspace& ws = p.ws;
    if (!p.local.evaluate(p.system, p.t, p.q, p.v, ws.contacts, mode.blocks)) return p.fail(StepStatus::singular);
    p.memory.projection.roles.assign(static_cast<std::size_t>(ws.contacts.size()), ProjectionRole::ignore);
    for (const ForceBlock& block : mode.blocks)
      if (ws.contacts[block.contact].position_rows > 0)
        p.memory.projection.roles[static_cast<std::size_t>(block.contact)] = ProjectionRole::equality;
    p.memory.projection.q_bar = p.q;
    if (!projection_.project(p.system, p.solver, p.t, p.memory.projection.q_bar, p.v, p.local.M(), ws,
                             p.memory.projection, p.result, p.q))
      return p.fail(StepStatus::projection_failed);
    if (!p.local.evaluate(p.system, p.t, p.q, p.v, ws.contacts, mode.blocks)) return p.fail(StepStatus::singular);
    // The impulses are those of the impacts an accumulation leaves out, apart from rounding: they count.
    Vector impulse, work;
    p.local.project_velocity(p.v, impulse, work);
    for (std::size_t b = 0; b < mode.blocks.size(); ++b) {
      const ConstraintJacobian::Block& rows = p.local.Wc().block(static_cast<Index>(b));
      const Index target = first_row(p, mode.blocks[b].contact);
      for (Index r = 0; r < rows.rows; ++r) {
        p.impulse[target + r] += impulse[rows.row + r];
        p.work[target + r] += work[rows.row + r];
      }
    }
    return true;
  }

  // Everyone who pushed during the step or does at its end.
  static void report(Progress& p, const State& state, const Mode& mode) {
    StepWorkspace& ws = p.ws;
    StepResult& result = p.result;
    EventMemory& m = p.memory;
    ActiveSet& reported = m.reported;
    reported.reset(ws.contacts);
    Buffer impulse;
    result.work.clear();
    Index row = 0;
    for (Index k = 0; k < ws.all.size(); ++k) {
      const Index dim = ws.all.constraint(k).law->dim();
      bool pushed = exerts_force(mode.phases[static_cast<std::size_t>(k)]);
      for (Index r = 0; r < dim; ++r) pushed = pushed || p.impulse[row + r] != 0.0;
      for (Index r = 0; r < dim && pushed; ++r) {
        impulse.resize(impulse.size() + 1);
        impulse[impulse.size() - 1] = p.impulse[row + r];
        result.work.resize(impulse.size());
        result.work[impulse.size() - 1] = p.work[row + r];
      }
      if (pushed) reported.add(k);
      row += dim;
    }
    if (reported.empty()) return report_no_contacts(result);
    p.system.evaluate(state.t, state.q, state.v, Need::jacobian, reported, m.at_0);
    p.system.evaluate(result.next.t, p.q, p.v, Need::jacobian, reported, m.at_1);
    local_velocity(m.at_0, state.v, m.reported_minus);
    local_velocity(m.at_1, p.v, m.reported_plus);
    ws.velocity.shift.assign(reported.rows(), 0.0);
    report_contacts(reported, impulse, m.reported_minus, m.reported_plus, ws.velocity.shift, result);
  }

  EventOptions options_;
  PositionProjection projection_;
};

}  // namespace

extern const SchemeEntry event_driven_entry;
const SchemeEntry event_driven_entry{
    .name = "event_driven",
    .title = "events located, smooth motion between them by CVODE and IDA: a reference for small mechanisms",
    .reference = "Pfeiffer, Glocker 1996; SUNDIALS",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::exact_reservoir, Feature::two_phases, Feature::rheonomic},
    .promises = {.orders = {0, 0, 0},
                 .position_level = true,
                 .velocity_level = true,
                 .yields = true,
                 .implicit_force = true,
                 .event_driven = true},
    .parameters =
        {{"relative_tolerance", 1e-12, "of the smooth motion", 1e-13, 1e-2},
         {"absolute_tolerance", 1e-12, "of the smooth motion, in the units of q and v", 0, 1, {}, true},
         {"closing_gap", 1e-12, "a gap up to this is closed, relative to the length scale", 0, 1e-3, {}, true},
         {"accumulation_gap",
          1e-13,
          "impacts rising no higher have accumulated, relative to the length scale",
          0,
          1e-3,
          {},
          true},
         {"most_events", 1e5, "in one step", 1},
         {"unconstrained_method",
          std::string("adams"),
          "formulas of CVODE; constrained motion has IDA's",
          0,
          0,
          {"adams", "backward_differences"}}},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<EventDriven>(p); }};

}  // namespace carom::inline schemes
