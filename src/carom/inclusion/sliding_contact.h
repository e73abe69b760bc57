// One contact that slides, in a sweep. The law's own solution (laws/spatial_coulomb_law.cc) is found to the last digit,
// whatever came before; a sweep asks for the same contact hundreds of times, each time a little changed, and for no
// more than a map whose fixed points obey the law. So it begins where the contact slid before: in the directions in
// which
//
//   S = E - b b'/a = diag(s_1, s_2)         G_bb = [a b'; b E], its symmetric part
//
// sliding is  xi_T = -kappa lambda_T,  with kappa the root of (spatial_coulomb_law.cc has the derivation)
//
//   lambda_T(kappa)_i = r_i / (s_i + kappa),    r = b xi_N / a - xi_T + S lambda_T,    u = lambda_T / |lambda_T|,
//   psi(kappa) = -mu c_N / |lambda_T| - mu b'u - a = 0,                                c_N = xi_N - (G_bb lambda)_N,
//
// and Newton's method starts at the kappa of lambda and xi themselves. At a fixed point that is the root, whatever is
// left out of G_bb, and near it one step is exact to the first order.
#pragma once

#include <algorithm>
#include <cmath>

namespace carom::inline inclusion {

class SlidingContact {
 public:
  // G: G_bb, 3 x 3 by columns, positive definite but for a few digits.
  explicit SlidingContact(const double* G) {
    a_ = G[0];
    const double b[2] = {0.5 * (G[1] + G[3]), 0.5 * (G[2] + G[6])};
    const double S11 = G[4] - b[0] * b[0] / a_, S22 = G[8] - b[1] * b[1] / a_,
                 S12 = 0.5 * (G[5] + G[7]) - b[0] * b[1] / a_;
    const double half = 0.5 * (S11 - S22), root = std::sqrt(half * half + S12 * S12), mean = 0.5 * (S11 + S22);
    s_[0] = mean + root;
    s_[1] = mean - root;
    // The direction of s_1: twice its angle is that of (half, S12).
    const double x = root + std::abs(half), length = std::sqrt(x * x + S12 * S12);
    const bool along = half >= 0.0;
    cosine_ = length > 0.0 ? (along ? x : std::abs(S12)) / length : 1.0;
    sine_ = length > 0.0 ? (along ? S12 : std::copysign(x, S12)) / length : 0.0;
    turn(b, b_);
  }

  // y: the contact solved with velocities xi at impulses lambda, known not to stick. False: not found, or no such case.
  bool solve(double mu, const double* xi, const double* lambda, double* y) const {
    if (!(s_[1] > least_share * s_[0])) return false;
    double xi_T[2], lambda_T[2];
    turn(xi + 1, xi_T);
    turn(lambda + 1, lambda_T);
    const double c_N = xi[0] - (a_ * lambda[0] + b_[0] * lambda_T[0] + b_[1] * lambda_T[1]);
    if (c_N >= 0.0) {
      y[0] = y[1] = y[2] = 0.0;
      return true;
    }
    double r[2], u[2], d[2];
    for (int i = 0; i < 2; ++i) r[i] = b_[i] * xi[0] / a_ - xi_T[i] + s_[i] * lambda_T[i];
    const double square = lambda_T[0] * lambda_T[0] + lambda_T[1] * lambda_T[1];
    double kappa = square > 0.0 ? -(xi_T[0] * lambda_T[0] + xi_T[1] * lambda_T[1]) / square : 0.0;
    if (!(kappa > 0.0)) kappa = 0.0;
    for (int k = 0;; ++k) {
      const double length = direction(r, kappa, d, u);
      if (!(length > 0.0)) return false;
      const double reach = -mu * c_N / length, q = u[0] * u[0] * d[0] + u[1] * u[1] * d[1];
      const double psi = reach - mu * (b_[0] * u[0] + b_[1] * u[1]) - a_;
      const double slope = reach * q - mu * (b_[0] * u[0] * (q - d[0]) + b_[1] * u[1] * (q - d[1]));
      const double next = kappa - psi / slope;
      if (!(next > 0.0)) {
        if (k == most_steps || kappa == 0.0) return false;
        kappa *= 0.5;
        continue;
      }
      kappa = next;
      if (std::abs(psi) <= near * a_) break;
      if (k == most_steps) return false;
    }
    const double length = direction(r, kappa, d, u);
    const double opening = a_ + mu * (b_[0] * u[0] + b_[1] * u[1]);
    y[0] = opening > least_opening * a_ ? -c_N / opening : length / mu;
    const double reach = mu * y[0];
    y[1] = reach * (cosine_ * u[0] - sine_ * u[1]);
    y[2] = reach * (sine_ * u[0] + cosine_ * u[1]);
    return std::isfinite(reach);
  }

 private:
  static constexpr double least_share = 1e-6, least_opening = 0.1;
  static constexpr double near = 1e-3;  // of psi: then one more step, of its square
  static constexpr int most_steps = 12;

  void turn(const double* x, double* out) const {
    out[0] = cosine_ * x[0] + sine_ * x[1];
    out[1] = cosine_ * x[1] - sine_ * x[0];
  }
  // u and |lambda_T| at kappa; d_i = 1/(s_i + kappa).
  double direction(const double* r, double kappa, double* d, double* u) const {
    for (int i = 0; i < 2; ++i) {
      d[i] = 1.0 / (s_[i] + kappa);
      u[i] = r[i] * d[i];
    }
    const double length = std::sqrt(u[0] * u[0] + u[1] * u[1]);
    for (int i = 0; i < 2; ++i) u[i] /= length;
    return length;
  }

  double a_, s_[2], b_[2];
  double cosine_, sine_;
};

}  // namespace carom::inline inclusion
