// C = [a_1, b_1] x ... x [a_n, b_n]; bounds may be infinite, and equal.
//
//     prox(x)_i = max(a_i, min(b_i, x_i))      D = diag(1 strictly inside, 0 otherwise)
#pragma once

#include <array>
#include <initializer_list>
#include <limits>

#include "carom/base/errors.h"
#include "carom/sets/convex_set.h"

namespace carom::inline sets {

struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

inline double project_on_interval(const Bounds& bounds, double x) {
  return x < bounds.lower ? bounds.lower : x > bounds.upper ? bounds.upper : x;
}
inline double interval_derivative(const Bounds& bounds, double x) {
  return x > bounds.lower && x < bounds.upper ? 1.0 : 0.0;
}

class Box : public ConvexSet {
 public:
  explicit Box(std::initializer_list<Bounds> bounds) : n_(checked_dim(static_cast<Index>(bounds.size()))) {
    Index i = 0;
    for (const Bounds& interval : bounds) {
      if (!(interval.lower <= interval.upper)) throw LogicError("an interval needs lower <= upper");
      bounds_[static_cast<std::size_t>(i++)] = interval;
    }
  }

  Index dim() const final { return n_; }
  void project(const double* x, double* y) const final {
    for (Index i = 0; i < n_; ++i) y[i] = project_on_interval(bounds(i), x[i]);
  }
  void project_derivative(const double* x, double* D) const final {
    MatrixMap(D, n_, n_).setZero();
    for (Index i = 0; i < n_; ++i) D[i + i * n_] = interval_derivative(bounds(i), x[i]);
  }

 private:
  const Bounds& bounds(Index i) const { return bounds_[static_cast<std::size_t>(i)]; }

  Index n_;
  std::array<Bounds, max_dim> bounds_;
};

}  // namespace carom::inline sets
