#include "carom/model/parts/rigid_bodies.h"

#include <array>

#include "carom/model/parts/body_manifold.h"

namespace carom::model {

namespace {

using manifold::four;
using manifold::three;

// d(J Omega x Omega)/dOmega = skew(J Omega) - skew(Omega) J
Matrix3 gyroscopic_derivative(const Matrix3& J, const Vector3& Omega) { return skew(J * Omega) - skew(Omega) * J; }

bool is_spherical(const Matrix3& J) { return J == Matrix3(J(0, 0) * Matrix3::Identity()); }

}  // namespace

RigidBodies::RigidBodies(std::vector<BodyData> bodies) : BodyPool(std::move(bodies), spatial_q, spatial_v, 3) {
  for (const BodyData& body : bodies_) {
    gyroscopic_.push_back(!is_spherical(body.inertia));
    spherical_ = spherical_ && !gyroscopic_.back();
  }
}

void RigidBodies::declare(Index offset, MatrixAssembly& M, MatrixAssembly&, MatrixAssembly& dh_dv) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    const Index at = offset + spatial_v * static_cast<Index>(b);
    M.declare({at, at, 3, 3});
    M.declare({at + 3, at + 3, 3, 3});
    if (gyroscopic_[b]) dh_dv.declare({at + 3, at + 3, 3, 3});
  }
}

void RigidBodies::inertia(const double*, MatrixAssembly::Writer& M) const {
  for (const BodyData& body : bodies_) {
    M.add(body.mass * Matrix3::Identity());
    M.add(body.inertia);
  }
}

void RigidBodies::add_force(double, const double*, const double* v, double* h) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b, v += spatial_v, h += spatial_v) {
    three(h) += bodies_[b].weight;
    if (!gyroscopic_[b]) continue;
    const Vector3 Omega = three(v + 3);
    three(h + 3) += Vector3(bodies_[b].inertia * Omega).cross(Omega);
  }
}

void RigidBodies::force_jacobian(double, const double*, const double* v, MatrixAssembly::Writer&,
                                 MatrixAssembly::Writer& dh_dv) const {
  for (std::size_t b = 0; b < bodies_.size(); ++b, v += spatial_v)
    if (gyroscopic_[b]) dh_dv.add(gyroscopic_derivative(bodies_[b].inertia, three(v + 3)));
}

void RigidBodies::move(const double* q, const double* dq, double* q_next) const {
  for (Index b = 0; b < frame_count(); ++b, q += spatial_q, dq += spatial_v, q_next += spatial_q)
    manifold::move(q, dq, q_next);
}

void RigidBodies::rational_move(const double* q, const double* dq, double* q_next) const {
  for (Index b = 0; b < frame_count(); ++b, q += spatial_q, dq += spatial_v, q_next += spatial_q)
    manifold::rational_move(q, dq, q_next);
}

void RigidBodies::difference(const double* qa, const double* qb, double* dq) const {
  for (Index b = 0; b < frame_count(); ++b, qa += spatial_q, qb += spatial_q, dq += spatial_v)
    manifold::difference(qa, qb, dq);
}

void RigidBodies::apply_T(const double* q, const double* v, double* dq) const {
  for (Index b = 0; b < frame_count(); ++b, q += spatial_q, v += spatial_v, dq += spatial_q)
    manifold::apply_T(q, v, dq);
}

void RigidBodies::apply_T_transpose(const double* q, const double* p, double* r) const {
  for (Index b = 0; b < frame_count(); ++b, q += spatial_q, p += spatial_q, r += spatial_v)
    manifold::apply_T_transpose(q, p, r);
}

void RigidBodies::place(double, const double* q, Pose* poses) const {
  for (Index b = 0; b < frame_count(); ++b, q += spatial_q) poses[b] = {three(q), rotation_matrix(four(q + 3))};
}

void RigidBodies::twists(double, const double*, const double* v, const Pose* poses, Twist* twists) const {
  for (Index b = 0; b < frame_count(); ++b, v += spatial_v) twists[b] = {three(v), poses[b].R * three(v + 3)};
}

void RigidBodies::add_load(const double*, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                           double* h) const {
  add_body_load(pose, force, torque, h + spatial_v * frame);
}

void RigidBodies::add_rows(const double*, Index frame, const Pose& pose, Index rows, const Vector3* force,
                           const Vector3* torque, Index offset, ConstraintJacobian& W) const {
  add_body_rows(pose, rows, force, torque, offset + spatial_v * frame, W);
}

double RigidBodies::kinetic_energy(const double*, const double* v) const {
  double twice = 0.0;
  for (const BodyData& body : bodies_) {
    const Vector3 Omega = three(v + 3);
    twice += body.mass * three(v).squaredNorm() + Omega.dot(body.inertia * Omega);
    v += spatial_v;
  }
  return 0.5 * twice;
}

void RigidBodies::describe(Layout& layout) const { layout.add_bodies(names()); }

std::string RigidBodies::name_in_q(Index i) const {
  static constexpr std::array<const char*, spatial_q> names = {"x", "y", "z", "p0", "p1", "p2", "p3"};
  return names[static_cast<std::size_t>(i)];
}

std::string RigidBodies::name_in_v(Index i) const {
  static constexpr std::array<const char*, spatial_v> names = {"vx", "vy", "vz", "spin_x", "spin_y", "spin_z"};
  return names[static_cast<std::size_t>(i)];
}

}  // namespace carom::model
