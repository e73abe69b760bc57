// The midpoint rule with joints kept on one level or another: a study of drift, joints only.
//
//   q_mid = q_0 (+) dt/2 v_0;   M, h, W, zeta at q_mid and v_0
//   M (v_1 - v_0) - dt h = W Lambda
//   q_1 = q_mid (+) dt/2 v_1 (+) N W psi            psi = 0 except on the last level
//
//   level               Lambda (and psi) such that                             index   the gap
//   position            g(q_1) = 0                                             3       stays 0
//   velocity_end        W(q_1)' v_1 + chi = 0                                  2       drifts linearly
//   velocity_mid        W(q_mid)' v_1 + chi = 0                                2       oscillates
//   acceleration        W' (v_1 - v_0) + dt zeta = 0                           1       drifts as t^2
//   position_velocity   velocity_mid, and psi such that g(q_1) = 0             2       stays 0
//
// Each is solved by the same two tools: impulses from a linear inclusion whose constraint and force may look at
// different positions, and the projection of positions in the direction W(q_mid). On position level the
// projection is the impulse: its shift is dt/2 M^-1 W Lambda.
//
// Reference: Schoeder, Ulbrich, Schindler (2013), section 2; how they discretised is not printed.

#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/ggl/midpoint_step.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

enum class KeptLevel { position_velocity, position, velocity_end, velocity_mid, acceleration };

KeptLevel level_of(const std::string& word) {
  if (word == "position") return KeptLevel::position;
  if (word == "velocity_end") return KeptLevel::velocity_end;
  if (word == "velocity_mid") return KeptLevel::velocity_mid;
  if (word == "acceleration") return KeptLevel::acceleration;
  return KeptLevel::position_velocity;
}

constexpr int iteration_cap = 30;

struct ConstraintLevelMemory final : SchemeMemory {
  MidpointMemory midpoint;
  ProjectionMemory projection;
  Evaluation at_1;
  Vector v_free, last;  // of an iteration: where it starts, and what it came to before
  Buffer impulse;       // by rows of the active set
  Buffer extra;         // of the acceleration level

  const InclusionWork* position_problem() const override { return &projection.position; }
};

class MidpointConstraintLevel final : public SchemeWith<ConstraintLevelMemory> {
 public:
  explicit MidpointConstraintLevel(const Parameters& p)
      : level_(level_of(p.word("level"))),
        projection_(PositionProjection::metric_of(p), p.number("position_tolerance")),
        impulse_projection_(PositionProjection::Metric::kinetic, p.number("position_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ConstraintLevelMemory& m = memory_in(ws);
    const MidpointStep step{system, solver, state, dt, ws, m.midpoint, result};
    if (!step.move_freely()) return;
    activate_joints(ws);
    switch (level_) {
      case KeptLevel::velocity_mid:
        step.apply_impulses(false);
        step.place_end(result.next.q);
        break;
      case KeptLevel::position_velocity:
        step.apply_impulses(false);
        step.place_end(m.projection.q_bar);
        project(step, projection_, m.projection);
        break;
      case KeptLevel::position: keep_position(step, m); break;
      case KeptLevel::velocity_end: keep_velocity_at_the_end(step, m); break;
      case KeptLevel::acceleration: keep_acceleration(step, m); break;
    }
    check_finite(result);
  }

 private:
  static void activate_joints(StepWorkspace& ws) {
    ws.active.reset(ws.contacts);
    for (Index k = 0; k < ws.contacts.size(); ++k)
      if (ws.contacts[k].bilateral) ws.active.add(k);
  }

  // m.projection.q_bar -> result.next.q along W(q_mid).
  static bool project(const MidpointStep& step, const PositionProjection& projection, ProjectionMemory& memory) {
    assign_roles(ProjectionRule::active_equalities, step.ws, memory.roles);
    const FixedDirections mid{step.t_mid, step.memory.q_mid};
    StepResult& result = step.result;
    if (projection.project(step.system, step.solver, result.next.t, memory.q_bar, result.next.v, step.memory.M_factor,
                           step.ws, memory, result, result.next.q, &mid))
      return true;
    result.status = StepStatus::projection_failed;
    return false;
  }

  // The shift delta = dt/2 M^-1 W Lambda brings g to zero; then v_1 = v_free + 2/dt delta.
  void keep_position(const MidpointStep& step, ConstraintLevelMemory& m) const {
    StepWorkspace& ws = step.ws;
    StepResult& result = step.result;
    ws.velocity.result.lambda.assign(ws.active.rows(), 0.0);  // roles look at it
    step.place_end(m.projection.q_bar);
    if (!project(step, impulse_projection_, m.projection)) return;
    result.next.v += 2.0 / step.dt * m.projection.delta;
    gather_impulses(2.0 / step.dt, ws, m.projection, m.impulse);
    report(step, m.impulse);
  }

  // factor tau by rows of the active set; joints that needed no correction have none.
  static void gather_impulses(double factor, const StepWorkspace& ws, const ProjectionMemory& projection,
                              Buffer& impulse) {
    impulse.assign(ws.active.rows(), 0.0);
    Index row = 0, source = 0, next = 0;
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Constraint& constraint = ws.active.constraint(i);
      if (next < projection.projected.size() && projection.projected[next] == ws.active[i]) {
        for (Index r = 0; r < constraint.position_rows; ++r)
          impulse[row + r] = factor * projection.position.result.lambda[source + r];
        source += constraint.position_rows;
        ++next;
      }
      row += constraint.law->dim();
    }
  }

  // Impulses again and again, with W at the q_1 of the last ones.
  void keep_velocity_at_the_end(const MidpointStep& step, ConstraintLevelMemory& m) const {
    StepWorkspace& ws = step.ws;
    StepResult& result = step.result;
    if (ws.active.empty()) return free_end(step);
    step.system.evaluate(step.t_mid, step.memory.q_mid, step.state.v, Need::jacobian, ws.active, step.memory.at_mid);
    m.v_free = result.next.v;  // v_free
    double change = 0.0;
    for (int iteration = 0; iteration < iteration_cap; ++iteration) {
      step.place_end(result.next.q);
      step.system.evaluate(result.next.t, result.next.q, result.next.v, Need::jacobian, ws.active, m.at_1);
      m.last = result.next.v;
      result.next.v = m.v_free;
      const bool solved = solve_impulses({ws.active, m.at_1, step.memory.at_mid, step.memory.M_factor, step.dt},
                                         step.solver, step.state.impulses, 1.0, ws, result, result.next.v);
      if (!solved) result.status = StepStatus::solver_failed;
      ++result.newton_iterations;
      change = (result.next.v - m.last).lpNorm<Eigen::Infinity>();
      if (holds(change, 1e-14, result.next.v.lpNorm<Eigen::Infinity>())) break;
    }
    if (!holds(change, 1e-10, result.next.v.lpNorm<Eigen::Infinity>())) result.status = StepStatus::newton_failed;
    step.place_end(result.next.q);
    report(step, ws.velocity.result.lambda);
  }

  // xi = W' v_1 + chi + extra with extra = dt zeta - (W' v_0 + chi)
  void keep_acceleration(const MidpointStep& step, ConstraintLevelMemory& m) const {
    StepWorkspace& ws = step.ws;
    StepResult& result = step.result;
    if (ws.active.empty()) return free_end(step);
    step.system.evaluate(step.t_mid, step.memory.q_mid, step.state.v, Need::jacobian | Need::convective, ws.active,
                         step.memory.at_mid);
    local_velocity(step.memory.at_mid, step.state.v, m.extra);
    for (Index i = 0; i < m.extra.size(); ++i) m.extra[i] = step.dt * step.memory.at_mid.zeta[i] - m.extra[i];
    const bool solved = solve_impulses(
        {ws.active, step.memory.at_mid, step.memory.at_mid, step.memory.M_factor, step.dt, nullptr, &m.extra},
        step.solver, step.state.impulses, 1.0, ws, result, result.next.v);
    if (!solved) result.status = StepStatus::solver_failed;
    step.place_end(result.next.q);
    report(step, ws.velocity.result.lambda);
  }

  static void free_end(const MidpointStep& step) {
    step.place_end(step.result.next.q);
    report_no_contacts(step.result);
  }

  // Impulses with the velocities W(q_mid)' v of both ends.
  static void report(const MidpointStep& step, const Buffer& impulse) {
    StepWorkspace& ws = step.ws;
    if (ws.active.empty()) return report_no_contacts(step.result);
    step.system.evaluate(step.t_mid, step.memory.q_mid, step.state.v, Need::jacobian, ws.active, step.memory.at_mid);
    local_velocity(step.memory.at_mid, step.state.v, step.memory.gamma_0);
    local_velocity(step.memory.at_mid, step.result.next.v, ws.velocity.result.xi);
    ws.velocity.shift.assign(ws.active.rows(), 0.0);
    report_contacts(ws.active, impulse, step.memory.gamma_0, ws.velocity.result.xi, ws.velocity.shift, step.result);
  }

  KeptLevel level_;
  PositionProjection projection_, impulse_projection_;
};

}  // namespace

extern const SchemeEntry midpoint_constraint_level_entry;
const SchemeEntry midpoint_constraint_level_entry{
    .name = "midpoint_constraint_level",
    .title = "the midpoint rule with joints on a chosen level: how constraints drift",
    .reference = "Schoeder, Ulbrich, Schindler 2013, section 2",
    .treats = {Feature::joints, Feature::quaternions, Feature::variable_inertia, Feature::rheonomic},
    .promises = {.orders = {1, 1, 1, 1}, .position_level = true},
    .parameters = {{"level",
                    std::string("position_velocity"),
                    "what is kept at zero",
                    0,
                    0,
                    {"position_velocity", "position", "velocity_end", "velocity_mid", "acceleration"}},
                   PositionProjection::metric_spec(),
                   PositionProjection::tolerance_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<MidpointConstraintLevel>(p);
    }};

}  // namespace carom::inline schemes
