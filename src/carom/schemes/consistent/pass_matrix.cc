#include "carom/schemes/consistent/pass_matrix.h"

#include "carom/base/small_lu.h"

namespace carom::inline schemes {

bool PassMatrix::factor(const System& system, const Inertia& M, const ConsistentMotion& motion, StepInertia& inertia,
                        const JointEquations& joints, bool linear) {
  if (linear && known_of_ == system.serial() && dt_ == motion.dt && m_ == joints.unknowns()) return true;
  n_ = motion.n;
  m_ = joints.unknowns();
  dt_ = motion.dt;
  structured_ = inertia.structured();
  if (inertia.needs_stiffness()) evaluate_stiffness(system, motion);
  const bool regular =
      structured_ ? factor_structured(M, motion, inertia, joints) : factor_dense(motion, inertia, joints);
  known_of_ = regular ? system.serial() : 0;
  return regular;
}

void PassMatrix::evaluate_stiffness(const System& system, const ConsistentMotion& motion) {
  none_.reset(no_contacts_);
  v_mean_ = motion.d / motion.dt;
  system.evaluate(motion.t_mid, motion.q_mid, v_mean_, Need::force_jacobian, none_, forces_);
}

bool PassMatrix::factor_dense(const ConsistentMotion& motion, StepInertia& inertia, const JointEquations& joints) {
  J_.resize(n_ + m_, n_ + m_);
  pivots_.resize(static_cast<std::size_t>(n_ + m_));
  inertia.jacobian(motion, forces_, J_);
  if (m_ > 0) {
    MatrixMap J = J_.map();
    joints.jacobian(motion, inertia, J.topRightCorner(n_, m_), J.bottomLeftCorner(m_, n_), J.bottomRightCorner(m_, m_));
  }
  return lu_factor(J_.entries.data(), pivots_.data(), J_.rows);
}

bool PassMatrix::factor_structured(const Inertia& M, const ConsistentMotion& motion, const StepInertia& inertia,
                                   const JointEquations& joints) {
  if (!motion_.factor(M, 0.5 * dt_, forces_.dh_dv, 0.25 * dt_ * dt_, forces_.dh_dq)) return false;
  if (m_ == 0) return true;
  joint_columns_.resize(n_, m_);
  joint_rows_.resize(m_, n_);
  J_.resize(m_, m_);
  pivots_.resize(static_cast<std::size_t>(m_));
  joints.jacobian(motion, inertia, joint_columns_.map(), joint_rows_.map(), J_.map());
  solve_motion(joint_columns_.entries.data(), m_);
  J_.map().noalias() -= joint_rows_.map() * joint_columns_.map();
  return lu_factor(J_.entries.data(), pivots_.data(), m_);
}

void PassMatrix::solve(double* X, Index columns) {
  if (!structured_) return lu_solve(J_.entries.data(), pivots_.data(), n_ + m_, X, columns);
  for (Index c = 0; c < columns; ++c, X += n_ + m_) {
    VectorMap motion(X, n_), joints(X + n_, m_);
    solve_motion(X, 1);
    if (m_ == 0) continue;
    joints.noalias() -= joint_rows_.map() * motion;
    lu_solve(J_.entries.data(), pivots_.data(), m_, joints.data(), 1);
    motion.noalias() -= joint_columns_.map() * joints;
  }
}

void PassMatrix::solve_motion(double* x, Index columns) {
  motion_.solve(x, columns);
  for (Index i = 0; i < n_ * columns; ++i) x[i] *= 0.5 * dt_;
}

}  // namespace carom::inline schemes
