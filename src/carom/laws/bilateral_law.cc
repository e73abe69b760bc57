#include "carom/laws/bilateral_law.h"

#include <algorithm>
#include <cmath>

#include "carom/base/small_lu.h"
#include "carom/base/small_svd.h"
#include "carom/laws/block_residual.h"
#include "carom/sets/free_space.h"

namespace carom::inline laws {

namespace {

// Equilibrated pivots below this are rounding: the rows depend on each other.
constexpr double singular_pivot = 1e-13;

// Rows of a block may have different units (m, rad). With s_i = G_ii^-1/2 the matrix S G S has a unit
// diagonal, its pivots are pure numbers, and so is the norm that a redundant block minimises.
void equilibrate(Index n, const double* G, double* scale, double* scaled) {
  for (Index i = 0; i < n; ++i) scale[i] = G[i + i * n] > 0.0 ? 1.0 / std::sqrt(G[i + i * n]) : 1.0;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) scaled[i + j * n] = scale[i] * G[i + j * n] * scale[j];
}

// x := A^-1 x, false if A is singular to rounding.
bool solve_regular(Index n, const double* A, double* x) {
  double lu[Law::max_dim * Law::max_dim];
  int pivots[Law::max_dim];
  std::copy(A, A + n * n, lu);
  if (!lu_factor(lu, pivots, n)) return false;
  for (Index i = 0; i < n; ++i)  // the diagonal holds inverse pivots
    if (std::abs(lu[i + i * n]) > 1.0 / singular_pivot) return false;
  lu_solve(lu, pivots, n, x, 1);
  return true;
}

// Whether G lambda + c = 0 to rounding: not so for a singular G and an inconsistent c.
bool satisfied(Index n, const double* G, const double* c, const double* lambda) {
  double square = 0.0, scale = 0.0;
  for (Index i = 0; i < n; ++i) {
    double xi = c[i];
    scale += std::abs(c[i]);
    for (Index j = 0; j < n; ++j) {
      xi += G[i + j * n] * lambda[j];
      scale += std::abs(G[i + j * n] * lambda[j]);
    }
    square += xi * xi;
  }
  return std::sqrt(square) <= block_tolerance * scale;
}

}  // namespace

BilateralLaw::BilateralLaw(Index rows) : Law(FreeSpace(rows).dim()) {}

void BilateralLaw::project(const double* x, double* y) const { FreeSpace(dim()).project(x, y); }

void BilateralLaw::project_derivative(const double* x, double* D) const { FreeSpace(dim()).project_derivative(x, D); }

void BilateralLaw::impact_shift(const double*, double* shift) const { std::fill(shift, shift + dim(), 0.0); }

bool BilateralLaw::solve_local(const double* G, const double* c, double* lambda) const {
  double scale[max_dim], scaled[max_dim * max_dim], x[max_dim];
  equilibrate(dim(), G, scale, scaled);
  for (Index i = 0; i < dim(); ++i) x[i] = -scale[i] * c[i];
  const bool regular = solve_regular(dim(), scaled, x);
  if (!regular) SmallSvd(scaled, dim()).pseudo_solve(x, singular_pivot);
  for (Index i = 0; i < dim(); ++i) lambda[i] = scale[i] * x[i];
  return regular || satisfied(dim(), G, c, lambda);
}

}  // namespace carom::inline laws
