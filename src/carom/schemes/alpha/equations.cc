// The equations of the active rows, and how large their errors may be.
//
// Friction, d = s/|s|, N and T the normal and tangential rows (Capobianco, Harsch, Eugster, Leine 2021):
//
//   slip_impulse    (Lambda*_T - mu Lambda*_N d) / (r dt),   s = Lambda*_T - r xi_T
//   slip_force      (lambda_T - mu lambda_N d) / r,          s = lambda_T - r gamma_T'
//   sliding_force   (lambda_T + mu lambda_N d) / r,          s = gamma_T
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/step.h"

namespace carom::inline schemes::alpha {

namespace {

// Constraints are judged this much stricter than forces: they are meant to hold to rounding.
constexpr double constraint_strictness = 1e-2;

// The sum of |w_i| |v_i| of one row: what rounding acts on in w'v.
double row_size(const ConstraintJacobian& W, Index b, Index r, const Vector& v) {
  const ConstraintJacobian::Block& block = W.block(b);
  double sum = 0.0;
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    const double* w = W.entries(segment) + r * segment.size;
    for (Index i = 0; i < segment.size; ++i) sum += std::abs(w[i] * v[segment.offset + i]);
  }
  return sum;
}

double largest(const Vector& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

void Step::list_unknowns(unsigned levels) {
  work_.unknowns.clear();
  for (std::vector<Index>* index : {&work_.smooth_index, &work_.position_index, &work_.velocity_index})
    index->assign(static_cast<std::size_t>(rows()), -1);
  const auto add = [&](CorrectionLevel level, std::vector<Index>& index, Index k, Index r) {
    index[static_cast<std::size_t>(row_of(k) + r)] = static_cast<Index>(work_.unknowns.size());
    work_.unknowns.push_back({level, k, row_of(k) + r, r});
  };
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const Activity& is = work_.activity[static_cast<std::size_t>(k)];
    for (Index r = 0; r < c.law->dim(); ++r) {
      if ((levels & smooth_level) && is.acceleration && has_smooth_row(c)) add(smooth_level, work_.smooth_index, k, r);
      if ((levels & position_level) && options_.levels.position && is.position && r < c.position_rows)
        add(position_level, work_.position_index, k, r);
      if ((levels & velocity_level) && options_.levels.velocity && is.velocity)
        add(velocity_level, work_.velocity_index, k, r);
    }
  }
}

Form Step::form_of(const Unknown& unknown) const {
  const Constraint& c = constraint(unknown.k);
  const Activity& is = work_.activity[static_cast<std::size_t>(unknown.k)];
  const bool frictional = !c.bilateral && unknown.r > 0;
  if (unknown.level == position_level) return Form::position;
  if (unknown.level == velocity_level) return frictional && !is.sticks ? Form::slip_impulse : Form::velocity;
  if (c.bilateral) {
    switch (options_.levels.joints) {
      case SmoothRow::position: return Form::position;
      case SmoothRow::velocity: return Form::velocity;
      case SmoothRow::smooth_velocity: return Form::smooth_velocity;
      case SmoothRow::baumgarte: return Form::baumgarte;
      case SmoothRow::none:
      case SmoothRow::acceleration: return Form::acceleration;
    }
  }
  if (!frictional || is.force_sticks) return Form::acceleration;
  return is.sticks ? Form::slip_force : Form::sliding_force;
}

Step::Slide Step::slide(Form form, Index k) const {
  const Index row = row_of(k), n = constraint(k).law->dim() - 1;
  const double r = work_.r_T[k];
  Slide slide{};
  double square = 0.0;
  for (Index i = 0; i < n; ++i) {
    const Index at = row + 1 + i;
    double s = work_.gamma[at];
    if (form == Form::slip_impulse) s = work_.Lambda_total[at] - r * (work_.gamma[at] + work_.shift[at]);
    if (form == Form::slip_force) s = work_.next.lambda[at] - r * work_.gamma_rate[at];
    slide.d[i] = s;
    square += s * s;
  }
  slide.inverse_length = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
  for (Index i = 0; i < n; ++i) slide.d[i] *= slide.inverse_length;
  return slide;
}

double Step::equation(const Unknown& unknown) const {
  const Index row = unknown.row;
  const double dt = c_.dt, mu = constraint(unknown.k).law->friction();
  const Form form = form_of(unknown);
  switch (form) {
    case Form::position: return work_.end.g[row] / (dt * dt);
    case Form::velocity: return (work_.gamma[row] + work_.shift[row]) / dt;
    case Form::smooth_velocity: return work_.gamma_smooth[row] / dt;
    case Form::acceleration: return work_.gamma_rate[row];
    case Form::baumgarte: {
      const double damping = options_.levels.baumgarte_damping, stiffness = options_.levels.baumgarte_stiffness;
      const double g = unknown.r < constraint(unknown.k).position_rows ? work_.end.g[row] : 0.0;
      return work_.gamma_rate[row] + 2.0 * damping * work_.gamma[row] + stiffness * stiffness * g;
    }
    case Form::slip_impulse: {
      const double N = std::max(work_.Lambda_total[row - unknown.r], 0.0);
      return (work_.Lambda_total[row] - mu * N * slide(form, unknown.k).d[unknown.r - 1]) / (work_.r_T[unknown.k] * dt);
    }
    case Form::slip_force:
    case Form::sliding_force: {
      const double N = std::max(work_.next.lambda[row - unknown.r], 0.0);
      const double sign = form == Form::slip_force ? -1.0 : 1.0;
      return (work_.next.lambda[row] + sign * mu * N * slide(form, unknown.k).d[unknown.r - 1]) / work_.r_T[unknown.k];
    }
  }
  return 0.0;
}

// What counts as one in an equation: a length, the velocities before and what the forces F change of them, F.
double Step::unit_of(const Unknown& unknown, double F) const {
  const Constraint& c = constraint(unknown.k);
  const double dt = c_.dt, acceleration = F / (unknown.r == 0 || c.bilateral ? work_.r_N : work_.r_T)[unknown.k];
  switch (form_of(unknown)) {
    case Form::position: return c.length_scale / (dt * dt);
    case Form::velocity:
    case Form::smooth_velocity:
    case Form::slip_impulse: return row_size(work_.end.W, unknown.k, unknown.r, state_.v) / dt + acceleration;
    default: return acceleration;
  }
}

Residual Step::residual() {
  residual_vectors();
  const Evaluation& end = work_.end;
  const double dt = c_.dt;
  set_zero(nv_, work_.column);
  end.M.multiply_add(1.0, work_.next.a.data(), work_.column.data());
  const double F =
      std::max({largest(end.h), largest(work_.column), largest(work_.W_lambda), std::numeric_limits<double>::min()});
  set_zero(nv_, work_.column);
  end.M.multiply_add(1.0, state_.v.data(), work_.column.data());
  const double momentum = largest(work_.column) + dt * F;
  const double correction = options_.levels.original_correction ? 1.0 : dt * momentum;

  double worst = std::max(largest(work_.R5) / momentum, largest(work_.R3) / correction);
  list_unknowns(all_levels);
  double sticking = 0.0;
  for (const Unknown& unknown : work_.unknowns) {
    const Constraint& c = constraint(unknown.k);
    const bool sticks = !c.bilateral && c.law->dim() > 1 && unknown.level != position_level &&
                        work_.activity[static_cast<std::size_t>(unknown.k)].sticks;
    double& part = sticks ? sticking : worst;
    part = std::max(part, std::abs(equation(unknown)) / (constraint_strictness * unit_of(unknown, F)));
  }
  // What must vanish off the sets.
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const Activity& is = work_.activity[static_cast<std::size_t>(k)];
    const bool total = inactive_ == Inactive::total;
    for (Index r = 0; r < c.law->dim(); ++r) {
      const Index row = row_of(k) + r;
      if (!is.acceleration) worst = std::max(worst, std::abs(work_.next.lambda[row]) / F);
      if (!is.velocity) worst = std::max(worst, std::abs((total ? work_.Lambda_total : work_.Lambda)[row]) / momentum);
      if (!is.position && r < c.position_rows)
        worst = std::max(worst, std::abs((total ? work_.nu_total : work_.nu)[row]) / (dt * momentum));
    }
  }
  return {largest(work_.R1) / F, std::max(worst, sticking), constraint_strictness * sticking, worst};
}

}  // namespace carom::inline schemes::alpha
