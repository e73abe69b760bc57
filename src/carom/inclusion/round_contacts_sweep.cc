// What is done with contacts of spheres four at a time.
#include <cmath>

#include "carom/inclusion/four_sweeps.h"
#include "carom/inclusion/round_contacts.h"

namespace carom::inline inclusion {

namespace {

// The bodies of four contacts; in the fourth lanes inverse masses and inertias.
struct GatheredBodies {
  Lanes v[4], u[4], spin[4], turn[4];

  [[gnu::always_inline]] GatheredBodies(const RoundContact::Four& four, const RoundContact::Body* bodies) {
    for (int k = 0; k < 4; ++k) {
      const RoundContact::Body &one = bodies[four.first[k]], &other = bodies[four.second[k]];
      v[k] = one.velocity;
      spin[k] = one.spin;
      u[k] = other.velocity;
      turn[k] = other.spin;
    }
    transpose(v);
    transpose(u);
    transpose(spin);
    transpose(turn);
  }
  [[gnu::always_inline]] void relative_velocity(const RoundContact::Four& four, Lanes* xi) const {
    Lanes rotation[3];
    for (int i = 0; i < 3; ++i) rotation[i] = four.s[0] * spin[i] + four.s[1] * turn[i];
    cross(rotation, four.n, xi);
    for (int i = 0; i < 3; ++i) xi[i] += (v[i] - u[i]) + four.c[i];
  }
};

// y := its nearest admissible impulse: 0 where y_N <= 0, or y_T shortened to mu y_N.
[[gnu::always_inline]] inline void project(const Lanes* n, const Lanes& mu, Lanes* y) {
  const Lanes zero = {}, unity = zero + 1.0;
  Lanes y_N, square;
  dot(n, y, y_N);
  y_N = y_N > zero ? y_N : zero;
  const Lanes reach = mu * y_N;
  for (int i = 0; i < 3; ++i) y[i] -= y_N * n[i];
  dot(y, y, square);
  Lanes length = square;
  square_root(length);
  const Lanes shrink = square > reach * reach ? reach / length : unity;
  for (int i = 0; i < 3; ++i) y[i] = y_N * n[i] + shrink * y[i];
}

[[gnu::always_inline]] inline void absolute(const Lanes& x, Lanes& y) {
  const Lanes zero = {};
  y = x < zero ? -x : x;
}

}  // namespace

[[gnu::always_inline]] inline void RoundContact::approach(const Four& four, const Lanes* point, const Body* bodies,
                                                          Approach& out) {
  const GatheredBodies gathered(four, bodies);
  Lanes n[3], xi[3], difference;
  for (int i = 0; i < 3; ++i) n[i] = four.n[i];
  gathered.relative_velocity(four, xi);
  dot(n, xi, difference);
  difference *= four.difference;
  for (int i = 0; i < 3; ++i) out.y[i] = point[i] - four.inverse_e * xi[i] + difference * n[i];
}

[[gnu::always_inline]] inline void RoundContact::solve(const Four& four, const Lanes* /*point*/,
                                                       const Approach& approach, Lanes* y) {
  Lanes n[3];
  for (int i = 0; i < 3; ++i) {
    n[i] = four.n[i];
    y[i] = approach.y[i];
  }
  project(n, four.mu, y);
}

[[gnu::always_inline]] inline void RoundContact::act(const Four& four, const Lanes* x, Impulse& impulse) {
  for (int i = 0; i < 3; ++i) impulse.force[i] = x[i];
  cross(four.n, x, impulse.moment);
  impulse.force[3] = impulse.moment[3] = Lanes{};
}

[[gnu::always_inline]] inline void RoundContact::by_lane(Impulse& impulse) {
  transpose(impulse.force);
  transpose(impulse.moment);
}

[[gnu::always_inline]] inline void RoundContact::add_to_first(const Four& four, const Impulse& impulse, int lane,
                                                              const Body& body, Lanes& velocity, Lanes& spin) {
  velocity += body.velocity[3] * impulse.force[lane];
  spin += (four.s[0][lane] * body.spin[3]) * impulse.moment[lane];
}

[[gnu::always_inline]] inline void RoundContact::add_to_second(const Four& four, const Impulse& impulse, int lane,
                                                               const Body& body, Lanes& velocity, Lanes& spin) {
  velocity -= body.velocity[3] * impulse.force[lane];
  spin += (four.s[1][lane] * body.spin[3]) * impulse.moment[lane];
}

[[gnu::always_inline]] inline void RoundContact::magnitudes(const Four& four, const Lanes* x, Lanes& linear,
                                                            Lanes& first, Lanes& second) {
  Lanes moment[3], angular, lever;
  cross(four.n, x, moment);
  dot(x, x, linear);
  dot(moment, moment, angular);
  square_root(linear);
  square_root(angular);
  absolute(four.s[0], lever);
  first = angular * lever;
  absolute(four.s[1], lever);
  second = angular * lever;
}

// rho = e; |W_bk| of a 3-block: 1, 1, 1 and 0, |s|, |s| by rows.
[[gnu::always_inline]] inline void RoundContact::error(const Four& four, const Lanes* x, const Body* bodies,
                                                       const ImpulseMagnitude* magnitudes, Lanes* defect, Lanes& unit) {
  const GatheredBodies gathered(four, bodies);
  Lanes xi[3], lever_one, lever_other, given;
  gathered.relative_velocity(four, xi);
  for (int i = 0; i < 3; ++i) defect[i] = x[i] - four.inverse_e * xi[i];
  project(four.n, four.mu, defect);
  for (int i = 0; i < 3; ++i) defect[i] -= x[i];
  const ImpulseMagnitude* m = magnitudes;
  const std::int32_t *p = four.first, *q = four.second;
  const Lanes linear_one = {m[p[0]].linear, m[p[1]].linear, m[p[2]].linear, m[p[3]].linear};
  const Lanes linear_other = {m[q[0]].linear, m[q[1]].linear, m[q[2]].linear, m[q[3]].linear};
  const Lanes angular_one = {m[p[0]].angular, m[p[1]].angular, m[p[2]].angular, m[p[3]].angular};
  const Lanes angular_other = {m[q[0]].angular, m[q[1]].angular, m[q[2]].angular, m[q[3]].angular};
  const Lanes normal = linear_one * gathered.v[3] + linear_other * gathered.u[3];
  absolute(four.s[0], lever_one);
  absolute(four.s[1], lever_other);
  Lanes scale = normal + lever_one * angular_one * gathered.spin[3] + lever_other * angular_other * gathered.turn[3];
  scale = normal * normal + 2.0 * scale * scale;
  dot(four.c, four.c, given);
  square_root(scale);
  square_root(given);
  unit = four.inverse_e * (scale + given);  // of impulses
}

template class FourContacts<RoundContact>;

}  // namespace carom::inline inclusion
