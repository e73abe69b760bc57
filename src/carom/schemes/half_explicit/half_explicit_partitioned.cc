// Partitioned half-explicit method of order 5 (PHEM56), for joints only: stages follow the Runge-Kutta
// coefficients a of Dormand and Prince, constraints are asked to hold at other positions, reached with the
// coefficients d. For l = 1 .. 5, with A_0 = v'(q_0, v_0) from the constraint's acceleration:
//
//   Q_l = q_0 + dt sum_{k<l} a_lk V_k          V_l = v_0 + dt sum_{k<l} a_lk A_k
//   q_c = q_0 + dt sum_{k<=l} d_lk V_k         v_c = v_0 + dt sum_{k<=l} d_lk A_k
//   A_l = M(Q_l)^-1 ( h(t_l, Q_l, V_l) + W(Q_l) lambda_l ),     W(q_c)' v_c + chi = 0
//
// q_1, v_1 are q_c, v_c of l = 5. Contacts are refused: d_44 < 0 would turn a push into a pull.
//
// projection: what the constraints are then open by, of order 5 as all errors, is taken out in the kinetic metric of
// the last stage, first of the positions, then of the velocities (coordinate projection; Hairer, Wanner, sect. VII.2).
// Else it adds up from step to step.
//
// accuracy: what the embedded formula of order 4 (Dormand and Prince) says of the mean velocity of the step, with
// V_6 = v_1, is measured by its kinetic energy:
//
//   e = sum_k (b_k - b^_k) V_k,      error^2 = T(e) / max(T(v_0), T(v_1))
//
// A step with a larger error than `accuracy` is taken half as long: most motions never meet it, the crack of a whip
// does.
//
// Reference: A. Murua, Partitioned half-explicit Runge-Kutta methods for differential-algebraic systems of
// index 2, Computing 59 (1997).

#include <algorithm>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/half_explicit/half_explicit_step.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int last = 5;

constexpr double a[last + 1][last] = {{},
                                      {1.0 / 5},
                                      {3.0 / 40, 9.0 / 40},
                                      {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656}};

constexpr double d[last + 1][last + 1] = {{},
                                          {3.0 / 40, 9.0 / 40},
                                          {21.0 / 256, 45.0 / 256, 15.0 / 128},
                                          {19235.0 / 98784, -225.0 / 392, 6235.0 / 6174, 2755.0 / 32928},
                                          {-293.0 / 1152, 85.0 / 48, -2275.0 / 1908, 35.0 / 32, -2835.0 / 6784},
                                          {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};

constexpr double b_minus_embedded[last + 2] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                               -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

constexpr int most_halvings = 10;

double sum(const double* row, int count) {
  double total = 0.0;
  for (int k = 0; k < count; ++k) total += row[k];
  return total;
}

struct PartitionedMemory final : HalfExplicitMemory {
  Vector V[last + 2], A[last + 1];  // V[last + 1]: at the end of the step
  Vector Q, q_c, v_c, error;
  ProjectionMemory projection;

  const InclusionWork* position_problem() const override { return &projection.position; }
};

class HalfExplicitPartitioned final : public SchemeWith<PartitionedMemory> {
 public:
  explicit HalfExplicitPartitioned(const Parameters& p)
      : projected_(p.flag("projection")),
        accuracy_(p.number("accuracy")),
        projection_(PositionProjection::Metric::kinetic, p.number("position_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    PartitionedMemory& m = memory_in(ws);
    for (int halvings = 0; halvings <= most_halvings; ++halvings, dt *= 0.5) {
      step_of(system, solver, state, dt, ws, m, result);
      if (result.status != StepStatus::ok || accurate(system, state, m, result.next)) return;
    }
  }

 private:
  void step_of(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
               PartitionedMemory& m, StepResult& result) const {
    HalfExplicitStep step(system, solver, state, dt, 0.0, ws, m, result);
    Evaluation &force = step.memory.force, &constraint = step.memory.constraint;
    const ActiveSet& joints = step.closed_at_start();

    scale(1.0, state.v, m.V[0]);
    if (!step.free_acceleration(state.t, state.q, state.v, m.A[0])) return;
    if (!joints.empty()) {
      system.evaluate(state.t, state.q, state.v, Need::jacobian | Need::convective, joints, force);
      step.push({.active = joints,
                 .constraint = force,
                 .force = force,
                 .A = step.M(),
                 .duration = 1.0,
                 .level = Level::acceleration},
                1.0 / dt, m.A[0]);
      step.book(joints, dt * d[last][0]);
    }

    for (int l = 1; l <= last; ++l) {
      const double t_l = state.t + sum(a[l], l) * dt;
      const double t_c = l == last ? result.next.t : state.t + sum(d[l], l + 1) * dt;
      weighted_sum(dt, a[l], l, m.V, m.increment);
      system.move(state.q, m.increment, m.Q);
      weighted_sum(dt, a[l], l, m.A, m.V[l]);
      add(state.v, m.V[l]);
      if (!step.free_acceleration(t_l, m.Q, m.V[l], m.A[l])) return;

      weighted_sum(dt, d[l], l + 1, m.V, m.increment);
      system.move(state.q, m.increment, m.q_c);
      weighted_sum(dt, d[l], l + 1, m.A, m.v_c);
      add(state.v, m.v_c);
      if (joints.empty()) continue;
      system.evaluate(t_l, m.Q, m.V[l], Need::jacobian, joints, force);
      system.evaluate(t_c, m.q_c, m.V[l], Need::jacobian, joints, constraint);
      step.push({joints, constraint, force, step.M(), d[l][l] * dt}, d[l][l], m.v_c);
      combine(1.0, m.A[l], 1.0 / (dt * d[l][l]), ws.velocity.response, m.A[l]);
      step.book(joints, d[last][l] / d[l][l]);
    }
    scale(1.0, m.q_c, result.next.q);
    scale(1.0, m.v_c, result.next.v);
    if (projected_ && !joints.empty() && !project(step, joints, m.projection)) return;
    step.look(result.next.t, result.next.q);
    step.finish();
    // Joints hold at every stage, so they do no work; velocities before and after, seen from q_1, would not show it.
    result.work.assign(result.impulse.size(), 0.0);
  }

  bool accurate(const System& system, const State& state, PartitionedMemory& m, const State& next) const {
    const Energetics* energetics = system.energetics();
    if (accuracy_ == 0.0 || !energetics) return true;
    scale(1.0, next.v, m.V[last + 1]);
    weighted_sum(1.0, b_minus_embedded, last + 2, m.V, m.error);
    const double motion = std::max(energetics->kinetic_energy(state.t, state.q, state.v),
                                   energetics->kinetic_energy(next.t, next.q, next.v));
    return energetics->kinetic_energy(next.t, next.q, m.error) <= accuracy_ * accuracy_ * motion;
  }

  bool project(HalfExplicitStep& step, const ActiveSet& joints, ProjectionMemory& memory) const {
    StepWorkspace& ws = step.ws;
    StepResult& result = step.result;
    memory.roles.assign(static_cast<std::size_t>(ws.contacts.size()), ProjectionRole::equality);
    memory.q_bar = result.next.q;
    if (!projection_.project(step.system, step.solver, result.next.t, memory.q_bar, result.next.v, step.M(), ws, memory,
                             result, result.next.q)) {
      result.status = StepStatus::projection_failed;
      return false;
    }
    Evaluation& end = step.memory.constraint;
    step.system.evaluate(result.next.t, result.next.q, result.next.v, Need::jacobian, joints, end);
    step.push({joints, end, end, step.M(), 0.0}, 0.0, result.next.v);
    return true;
  }

  bool projected_;
  double accuracy_;
  PositionProjection projection_;
};

}  // namespace

extern const SchemeEntry half_explicit_partitioned_entry;
const SchemeEntry half_explicit_partitioned_entry{
    .name = "half_explicit_partitioned",
    .title = "partitioned half-explicit Runge-Kutta method of order 5, for joints only",
    .reference = "Murua 1997",
    .treats = {Feature::joints, Feature::quaternions, Feature::variable_inertia, Feature::rheonomic},
    .promises = {.orders = {5, 5, 1, 5}, .position_level = true, .velocity_level = true},
    .parameters = {{"projection", true, "positions and velocities are brought back onto the joints after every step"},
                   {"accuracy", 1e-5, "steps with a larger relative error of velocity are taken half as long; 0: never",
                    0, 1},
                   PositionProjection::tolerance_spec()},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> {
      return std::make_unique<HalfExplicitPartitioned>(p);
    }};

}  // namespace carom::inline schemes
