#include "carom/model/parts/scalable_bodies.h"

#include <array>
#include <cmath>

#include "carom/model/parts/body_manifold.h"
#include "carom/model/parts/rigidity.h"

namespace carom::model {

namespace {

using manifold::four;
using manifold::three;

constexpr Index n = ScalableBodies::size;

double scale(const double* q) { return four(q + 3).squaredNorm(); }

// phi(A): A B = phi(A) B.
Eigen::Matrix4d product_matrix(const Quaternion& A) {
  Eigen::Matrix4d phi;
  phi << A[0], -A[1], -A[2], -A[3],  //
      A[1], A[0], -A[3], A[2],       //
      A[2], A[3], A[0], -A[1],       //
      A[3], -A[2], A[1], A[0];
  return phi;
}

// g = |A|^2 - 1, gamma = nu exactly: W is constant.
struct UnitLength {
  static constexpr Index size = n, rows = 1;
  static constexpr bool constant = true;

  static void gap(const double* q, double* g) { g[0] = scale(q) - 1.0; }
  static void fill(const double*, double* W) { W[3] = 1.0; }
  static void convective(const double*, double* zeta) { zeta[0] = 0.0; }
};

}  // namespace

void ScalableBodies::declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b, offset += n) {
    M.declare({offset, offset, 3, 3});
    M.declare({offset + 3, offset + 3, 4, 4});
    dh_dq.declare({offset + 3, offset + 3, 4, 1});
    dh_dv.declare({offset + 3, offset + 3, 4, 4});
  }
}

void ScalableBodies::inertia(const double*, MatrixAssembly::Writer& M) const {
  for (const BodyData& body : bodies_) {
    M.add(body.mass * Matrix3::Identity());
    Eigen::Matrix4d turning = Eigen::Matrix4d::Zero();
    turning(0, 0) = 0.5 * body.inertia.trace();
    turning.bottomRightCorner<3, 3>() = body.inertia;
    M.add(turning);
  }
}

void ScalableBodies::add_force(double, const double* q, const double* v, double* h) const {
  for (const BodyData& body : bodies_) {
    const double s = scale(q);
    const Vector3 omega = three(v + 4), L = body.inertia * omega;
    three(h) += body.weight;
    h[3] += omega.dot(L) / s;
    three(h + 4) -= (v[3] * L + omega.cross(L)) / s;
    q += n, v += n, h += n;
  }
}

// Along q (+) x only s changes: ds = x_nu.
void ScalableBodies::force_jacobian(double, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                                    MatrixAssembly::Writer& dh_dv) const {
  for (const BodyData& body : bodies_) {
    const double s = scale(q), nu = v[3];
    const Matrix3& J = body.inertia;
    const Vector3 omega = three(v + 4), L = J * omega;
    Eigen::Vector4d by_s;
    by_s << -omega.dot(L), nu * L + omega.cross(L);
    by_s /= s * s;
    dh_dq.add(by_s);
    Eigen::Matrix4d by_v = Eigen::Matrix4d::Zero();
    by_v.topRightCorner<1, 3>() = 2.0 * L.transpose();
    by_v.bottomLeftCorner<3, 1>() = -L;
    by_v.bottomRightCorner<3, 3>() = -(nu * J + skew(omega) * J - skew(L));
    by_v /= s;
    dh_dv.add(by_v);
    q += n, v += n;
  }
}

// The exponential of the motion with constant (nu, omega)/s: exact for s = 1, nu = 0.
void ScalableBodies::move(const double* q, const double* dq, double* q_next) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, dq += n, q_next += n) {
    const Quaternion A = four(q + 3);
    const double s = A.squaredNorm();
    three(q_next) = three(q) + three(dq);
    four(q_next + 3) = std::exp(0.5 * dq[3] / s) * quaternion_product(A, quaternion_exp(Vector3(three(dq + 4) / s)));
  }
}

void ScalableBodies::difference(const double* qa, const double* qb, double* dq) const {
  for (Index b = 0; b < frame_count(); ++b, qa += n, qb += n, dq += n) {
    const Quaternion from = four(qa + 3), to = four(qb + 3);
    const double s = from.squaredNorm();
    three(dq) = three(qb) - three(qa);
    dq[3] = s * std::log(to.squaredNorm() / s);
    three(dq + 4) = s * quaternion_log(quaternion_product(quaternion_conjugate(from), to).normalized());
  }
}

void ScalableBodies::apply_T(const double* q, const double* v, double* dq) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, v += n, dq += n) {
    const Quaternion A = four(q + 3);
    three(dq) = three(v);
    four(dq + 3) = quaternion_product(A, four(v + 3)) / (2.0 * A.squaredNorm());
  }
}

void ScalableBodies::apply_T_transpose(const double* q, const double* p, double* r) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, p += n, r += n) {
    const Quaternion A = four(q + 3);
    three(r) = three(p);
    four(r + 3) = product_matrix(A).transpose() * four(p + 3) / (2.0 * A.squaredNorm());
  }
}

void ScalableBodies::velocity_map(const double* q, Block Q) const {
  Q.setIdentity();
  for (Index b = 0; b < frame_count(); ++b, q += n)
    Q.block<4, 4>(n * b + 3, n * b + 3) = 2.0 * product_matrix(four(q + 3)).transpose();
}

void ScalableBodies::gyroscopic(const double* v, const double*, Block H) const {
  H.setZero();
  for (Index b = 0; b < frame_count(); ++b, v += n) {
    const Vector3 L = bodies_[static_cast<std::size_t>(b)].inertia * three(v + 4);
    const Index nu = n * b + 3;
    H.block<1, 3>(nu, nu + 1) = -4.0 * L.transpose();
    H.block<3, 1>(nu + 1, nu) = 4.0 * L;
    H.block<3, 3>(nu + 1, nu + 1) = -4.0 * skew(L);
  }
}

void ScalableBodies::place(double, const double* q, Pose* poses) const {
  for (Index b = 0; b < frame_count(); ++b, q += n) poses[b] = {three(q), rotation_matrix(four(q + 3)) / scale(q)};
}

void ScalableBodies::twists(double, const double* q, const double* v, const Pose* poses, Twist* twists) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, v += n)
    twists[b] = {three(v), poses[b].R * three(v + 4) / scale(q)};
}

// R omega does not change at constant omega, s does: (R omega / s)' = -nu R omega / s^2.
void ScalableBodies::rates(double, const double* q, const double* v, const Pose* poses, Twist* rates) const {
  for (Index b = 0; b < frame_count(); ++b, q += n, v += n) {
    const double s = scale(q);
    rates[b] = {Vector3::Zero(), poses[b].R * three(v + 4) * (-v[3] / (s * s))};
  }
}

void ScalableBodies::add_load(const double* q, Index frame, const Pose& pose, const Vector3& force,
                              const Vector3& torque, double* h) const {
  h += n * frame;
  three(h) += force;
  three(h + 4) += pose.R.transpose() * torque / scale(q + n * frame);
}

void ScalableBodies::add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force,
                              const Vector3* torque, Index offset, ConstraintJacobian& W) const {
  double* entries = W.add_segment(offset + n * frame, n);
  const Matrix3 turning = pose.R.transpose() / scale(q + n * frame);
  for (Index r = 0; r < rows; ++r, entries += n) {
    three(entries) = force[r];
    entries[3] = 0.0;
    three(entries + 4) = turning * torque[r];
  }
}

// Along q (+) x the frame turns by x_omega / s, and ds = x_nu.
void ScalableBodies::frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3&,
                                       const Vector3& torque, FrameColumns& out) const {
  const double s = scale(q + n * frame);
  const Vector3 omega = three(v + n * frame + 4), turning = pose.R.transpose() * torque;
  out.twist_by_q.block<3, 1>(3, 3) -= pose.R * omega / (s * s);
  out.twist_by_q.block<3, 3>(3, 4) -= pose.R * skew(omega) / (s * s);
  out.load_by_q.block<3, 1>(4, 3) -= turning / (s * s);
  out.load_by_q.block<3, 3>(4, 4) += skew(turning) / (s * s);
}

double ScalableBodies::kinetic_energy(const double*, const double* v) const {
  double twice = 0.0;
  for (const BodyData& body : bodies_) {
    const Vector3 omega = three(v + 4);
    twice +=
        body.mass * three(v).squaredNorm() + 0.5 * body.inertia.trace() * v[3] * v[3] + omega.dot(body.inertia * omega);
    v += n;
  }
  return 0.5 * twice;
}

std::shared_ptr<const ConstraintGroup> ScalableBodies::own_constraints(Index q, Index v) const {
  return std::make_shared<const Rigidity<UnitLength>>(names(), q, v);
}

void ScalableBodies::describe(Layout& layout) const {
  layout.add_pool("/scalable_body", names());
  layout.add_pooled("/scalable_body/position", FieldOf::q, 0, n, 3, "m", "centre of mass in the world");
  layout.add_pooled("/scalable_body/orientation", FieldOf::q, 3, n, 4, "1",
                    "quaternion of any length, scalar first, body to world");
  layout.add_pooled("/scalable_body/velocity", FieldOf::v, 0, n, 3, "m/s", "of the centre of mass in the world");
  layout.add_pooled("/scalable_body/scaling", FieldOf::v, 3, n, 1, "1/s", "scaling rate of the quaternion");
  layout.add_pooled("/scalable_body/spin", FieldOf::v, 4, n, 3, "rad/s", "angular velocity in the body frame");
  for (const BodyData& body : bodies_) layout.add_frame(body.name, StateFrame::Kind::general);
}

std::string ScalableBodies::name_in_q(Index i) const {
  static constexpr std::array<const char*, n> names = {"x", "y", "z", "p0", "p1", "p2", "p3"};
  return names[static_cast<std::size_t>(i)];
}

std::string ScalableBodies::name_in_v(Index i) const {
  static constexpr std::array<const char*, n> names = {"vx", "vy", "vz", "scaling", "spin_x", "spin_y", "spin_z"};
  return names[static_cast<std::size_t>(i)];
}

}  // namespace carom::model
