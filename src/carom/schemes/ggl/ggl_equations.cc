#include "carom/schemes/ggl/ggl_equations.h"

#include <algorithm>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

// Larger systems do without curvature: its matrices are dense.
constexpr Index curvature_limit = 48;

bool is_zero(const Buffer& x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return value == 0.0; });
}

}  // namespace

void GglEquations::begin(const GglOptions& options, const MidpointStep& midpoint, const IterationMatrix& N,
                         const TouchingContacts* touching) {
  options_ = options;
  midpoint_ = &midpoint;
  N_ = &N;
  const System& system = midpoint.system;
  const ActiveSet& active = midpoint.ws.active;
  nv_ = system.nv();
  curvature_ = nv_ <= curvature_limit ? &curvature_of(system, differences_) : nullptr;
  find_position_rows();
  if (active.empty()) return;
  const State& state = midpoint.state;
  system.evaluate(state.t, state.q, state.v, Need::gap | Need::jacobian, active, start_);
  local_velocity(start_, state.v, gamma_0);
  xi.assign(active.rows(), 0.0);
  if (touching != nullptr) touching->impact_velocities(active, gamma_0, gamma_minus_);
  add_impact_shift(active, touching != nullptr ? gamma_minus_ : gamma_0, shift, xi);
  g_0_.resize(position_rows());
  for (Index j = 0; j < position_rows(); ++j) g_0_[j] = start_.g[position_row_[static_cast<std::size_t>(j)]];
}

void GglEquations::find_position_rows() {
  position_row_.clear();
  blocks_.clear();
  block_rows_.clear();
  if (!options_.position_constraint) return;
  const ActiveSet& active = midpoint_->ws.active;
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    if (constraint.position_rows > 0) {
      blocks_.push_back(i);
      block_rows_.push_back(constraint.position_rows);
    }
    for (Index r = 0; r < constraint.position_rows; ++r) position_row_.push_back(row + r);
    row += constraint.law->dim();
  }
}

void GglEquations::take_position_rows(const ConstraintJacobian& W, ConstraintJacobian& out) const {
  out.assign_leading_rows(W, blocks_, block_rows_);
}

void GglEquations::evaluate(const GglUnknowns& x, bool tangents) {
  const System& system = midpoint_->system;
  const State& state = midpoint_->state;
  const ActiveSet& active = midpoint_->ws.active;
  const double dt = midpoint_->dt;

  combine(0.5, x.v, 0.5, state.v, v_h_);
  scale(0.5, x.d, scratch_);
  system.move(state.q, scratch_, q_h_);
  system.move(state.q, x.d, q_1);
  Need need = Need::force;
  if (tangents) need = need | Need::force_jacobian;
  if (!active.empty()) need = need | Need::jacobian;
  system.evaluate(midpoint_->t_mid, q_h_, v_h_, need, active, mid);
  tangents_known_ = tangents;

  combine(1.0, x.d, -dt, v_h_, phi1);
  scale(-dt, mid.h, phi2);
  combine(1.0, x.v, -1.0, state.v, scratch_);
  M().multiply_add(1.0, scratch_.data(), phi2.data());
  if (active.empty()) return;

  set_zero(nv_, W_Lambda);
  mid.W.multiply_add(x.Lambda.data(), W_Lambda.data());
  combine(1.0, phi2, -1.0, W_Lambda, phi2);

  if (options_.exact) {
    system.evaluate(midpoint_->result.next.t, q_1, x.v, Need::gap | Need::jacobian, active, end_);
    local_velocity(end_, x.v, xi);
  } else {  // scratch_ = v - v_0
    mid.W.transpose_multiply(scratch_.data(), xi.data());
    for (Index i = 0; i < xi.size(); ++i) xi[i] += gamma_0[i];
  }
  for (Index i = 0; i < xi.size(); ++i) xi[i] += shift[i];

  g.resize(position_rows());
  if (position_rows() == 0) return;
  take_position_rows(mid.W, W_p);
  set_zero(nv_, scratch_);
  W_p.multiply_add(x.Psi.data(), scratch_.data());
  N_->solve(scratch_.data());
  combine(1.0, phi1, -1.0, scratch_, phi1);
  if (options_.exact) {
    take_position_rows(end_.W, end_W_p_);
    for (Index j = 0; j < g.size(); ++j) g[j] = end_.g[position_row_[static_cast<std::size_t>(j)]];
  } else {
    W_p.transpose_multiply(x.d.data(), g.data());
    for (Index j = 0; j < g.size(); ++j) g[j] += g_0_[j] + dt * mid.chi[position_row_[static_cast<std::size_t>(j)]];
  }
}

bool GglEquations::directions(const Buffer& multipliers, Buffer& out) const {
  if (curvature_ == nullptr || is_zero(multipliers) ||
      !curvature_->directions(midpoint_->t_mid, q_h_, midpoint_->ws.active, multipliers.data(), out))
    return false;
  for (double& entry : out) entry *= 0.5;
  return true;
}

void GglEquations::linearise(const GglUnknowns& x) {
  const System& system = midpoint_->system;
  const ActiveSet& active = midpoint_->ws.active;
  const double t_mid = midpoint_->t_mid, dt = midpoint_->dt;
  if (!tangents_known_) system.evaluate(t_mid, q_h_, v_h_, Need::force_jacobian, midpoint_->ws.none, mid);
  tangents_known_ = true;
  B_Lambda.clear();
  B_Psi.clear();
  C.clear();
  P.clear();
  if (active.empty() || curvature_ == nullptr) return;

  if (!directions(x.Lambda, B_Lambda)) B_Lambda.clear();
  if (position_rows() > 0) {
    all_rows_.assign(active.rows(), 0.0);
    for (Index j = 0; j < position_rows(); ++j) all_rows_[position_row_[static_cast<std::size_t>(j)]] = x.Psi[j];
    if (!directions(all_rows_, B_Psi)) B_Psi.clear();
  }
  if (options_.exact) {
    if (!curvature_->rates(midpoint_->result.next.t, q_1, active, x.v, C)) C.clear();
    return;
  }
  // Given motions (chi) would enter C too; they are left in, and the matrix is then not quite exact.
  combine(1.0, x.v, -1.0, midpoint_->state.v, scratch_);
  if (!curvature_->rates(t_mid, q_h_, active, scratch_, C)) C.clear();
  for (double& entry : C) entry *= 0.5;
  if (position_rows() == 0) return;
  scale(1.0 / dt, x.d, scratch_);
  if (!curvature_->rates(t_mid, q_h_, active, scratch_, rates_)) return;
  P.resize(position_rows() * nv_);
  for (Index i = 0; i < nv_; ++i)
    for (Index j = 0; j < position_rows(); ++j)
      P[i * position_rows() + j] = 0.5 * dt * rates_[i * active.rows() + position_row_[static_cast<std::size_t>(j)]];
}

}  // namespace carom::inline schemes
