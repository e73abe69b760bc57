// How the directions of joints turn with the bodies they act on: d(W x)/dq, as far as it stays within one body.
// Newton's method on a step leaves d(W Lambda)/dq out of its matrix, which then has the structure of the inertia; along
// chains of joints with large impulses it converges slowly for it. The blocks of the single bodies keep the structure
// and are most of what is left out: a pin that is pushed pushes where its body has turned to. curvature.h has all of
// it, densely.
#pragma once

#include "carom/system/system.h"

namespace carom::inline system {

class TurningDirections {
 public:
  virtual ~TurningDirections() = default;
  // Adds, to the 3x3 blocks along the diagonal, factor times their part of d(W x)/dq, made symmetric; x by rows of the
  // active set. Places found at (t, q) are kept in `intermediates`.
  virtual void add_turning(double factor, double t, const Vector& q, const ActiveSet& active, const double* x,
                           Intermediates& intermediates, Matrix3* blocks) const = 0;
};

}  // namespace carom::inline system
