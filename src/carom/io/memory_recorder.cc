#include "carom/io/memory_recorder.h"

#include <algorithm>
#include <limits>

#include "carom/io/channel_recorder.h"

namespace carom::inline io {

MemoryRecorder::MemoryRecorder(const Scenario& scenario, double every, const std::vector<NamedExpression>& formulas)
    : scenario_(scenario),
      every_(every),
      formulas_(formulas),
      channels_(*scenario.model.system, scenario.model.initial, formula_context(scenario)) {
  for (const NamedExpression& named : formulas_) channels_.need(named.expression);
  blocks_.resize(7);
  Block** const places[] = {&q_, &v_, &gaps_, &energy_, &stats_, &reactions_, &signals_};
  for (std::size_t i = 0; i < blocks_.size(); ++i) *places[i] = &blocks_[i];
  const System& system = *scenario.model.system;
  for (Index i = 0; i < system.nq(); ++i) q_->names.push_back(system.coordinate_name(i));
  for (Index i = 0; i < system.nv(); ++i) v_->names.push_back(system.velocity_name(i));
  const State& start = scenario.model.initial;
  ContactSet contacts;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  for (const Constraint& constraint : contacts.constraints) {
    const std::string name = system.constraint_name(constraint);
    if (constraint.bilateral) {
      joints_.emplace_back(constraint.id, reactions_->names.size());
      for (Index k = 0; k < constraint.law->dim(); ++k)
        reactions_->names.push_back(name + ".reaction" + std::to_string(k + 1));
    }
    if (system.constancy().contacts) gaps_->names.push_back(name + ".gap");
  }
  reaction_row_.assign(reactions_->width(), std::numeric_limits<double>::quiet_NaN());
  energy_->names = {"energy.kinetic",     "energy.potential",     "energy.total",      "energy.other_work",
                    "energy.impact_loss", "energy.friction_loss", "energy.joint_loss", "energy.scheme_residual"};
  stats_->names = {"stats.dt", "stats.residual", "stats.newton_iterations", "stats.solver_iterations",
                   "stats.projection_iterations"};
  for (const NamedExpression& named : formulas_) signals_->names.push_back(named.name);
}

void MemoryRecorder::begin(const System& system, const State& start) {
  start_ = start.t;
  Auditor auditor;
  auditor.begin(system, start, last_audit_);
  sample({start, nullptr, last_audit_, auditor});
}

bool MemoryRecorder::due(double t) {
  if (every_ <= 0.0) return true;
  bool due = false;
  for (; t >= start_ + every_ * static_cast<double>(next_) - 1e-6 * scenario_.simulation.step; ++next_) due = true;
  return due;
}

void MemoryRecorder::step(const System& system, const StepView& view) {
  const StepResult& r = view.result;
  for (const StepContact& contact : r.contacts) {
    if (!contact.constraint.bilateral) continue;
    const auto at = std::lower_bound(joints_.begin(), joints_.end(), contact.constraint.id,
                                     [](const auto& joint, const ConstraintId& id) { return joint.first < id; });
    if (at == joints_.end() || at->first != contact.constraint.id) continue;
    for (Index k = 0; k < contact.constraint.law->dim(); ++k)
      reaction_row_[at->second + static_cast<std::size_t>(k)] = r.impulse[contact.row + k] / r.dt_taken;
  }
  record_contacts(system, view);
  const Moment moment{r.next, &r, view.audit, *view.auditor, &view.before};
  last_audit_ = view.audit;
  auditor_ = view.auditor;
  sampled_ = due(r.next.t);
  sampled_ ? sample(moment) : channels_.pass(moment);
}

void MemoryRecorder::end(const System&, const State& last) {
  if (!sampled_) sample({last, nullptr, last_audit_, *auditor_});
}

void MemoryRecorder::sample(const Moment& moment) {
  const auto add = [](Block* block, const double* values, std::size_t n) {
    block->values.insert(block->values.end(), values, values + n);
  };
  const State& state = moment.state;
  t_.push_back(state.t);
  add(q_, state.q.data(), q_->width());
  add(v_, state.v.data(), v_->width());
  for (std::size_t k = 0; k < gaps_->width(); ++k) gaps_->values.push_back(moment.auditor.gap(static_cast<Index>(k)));
  const Audit& sums = moment.auditor.audit();
  const double energies[] = {moment.energy.kinetic, moment.energy.potential, moment.energy.total(),
                             sums.other_work,       sums.impact_loss,        sums.friction_loss,
                             sums.joint_loss,       sums.scheme_residual};
  add(energy_, energies, std::size(energies));
  const StepResult none, &r = moment.result ? *moment.result : none;
  const double stats[] = {r.dt_taken, r.solver_residual, static_cast<double>(r.newton_iterations),
                          static_cast<double>(r.solver_iterations), static_cast<double>(r.projection_iterations)};
  add(stats_, stats, std::size(stats));
  add(reactions_, reaction_row_.data(), reaction_row_.size());
  if (formulas_.empty()) return;
  channels_.sample(moment);
  for (const NamedExpression& named : formulas_)
    signals_->values.push_back(named.expression.evaluate(channels_, Expression::Scope::instant)[0]);
  channels_.clear();
}

void MemoryRecorder::record_contacts(const System& system, const StepView& view) {
  const StepResult& r = view.result;
  for (const StepContact& contact : r.contacts) {
    const Constraint& constraint = contact.constraint;
    if (constraint.bilateral) continue;
    const Law& law = *constraint.law;
    const double *impulse = r.impulse.data() + contact.row, *minus = r.gamma_minus.data() + contact.row,
                 *plus = r.gamma_plus.data() + contact.row;
    const auto [it, fresh] =
        contact_numbers_.try_emplace(constraint.id, static_cast<std::uint32_t>(contact_names_.size()));
    if (fresh) contact_names_.push_back(system.constraint_name(constraint));
    double xi[Law::max_dim];
    law.impact_shift(minus, xi);
    for (Index i = 0; i < law.dim(); ++i) xi[i] += plus[i];
    const auto entry = [&](const double* values, Index i) { return i < law.dim() ? values[i] : 0.0; };
    contacts_.push_back({view.step, r.next.t, it->second, view.auditor->gap_of(constraint.id), minus[0], plus[0],
                         entry(minus, 1), entry(minus, 2), entry(plus, 1), entry(plus, 2), impulse[0],
                         entry(impulse, 1), entry(impulse, 2), static_cast<std::uint8_t>(law.state(impulse, xi))});
  }
}

}  // namespace carom::inline io
