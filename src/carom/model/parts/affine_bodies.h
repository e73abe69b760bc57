// Rigid bodies in twelve coordinates: q = (x, d1, d2, d3), points x + D rho with D = [d1 d2 d3], v = q', constant
// inertia (m I, and E_ij I between d_i and d_j with Binet's tensor E). Rigid by six joints,
//
//     g = ( d1.d1 - 1, d2.d2 - 1, d3.d3 - 1, d2.d3, d1.d3, d1.d2 ),
//
// quadratic in q. There are no gyroscopic terms: the joints' forces do their work.
//
// The frame of a body has the rotation nearest to D, also where the joints do not hold yet: with D = R U, U symmetric,
//
//     R = polar(D)      omega = R (tr(U) I - U)^-1 sum_i e_i x R' d_i'      (= 1/2 sum d_i x d_i' for U = I)
//
// so that rows at the frame are true gradients.
#pragma once

#include "carom/model/assembly/own_constraints.h"
#include "carom/model/parts/rigid_bodies.h"

namespace carom::model {

class AffineBodies final : public BodyPool<BodyData>, public OwnConstraints {
 public:
  static constexpr Index size = 12;  // coordinates and velocities of a body

  explicit AffineBodies(std::vector<BodyData> bodies);

  FrameKind frame_kind() const override { return FrameKind::general; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true}; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double, const double*, const double*, MatrixAssembly::Writer&,
                      MatrixAssembly::Writer&) const override {}

  void place(double t, const double* q, Pose* poses) const override;
  void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const override;
  bool has_rates() const override { return true; }
  void rates(double t, const double* q, const double* v, const Pose* poses, Twist* rates) const override;
  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override;
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override;
  void frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3& force,
                         const Vector3& torque, FrameColumns& out) const override;

  double kinetic_energy(const double* q, const double* v) const override;

  std::shared_ptr<const ConstraintGroup> own_constraints(Index q, Index v) const override;

  void describe(Layout& layout) const override;

 private:
  std::string name_in_q(Index i) const override;
  std::string name_in_v(Index i) const override;

  std::vector<Matrix3> binet_;
};

}  // namespace carom::model
