// One contact that slides, in a sweep. The law's own solution (laws/spatial_coulomb_law.cc) is found to the last digit,
// whatever came before; a sweep asks for the same contact hundreds of times, each time a little changed, and for no
// more than a map whose fixed points obey the law. So it begins where the contact slid before: in the directions in
// which S = E - b b'/a is diagonal (principal_tangents.h) sliding is  xi_T = -kappa lambda_T,  with kappa the root of
// (spatial_coulomb_law.cc has the derivation)
//
//   lambda_T(kappa)_i = r_i / (s_i + kappa),    r = b xi_N / a - xi_T + S lambda_T,    u = lambda_T / |lambda_T|,
//   psi(kappa) = -mu c_N / |lambda_T| - mu b'u - a = 0,                                c_N = xi_N - (G_bb lambda)_N,
//
// and Newton's method starts at the kappa of lambda and xi themselves. At a fixed point that is the root, whatever is
// left out of G_bb, and near it one step is exact to the first order.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/inclusion/principal_tangents.h"

namespace carom::inline inclusion {

class SlidingContact {
 public:
  // G: G_bb, 3 x 3 by columns, positive definite but for a few digits.
  explicit SlidingContact(const double* G) : tangents_(G) {}

  // y: the contact solved with velocities xi at impulses lambda, known not to stick. False: not found, or no such case.
  bool solve(double mu, const double* xi, const double* lambda, double* y) const {
    const double a = tangents_.a, *b = tangents_.b, *s = tangents_.s;
    const TangentTurn& frame = tangents_.turn;
    if (!(s[1] > least_share * s[0])) return false;
    double xi_T[2], lambda_T[2];
    frame.turn(xi + 1, xi_T);
    frame.turn(lambda + 1, lambda_T);
    const double c_N = xi[0] - (a * lambda[0] + b[0] * lambda_T[0] + b[1] * lambda_T[1]);
    if (c_N >= 0.0) {
      y[0] = y[1] = y[2] = 0.0;
      return true;
    }
    double r[2], u[2], d[2];
    for (int i = 0; i < 2; ++i) r[i] = b[i] * xi[0] / a - xi_T[i] + s[i] * lambda_T[i];
    const double square = lambda_T[0] * lambda_T[0] + lambda_T[1] * lambda_T[1];
    double kappa = square > 0.0 ? -(xi_T[0] * lambda_T[0] + xi_T[1] * lambda_T[1]) / square : 0.0;
    if (!(kappa > 0.0)) kappa = 0.0;
    for (int k = 0;; ++k) {
      const double length = direction(r, kappa, d, u);
      if (!(length > 0.0)) return false;
      const double reach = -mu * c_N / length, q = u[0] * u[0] * d[0] + u[1] * u[1] * d[1];
      const double psi = reach - mu * (b[0] * u[0] + b[1] * u[1]) - a;
      const double slope = reach * q - mu * (b[0] * u[0] * (q - d[0]) + b[1] * u[1] * (q - d[1]));
      const double next = kappa - psi / slope;
      if (!(next > 0.0)) {
        if (k == most_steps || kappa == 0.0) return false;
        kappa *= 0.5;
        continue;
      }
      kappa = next;
      if (std::abs(psi) <= near * a) break;
      if (k == most_steps) return false;
    }
    const double length = direction(r, kappa, d, u);
    const double opening = a + mu * (b[0] * u[0] + b[1] * u[1]);
    y[0] = opening > least_opening * a ? -c_N / opening : length / mu;
    const double reach = mu * y[0];
    frame.turn_back(u, y + 1);
    y[1] *= reach;
    y[2] *= reach;
    return std::isfinite(reach);
  }

 private:
  static constexpr double least_share = 1e-6, least_opening = 0.1;
  static constexpr double near = 1e-3;  // of psi: then one more step, of its square
  static constexpr int most_steps = 12;

  // u and |lambda_T| at kappa; d_i = 1/(s_i + kappa).
  double direction(const double* r, double kappa, double* d, double* u) const {
    for (int i = 0; i < 2; ++i) {
      d[i] = 1.0 / (tangents_.s[i] + kappa);
      u[i] = r[i] * d[i];
    }
    const double length = std::sqrt(u[0] * u[0] + u[1] * u[1]);
    for (int i = 0; i < 2; ++i) u[i] /= length;
    return length;
  }

  PrincipalTangents tangents_;
};

}  // namespace carom::inline inclusion
