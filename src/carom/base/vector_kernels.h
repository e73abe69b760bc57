// Operations on vectors that are short most of the time. A mechanism has a handful of unknowns, where
// the set-up of a packet loop or a library call costs more than the arithmetic: up to 6 entries are
// written out, longer vectors are plain loops.
#pragma once

#include <cmath>

#include "carom/base/types.h"

namespace carom::inline base {

// f(0), ..., f(n - 1)
template <class F>
inline void for_each_index(Index n, F f) {
  switch (n) {
    case 1: f(0); return;
    case 2: f(0), f(1); return;
    case 3: f(0), f(1), f(2); return;
    case 4: f(0), f(1), f(2), f(3); return;
    case 5: f(0), f(1), f(2), f(3), f(4); return;
    case 6: f(0), f(1), f(2), f(3), f(4), f(5); return;
    default:
      for (Index i = 0; i < n; ++i) f(i);
  }
}

inline void fit(Index n, Vector& x) {
  if (x.size() != n) x.resize(n);
}

inline void set_zero(Index n, Vector& x) {
  fit(n, x);
  double* out = x.data();
  for_each_index(n, [=](Index i) { out[i] = 0.0; });
}

// out = a x
inline void scale(double a, const Vector& x, Vector& out) {
  const Index n = static_cast<Index>(x.size());
  fit(n, out);
  const double* px = x.data();
  double* po = out.data();
  for_each_index(n, [=](Index i) { po[i] = a * px[i]; });
}

// out = a x + b y
inline void combine(double a, const Vector& x, double b, const Vector& y, Vector& out) {
  const Index n = static_cast<Index>(x.size());
  fit(n, out);
  const double *px = x.data(), *py = y.data();
  double* po = out.data();
  for_each_index(n, [=](Index i) { po[i] = a * px[i] + b * py[i]; });
}

// out = a sum_{k < count} weights_k x_k, count > 0
inline void weighted_sum(double a, const double* weights, int count, const Vector* x, Vector& out) {
  scale(a * weights[0], x[0], out);
  for (int k = 1; k < count; ++k) combine(1.0, out, a * weights[k], x[k], out);
}

// out = a x + b y and scaled = c out
inline void combine_and_scale(double a, const Vector& x, double b, const Vector& y, double c, Vector& out,
                              Vector& scaled) {
  const Index n = static_cast<Index>(x.size());
  fit(n, out);
  fit(n, scaled);
  const double *px = x.data(), *py = y.data();
  double *po = out.data(), *ps = scaled.data();
  for_each_index(n, [=](Index i) {
    const double sum = a * px[i] + b * py[i];
    po[i] = sum;
    ps[i] = c * sum;
  });
}

// out += x
inline void add(const Vector& x, Vector& out) {
  const double* px = x.data();
  double* po = out.data();
  for_each_index(static_cast<Index>(x.size()), [=](Index i) { po[i] += px[i]; });
}

inline double dot(const Vector& x, const Vector& y) {
  const double *px = x.data(), *py = y.data();
  double sum = 0.0;
  for_each_index(static_cast<Index>(x.size()), [=, &sum](Index i) { sum += px[i] * py[i]; });
  return sum;
}

inline bool all_finite(const Vector& x) {
  const double* px = x.data();
  double sum = 0.0;
  for_each_index(static_cast<Index>(x.size()),
                 [=, &sum](Index i) { sum += 0.0 * px[i]; });  // nan and inf spoil the zero
  return sum == 0.0;
}

}  // namespace carom::inline base
