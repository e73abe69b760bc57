#include "carom/schemes/consistent/joint_equations.h"

#include "carom/schemes/consistent/discrete_gradient.h"

namespace carom::inline schemes {

void JointEquations::begin(const System& system, const ActiveSet& joints, bool velocity_level,
                           const IterationMatrix& M_factor, const ConsistentMotion& motion) {
  system_ = &system;
  joints_ = &joints;
  velocity_level_ = velocity_level;
  system.evaluate(motion.t_0, motion.q_0, motion.v_C, Need::gap | Need::jacobian, joints, at_start_);
  to_rows(at_start_.W, motion.n, columns_, W_start_);
  M_inverse_W_.resize(motion.n, rows());
  M_inverse_W_.map() = W_start_.map().transpose();
  M_factor.solve(M_inverse_W_.entries.data(), rows());
}

void JointEquations::start() {
  S_.assign(rows(), 0.0);
  kappa_.assign(rows(), 0.0);
}

void JointEquations::add_velocity(Vector& v_1) const {
  for (Index r = 0; r < rows(); ++r) v_1 += kappa_[r] * M_inverse_W_.map().col(r);
}

void JointEquations::evaluate(const ConsistentMotion& motion, StepInertia& inertia, VectorMap& f1, double* residuals) {
  if (rows() == 0) return;
  system_->evaluate(motion.t_mid, motion.q_mid, motion.v_1, Need::jacobian, *joints_, at_mid_);
  system_->evaluate(motion.t_1, motion.q_1, motion.v_1, Need::gap | Need::jacobian, *joints_, at_end_);
  to_rows(at_mid_.W, motion.n, columns_, Dg_);
  inertia.to_coordinates(Where::middle, Dg_);
  to_rows(at_end_.W, motion.n, columns_, W_end_);
  G_end_ = W_end_;
  inertia.to_coordinates(Where::end, G_end_);
  Index r = 0;
  for (Index i = 0; i < joints_->size(); ++i)
    for (Index k = 0; k < joints_->constraint(i).law->dim(); ++k, ++r) {
      const double g_0 = at_start_.g[r], g_1 = at_end_.g[r];
      make_discrete(g_1 - g_0, joints_->constraint(i).length_scale, motion.n, motion.d.data(), rows(), &Dg_(r, 0));
      f1 -= S_[r] * Dg_.map().row(r).transpose();
      residuals[r] = g_1;
    }
  if (velocity_level_) evaluate_velocity_level(motion, inertia, f1, residuals + rows());
}

void JointEquations::evaluate_velocity_level(const ConsistentMotion& motion, StepInertia& inertia, VectorMap& f1,
                                             double* gamma) {
  Dgamma_.resize(rows(), motion.n);
  if (curvature_of(*system_, differences_).rates(motion.t_mid, motion.q_mid, *joints_, motion.v_1, rates_))
    Dgamma_.map() = ConstMatrixMap(rates_.data(), rows(), motion.n);
  inertia.to_coordinates(Where::middle, Dgamma_);
  for (Index r = 0; r < rows(); ++r) {
    const double gamma_1 = W_end_.map().row(r).dot(motion.v_1), gamma_0 = W_start_.map().row(r).dot(motion.v_1);
    const double noise = (W_end_.map().row(r).transpose().cwiseProduct(motion.v_1)).lpNorm<1>();
    make_discrete(gamma_1 - gamma_0, noise, motion.n, motion.d.data(), rows(), &Dgamma_(r, 0));
    f1 -= kappa_[r] * Dgamma_.map().row(r).transpose();
    gamma[r] = gamma_1;
  }
}

void JointEquations::move(double factor, const double* x) {
  for (Index r = 0; r < rows(); ++r) {
    S_[r] += factor * x[r];
    if (velocity_level_) kappa_[r] += factor * x[rows() + r];
  }
}

}  // namespace carom::inline schemes
