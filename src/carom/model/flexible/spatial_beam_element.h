// One element of the spatial Simo-Reissner beam: nodes with position x_a and rotation R_a (body to world), the
// beam axis along the body's first direction; velocities w = (v_1, Omega_1, v_2, Omega_2), Omega in the body
// frames. The rotation is interpolated through the rotation vector between the two nodes, which a rigid motion
// does not change (Crisfield, Jelenic 1999), and the strains are taken once, in the middle (no locking):
//
//   R_1' R_2 = exp(phi)      R_m = R_1 exp(phi/2)      u = R_m' (x_2 - x_1) / l
//   Gamma = u - e_1  (stretch, two shears)             kappa = phi / l  (twist, two curvatures)
//   energy = l/2 eps' D eps,  eps = (Gamma, kappa),  sigma = D eps = (n, m)
//
// Rates. With J = J_r(phi)^-1 = I + phi^/2 + b phi^ phi^, b = (1 - (t/2) cot(t/2)) / t^2, t = |phi|, and
// tau = tan(t/4) phi/t (a^ the matrix of a x):
//
//   phi' = J Omega_2 - J' Omega_1
//   Omega_m = A_1 Omega_1 + A_2 Omega_2      A_1 = (I - tau^)/2,  A_2 = (I + tau^)/2
//   Gamma' = R_m' (v_2 - v_1) / l + u x Omega_m
//   tau' = S Omega_2 - S' Omega_1            S = ((1 - tau.tau) I + 2 tau^ + 2 tau tau') / 4
//
// (A_2 is J_r(phi/2) J_r(phi)^-1 / 2, on the plane across phi 1 / (1 + exp(-i t/2)) = (1 + i tan(t/4)) / 2.) These
// are the rows of B, eps' = B w, and the internal force f = l B' sigma reads, with N = R_m n and c = l n x u,
//
//   f = ( -N,  A_2 c - J m,  N,  A_1 c + J' m )
//
// Its derivative along displacements and body-fixed turns d = (d_1, theta_1, d_2, theta_2) is exact:
//
//   df = l B' D B d + ( R_m n^ A,  A_2 l n^ G - c^ S_/2 - D_r P,  -R_m n^ A,  A_1 l n^ G + c^ S_/2 + D_l P ) d
//
// A, G, S_, P the rows of Omega_m, Gamma', tau', phi', and D_l, D_r the derivatives of J' m and J m by phi. It is
// not symmetric away from equilibrium: turns do not commute.
//
// With viscous stress sigma = D (eps + beta eps') there is also l beta B' D (d eps'/dq) below.
//
// References: J. C. Simo, A finite strain beam formulation, Comput. Methods Appl. Mech. Engrg. 49 (1985);
// M. A. Crisfield, G. Jelenic, Objectivity of strain measures in the geometrically exact three-dimensional beam
// theory, Proc. R. Soc. A 455 (1999).
#pragma once

#include <Eigen/Core>

#include "carom/base/rotation.h"
#include "carom/base/types.h"

namespace carom {

struct BeamNode {
  Vector3 x = Vector3::Zero();
  Quaternion p = {1.0, 0.0, 0.0, 0.0};
  Vector3 velocity = Vector3::Zero();
  Vector3 spin = Vector3::Zero();  // in the body frame
};

class SpatialBeamElement {
 public:
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  using Vector12 = Eigen::Matrix<double, 12, 1>;
  using Matrix12 = Eigen::Matrix<double, 12, 12>;
  using Rows3 = Eigen::Matrix<double, 3, 12>;
  using Rows6 = Eigen::Matrix<double, 6, 12>;

  SpatialBeamElement(const BeamNode& a, const BeamNode& b, double length);

  const Vector6& strain() const { return eps_; }  // (Gamma, kappa)
  Vector6 strain_rate() const;
  Vector12 force(const Vector6& sigma) const;  // l B' sigma

  // The rows below are needed for tangents only.
  void prepare_tangents();
  Matrix12 material_tangent(const Vector6& D) const;       // l B' D B
  Matrix12 geometric_tangent(const Vector6& sigma) const;  // l (dB)' sigma
  Matrix12 rate_tangent(const Vector6& D) const;           // l B' D (d eps'/dq)

 private:
  const BeamNode &a_, &b_;
  double l_;
  Vector3 phi_, tau_, u_;
  Matrix3 R_, J_, A1_, A2_;
  Vector6 eps_;
  double b_coefficient_ = 0.0, b_slope_ = 0.0;  // b and b'/t
  Rows3 middle_, tau_rows_;                     // rows of Omega_m and tau'
  Rows6 B_;

  Matrix3 vector_slope(const Vector3& m) const;  // d(phi^ phi^ b m)/dphi
  Vector3 middle_spin() const { return A1_ * a_.spin + A2_ * b_.spin; }
};

}  // namespace carom
