// The nested active sets of an iteration (Bruels, Acary, Cardona 2018), r > 0 the mass a contact feels:
//
//   A: joints, contacts with nu* - r g >= 0
//   B: joints, contacts of A with Lambda* - r (gamma + shift) >= 0
//   C: joints, contacts of B with lambda - r (W'a + zeta) >= 0
//
// A contact that presses on velocity level and is closed belongs to A as well, whatever the sign of nu*: with
// friction at several contacts the position problem may ask for a pull where the velocity problem asks for a
// push (a rocking block about to slide does), and without this rule no set would be consistent.
//
// and with friction (the structure of Capobianco, Harsch, Eugster, Leine 2021), mu the coefficient:
//
//   impulse sticks: in B, |Lambda*_T - r xi_T| <= mu Lambda*_N
//   force sticks:   in C, the impulse sticks, |lambda_T - r gamma_T'| <= mu lambda_N
//
// Where many contacts change at once the iteration may cycle. After some iterations it goes on one by one: only the
// first contact whose membership is wrong changes it (the least-index rule of Murty 1974 for complementarity).
#include <algorithm>
#include <cmath>

#include "carom/schemes/alpha/step.h"

namespace carom::inline schemes::alpha {

namespace {

// Gaps that count as closed during an iteration, relative to the length scale.
constexpr double closed = 1e-8;

// w' M^-1 w of one row of a block, w = 0 elsewhere.
double mobility(const ConstraintJacobian& W, Index b, Index r, const IterationMatrix& M, Vector& column) {
  const ConstraintJacobian::Block& block = W.block(b);
  double sum = 0.0;
  if (M.structure() == Structure::block_diagonal) {
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      const double* w = W.entries(segment) + r * segment.size;
      for (Index i = 0; i + 3 <= segment.size; i += 3) {
        const Eigen::Map<const Vector3> part(w + i);
        sum += part.dot(M.inverse_blocks()[(segment.offset + i) / 3] * part);
      }
    }
    return sum;
  }
  double unit[Law::max_dim] = {};
  unit[r] = 1.0;
  column.setZero();
  W.multiply_add(b, unit, column.data());
  M.solve(column.data());
  double gamma[Law::max_dim];
  W.transpose_multiply(b, column.data(), gamma);
  return gamma[r];
}

}  // namespace

bool Step::measure_masses() {
  if (work_.r_of == system_.serial() || rows() == 0) return true;
  if (!factor_inertia()) return false;
  const Index n = ws_.all.size();
  work_.r_N.resize(n);
  work_.r_T.resize(n);
  for (Index k = 0; k < n; ++k) {
    const double normal = mobility(work_.end.W, k, 0, work_.M_factor, work_.column);
    work_.r_N[k] = normal > 0.0 ? 1.0 / normal : 1.0;
    double tangential = 0.0;
    for (Index r = 1; r < constraint(k).law->dim(); ++r)
      tangential += mobility(work_.end.W, k, r, work_.M_factor, work_.column);
    work_.r_T[k] = tangential > 0.0 ? 1.0 / tangential : work_.r_N[k];
  }
  const bool constant = constancy_.contacts && constancy_.inertia && constancy_.jacobian;
  work_.r_of = constant ? system_.serial() : 0;
  return true;
}

void Step::activate(bool one_by_one) {
  const auto length = [](const double* x, const double* y, double r, Index n) {  // |x - r y|
    double square = 0.0;
    for (Index i = 0; i < n; ++i) square += (x[i] - r * y[i]) * (x[i] - r * y[i]);
    return std::sqrt(square);
  };
  double xi[Law::max_dim];
  sets_changed_ = false;
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    Activity& now = work_.activity[static_cast<std::size_t>(k)];
    Activity is;
    if (c.bilateral) {
      now = {true, true, true, true, true};
      continue;
    }
    const Index row = row_of(k), dim = c.law->dim();
    const double r = work_.r_N[k], r_T = work_.r_T[k], mu = c.law->friction();
    for (Index i = 0; i < dim; ++i) xi[i] = work_.gamma[row + i] + work_.shift[row + i];
    const double* lambda = work_.next.lambda.data() + row;
    const double* Lambda = work_.Lambda_total.data() + row;
    const double* rate = work_.gamma_rate.data() + row;
    const bool presses = Lambda[0] - r * xi[0] >= 0.0;
    const bool closed_and_presses = presses && Lambda[0] > 0.0 && work_.end.g[row] <= closed * c.length_scale;
    is.position = work_.nu_total[row] - r * work_.end.g[row] >= 0.0 || closed_and_presses;
    is.velocity = is.position && presses;
    is.acceleration = is.velocity && lambda[0] - r * rate[0] >= 0.0;
    is.sticks = is.velocity && length(Lambda + 1, xi + 1, r_T, dim - 1) <= mu * std::max(Lambda[0], 0.0);
    is.force_sticks =
        is.acceleration && is.sticks && length(lambda + 1, rate + 1, r_T, dim - 1) <= mu * std::max(lambda[0], 0.0);
    if (now == is) continue;
    now = is;
    sets_changed_ = true;
    if (one_by_one) return;
  }
}

void Step::deactivate(unsigned levels) {
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const Activity& is = work_.activity[static_cast<std::size_t>(k)];
    const bool smooth = is.acceleration && has_smooth_row(c);
    for (Index row = row_of(k); row < row_of(k) + c.law->dim(); ++row)
      if ((levels & smooth_level) && !smooth) work_.next.lambda[row] = 0.0;
  }
  update_totals();
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const Activity& is = work_.activity[static_cast<std::size_t>(k)];
    const Index dim = c.law->dim();
    for (Index r = 0; r < dim; ++r) {
      const Index row = row_of(k) + r;
      if ((levels & position_level) && !(is.position && r < c.position_rows))
        work_.nu[row] -= inactive_ == Inactive::total && r < c.position_rows ? work_.nu_total[row] : work_.nu[row];
      if ((levels & velocity_level) && !is.velocity)
        work_.Lambda[row] -= inactive_ == Inactive::total ? work_.Lambda_total[row] : work_.Lambda[row];
    }
  }
  update_totals();
}

}  // namespace carom::inline schemes::alpha
