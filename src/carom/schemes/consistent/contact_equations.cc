#include "carom/schemes/consistent/contact_equations.h"

#include <cmath>

#include "carom/schemes/consistent/discrete_gradient.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr double relaxation = 0.3;

}  // namespace

void ContactEquations::begin(const System& system, const ActiveSet& contacts, bool discrete_directions,
                             const ConsistentMotion& motion) {
  system_ = &system;
  contacts_ = &contacts;
  discrete_directions_ = discrete_directions;
  system.evaluate(motion.t_0, motion.q_0, motion.v_C, Need::gap | Need::jacobian, contacts, at_start_);
}

void ContactEquations::evaluate(const ConsistentMotion& motion, StepInertia& inertia) {
  if (contacts_->empty()) return;
  to_rows(at_start_.W, motion.n, columns_, C_);
  inertia.to_coordinates(Where::start, C_);
  B_.resize(motion.n, rows());
  B_.map() = C_.map().transpose();
  xi_.resize(rows());
  xi_.vec().noalias() = C_.map() * motion.d;
  if (!discrete_directions_) return;
  system_->evaluate(motion.t_mid, motion.q_mid, motion.v_1, Need::jacobian, *contacts_, at_mid_);
  system_->evaluate(motion.t_1, motion.q_1, motion.v_1, Need::gap | Need::jacobian, *contacts_, at_end_);
  to_rows(at_mid_.W, motion.n, columns_, rows_mid_);
  inertia.to_coordinates(Where::middle, rows_mid_);
  to_rows(at_end_.W, motion.n, columns_, rows_end_);
  inertia.to_coordinates(Where::end, rows_end_);
  Index row = 0;
  for (Index i = 0; i < contacts_->size(); ++i) {
    const Constraint& constraint = contacts_->constraint(i);
    if (constraint.position_rows > 0) {
      const double g_0 = at_start_.g[row], g_1 = at_end_.g[row];
      B_.map().col(row) = rows_mid_.map().row(row).transpose();
      make_discrete(g_1 - g_0, gap_noise * constraint.length_scale, motion.n, motion.d.data(), 1, B_.column(row));
      C_.map().row(row) = rows_end_.map().row(row);
      xi_[row] = g_1 - g_0;
    }
    row += constraint.law->dim();
  }
}

void ContactEquations::set_up(const ConsistentMotion& motion, const DenseBuffer& X) {
  InclusionProblem& problem = work_.problem;
  G_.resize(rows(), rows());
  G_.map().noalias() = C_.map() * X.map().topRightCorner(motion.n, rows());
  problem.c.resize(rows());
  problem.c.vec() = xi_.vec();
  problem.c.vec().noalias() -= C_.map() * X.map().col(0).head(motion.n);
  partition_.clear();
  set_laws(*contacts_, motion.dt, problem);
  Index row = 0;
  for (const Law* law : problem.laws) {
    partition_.push_back({row, law->dim()});
    row += law->dim();
  }
}

bool ContactEquations::solve(const InclusionSolver& solver, StepResult& result) {
  delassus_.assign(rows(), partition_, G_.entries.data(), false);
  work_.problem.G = &delassus_;
  work_.result.lambda = P;
  const bool solved = solve_and_count(solver, work_, result);
  P = work_.result.lambda;
  return solved;
}

double ContactEquations::project(const ConsistentMotion& motion, const DenseBuffer& X) {
  xi_of_P_.resize(rows());
  xi_of_P_.vec() = work_.problem.c.vec();
  xi_of_P_.vec().noalias() += G_.map() * P.vec();
  double moved = 0.0;
  for (std::size_t b = 0; b < partition_.size(); ++b) {
    const auto [row, count] = partition_[b];
    const double r = relaxation / G_.map().diagonal().segment(row, count).maxCoeff();
    double x[Law::max_dim];
    for (Index i = 0; i < count; ++i) x[i] = P[row + i] - r * xi_of_P_[row + i];
    work_.problem.laws[b]->project(x, x);
    for (Index i = 0; i < count; ++i) {
      moved += std::abs(x[i] - P[row + i]) * X.map().col(1 + row + i).head(motion.n).lpNorm<Eigen::Infinity>();
      P[row + i] = x[i];
    }
  }
  return moved;
}

}  // namespace carom::inline schemes
