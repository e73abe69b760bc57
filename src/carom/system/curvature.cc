#include "carom/system/curvature.h"

#include <cmath>
#include <limits>

namespace carom::inline system {

namespace {

// Cube root of the rounding unit: truncation and rounding of a central difference balance.
const double difference_step = std::cbrt(std::numeric_limits<double>::epsilon());

}  // namespace

// out(:, i) = (value(q (+) s e_i) - value(q (-) s e_i)) / 2s; value(position, buffer) fills `rows` entries.
template <class Value>
bool DifferencedCurvature::differentiate(Index rows, const Vector& q, Buffer& out, Value value) const {
  const Index nv = system_->nv();
  out.resize(rows * nv);
  direction_.setZero(nv);
  for (Index i = 0; i < nv; ++i) {
    direction_[i] = difference_step;
    system_->move(q, direction_, q_);
    plus_.assign(rows, 0.0);
    value(q_, plus_);
    direction_[i] = -difference_step;
    system_->move(q, direction_, q_);
    minus_.assign(rows, 0.0);
    value(q_, minus_);
    direction_[i] = 0.0;
    for (Index r = 0; r < rows; ++r) out[i * rows + r] = (plus_[r] - minus_[r]) / (2.0 * difference_step);
  }
  return true;
}

bool DifferencedCurvature::directions(double t, const Vector& q, const ActiveSet& active, const double* x,
                                      Buffer& out) const {
  if (system_->constancy().jacobian || active.empty()) return false;
  v_.setZero(system_->nv());
  return differentiate(system_->nv(), q, out, [&](const Vector& position, Buffer& value) {
    system_->evaluate(t, position, v_, Need::jacobian, active, evaluation_);
    evaluation_.W.multiply_add(x, value.data());
  });
}

bool DifferencedCurvature::rates(double t, const Vector& q, const ActiveSet& active, const Vector& z,
                                 Buffer& out) const {
  if (system_->constancy().jacobian || active.empty()) return false;
  return differentiate(active.rows(), q, out, [&](const Vector& position, Buffer& value) {
    system_->evaluate(t, position, z, Need::jacobian, active, evaluation_);
    evaluation_.W.transpose_multiply(z.data(), value.data());
    for (Index r = 0; r < value.size(); ++r) value[r] += evaluation_.chi[r];
  });
}

bool DifferencedCurvature::convective(double t, const Vector& q, const Vector& v, const ActiveSet& active, Buffer& dq,
                                      Buffer& dv) const {
  if (system_->constancy().jacobian || active.empty()) return false;
  const Index rows = active.rows(), nv = system_->nv();
  differentiate(rows, q, dq, [&](const Vector& position, Buffer& value) {
    system_->evaluate(t, position, v, Need::convective, active, evaluation_);
    value = evaluation_.zeta;
  });
  // zeta is quadratic in v up to given motions: central differences are exact for any step, and a step of
  // the size of v keeps rounding small.
  const double step = 1.0 + v.lpNorm<Eigen::Infinity>();
  dv.resize(rows * nv);
  v_ = v;
  for (Index i = 0; i < nv; ++i) {
    v_[i] = v[i] + step;
    system_->evaluate(t, q, v_, Need::convective, active, evaluation_);
    plus_ = evaluation_.zeta;
    v_[i] = v[i] - step;
    system_->evaluate(t, q, v_, Need::convective, active, evaluation_);
    v_[i] = v[i];
    for (Index r = 0; r < rows; ++r) dv[i * rows + r] = (plus_[r] - evaluation_.zeta[r]) / (2.0 * step);
  }
  return true;
}

bool DifferencedCurvature::inertia(double t, const Vector& q, const Vector& x, Buffer& out) const {
  if (system_->constancy().inertia) return false;
  v_.setZero(system_->nv());
  return differentiate(system_->nv(), q, out, [&](const Vector& position, Buffer& value) {
    system_->evaluate(t, position, v_, Need::inertia, none_, evaluation_);
    evaluation_.M.multiply_add(1.0, x.data(), value.data());
  });
}

const Curvature& curvature_of(const System& system, DifferencedCurvature& differences) {
  if (const Curvature* own = system.curvature()) return *own;
  differences.of(system);
  return differences;
}

}  // namespace carom::inline system
