// Systems whose velocities are v = Q(q) q' with as many velocities as coordinates, a constant inertia M of
// v, and so a kinetic energy 1/2 q' Q' M Q q'. In coordinates their equations of motion are
//
//     Q' M v' + H(v, q) q' + (dV/dq)' = forces,        H = dp/dq - (dp/dq)',   p(v, q) = Q(q)' M v,
//
// H skew: inertia that does no work. Scalable bodies have this form (model/parts/scalable_bodies.h).
// Systems with v = q' and constant M are the case Q = I, H = 0 and need not say so.
#pragma once

#include "carom/base/types.h"

namespace carom::inline system {

class DecomposedInertia {
 public:
  virtual ~DecomposedInertia() = default;
  // Q(q), and H(v, q), n x n.
  virtual void velocity_map(const Vector& q, Matrix& Q) const = 0;
  virtual void gyroscopic(const Vector& v, const Vector& q, Matrix& H) const = 0;
};

}  // namespace carom::inline system
