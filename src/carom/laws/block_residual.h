// How well lambda solves one block xi = G lambda + c: the backward error
//
//     rho | lambda - P(lambda - xi/rho) |  /  ( |c| + |G| |lambda| ),      rho = max_i G_ii,
//
// with sums of absolute values below, which is what rounding acts on: about 1e-16 is the floor for
// any G. With it an exact solve checks its own answer.
#pragma once

#include <cmath>

#include "carom/base/types.h"

namespace carom::inline laws {

// project(x, y) as in Law; N rows.
template <Index N, class Projection>
double block_residual(const double* G, const double* c, const double* lambda, Projection&& project) {
  double rho = G[0], scale = 0.0, xi[N], x[N], y[N];
  for (Index i = 0; i < N; ++i) {
    if (G[i + i * N] > rho) rho = G[i + i * N];
    xi[i] = c[i];
    scale += std::abs(c[i]);
  }
  for (Index j = 0; j < N; ++j)
    for (Index i = 0; i < N; ++i) {
      const double product = G[i + j * N] * lambda[j];
      xi[i] += product;
      scale += std::abs(product);
    }
  const double r = 1.0 / rho;
  for (Index i = 0; i < N; ++i) x[i] = lambda[i] - r * xi[i];
  project(x, y);
  double square = 0.0;
  for (Index i = 0; i < N; ++i) square += (lambda[i] - y[i]) * (lambda[i] - y[i]);
  return square > 0.0 ? rho * std::sqrt(square) / scale : square;  // also keeps not-a-number
}

// Tells a wrong answer (no solution, a case misjudged) from one that bad conditioning has made less
// precise. How precise is good enough is for the judge of the whole problem to say.
inline constexpr double block_tolerance = 1e-8;

}  // namespace carom::inline laws
