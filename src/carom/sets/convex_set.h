// Closed convex sets C in R^n through their projection prox_C and an element of its generalised
// Jacobian. Everything the laws know about normal cones goes through these two maps:
//
//     y in N_C(x)   <=>   x = prox_C(x + r y)   for any r > 0
#pragma once

#include "carom/base/types.h"

namespace carom {

class ConvexSet {
 public:
  virtual ~ConvexSet() = default;

  virtual Index dim() const = 0;
  // y = nearest point of C to x. x and y may be the same array.
  virtual void project(const double* x, double* y) const = 0;
  // D (dim x dim, column-major) = an element of the generalised Jacobian of project at x.
  virtual void project_derivative(const double* x, double* D) const = 0;
  // Distance of x from being inside, 0 if inside.
  double distance(const double* x) const;
};

}  // namespace carom
