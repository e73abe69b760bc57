// All rigid bodies in space of a model. The frame of a body sits in its centre of mass.
//
//   M = diag(m I, J)      h = (m a_g, J Omega x Omega)      (velocity, omega) = (x', R Omega)
#pragma once

#include <vector>

#include "carom/model/parts/body_pool.h"

namespace carom::model {

struct BodyData {
  std::string name;
  double mass = 1.0;
  Matrix3 inertia = Matrix3::Identity();  // about the centre of mass, in the body frame
  Vector3 weight = Vector3::Zero();       // m a_g, in the world
};

class RigidBodies final : public BodyPool<BodyData> {
 public:
  explicit RigidBodies(std::vector<BodyData> bodies);

  FrameKind frame_kind() const override { return FrameKind::body; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = spherical_}; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override;

  void move(const double* q, const double* dq, double* q_next) const override;
  void rational_move(const double* q, const double* dq, double* q_next) const override;
  void difference(const double* qa, const double* qb, double* dq) const override;
  void apply_T(const double* q, const double* v, double* dq) const override;
  void apply_T_transpose(const double* q, const double* p, double* r) const override;

  void place(double t, const double* q, Pose* poses) const override;
  void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const override;
  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override;
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override;

  double kinetic_energy(const double* q, const double* v) const override;

  void describe(Layout& layout) const override;

 private:
  std::string name_in_q(Index i) const override;
  std::string name_in_v(Index i) const override;

  std::vector<char> gyroscopic_;  // per body: its inertia is not that of a sphere
  bool spherical_ = true;         // of all: h is constant
};

// What a load and a row at a body's frame do to its six velocities; shared with whoever loops over bodies.
inline void add_body_load(const Pose& pose, const Vector3& force, const Vector3& torque, double* h) {
  const Vector3 turning = pose.R.transpose() * torque;
  for (int k = 0; k < 3; ++k) {
    h[k] += force[k];
    h[3 + k] += turning[k];
  }
}
inline void add_body_rows(const Pose& pose, Index rows, const Vector3* force, const Vector3* torque, Index offset,
                          ConstraintJacobian& W) {
  double* entries = W.add_segment(offset, 6);
  for (Index r = 0; r < rows; ++r, entries += 6) {
    const Vector3 turning = pose.R.transpose() * torque[r];
    for (int k = 0; k < 3; ++k) {
      entries[k] = force[r][k];
      entries[3 + k] = turning[k];
    }
  }
}

}  // namespace carom::model
