// The joints of a consistent step, on position and on velocity level:
//
//   g_S(q_1) = 0,     gamma_S(v_1, q_1) = W_S(q_1)' v_1 = 0
//
// with the multipliers S along the discrete gradients Dg between q_0 and q_1, and kappa along Dgamma (at fixed v_1),
// which also moves q: M Q d = dt/2 M (v_C + v_1) - W_S(q_0) kappa. Matrices are dense, rows x n: joints of mechanisms.
#pragma once

#include "carom/base/iteration_matrix.h"
#include "carom/schemes/consistent/step_inertia.h"

namespace carom::inline schemes {

class JointEquations {
 public:
  void begin(const System& system, const ActiveSet& joints, bool velocity_level, const IterationMatrix& M_factor,
             const ConsistentMotion& motion);
  // Multipliers of the first pass.
  void start();
  // v_1 += M^-1 W_S kappa
  void add_velocity(Vector& v_1) const;
  // f1 -= Dg' S + Dgamma' kappa; residuals = (g, gamma)
  void evaluate(const ConsistentMotion& motion, StepInertia& inertia, VectorMap& f1, double* residuals);
  // (S, kappa) += factor x
  void move(double factor, const double* x);

  Index rows() const { return joints_->rows(); }
  Index unknowns() const { return (velocity_level_ ? 2 : 1) * rows(); }

  // What (S, kappa) do to the first rows, n x unknowns, what d does to the residuals, and kappa to gamma.
  template <class Columns, class Rows, class Corner>
  void jacobian(const ConsistentMotion& motion, const StepInertia& inertia, Columns columns, Rows rows,
                Corner corner) const;

  double impulse(Index row) const { return S_[row]; }
  double way(Index row, const Vector& d) const { return Dg_.map().row(row).dot(d); }

 private:
  void evaluate_velocity_level(const ConsistentMotion& motion, StepInertia& inertia, VectorMap& f1, double* gamma);

  const System* system_ = nullptr;
  const ActiveSet* joints_ = nullptr;
  bool velocity_level_ = true;
  Evaluation at_start_, at_mid_, at_end_;
  DifferencedCurvature differences_;
  DenseBuffer W_start_, W_end_;      // W_S', over velocities
  DenseBuffer G_end_, Dg_, Dgamma_;  // over coordinates
  DenseBuffer M_inverse_W_;          // n x rows
  Buffer S_, kappa_, columns_, rates_;
};

template <class Columns, class Rows, class Corner>
void JointEquations::jacobian(const ConsistentMotion& motion, const StepInertia& inertia, Columns columns, Rows rows,
                              Corner corner) const {
  const Index m = this->rows();
  const double factor = 2.0 / motion.dt;
  columns.leftCols(m) = -Dg_.map().transpose();
  rows.topRows(m) = G_end_.map();
  if (!velocity_level_) return;
  auto kappa = columns.rightCols(m);
  auto gamma = rows.bottomRows(m);
  if (const Matrix* Q = inertia.step_map()) {
    kappa.noalias() = factor * Q->transpose() * W_start_.map().transpose();
    gamma.noalias() = factor * W_end_.map() * *Q;
  } else {
    kappa = factor * W_start_.map().transpose();
    gamma = factor * W_end_.map();
  }
  kappa -= Dgamma_.map().transpose();
  gamma += Dgamma_.map();
  corner.bottomRightCorner(m, m).noalias() = factor * W_end_.map() * M_inverse_W_.map();
}

}  // namespace carom::inline schemes
