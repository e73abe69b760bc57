// Everything a system says at one point, as dense matrices: for tests.
#pragma once

#include <random>

#include "carom/system/system.h"

namespace carom::testing {

inline Matrix to_dense(const StructuredMatrix& A) {
  const Index n = A.size();
  Matrix D = Matrix::Zero(n, n);
  for (Index j = 0; j < n; ++j) {
    const Vector unit = Vector::Unit(n, j);
    A.multiply_add(1.0, unit.data(), D.col(j).data());
  }
  return D;
}

// W', rows x nv.
inline Matrix to_dense(const ConstraintJacobian& W, Index nv) {
  Matrix D(W.rows(), nv);
  for (Index j = 0; j < nv; ++j) {
    const Vector unit = Vector::Unit(nv, j);
    Vector column = Vector::Zero(W.rows());
    W.transpose_multiply(unit.data(), column.data());
    D.col(j) = column;
  }
  return D;
}

struct DenseView {
  ContactSet contacts;
  Matrix M, dh_dq, dh_dv, Wt;
  Vector h, g, chi, zeta;
};

inline DenseView view(const System& system, const Vector& q, const Vector& v) {
  DenseView d;
  system.detect(0.0, q, v, 0.0, d.contacts);
  ActiveSet all;
  all.reset(d.contacts);
  all.add_all();
  Evaluation e;
  system.evaluate(0.0, q, v,
                  Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::jacobian | Need::convective,
                  all, e);
  d.M = to_dense(e.M);
  d.dh_dq = to_dense(e.dh_dq);
  d.dh_dv = to_dense(e.dh_dv);
  d.Wt = to_dense(e.W, system.nv());
  d.h = e.h;
  d.g = e.g.vec();
  d.chi = e.chi.vec();
  d.zeta = e.zeta.vec();
  return d;
}

// The derivative of f at 0 by a central difference of fourth order.
template <class F>
auto derivative(F f, double step = 1e-3) {
  return ((8.0 * (f(step) - f(-step)) - (f(2.0 * step) - f(-2.0 * step))) / (12.0 * step)).eval();
}
template <class F>
double scalar_derivative(F f, double step = 1e-3) {
  return (8.0 * (f(step) - f(-step)) - (f(2.0 * step) - f(-2.0 * step))) / (12.0 * step);
}

// The same numbers on every machine.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  Vector vector(Index n, double size) {
    Vector x(n);
    for (Index i = 0; i < n; ++i) x[i] = (*this)(-size, size);
    return x;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace carom::testing
