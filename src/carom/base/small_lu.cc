#include "carom/base/small_lu.h"

#include <cmath>
#include <utility>

#include "carom/base/scalar_code.h"

namespace carom::inline base {

namespace {

// N > 0: size known to the compiler. N = 0: size n at run time. Not inlined: the registers that the
// larger sizes need would be saved for the small ones as well.
template <int N>
[[gnu::noinline]] CAROM_SCALAR_CODE bool factor(double* a, int* pivots, int n_runtime) {
  const int n = N > 0 ? N : n_runtime;
  for (int k = 0; k < n; ++k) {
    int p = k;
    double largest = std::abs(a[k + k * n]);
    for (int i = k + 1; i < n; ++i) {
      const double candidate = std::abs(a[i + k * n]);
      if (candidate > largest) {
        largest = candidate;
        p = i;
      }
    }
    pivots[k] = p;
    if (!(largest > 0.0)) return false;  // also catches not-a-number
    if (p != k)
      for (int j = 0; j < n; ++j) std::swap(a[k + j * n], a[p + j * n]);
    const double inverse = 1.0 / a[k + k * n];
    for (int i = k + 1; i < n; ++i) a[i + k * n] *= inverse;
    for (int j = k + 1; j < n; ++j) {
      const double factor_kj = a[k + j * n];
      for (int i = k + 1; i < n; ++i) a[i + j * n] -= a[i + k * n] * factor_kj;
    }
    a[k + k * n] = inverse;  // the solve multiplies instead of dividing
  }
  return true;
}

template <int N>
[[gnu::noinline]] CAROM_SCALAR_CODE void solve(const double* lu, const int* pivots, int n_runtime, double* x,
                                               int columns) {
  const int n = N > 0 ? N : n_runtime;
  double known_size[N > 0 ? N : 1];  // stays in registers, where x might overlap lu
  for (int c = 0; c < columns; ++c, x += n) {
    for (int k = 0; k + 1 < n; ++k)
      if (pivots[k] != k) std::swap(x[k], x[pivots[k]]);
    double* y = N > 0 ? known_size : x;
    for (int i = 0; i < N; ++i) y[i] = x[i];
    for (int j = 0; j < n; ++j)
      for (int i = j + 1; i < n; ++i) y[i] -= lu[i + j * n] * y[j];
    for (int j = n - 1; j >= 0; --j) {
      y[j] *= lu[j + j * n];
      for (int i = 0; i < j; ++i) y[i] -= lu[i + j * n] * y[j];
    }
    for (int i = 0; i < N; ++i) x[i] = y[i];
  }
}

}  // namespace

bool lu_factor(double* a, int* pivots, int n) {
  switch (n) {
    case 1: return factor<1>(a, pivots, n);
    case 2: return factor<2>(a, pivots, n);
    case 3: return factor<3>(a, pivots, n);
    case 4: return factor<4>(a, pivots, n);
    case 5: return factor<5>(a, pivots, n);
    case 6: return factor<6>(a, pivots, n);
    default: return factor<0>(a, pivots, n);
  }
}

void lu_solve(const double* lu, const int* pivots, int n, double* x, int columns) {
  switch (n) {
    case 1: return solve<1>(lu, pivots, n, x, columns);
    case 2: return solve<2>(lu, pivots, n, x, columns);
    case 3: return solve<3>(lu, pivots, n, x, columns);
    case 4: return solve<4>(lu, pivots, n, x, columns);
    case 5: return solve<5>(lu, pivots, n, x, columns);
    case 6: return solve<6>(lu, pivots, n, x, columns);
    default: return solve<0>(lu, pivots, n, x, columns);
  }
}

}  // namespace carom::inline base
