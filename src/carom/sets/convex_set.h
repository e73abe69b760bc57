// Closed convex sets C in R^n through their projection prox_C and an element of its generalised
// Jacobian. Everything the laws know about normal cones goes through these two maps:
//
//     y in N_C(x)   <=>   x = prox_C(x + r y)   for any r > 0
//
// Each set's file holds its formulas as free functions (what laws build on, without dispatch) and the
// class that gives them the common interface.
#pragma once

#include "carom/base/types.h"

namespace carom::inline sets {

class ConvexSet {
 public:
  static constexpr Index max_dim = 6;  // a set's point and Jacobian fit on the stack

  virtual ~ConvexSet() = default;

  virtual Index dim() const = 0;
  // y = nearest point of C to x. x and y may be the same array.
  virtual void project(const double* x, double* y) const = 0;
  // D (dim x dim, column-major) = an element of the generalised Jacobian of project at x.
  virtual void project_derivative(const double* x, double* D) const = 0;
  // Distance of x from being inside, 0 if inside.
  double distance(const double* x) const;

 protected:
  // For constructors: the dimension given, or LogicError if it is not within 1 .. max_dim.
  static Index checked_dim(Index n);
};

}  // namespace carom::inline sets
