// Drops in which nonsmooth_generalized_alpha's search for active sets ends without a solution, so that the inclusion
// solver takes over (schemes/alpha/inclusions.cc). Every step is judged by the laws alone.
#include "batteries/box_drops.h"

namespace carom::batteries {
namespace {

struct Worst {
  double law = 0.0;              // impact and friction law, relative to the velocities of the step
  double momentum = 0.0;         // |m (v_1 - v_0) + m g dt - sum Lambda_N| along the vertical, relative, above ...
  double momentum_before = 0.0;  // ... that of the step before
  double depth = 0.0;            // of a corner below the floor [m]
};

void judge(const BoxDrop& drop, const BodySpec& body, const State& before, const StepResult& result, Worst& worst) {
  const double dt = result.dt_taken, e = drop.contact.restitution, mu = drop.contact.friction;
  const double speed = before.v.norm() * body.shape.half_size.norm() + before.v.head<3>().norm() + 9.81 * dt;
  double push = 0.0;
  for (const StepContact& contact : result.contacts) {
    const double* P = result.impulse.data() + contact.row;
    const double* minus = result.gamma_minus.data() + contact.row;
    const double* plus = result.gamma_plus.data() + contact.row;
    const double xi = plus[0] + e * minus[0], N = P[0] / (body.mass * speed);
    push += P[0];
    const double T = contact.constraint.law->dim() == 3 ? std::hypot(P[1], P[2]) / (body.mass * speed) : 0.0;
    worst.law = std::max({worst.law, -N, -xi / speed, N * std::abs(xi) / speed, T - mu * N});
    if (contact.constraint.law->dim() < 3) continue;
    // The impulse of a sliding contact lies on the rim and against the sliding.
    const double slip = std::hypot(plus[1], plus[2]);
    const double along = (P[1] * plus[1] + P[2] * plus[2]) / (body.mass * speed) + mu * N * slip;
    worst.law = std::max(worst.law, along / speed);
  }
  // The filter may still hold the force of a contact that is no longer detected; what it holds decays.
  const double momentum = body.mass * (result.next.v[2] - before.v[2] + 9.81 * dt) - push;
  const double error = std::abs(momentum) / (body.mass * speed);
  if (result.projection_iterations > 0) worst.momentum = std::max(worst.momentum, error - worst.momentum_before);
  worst.momentum_before = error;
  const Matrix3 R = rotation_matrix(result.next.q.segment<4>(3));
  worst.depth = std::max(worst.depth, R.row(2).cwiseAbs() * body.shape.half_size - result.next.q[2]);
}

TEST(AlphaInclusions, KeepTheLawsWhereTheSetsWereNotFound) {
  const SchemeEntry& entry = scheme_registry().find("nonsmooth_generalized_alpha");
  int by_inclusions = 0;
  for (const std::uint64_t seed : {1000u, 1008u, 1038u, 1041u, 1042u, 1053u, 1082u, 1148u, 1149u, 1159u}) {
    const BoxDrop drop = BoxDrops(seed).draw(entry);
    SCOPED_TRACE(drop.text);
    Worst worst;
    const long steps = std::lround(drop.t_end / drop.dt);
    const auto look = [&](const State& before, const StepResult& result) {
      by_inclusions += result.projection_iterations > 0;  // its own iteration knows no position problem
      judge(drop, drop.body, before, result, worst);
    };
    take_steps(drop.model, *make_scheme(entry.name), drop.dt, steps, look);
    EXPECT_LE(worst.law, 1e-8);
    EXPECT_LE(worst.momentum, 1e-9);
    EXPECT_LE(worst.depth, 1e-10);
  }
  EXPECT_GE(by_inclusions, 5);  // how many depends on rounding: the motion is chaotic
}

}  // namespace
}  // namespace carom::batteries
