#include "carom/schemes/touching_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

void TouchingContacts::begin(const MidpointStep& step, double tolerance) {
  StepWorkspace& ws = step.ws;
  guard_.begin();
  closed_ = tolerance;
  v_free_ = step.result.next.v;
  ws.active.reset(ws.contacts);
  const Index n = ws.all.size();
  g_0_.resize(n);
  gamma_0_.resize(n);
  touch_.resize(n);
  if (ws.all.empty()) return;
  const State& state = step.state;
  step.system.evaluate(state.t, state.q, state.v, Need::gap | Need::gap_rate, ws.all, start_);
  step.system.evaluate(step.t_mid, step.memory.q_mid, state.v, Need::gap, ws.all, mid_);
  Index row = 0;
  for (Index k = 0; k < n; ++k) {
    const Constraint& constraint = ws.all.constraint(k);
    g_0_[k] = start_.g[row];
    touch_[k] = gamma_0_[k] = start_.g_rate[row];
    if (is_closed(constraint, g_0_[k], tolerance) && is_closed(constraint, mid_.g[row], tolerance)) ws.active.add(k);
    row += constraint.law->dim();
  }
}

bool TouchingContacts::grow(const MidpointStep& step, double tolerance) {
  StepWorkspace& ws = step.ws;
  if (ws.active.size() == ws.all.size()) return false;
  const State& next = step.result.next;
  step.system.evaluate(next.t, next.q, next.v, Need::gap | Need::gap_rate, ws.all, end_);
  members_.clear();
  joining_.reset(ws.contacts);
  gamma_end_.clear();
  Index old = 0, row = 0;
  for (Index k = 0; k < ws.all.size(); ++k) {
    const Constraint& constraint = ws.all.constraint(k);
    if (old < ws.active.size() && ws.active[old] == k) {
      members_.push_back(k);
      ++old;
    } else if (end_.g[row] < -tolerance * constraint.length_scale) {
      members_.push_back(k);
      joining_.add(k);
      gamma_end_.resize(joining_.size());
      gamma_end_[joining_.size() - 1] = end_.g_rate[row];
    }
    row += constraint.law->dim();
  }
  if (joining_.empty()) return false;
  meet(step);
  ws.active.reset(ws.contacts);
  for (const Index k : members_) ws.active.add(k);
  return true;
}

// gamma_touch of those that join. ws.active are those that have not been joined yet.
void TouchingContacts::meet(const MidpointStep& step) {
  const State& state = step.state;
  double approach = 0.0;  // the fastest of the last pass
  for (const Index k : step.ws.active.members())
    if (!step.ws.contacts[k].bilateral) approach = std::max(approach, -touch_[k]);
  scale(0.5 * step.dt, v_free_, increment_);
  step.system.move(step.memory.q_mid, increment_, q_free_);
  step.system.evaluate(step.result.next.t, q_free_, v_free_, Need::gap_rate, joining_, joining_free_);
  step.system.evaluate(state.t, state.q, state.v, Need::jacobian, joining_, joining_at_0_);
  combine(1.0, v_free_, -1.0, state.v, increment_);
  const ConstraintJacobian& W = joining_at_0_.W;
  for (Index i = 0; i < joining_.size(); ++i) {
    const Index k = joining_[i];
    const ConstraintJacobian::Block& block = W.block(i);
    double forces = std::abs(joining_free_.g_rate[block.row] - gamma_0_[k]);
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      for (Index j = 0; j < segment.size; ++j)
        forces += std::abs(W.entries(segment)[j] * increment_[segment.offset + j]);
    }
    const double change = gamma_end_[i] - gamma_0_[k];
    if (std::abs(change) > 2.0 * forces || (gamma_0_[k] > 0.0 && approach > 0.5 * gamma_0_[k])) continue;
    // A gap that only tolerances left open is none: its square root would be a velocity.
    const double gap = g_0_[k] > 10.0 * closed_ * joining_.constraint(i).length_scale ? g_0_[k] : 0.0;
    touch_[k] = -std::sqrt(std::max(0.0, gamma_0_[k] * gamma_0_[k] - 2.0 * change / step.dt * gap));
  }
}

bool TouchingContacts::relent(const ActiveSet& active) {
  bool changed = false;
  for (const Index k : active.members()) {
    changed = changed || touch_[k] != gamma_0_[k];
    touch_[k] = gamma_0_[k];
  }
  return changed;
}

void TouchingContacts::impact_velocities(const ActiveSet& active, const Buffer& gamma_0, Buffer& gamma_minus) const {
  gamma_minus = gamma_0;
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    if (!constraint.bilateral && constraint.position_rows > 0) gamma_minus[row] = guard_.factor() * touch_[active[i]];
    row += constraint.law->dim();
  }
}

// What contacts and the position correction bring in: Lambda' (W'v_h + chi) - h' shift. With friction the smaller
// of this and of what the normals bring alone: with friction Newton's law may gain energy by itself, which is taken
// away only where the law is passive.
double TouchingContacts::gain(const MidpointStep& step, const Evaluation& mid, const Buffer& Lambda,
                              const Vector& shift) {
  const ActiveSet& active = step.ws.active;
  combine(0.5, step.state.v, 0.5, step.result.next.v, v_h_);
  local_velocity(mid, v_h_, rates_);
  double normal = 0.0, all = 0.0;
  bool passive = false;
  Index row = 0;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    const Index dim = constraint.law->dim();
    passive = passive || constraint.law->is_passive();
    for (Index r = 0; r < dim && !constraint.bilateral; ++r) {
      const double work = Lambda[row + r] * rates_[row + r];
      all += work;
      if (r < constraint.position_rows) normal += work;
    }
    row += dim;
  }
  return (passive ? all : std::min(normal, all)) - dot(mid.h, shift);
}

bool TouchingContacts::restrain(const MidpointStep& step, const Evaluation& mid, const Buffer& Lambda,
                                const Vector& shift, double tolerance) {
  if (step.ws.active.empty()) return false;
  const double gained = gain(step, mid, Lambda, shift);
  // What tolerances of the step let through: impulses, and positions times the forces on them.
  double rounding = 0.0, length = 0.0;
  for (Index i = 0; i < rates_.size(); ++i) rounding += 1e-10 * std::abs(Lambda[i] * rates_[i]);
  for (const Constraint& constraint : step.ws.contacts.constraints) length = std::max(length, constraint.length_scale);
  rounding += 2.0 * tolerance * length * mid.h.lpNorm<1>();
  return guard_.solve_again(gained, rounding);
}

}  // namespace carom::inline schemes
