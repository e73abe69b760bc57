#include "carom/inclusion/minimum_norm.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/small_lu.h"

namespace carom::inline inclusion {

namespace {

// Householder: turns x (m entries) into (-beta, 0, ..) by I - tau u u' with u = (1, x[1..]); u is left
// in x[1..], the new first entry in x[0]. Returns tau.
double make_reflector(double* x, Index m) {
  double tail = 0.0;
  for (Index i = 1; i < m; ++i) tail += x[i] * x[i];
  if (tail == 0.0) return 0.0;
  const double norm = std::sqrt(x[0] * x[0] + tail);
  const double beta = x[0] >= 0.0 ? -norm : norm;
  const double scale = 1.0 / (x[0] - beta);
  const double tau = (beta - x[0]) / beta;
  for (Index i = 1; i < m; ++i) x[i] *= scale;
  x[0] = beta;
  return tau;
}

void apply_reflector(const double* u, double tau, double* y, Index m) {
  if (tau == 0.0) return;
  double sum = y[0];
  for (Index i = 1; i < m; ++i) sum += u[i] * y[i];
  sum *= tau;
  y[0] -= sum;
  for (Index i = 1; i < m; ++i) y[i] -= u[i] * sum;
}

// Whether the pivots of an LU factorisation (stored inverted) span too many decades.
bool nearly_singular(const double* lu, Index n, double rank_tolerance) {
  double least = std::numeric_limits<double>::infinity(), most = 0.0;
  for (Index i = 0; i < n; ++i) {
    const double inverse = std::abs(lu[i + i * n]);
    least = std::min(least, inverse);
    most = std::max(most, inverse);
  }
  return !(least > rank_tolerance * most);
}

}  // namespace

Index minimum_norm_solve(double* A, Index n, double rank_tolerance, double* x, MinimumNormMemory& memory) {
  memory.columns.resize(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j) memory.columns[static_cast<std::size_t>(j)] = j;

  // A P = Q R, the right-hand side carried along.
  Index rank = n;
  double first = 0.0;
  for (Index k = 0; k < n; ++k) {
    Index best = k;
    double largest = -1.0;
    for (Index j = k; j < n; ++j) {
      double square = 0.0;
      for (Index i = k; i < n; ++i) square += A[i + j * n] * A[i + j * n];
      if (square > largest) {
        largest = square;
        best = j;
      }
    }
    if (k == 0) first = std::sqrt(largest);
    if (!(std::sqrt(largest) > rank_tolerance * first)) {
      rank = k;
      break;
    }
    if (best != k) {
      std::swap_ranges(A + k * n, A + (k + 1) * n, A + best * n);
      std::swap(memory.columns[static_cast<std::size_t>(k)], memory.columns[static_cast<std::size_t>(best)]);
    }
    double* u = A + k + k * n;
    const double tau = make_reflector(u, n - k);
    for (Index j = k + 1; j < n; ++j) apply_reflector(u, tau, A + k + j * n, n - k);
    apply_reflector(u, tau, x + k, n - k);
  }

  // B = R' (n x rank) = Z L' with L' upper triangular; then L y = Q'b and the solution is Z y.
  memory.tail.assign(n * rank + rank + n, 0.0);
  double* B = memory.tail.data();
  double* taus = B + n * rank;
  double* y = taus + rank;
  for (Index k = 0; k < rank; ++k)
    for (Index j = k; j < n; ++j) B[j + k * n] = A[k + j * n];
  for (Index k = 0; k < rank; ++k) {
    double* u = B + k + k * n;
    taus[k] = make_reflector(u, n - k);
    for (Index j = k + 1; j < rank; ++j) apply_reflector(u, taus[k], B + k + j * n, n - k);
  }
  for (Index k = 0; k < rank; ++k) {  // L = (upper triangle of B)'
    double sum = x[k];
    for (Index i = 0; i < k; ++i) sum -= B[i + k * n] * y[i];
    y[k] = sum / B[k + k * n];
  }
  for (Index k = rank - 1; k >= 0; --k) apply_reflector(B + k + k * n, taus[k], y + k, n - k);
  for (Index j = 0; j < n; ++j) x[memory.columns[static_cast<std::size_t>(j)]] = y[j];
  return rank;
}

void solve_or_minimum_norm(double* A, Index n, double rank_tolerance, double* x, MinimumNormMemory& memory) {
  memory.factors.resize(n * n);
  memory.pivots.resize(static_cast<std::size_t>(n));
  double* lu = memory.factors.data();
  std::copy_n(A, n * n, lu);
  if (lu_factor(lu, memory.pivots.data(), n) && !nearly_singular(lu, n, rank_tolerance))
    lu_solve(lu, memory.pivots.data(), n, x, 1);
  else
    minimum_norm_solve(A, n, rank_tolerance, x, memory);
}

}  // namespace carom::inline inclusion
