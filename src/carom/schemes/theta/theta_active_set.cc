// Which contacts a theta step takes along, and which it finds closed at its end.
#include <algorithm>
#include <cmath>

#include "carom/schemes/step_contacts.h"
#include "carom/schemes/theta/theta_step.h"

namespace carom::inline schemes {

namespace {

// Contacts at rest of a pair that carries load stay closed up to so many times the tolerance. Gaps at rest wander by
// what the solver leaves, some 1e-10 of the velocities in every step, and what stands on a contact falls when it is
// left out. All of the pair: its points may change their names. At rest: a step opens or closes them by less than the
// tolerance.
constexpr double loaded = 1e3;

// Pairs must be asked for in ascending order.
class LoadedPairs {
 public:
  explicit LoadedPairs(const ContactMemory& impulses) : impulses_(impulses) {}

  bool has(std::uint64_t pair) {
    const std::vector<ContactMemory::Entry>& entries = impulses_.entries();
    while (begin_ < entries.size() && entries[begin_].id.pair < pair) ++begin_;
    for (std::size_t k = begin_; k < entries.size() && entries[k].id.pair == pair; ++k)
      if (impulses_.values()[entries[k].begin] > 0.0) return true;
    return false;
  }

 private:
  const ContactMemory& impulses_;
  std::size_t begin_ = 0;
};

}  // namespace

void ThetaStep::activate_bilateral() {
  ws_.active.reset(ws_.contacts);
  for (Index k = 0; k < ws_.all.size(); ++k)
    if (always_acts(ws_.all.constraint(k))) ws_.active.add(k);
  warm_ = false;
}

void ThetaStep::activate_by_forecast(double look_ahead, double tolerance) {
  ws_.active.reset(ws_.contacts);
  Index row = 0;
  LoadedPairs pairs(state_.impulses);
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& constraint = ws_.all.constraint(k);
    const double forecast = ws_.look.g[row] + look_ahead * ws_.look.g_rate[row];
    if (is_closed(constraint, forecast, tolerance) ||
        (is_closed(constraint, forecast, loaded * tolerance) &&
         is_closed(constraint, std::abs(dt_ * ws_.look.g_rate[row]), tolerance) && pairs.has(constraint.id.pair)))
      ws_.active.add(k);
    row += constraint.law->dim();
  }
  warm_ = false;
}

void ThetaStep::activate_explicit(double activation_gamma, double tolerance) {
  activate_by_forecast(activation_gamma * dt_, tolerance);
}

void ThetaStep::activate_free(double tolerance) {
  activate_bilateral();
  solve_velocities();
  // g_0 + dt W(q_0)' v_theta with v_theta of the motion without contacts
  if (!ws_.all.empty()) system_.evaluate(state_.t, state_.q, m_.v_theta, Need::gap_rate, ws_.all, ws_.look);
  activate_by_forecast(dt_, tolerance);
}

void ThetaStep::activate_all() {
  ws_.active.reset(ws_.contacts);
  ws_.active.add_all();
  warm_ = false;
}

bool ThetaStep::grow_active_set() {
  if (ws_.active.size() == ws_.all.size()) return false;
  system_.evaluate(result_.next.t, result_.next.q, result_.next.v, Need::gap, ws_.all, m_.at_end);
  m_.members.clear();
  Index next = 0, row = 0;
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const bool active = next < ws_.active.size() && ws_.active[next] == k;
    if (active) ++next;
    if (active || m_.at_end.g[row] <= 0.0) m_.members.push_back(k);
    row += ws_.all.constraint(k).law->dim();
  }
  if (static_cast<Index>(m_.members.size()) == ws_.active.size()) return false;
  warm_ = is_long() && warm_;
  if (warm_) keep_impulses(m_.members);
  ws_.active.reset(ws_.contacts);
  for (const Index k : m_.members) ws_.active.add(k);
  return true;
}

// The impulses found so far, and none at the contacts that come to the active set.
void ThetaStep::keep_impulses(const std::vector<Index>& members) {
  Buffer& lambda = ws_.velocity.result.lambda;
  m_.gamma.assign(ws_.all.rows(), 0.0);
  Index next = 0, row = 0, from = 0;
  for (const Index k : members) {
    const Index rows = ws_.all.constraint(k).law->dim();
    if (next < ws_.active.size() && ws_.active[next] == k) {
      for (Index r = 0; r < rows; ++r) m_.gamma[row + r] = lambda[from + r];
      from += rows;
      ++next;
    }
    row += rows;
  }
  lambda.resize(row);
  std::copy_n(m_.gamma.data(), row, lambda.data());
}

}  // namespace carom::inline schemes
