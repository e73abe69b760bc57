// What four contacts read of bodies of any shape, and what their impulses are to these.
#pragma once

#include "carom/inclusion/contacts_of_shapes.h"

namespace carom::inline inclusion {

// By lanes: v_1 - v_2, omega_1, omega_2; the fourth of each is no velocity.
struct ShapedVelocities {
  Lanes v[4], spin[4], turn[4];

  template <class Four>
  [[gnu::always_inline]] ShapedVelocities(const Four& four, const ShapedBody* bodies) {
    for (int k = 0; k < 4; ++k) {
      const ShapedBody &first = bodies[four.first[k]], &second = bodies[four.second[k]];
      v[k] = first.velocity - second.velocity;
      spin[k] = first.spin;
      turn[k] = second.spin;
    }
    transpose(v);
    transpose(spin);
    transpose(turn);
  }
};

struct ShapedImpulse {
  Lanes force[4], moment[2][4];  // of both bodies; the last of each: nothing
};

[[gnu::always_inline]] inline void ContactOfShapes::by_lane(Impulse& impulse) {
  transpose(impulse.force);
  transpose(impulse.moment[0]);
  transpose(impulse.moment[1]);
}

template <class Four>
[[gnu::always_inline]] inline void ContactOfShapes::add_to_first(const Four& /*four*/, const Impulse& impulse, int lane,
                                                                 const Body& body, Lanes& velocity, Lanes& spin) {
  velocity += body.velocity[3] * impulse.force[lane];
  for (int i = 0; i < 3; ++i) spin += impulse.moment[0][lane][i] * body.inverse_inertia[i];
}

template <class Four>
[[gnu::always_inline]] inline void ContactOfShapes::add_to_second(const Four& /*four*/, const Impulse& impulse,
                                                                  int lane, const Body& body, Lanes& velocity,
                                                                  Lanes& spin) {
  velocity -= body.velocity[3] * impulse.force[lane];
  for (int i = 0; i < 3; ++i) spin += impulse.moment[1][lane][i] * body.inverse_inertia[i];
}

// sum |W_k| of what acts on the bodies of four contacts: what translations give, and what rotations do for each length
// of a lever.
struct ShapedMagnitudes {
  Lanes linear, angular[2];

  template <class Four>
  [[gnu::always_inline]] ShapedMagnitudes(const Four& four, const ShapedBody* bodies, const ImpulseMagnitude* m)
      : linear{}, angular{} {
    for (int k = 0; k < 4; ++k) {
      const ShapedBody &one = bodies[four.first[k]], &other = bodies[four.second[k]];
      const ImpulseMagnitude &on_one = m[four.first[k]], &on_other = m[four.second[k]];
      linear[k] = one.velocity[3] * on_one.linear + other.velocity[3] * on_other.linear;
      angular[0][k] = one.spin[3] * on_one.angular;
      angular[1][k] = other.spin[3] * on_other.angular;
    }
  }
  // Of a row with these levers.
  [[gnu::always_inline]] void of_row(const Lanes* one, const Lanes* other, Lanes& y) const {
    Lanes length[2];
    dot(one, one, length[0]);
    dot(other, other, length[1]);
    square_root(length[0]);
    square_root(length[1]);
    y = linear + length[0] * angular[0] + length[1] * angular[1];
  }
};

}  // namespace carom::inline inclusion
