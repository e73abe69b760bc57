// C = { x in R^n : |x| <= r }, r >= 0.
//
//     |x| <= r:  prox(x) = x            D = I
//     |x| >  r:  prox(x) = r x / |x|    D = (r/|x|) (I - u u'),  u = x/|x|,  d prox / d r = u
//
// The derivative with respect to the radius is what friction needs, whose radius is mu lambda_N.
#pragma once

#include <cmath>

#include "carom/base/errors.h"
#include "carom/sets/convex_set.h"

namespace carom::inline sets {

// Templates of the size, so that a law of known size has its loops unrolled; N = 0: size at run time.
template <Index N = 0>
double euclidean_norm(const double* x, Index n = N) {
  if constexpr (N == 1) return std::abs(x[0]);
  double sum = 0.0;
  for (Index i = 0; i < (N > 0 ? N : n); ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

template <Index N = 0>
void project_on_ball(double radius, const double* x, double* y, Index n = N) {
  if constexpr (N == 1) {  // an interval, without rounding
    y[0] = std::abs(x[0]) <= radius ? x[0] : std::copysign(radius, x[0]);
    return;
  }
  const double norm = euclidean_norm<N>(x, n);
  const double scale = norm <= radius ? 1.0 : radius / norm;
  for (Index i = 0; i < (N > 0 ? N : n); ++i) y[i] = scale * x[i];
}

// D and d_radius (n) of the projection; column j of D starts at D + j * stride.
template <Index N = 0>
void ball_derivative(double radius, const double* x, double* D, Index stride, double* d_radius, Index n_runtime = N) {
  if constexpr (N == 1) {
    const bool within = std::abs(x[0]) <= radius;
    D[0] = within && radius > 0.0 ? 1.0 : 0.0;
    d_radius[0] = within ? 0.0 : std::copysign(1.0, x[0]);
    return;
  }
  const Index n = N > 0 ? N : n_runtime;
  const double norm = euclidean_norm<N>(x, n);
  const bool inside = norm <= radius;
  const double inverse_norm = norm > 0.0 ? 1.0 / norm : 0.0;
  // The point is all there is of a ball of radius zero, and its projection is constant.
  const double scale = radius <= 0.0 ? 0.0 : inside ? 1.0 : radius * inverse_norm;
  for (Index i = 0; i < n; ++i) d_radius[i] = inside ? 0.0 : x[i] * inverse_norm;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) D[i + j * stride] = scale * ((i == j ? 1.0 : 0.0) - d_radius[i] * d_radius[j]);
}

class Ball final : public ConvexSet {
 public:
  Ball(Index n, double radius) : n_(checked_dim(n)), radius_(radius) {
    if (!(radius >= 0.0)) throw LogicError("a ball needs a radius >= 0");
  }

  Index dim() const override { return n_; }
  void project(const double* x, double* y) const override { project_on_ball(radius_, x, y, n_); }
  void project_derivative(const double* x, double* D) const override {
    double d_radius[max_dim];
    ball_derivative(radius_, x, D, n_, d_radius, n_);
  }

 private:
  Index n_;
  double radius_;
};

}  // namespace carom::inline sets
