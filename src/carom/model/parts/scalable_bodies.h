// Rigid bodies as scalable ones: q = (x, A) with a quaternion A of any length, s = |A|^2, and the rigidity s = 1 as a
// joint. v = (x', nu, omega), (nu, omega) = 2 A* A': nu = s' is the rate of scaling, omega for s = 1 the angular
// velocity in the body frame.
//
//     v = Q q',  Q = diag(I, 2 phi(A*))      M = diag(m I, tr(J)/2, J), constant
//     H(v) = [ 0 0 0 ; 0 0 -4 (J omega)' ; 0 4 J omega  -4 skew(J omega) ]     (independent of q and nu)
//     g_S = |A|^2 - 1,   gamma_S = nu
//
// In velocities: m x'' = F,  tr(J)/2 nu' - omega'J omega / s = S,  J omega' + (nu + omega x) J omega / s = torque.
// The frame of a body turns with A and does not scale: R = R(A/|A|), its angular velocity is R omega / s.
//
// Nothing but the joint makes it rigid, and nothing in it is a constraint on velocities that the coordinates do
// not know: what the energy-consistent schemes with joints on both levels are made for.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), chapter 4.
#pragma once

#include "carom/model/assembly/own_constraints.h"
#include "carom/model/parts/rigid_bodies.h"

namespace carom::model {

class ScalableBodies final : public BodyPool<BodyData>, public OwnConstraints {
 public:
  static constexpr Index size = 7;  // coordinates and velocities of a body

  explicit ScalableBodies(std::vector<BodyData> bodies) : BodyPool(std::move(bodies), size, size, 3) {}

  FrameKind frame_kind() const override { return FrameKind::general; }
  Constancy constancy() const override { return {.inertia = true}; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override;

  void move(const double* q, const double* dq, double* q_next) const override;
  void difference(const double* qa, const double* qb, double* dq) const override;
  void apply_T(const double* q, const double* v, double* dq) const override;
  void apply_T_transpose(const double* q, const double* p, double* r) const override;

  bool decomposed() const override { return true; }
  void velocity_map(const double* q, Block Q) const override;
  void gyroscopic(const double* v, const double* q, Block H) const override;

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
};

}  // namespace carom::model
