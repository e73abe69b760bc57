// C = [0, inf) or (-inf, 0].
//
//     prox(x) = max(x, 0)   or   min(x, 0)      D = 1 in the interior, 0 outside and at the end
#pragma once

#include "carom/sets/convex_set.h"

namespace carom::inline sets {

inline double project_on_half_line(double x) { return x > 0.0 ? x : 0.0; }
inline double half_line_derivative(double x) { return x > 0.0 ? 1.0 : 0.0; }

class HalfLine final : public ConvexSet {
 public:
  enum class Side { nonnegative, nonpositive };

  explicit HalfLine(Side side = Side::nonnegative) : sign_(side == Side::nonnegative ? 1.0 : -1.0) {}

  Index dim() const override { return 1; }
  void project(const double* x, double* y) const override { y[0] = sign_ * project_on_half_line(sign_ * x[0]); }
  void project_derivative(const double* x, double* D) const override { D[0] = half_line_derivative(sign_ * x[0]); }

 private:
  double sign_;
};

}  // namespace carom::inline sets
