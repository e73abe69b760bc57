// The discrete gradient of a function between two points a and b = a + d,
//
//     Df(a, b) = grad f(m) + [ f(b) - f(a) - grad f(m)'d ] / |d|^2  d,       m = (a + b)/2,
//
// for which Df'd = f(b) - f(a) exactly: a chain rule for finite steps, on which every energy statement of
// the consistent schemes rests. It is the gradient at m for functions up to quadratic, and differs from it by
// O(|d|^2) else.
//
// The correction makes up for any error of grad f(m), so that no energy test ever sees a wrong gradient:
// gradients are tested against differences.
//
// Reference: O. Gonzalez, Time integration and discrete Hamiltonian systems, J. Nonlinear Sci. 6 (1996).
#pragma once

#include <cmath>
#include <limits>

#include "carom/base/types.h"

namespace carom::inline schemes {

// Rounding of the gap of a contact, in length scales: a gap is a difference of coordinates larger than that.
inline constexpr double gap_noise = 8.0;

// The multiple of the direction a correction adds: (rise - slope)/length, where `slope` is grad f(m)'d,
// `rise` is f(b) - f(a) with rounding of the size `noise` in it, and `length` is |d|^2 in the metric used.
// Nothing where the difference is rounding: divided by |d|^2 it would be noise of any size.
inline double gradient_correction(double rise, double slope, double length, double noise) {
  const double missing = rise - slope;
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  if (!(std::abs(missing) > 2.0 * epsilon * (noise + std::abs(slope))) || !(length > 0.0)) return 0.0;
  return missing / length;
}

// gradient (n entries, `stride` apart) at the midpoint becomes the discrete gradient. The correction stays
// within the coordinates the function depends on, which are those with a gradient.
inline void make_discrete(double rise, double noise, Index n, const double* d, Index stride, double* gradient) {
  double slope = 0.0, length = 0.0;
  for (Index i = 0; i < n; ++i) {
    slope += gradient[i * stride] * d[i];
    if (gradient[i * stride] != 0.0) length += d[i] * d[i];
  }
  const double correction = gradient_correction(rise, slope, length, noise);
  if (correction == 0.0) return;
  for (Index i = 0; i < n; ++i)
    if (gradient[i * stride] != 0.0) gradient[i * stride] += correction * d[i];
}

}  // namespace carom::inline schemes
