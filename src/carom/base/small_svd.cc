#include "carom/base/small_svd.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline base {

namespace {

constexpr int most_sweeps = 30;  // convergence is quadratic: six are the rule

double dot(const double* a, const double* b, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void rotate(double* a, double* b, int n, double cosine, double sine) {
  for (int i = 0; i < n; ++i) {
    const double first = a[i];
    a[i] = cosine * first - sine * b[i];
    b[i] = sine * first + cosine * b[i];
  }
}

}  // namespace

SmallSvd::SmallSvd(const double* A, int size) : n(size) {
  std::copy(A, A + n * n, U);
  for (int i = 0; i < n * n; ++i) V[i] = i % (n + 1) == 0 ? 1.0 : 0.0;
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        double *a = U + p * n, *b = U + q * n;
        const double aa = dot(a, a, n), bb = dot(b, b, n), ab = dot(a, b, n);
        if (!(std::abs(ab) > std::numeric_limits<double>::epsilon() * std::sqrt(aa * bb))) continue;
        turned = true;
        const double zeta = (bb - aa) / (2.0 * ab);
        const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent), sine = cosine * tangent;
        rotate(a, b, n, cosine, sine);
        rotate(V + p * n, V + q * n, n, cosine, sine);
      }
  }
  for (int j = 0; j < n; ++j) {
    double* u = U + j * n;
    s[j] = std::sqrt(dot(u, u, n));
    for (int i = 0; i < n; ++i) u[i] = s[j] > 0.0 ? u[i] / s[j] : 0.0;
  }
}

double SmallSvd::largest() const { return *std::max_element(s, s + n); }

double SmallSvd::smallest() const { return *std::min_element(s, s + n); }

void SmallSvd::pseudo_solve(double* x, double threshold) const {
  double y[max_size] = {};
  const double zero = threshold * largest();
  for (int j = 0; j < n; ++j) {
    if (!(s[j] > zero)) continue;
    const double part = dot(U + j * n, x, n) / s[j];
    for (int i = 0; i < n; ++i) y[i] += part * V[i + j * n];
  }
  std::copy(y, y + n, x);
}

}  // namespace carom::inline base
