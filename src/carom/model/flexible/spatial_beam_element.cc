#include "carom/model/flexible/spatial_beam_element.h"

#include <cmath>

namespace carom {

namespace {

// b(t) = (1 - (t/2) cot(t/2)) / t^2 and b'(t)/t, the difference by its series where it cancels.
void rotation_coefficients(double t, double& b, double& slope) {
  constexpr double c[] = {1.0 / 12, 1.0 / 720, 1.0 / 30240, 1.0 / 1209600, 1.0 / 47900160, 691.0 / 1307674368000};
  const double s = t * t;
  if (t < 0.25) {
    b = slope = 0.0;
    for (int k = 5; k >= 0; --k) b = b * s + c[k];
    for (int k = 5; k >= 1; --k) slope = slope * s + 2.0 * k * c[k];
    return;
  }
  const double half = 0.5 * t, sine = std::sin(half), cotangent = std::cos(half) / sine;
  const double change = 0.5 * cotangent - 0.5 * half / (sine * sine);  // of (t/2) cot(t/2)
  b = (1.0 - half * cotangent) / s;
  slope = (-change / t - 2.0 * b) / s;
}

}  // namespace

SpatialBeamElement::SpatialBeamElement(const BeamNode& a, const BeamNode& b, double length) : a_(a), b_(b), l_(length) {
  Quaternion relative = quaternion_product(quaternion_conjugate(a.p), b.p);
  if (relative[0] < 0.0) relative = -relative;
  phi_ = quaternion_log(relative);
  tau_ = relative.tail<3>() / (1.0 + relative[0]);
  Quaternion half = relative;  // the bisector of 1 and the relative rotation
  half[0] += 1.0;
  R_ = rotation_matrix(quaternion_product(a.p, half.normalized()));
  u_ = R_.transpose() * (b.x - a.x) / l_;
  eps_ << u_ - Vector3::UnitX(), phi_ / l_;

  rotation_coefficients(phi_.norm(), b_coefficient_, b_slope_);
  const Matrix3 turn = skew(phi_), lean = skew(tau_);
  J_ = Matrix3::Identity() + 0.5 * turn + b_coefficient_ * turn * turn;
  A1_ = 0.5 * (Matrix3::Identity() - lean);
  A2_ = 0.5 * (Matrix3::Identity() + lean);
}

SpatialBeamElement::Vector6 SpatialBeamElement::strain_rate() const {
  Vector6 rate;
  rate << R_.transpose() * (b_.velocity - a_.velocity) / l_ + u_.cross(middle_spin()),
      (J_ * b_.spin - J_.transpose() * a_.spin) / l_;
  return rate;
}

SpatialBeamElement::Vector12 SpatialBeamElement::force(const Vector6& sigma) const {
  const Vector3 n = sigma.head<3>(), m = sigma.tail<3>(), N = R_ * n, c = l_ * n.cross(u_);
  Vector12 f;
  f << -N, A2_ * c - J_ * m, N, A1_ * c + J_.transpose() * m;
  return f;
}

void SpatialBeamElement::prepare_tangents() {
  const Matrix3 zero = Matrix3::Zero(), pull = R_.transpose() / l_, lean = skew(u_);
  const Matrix3 S =
      0.25 * ((1.0 - tau_.squaredNorm()) * Matrix3::Identity() + 2.0 * skew(tau_) + 2.0 * tau_ * tau_.transpose());
  middle_ << zero, A1_, zero, A2_;
  tau_rows_ << zero, -S.transpose(), zero, S;
  B_ << -pull, lean * A1_, pull, lean * A2_, zero, -J_.transpose() / l_, zero, J_ / l_;
}

SpatialBeamElement::Matrix12 SpatialBeamElement::material_tangent(const Vector6& D) const {
  return l_ * (B_.transpose() * (D.asDiagonal() * B_));
}

Matrix3 SpatialBeamElement::vector_slope(const Vector3& m) const {
  const double along = phi_.dot(m);
  return b_coefficient_ * (along * Matrix3::Identity() + phi_ * m.transpose() - 2.0 * m * phi_.transpose()) +
         b_slope_ * (phi_ * along - phi_.squaredNorm() * m) * phi_.transpose();
}

SpatialBeamElement::Matrix12 SpatialBeamElement::geometric_tangent(const Vector6& sigma) const {
  const Vector3 n = sigma.head<3>(), m = sigma.tail<3>(), c = l_ * n.cross(u_);
  const auto G = B_.topRows<3>();
  const Rows3 P = l_ * B_.bottomRows<3>();
  const Matrix3 slope = vector_slope(m), half_m = 0.5 * skew(m);
  const Rows3 lever = l_ * (skew(n) * G), swing = 0.5 * (skew(c) * tau_rows_);
  Matrix12 K;
  K.middleRows<3>(0) = R_ * (skew(n) * middle_);
  K.middleRows<3>(3) = A2_ * lever - swing - (slope - half_m) * P;
  K.middleRows<3>(6) = -K.middleRows<3>(0);
  K.middleRows<3>(9) = A1_ * lever + swing + (slope + half_m) * P;
  return K;
}

SpatialBeamElement::Matrix12 SpatialBeamElement::rate_tangent(const Vector6& D) const {
  // Gamma' = a + u x Omega_m with a = R_m' (v_2 - v_1) / l;  phi' = J Omega_2 - J' Omega_1
  const Vector3 a = R_.transpose() * (b_.velocity - a_.velocity) / l_;
  const Rows3 P = l_ * B_.bottomRows<3>();
  const Rows3 middle_change = -0.5 * (skew(b_.spin - a_.spin) * tau_rows_);
  const Matrix3 turning = vector_slope(b_.spin) - 0.5 * skew(b_.spin) - vector_slope(a_.spin) - 0.5 * skew(a_.spin);
  Rows6 change;
  change.topRows<3>() = skew(a) * middle_ - skew(middle_spin()) * B_.topRows<3>() + skew(u_) * middle_change;
  change.bottomRows<3>() = turning * P / l_;
  return l_ * (B_.transpose() * (D.asDiagonal() * change));
}

}  // namespace carom
