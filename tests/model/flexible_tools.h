// Statics and vibrations of a System, by dense or sparse direct methods of their own: references for beams.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/SparseLU>

#include "carom/system/system.h"
#include "model/dense_view.h"

namespace carom::testing {

inline Evaluation evaluate_at(const System& system, const Vector& q, const Vector& v, Need need) {
  ContactSet contacts;
  ActiveSet none;
  none.reset(contacts);
  Evaluation e;
  system.evaluate(0.0, q, v, need, none, e);
  return e;
}
inline Vector force_at(const System& system, const Vector& q, const Vector& v) {
  return evaluate_at(system, q, v, Need::force).h;
}

// Newton's method for h(q, 0) = 0 from the guess q, until steps are rounding. Whether it got there.
inline bool find_equilibrium(const System& system, Vector& q, double tolerance = 1e-12) {
  const Vector rest = Vector::Zero(system.nv());
  Eigen::SparseLU<StructuredMatrix::Sparse> lu;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const Evaluation e = evaluate_at(system, q, rest, Need::force | Need::force_jacobian);
    StructuredMatrix::Sparse K = e.dh_dq.structure() == Structure::sparse
                                     ? e.dh_dq.sparse_matrix()
                                     : StructuredMatrix::Sparse(to_dense(e.dh_dq).sparseView());
    K.makeCompressed();
    lu.compute(K);
    if (lu.info() != Eigen::Success) return false;
    const Vector step = -lu.solve(e.h);
    system.move(q, step, q);
    if (step.norm() <= tolerance * q.norm()) return true;
  }
  return false;
}

// Circular frequencies of small vibrations about q, ascending.
inline Vector frequencies(const System& system, const Vector& q) {
  const Evaluation e = evaluate_at(system, q, Vector::Zero(system.nv()), Need::inertia | Need::force_jacobian);
  const Matrix K = -to_dense(e.dh_dq), M = to_dense(e.M);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> modes(0.5 * (K + K.transpose()), M, Eigen::EigenvaluesOnly);
  return modes.eigenvalues().cwiseMax(0.0).cwiseSqrt();
}

}  // namespace carom::testing
