// One element of the planar Simo-Reissner beam: linear interpolation, one-point integration (which keeps
// thin elements from locking). Unknowns u = (x1, y1, theta1, x2, y2, theta2), length l. With
// theta_m = (theta1 + theta2) / 2, c and s its cosine and sine, Delta = ((x2 - x1) / l, (y2 - y1) / l):
//
//   Gamma1 = c Delta_x + s Delta_y - 1       stretch
//   Gamma2 = -s Delta_x + c Delta_y          shear
//   kappa  = (theta2 - theta1) / l           curvature
//
//   energy = l/2 eps' D eps      eps = (Gamma1, Gamma2, kappa),  D = diag(EA, GA, EI)
//   B = d eps / du      f_int = l B' sigma      H_i = d^2 eps_i / du^2
//
// The stress may hold a viscous part, sigma = D (eps + beta eps'), eps' = B u': then
//
//   d f_int / du  = l ( B' D B + beta B' D [u'H_1; u'H_2; 0] + sigma_1 H_1 + sigma_2 H_2 )
//   d f_int / du' = l beta B' D B
//
// with e = (0,0,1/2,0,0,1/2), b1 = (-c,-s,0,c,s,0)/l, b2 = (s,-c,0,-s,c,0)/l:
//
//   B_1 = b1 + Gamma2 e,   B_2 = b2 - (1 + Gamma1) e,   B_3 = (0,0,-1,0,0,1)/l
//   H_1 = e b2' + b2 e' - (1 + Gamma1) e e',    H_2 = -(e b1' + b1 e') - Gamma2 e e'
//
// Reference: J. C. Simo, L. Vu-Quoc, On the dynamics of flexible beams under large overall motions: the
// plane case, J. Appl. Mech. 53 (1986).
#pragma once

#include <Eigen/Core>
#include <cmath>

namespace carom {

struct PlanarBeamElement {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Strain = Eigen::Vector3d;

  double l;
  Strain eps;
  Eigen::Matrix<double, 3, 6> B;

  PlanarBeamElement(const Vector6& u, double length) : l(length) {
    const double theta = 0.5 * (u[2] + u[5]);
    const double c = std::cos(theta), s = std::sin(theta);
    const double dx = (u[3] - u[0]) / l, dy = (u[4] - u[1]) / l;
    eps << c * dx + s * dy - 1.0, -s * dx + c * dy, (u[5] - u[2]) / l;
    b1_ << -c / l, -s / l, 0.0, c / l, s / l, 0.0;
    b2_ << s / l, -c / l, 0.0, -s / l, c / l, 0.0;
    e_ << 0.0, 0.0, 0.5, 0.0, 0.0, 0.5;
    B.row(0) = b1_ + eps[1] * e_;
    B.row(1) = b2_ - (1.0 + eps[0]) * e_;
    B.row(2) << 0.0, 0.0, -1.0 / l, 0.0, 0.0, 1.0 / l;
  }

  Vector6 force(const Strain& sigma) const { return l * (B.transpose() * sigma); }

  Matrix6 material_tangent(const Strain& D) const { return l * (B.transpose() * (D.asDiagonal() * B)); }

  // sigma_1 H_1 + sigma_2 H_2, times l
  Matrix6 geometric_tangent(const Strain& sigma) const { return l * (sigma[0] * H1() + sigma[1] * H2()); }

  // B' D [u'H_1; u'H_2; 0], times l: how the strain rate's force changes with the position.
  Matrix6 rate_tangent(const Strain& D, const Vector6& rate) const {
    Eigen::Matrix<double, 3, 6> change;
    change.row(0) = rate.transpose() * H1();
    change.row(1) = rate.transpose() * H2();
    change.row(2).setZero();
    return l * (B.transpose() * (D.asDiagonal() * change));
  }

 private:
  Matrix6 H1() const { return e_.transpose() * b2_ + b2_.transpose() * e_ - (1.0 + eps[0]) * (e_.transpose() * e_); }
  Matrix6 H2() const { return -(e_.transpose() * b1_ + b1_.transpose() * e_) - eps[1] * (e_.transpose() * e_); }

  Eigen::Matrix<double, 1, 6> b1_, b2_, e_;
};

}  // namespace carom
