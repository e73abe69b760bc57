// Smooth motion by a method that shares nothing with the schemes: the classical Runge-Kutta method on
//
//   M v' = h + W lambda,   W' v' + zeta = 0,   q' = v
//
// with the constraints of the set kept on acceleration level (none: free flight). Dense algebra.
#pragma once

#include <Eigen/LU>

#include "carom/model/model.h"

namespace carom::batteries {

class SmoothMotion {
 public:
  // `constrained`: all bilateral constraints act; otherwise nothing does.
  SmoothMotion(const Model& model, bool constrained) : system_(*model.system), q(model.initial.q), v(model.initial.v) {
    if (constrained) system_.detect(0.0, q, v, 0.0, contacts_);
    active_.reset(contacts_);
    for (Index k = 0; k < contacts_.size(); ++k)
      if (contacts_[k].bilateral) active_.add(k);
  }

  void run(double t_end, int steps) {
    const double dt = t_end / steps;
    for (int k = 0; k < steps; ++k) {
      const Vector a1 = acceleration(q, v);
      const Vector v2 = v + 0.5 * dt * a1, a2 = acceleration(q + 0.5 * dt * v, v2);
      const Vector v3 = v + 0.5 * dt * a2, a3 = acceleration(q + 0.5 * dt * v2, v3);
      const Vector v4 = v + dt * a3, a4 = acceleration(q + dt * v3, v4);
      q += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
      v += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
  }

 private:
  Vector acceleration(const Vector& q_now, const Vector& v_now) {
    const Index n = system_.nv(), m = active_.rows();
    Need need = Need::inertia | Need::force;
    if (m > 0) need = need | Need::jacobian | Need::convective;
    system_.evaluate(0.0, q_now, v_now, need, active_, evaluation_);
    Matrix A = Matrix::Zero(n + m, n + m);
    Vector b(n + m), unit = Vector::Zero(n + m), column(n + m);
    for (Index j = 0; j < n; ++j) {
      unit.setZero();
      unit[j] = 1.0;
      column.setZero();
      evaluation_.M.multiply_add(1.0, unit.data(), column.data());
      if (m > 0) evaluation_.W.transpose_multiply(unit.data(), column.data() + n);
      A.col(j) = column;
    }
    A.topRightCorner(n, m) = -A.bottomLeftCorner(m, n).transpose();
    b.head(n) = evaluation_.h;
    for (Index i = 0; i < m; ++i) b[n + i] = -evaluation_.zeta[i];
    return A.fullPivLu().solve(b).head(n);
  }

  const System& system_;
  ContactSet contacts_;
  ActiveSet active_;
  Evaluation evaluation_;

 public:
  Vector q, v;
};

}  // namespace carom::batteries
