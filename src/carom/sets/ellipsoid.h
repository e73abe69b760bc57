// C = A B, the image of the unit ball B under a regular matrix A = U diag(s) V'. Where an inclusion on
// an ellipsoid can be transformed to one on the ball, do that (linear_transformation.h): it needs no
// iteration. Here is the exact Euclidean projection for where it cannot.
//
// In the principal axes z = U' x, C = { z : sum (z_i/s_i)^2 <= 1 }. Outside, with the outward normal
// n_i = y_i/s_i^2 and the multiplier t > 0,
//
//     y + t n = z   =>   y_i = b_i z_i,  b_i = s_i^2/(s_i^2 + t),      sum (y_i/s_i)^2 = 1,
//
// one equation for t. Its derivative, with B = diag(b):  D = B - B n n' B / (n' B n).
#pragma once

#include "carom/sets/linear_transformation.h"

namespace carom::inline sets {

class Ellipsoid final : public ConvexSet {
 public:
  explicit Ellipsoid(const Matrix& A);

  Index dim() const override { return transformation_.dim(); }
  void project(const double* x, double* y) const override;
  void project_derivative(const double* x, double* D) const override;

  // To the unit ball and back.
  const LinearTransformation& transformation() const { return transformation_; }

 private:
  // z = U' x, and the multiplier t (0 inside).
  double principal(const double* x, double* z) const;

  LinearTransformation transformation_;
  LinearTransformation::SmallMatrix U_;
  double s_[max_dim];
};

}  // namespace carom::inline sets
