// What is done with contacts without friction four at a time.
#include "carom/inclusion/four_sweeps.h"
#include "carom/inclusion/normal_contacts.h"
#include "carom/inclusion/shaped_body_lanes.h"

namespace carom::inline inclusion {

[[gnu::always_inline]] inline void NormalContact::approach(const Four& four, const Lanes* /*point*/, const Body* bodies,
                                                           Approach& out) {
  const ShapedVelocities of(four, bodies);
  Lanes one, other;
  dot(four.n, of.v, out.xi);
  dot(four.l[0], of.spin, one);
  dot(four.l[1], of.turn, other);
  out.xi += one + other + four.c;
}

[[gnu::always_inline]] inline void NormalContact::solve(const Four& four, const Lanes* point, const Approach& approach,
                                                        Lanes* y) {
  y[0] = point[0] - four.inverse_a * approach.xi;
  y[0] = y[0] > four.least ? y[0] : four.least;
}

[[gnu::always_inline]] inline void NormalContact::act(const Four& four, const Lanes* x, Impulse& impulse) {
  for (int i = 0; i < 3; ++i) {
    impulse.force[i] = four.n[i] * x[0];
    for (int s = 0; s < 2; ++s) impulse.moment[s][i] = four.l[s][i] * x[0];
  }
  impulse.force[3] = impulse.moment[0][3] = impulse.moment[1][3] = Lanes{};
}

[[gnu::always_inline]] inline void NormalContact::magnitudes(const Four& four, const Lanes* x, Lanes& linear,
                                                             Lanes& first, Lanes& second) {
  linear = x[0] * x[0];
  dot(four.l[0], four.l[0], first);
  dot(four.l[1], four.l[1], second);
  first *= linear;
  second *= linear;
  square_root(linear);
  square_root(first);
  square_root(second);
}

[[gnu::always_inline]] inline void NormalContact::error(const Four& four, const Lanes* x, const Body* bodies,
                                                        const ImpulseMagnitude* magnitudes, Lanes* defect,
                                                        Lanes& unit) {
  const Lanes zero = {};
  Approach at;
  approach(four, x, bodies, at);
  solve(four, x, at, defect);
  defect[0] -= x[0];
  const ShapedMagnitudes of(four, bodies, magnitudes);
  Lanes scale;
  of.of_row(four.l[0], four.l[1], scale);
  unit = four.inverse_a * (scale + (four.c < zero ? -four.c : four.c));  // of impulses
}

template class FourContacts<NormalContact>;

}  // namespace carom::inline inclusion
