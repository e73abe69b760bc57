#include "carom/schemes/consistent/step_inertia.h"

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/schemes/consistent/discrete_gradient.h"

namespace carom::inline schemes {

namespace {

// Up to this many velocities the equations of a pass are one dense system.
constexpr Index dense_limit = 48;

}  // namespace

std::unique_ptr<StepInertia> make_step_inertia(const System& system, bool variable, bool at_midpoint) {
  if (system.decomposed()) return std::make_unique<DecomposedStepInertia>(at_midpoint);
  if (variable && !system.constancy().inertia) return std::make_unique<VariableInertia>();
  if (system.nv() > dense_limit) return std::make_unique<StructuredInertia>();
  return std::make_unique<ConstantInertia>();
}

void StepInertia::free_displacement(ConsistentMotion& motion) const { motion.d = motion.dt * motion.v_C; }

const Vector& StepInertia::place(const ConsistentMotion& motion) {
  Qd_ = motion.d;
  return Qd_;
}

void StepInertia::other_forces(const ConsistentMotion&, const Vector&, const Vector& h, Vector& force) { force = h; }

// Columns of its action: M may have any structure.
void ConstantInertia::begin(const System&, const Inertia& M, const ConsistentMotion& motion) {
  M_.resize(motion.n, motion.n);
  unit_.setZero(motion.n);
  for (Index j = 0; j < motion.n; ++j) {
    unit_[j] = 1.0;
    M.multiply_add(1.0, unit_.data(), M_.column(j));
    unit_[j] = 0.0;
  }
}

void ConstantInertia::momentum(const ConsistentMotion& motion, VectorMap& f) {
  dv_ = motion.v_1 - motion.v_C;
  f.noalias() = M_.map() * dv_;
}

// d(dt DV - dt f)/dd = -dt/2 dh_dq - dh_dv at the midpoint, where v = q'.
void ConstantInertia::jacobian(const ConsistentMotion& motion, const Evaluation& forces, DenseBuffer& J) {
  J.map().topLeftCorner(motion.n, motion.n) = (2.0 / motion.dt) * M_.map();
  add_stiffness(-0.5 * motion.dt, forces.dh_dq, J);
  add_stiffness(-1.0, forces.dh_dv, J);
}

void ConstantInertia::add_stiffness(double factor, const ForceJacobian& dh, DenseBuffer& J) {
  if (dh.structure() == Structure::zero) return;
  for (Index j = 0; j < M_.columns; ++j) {
    unit_[j] = 1.0;
    dh.multiply_add(factor, unit_.data(), J.column(j));
    unit_[j] = 0.0;
  }
}

void StructuredInertia::begin(const System&, const Inertia& M, const ConsistentMotion&) { M_ = &M; }

void StructuredInertia::momentum(const ConsistentMotion& motion, VectorMap& f) {
  dv_ = motion.v_1 - motion.v_C;
  p_.setZero(motion.n);
  M_->multiply_add(1.0, dv_.data(), p_.data());
  f = p_;
}

void StructuredInertia::jacobian(const ConsistentMotion&, const Evaluation&, DenseBuffer&) {
  throw LogicError("structured inertia is not to become a dense matrix");
}

void VariableInertia::begin(const System& system, const Inertia& M, const ConsistentMotion& motion) {
  ConstantInertia::begin(system, M, motion);
  system_ = &system;
  const Index n = motion.n;
  if (!curvature().inertia(motion.t_0, motion.q_0, motion.v_C, G_)) G_.assign(n * n, 0.0);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      const double skew = G_[i + j * n] - G_[j + i * n];
      G_[i + j * n] = skew;
      G_[j + i * n] = -skew;
    }
}

void VariableInertia::add_convective(const ConsistentMotion& motion, VectorMap& f) {
  const Index n = motion.n;
  f.noalias() += ConstMatrixMap(G_.data(), n, n) * motion.d;
  set_zero(n, DT_);
  if (curvature().inertia(motion.t_mid, motion.q_mid, motion.v_1, dMv_dq_))
    DT_.noalias() = 0.5 * ConstMatrixMap(dMv_dq_.data(), n, n).transpose() * motion.v_1;
  const Energetics& energy = *system_->energetics();
  const double T_0 = energy.kinetic_energy(motion.t_0, motion.q_0, motion.v_1);
  const double T_1 = energy.kinetic_energy(motion.t_1, motion.q_1, motion.v_1);
  make_discrete(T_1 - T_0, T_0 + T_1, n, motion.d.data(), 1, DT_.data());
  f += motion.dt * DT_;
}

// h holds -(G v + dT/dq) = -(Y v - Y'v + 1/2 Y'v), Y = d(Mv)/dq.
void VariableInertia::other_forces(const ConsistentMotion& motion, const Vector& v_mean, const Vector& h,
                                   Vector& force) {
  force = h;
  if (!curvature().inertia(motion.t_mid, motion.q_mid, v_mean, dMv_dq_)) return;
  const ConstMatrixMap Y(dMv_dq_.data(), motion.n, motion.n);
  force.noalias() += Y * v_mean;
  force.noalias() -= 0.5 * Y.transpose() * v_mean;
}

// dh_dv holds inertia terms, which G stands for.
void VariableInertia::jacobian(const ConsistentMotion& motion, const Evaluation& forces, DenseBuffer& J) {
  const Index n = motion.n;
  J.map().topLeftCorner(n, n) = (2.0 / motion.dt) * M_.map();
  add_stiffness(-0.5 * motion.dt, forces.dh_dq, J);
  J.map().topLeftCorner(n, n) += ConstMatrixMap(G_.data(), n, n);
}

void DecomposedStepInertia::begin(const System& system, const Inertia& M, const ConsistentMotion& motion) {
  ConstantInertia::begin(system, M, motion);
  system_ = &system;
  inertia_ = system.decomposed();
  inertia_->velocity_map(motion.q_0, Q_start_);
}

void DecomposedStepInertia::free_displacement(ConsistentMotion& motion) const {
  fit(motion.n, motion.d);
  system_->apply_T(motion.q_0, motion.v_C, motion.d);
  motion.d *= motion.dt;
}

const Vector& DecomposedStepInertia::place(const ConsistentMotion& motion) {
  inertia_->velocity_map(motion.q_mid, Q_mid_);
  inertia_->velocity_map(motion.q_1, Q_end_);
  Qd_.noalias() = *step_map() * motion.d;
  return Qd_;
}

void DecomposedStepInertia::momentum(const ConsistentMotion& motion, VectorMap& f) {
  dv_ = motion.v_1 - motion.v_C;
  p_.noalias() = M_.map() * dv_;
  v_mean_ = 0.5 * (motion.v_1 + motion.v_C);
  inertia_->gyroscopic(at_midpoint_ ? v_mean_ : motion.v_C, at_midpoint_ ? motion.q_mid : motion.q_0, H_);
  f.noalias() = step_map()->transpose() * p_;
  f.noalias() += H_ * motion.d;
}

void DecomposedStepInertia::other_forces(const ConsistentMotion& motion, const Vector& v_mean, const Vector& h,
                                         Vector& force) {
  inertia_->gyroscopic(v_mean, motion.q_mid, H_mid_);
  force.noalias() = Q_mid_.transpose() * h;
  force.noalias() += (1.0 / motion.dt) * H_mid_ * motion.d;
}

void DecomposedStepInertia::to_coordinates(Where where, DenseBuffer& rows) {
  if (rows.rows == 0) return;
  const Matrix& Q = where == Where::start ? Q_start_ : where == Where::middle ? Q_mid_ : Q_end_;
  rows_Q_.resize(rows.rows, rows.columns);
  rows_Q_.map().noalias() = rows.map() * Q;
  std::swap(rows_Q_, rows);
}

void DecomposedStepInertia::jacobian(const ConsistentMotion& motion, const Evaluation&, DenseBuffer& J) {
  const Index n = motion.n;
  const Matrix& Q = *step_map();
  M_Q_.noalias() = M_.map() * Q;
  J.map().topLeftCorner(n, n).noalias() = (2.0 / motion.dt) * Q.transpose() * M_Q_;
  J.map().topLeftCorner(n, n) += H_;
}

}  // namespace carom::inline schemes
