// Rotations by their vector phi, for any scalar (base/dual.h): no square root is taken where its derivative would fail.
//
//   exp(phi)   = I + s phi^ + c phi^ phi^     s = sin t / t,  c = (1 - cos t) / t^2,  d = (t - sin t) / t^3,  t = |phi|
//   J_r(phi)   = I - c phi^ + d phi^ phi^           exp(phi)' = exp(phi) (J_r phi')^      J_l = J_r'
//   J_r^-1     = I + phi^/2 + b phi^ phi^           b = (1 - (t/2) cot(t/2)) / t^2
#pragma once

#include <array>
#include <cmath>

#include "carom/base/dual.h"

namespace carom {

template <class S>
Matrix3Of<S> skew_of(const Vector3Of<S>& a) {
  Matrix3Of<S> result;
  result << S(0.0), -a[2], a[1], a[2], S(0.0), -a[0], -a[1], a[0], S(0.0);
  return result;
}

template <class S>
struct RotationSeries {
  S s, c, d, b;

  explicit RotationSeries(const S& square) {
    using std::cos;
    using std::sin;
    using std::sqrt;
    if (value_of(square) < 0.0625) {
      s = c = d = b = S(0.0);
      // 1/(2k+1)!, 1/(2k+2)!, 1/(2k+3)! with alternating signs, and |B_{2k+2}| / (2k+2)!
      static constexpr std::array<double, 6> fs = {1.0,         -1.0 / 6,     1.0 / 120,
                                                   -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800};
      static constexpr std::array<double, 6> fc = {1.0 / 2,      -1.0 / 24,     1.0 / 720,
                                                   -1.0 / 40320, 1.0 / 3628800, -1.0 / 479001600};
      static constexpr std::array<double, 6> fd = {1.0 / 6,       -1.0 / 120,     1.0 / 5040,
                                                   -1.0 / 362880, 1.0 / 39916800, -1.0 / 6227020800.0};
      static constexpr std::array<double, 6> fb = {1.0 / 12,      1.0 / 720,      1.0 / 30240,
                                                   1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000.0};
      for (std::size_t k = 6; k-- > 0;) {
        s = s * square + S(fs[k]);
        c = c * square + S(fc[k]);
        d = d * square + S(fd[k]);
        b = b * square + S(fb[k]);
      }
      return;
    }
    const S t = sqrt(square), half = S(0.5) * t;
    s = sin(t) / t;
    c = (S(1.0) - cos(t)) / square;
    d = (S(1.0) - s) / square;
    b = (S(1.0) - half * cos(half) / sin(half)) / square;
  }
};

template <class S>
Matrix3Of<S> rotation_exp(const Vector3Of<S>& phi, const RotationSeries<S>& f) {
  const Matrix3Of<S> turn = skew_of<S>(phi);
  return Matrix3Of<S>::Identity() + f.s * turn + f.c * Matrix3Of<S>(turn * turn);
}

template <class S>
Matrix3Of<S> right_jacobian(const Vector3Of<S>& phi, const RotationSeries<S>& f) {
  const Matrix3Of<S> turn = skew_of<S>(phi);
  return Matrix3Of<S>::Identity() - f.c * turn + f.d * Matrix3Of<S>(turn * turn);
}

template <class S>
Matrix3Of<S> right_jacobian_inverse(const Vector3Of<S>& phi, const RotationSeries<S>& f) {
  const Matrix3Of<S> turn = skew_of<S>(phi);
  return Matrix3Of<S>::Identity() + S(0.5) * turn + f.b * Matrix3Of<S>(turn * turn);
}

}  // namespace carom
