// The kind of inertia of a consistent step: what turns displacements into velocities, the inertia terms of its first
// rows, and their derivative. With p = M (v_1 - v_C):
//
//                 velocities     rows                                              2/dt times derivative of p, and the
//                 rest
//   constant      v = q'         p                                                 M,         stiffness
//   structured    v = q'         p                                                 in the structure of M and the forces
//   variable      v = q'         p + G(v_C, q_0) d + dt DT(v_1; q_0, q_1)          M(q_0),    stiffness, G
//   decomposed    v = Q(q) q'    Q' p + H(v, q) d                                  Q' M Q,    H
//
// G = d(Mv)/dq - (d(Mv)/dq)' and H are skew: inertia that does no work. DT is a discrete gradient
// (discrete_gradient.h).
#pragma once

#include <memory>

#include "carom/schemes/consistent/consistent_motion.h"
#include "carom/schemes/consistent/dense_buffer.h"
#include "carom/system/curvature.h"
#include "carom/system/decomposed_inertia.h"

namespace carom::inline schemes {

// Positions at which rows over velocities are turned into rows over coordinates.
enum class Where { start, middle, end };

class StepInertia {
 public:
  virtual ~StepInertia() = default;

  // M at q_0, of a step that begins with motion.v_C.
  virtual void begin(const System& system, const Inertia& M, const ConsistentMotion& motion) = 0;
  // d := dt q' of the velocity v_C
  virtual void free_displacement(ConsistentMotion& motion) const;
  // Takes the placed iterate; Q d, from which v_1 follows.
  virtual const Vector& place(const ConsistentMotion& motion);
  // f := inertia terms, without those that come behind the potential
  virtual void momentum(const ConsistentMotion& motion, VectorMap& f) = 0;
  // f += the rest of them
  virtual void add_convective(const ConsistentMotion&, VectorMap&) {}
  // force := what h at the midpoint holds beside inertia terms (the potential's part still in it)
  virtual void other_forces(const ConsistentMotion& motion, const Vector& v_mean, const Vector& h, Vector& force);
  // rows := rows Q: from velocities to coordinates
  virtual void to_coordinates(Where, DenseBuffer&) {}
  // Q of the step, null for the identity
  virtual const Matrix* step_map() const { return nullptr; }

  // J11 = 2/dt dp/dv_1, then what inertia terms and forces add; `forces` holds dh_dq, dh_dv of the midpoint. Not of
  // `structured`.
  virtual void jacobian(const ConsistentMotion& motion, const Evaluation& forces, DenseBuffer& J) = 0;
  virtual bool needs_stiffness() const { return true; }
  // M and the forces keep their structure: the matrix is not to be asked for.
  virtual bool structured() const { return false; }
  // Nothing here changes from step to step.
  virtual bool linear() const { return false; }

 protected:
  Vector Qd_;
};

// The kind for a system. `variable`: M(q) is taken as such, where it does change and is not known in decomposed form.
std::unique_ptr<StepInertia> make_step_inertia(const System& system, bool variable, bool at_midpoint);

class ConstantInertia : public StepInertia {
 public:
  void begin(const System& system, const Inertia& M, const ConsistentMotion& motion) override;
  void momentum(const ConsistentMotion& motion, VectorMap& f) override;
  void jacobian(const ConsistentMotion& motion, const Evaluation& forces, DenseBuffer& J) override;
  bool linear() const override { return true; }

 protected:
  void add_stiffness(double factor, const ForceJacobian& dh, DenseBuffer& J);

  DenseBuffer M_;
  Vector dv_, p_, unit_;
};

class StructuredInertia final : public StepInertia {
 public:
  void begin(const System& system, const Inertia& M, const ConsistentMotion& motion) override;
  void momentum(const ConsistentMotion& motion, VectorMap& f) override;
  void jacobian(const ConsistentMotion&, const Evaluation&, DenseBuffer&) override;
  bool structured() const override { return true; }
  bool linear() const override { return true; }

 private:
  const Inertia* M_ = nullptr;
  Vector dv_, p_;
};

class VariableInertia final : public ConstantInertia {
 public:
  void begin(const System& system, const Inertia& M, const ConsistentMotion& motion) override;
  void add_convective(const ConsistentMotion& motion, VectorMap& f) override;
  void other_forces(const ConsistentMotion& motion, const Vector& v_mean, const Vector& h, Vector& force) override;
  void jacobian(const ConsistentMotion& motion, const Evaluation& forces, DenseBuffer& J) override;
  bool linear() const override { return false; }

 private:
  const Curvature& curvature() { return curvature_of(*system_, differences_); }

  const System* system_ = nullptr;
  DifferencedCurvature differences_;
  Buffer G_, dMv_dq_;
  Vector DT_;
};

// Q and H at the midpoint, or at q_0 and v_C.
class DecomposedStepInertia final : public ConstantInertia {
 public:
  explicit DecomposedStepInertia(bool at_midpoint) : at_midpoint_(at_midpoint) {}

  void begin(const System& system, const Inertia& M, const ConsistentMotion& motion) override;
  void free_displacement(ConsistentMotion& motion) const override;
  const Vector& place(const ConsistentMotion& motion) override;
  void momentum(const ConsistentMotion& motion, VectorMap& f) override;
  void other_forces(const ConsistentMotion& motion, const Vector& v_mean, const Vector& h, Vector& force) override;
  void to_coordinates(Where where, DenseBuffer& rows) override;
  const Matrix* step_map() const override { return at_midpoint_ ? &Q_mid_ : &Q_start_; }
  void jacobian(const ConsistentMotion& motion, const Evaluation& forces, DenseBuffer& J) override;
  bool needs_stiffness() const override { return false; }
  bool linear() const override { return false; }

 private:
  bool at_midpoint_;
  const System* system_ = nullptr;
  const DecomposedInertia* inertia_ = nullptr;
  Matrix Q_start_, Q_mid_, Q_end_, H_, H_mid_, M_Q_;
  Vector v_mean_;
  DenseBuffer rows_Q_;
};

}  // namespace carom::inline schemes
