#include "carom/simulation/audit.h"

#include <algorithm>
#include <cmath>

#include "carom/base/make_room.h"
#include "carom/simulation/energy_book.h"

namespace carom::inline simulation {

namespace {

// The name of a constraint that takes a record over; often it holds it already.
void take_name(const System& system, const Constraint& constraint, ConstraintId& holder, std::string& name) {
  if (name.empty() || holder != constraint.id) name = system.constraint_name(constraint);
  holder = constraint.id;
}

}  // namespace

Auditor::Auditor() : book_(std::make_unique<EnergyBook>(ledger_)) {}
Auditor::~Auditor() = default;

void Auditor::begin(const System& system, const State& start, StepAudit& out) {
  audit_ = {};
  out = {};
  audit_.has_energy = system.energetics() != nullptr;
  measure_energy(system, start, out);
  audit_.start_energy = audit_.end_energy = out.total();
  book_->begin(out);
  last_ = out;
  gaps_.look(system, start, 0.0, *evaluation_);
  measure_gaps(system, start.t);
}

AuditMemory Auditor::memory() const { return {audit_, ledger_, last_, ahead_, worst_joint_, missed_.given_up()}; }

void Auditor::resume(const System& system, const State& state, const AuditMemory& memory, StepAudit& out) {
  audit_ = memory.audit;
  ledger_ = memory.ledger;
  out = last_ = memory.last;
  ahead_ = memory.ahead;
  worst_joint_ = memory.worst_joint;
  missed_.give_up(memory.given_up);
  gaps_.look(system, state, ahead_, *evaluation_);
}

const MissedContacts& Auditor::look(const System& system, const State& before, const StepResult& result, double ahead,
                                    double missed_depth) {
  gaps_ahead_.look(system, result.next, ahead, *evaluation_);
  attempted_ahead_ = ahead;
  missed_.look(system, before, result, gaps_ahead_, missed_depth, *evaluation_);
  return missed_;
}

bool Auditor::step(const System& system, const State& before, const StepResult& result, StepAudit& out) {
  out = {};
  measure_losses(result, out);
  if (audit_.has_energy) {
    measure_energy(system, result.next, out);
    if (!std::isfinite(out.total())) return false;
    out.other_work = other_work(*system.energetics(), before, result) + measure_support_work(result);
    const double rise = out.total() - audit_.end_energy - out.other_work;
    out.scheme_residual = rise + out.impact_loss + out.friction_loss + out.joint_loss;
    if (rise > audit_.largest_rise) {
      audit_.largest_rise = rise;
      audit_.largest_rise_time = result.next.t;
    }
    audit_.end_energy = out.total();
    audit_.other_work += out.other_work;
    audit_.scheme_residual += out.scheme_residual;
  }
  audit_.impact_loss += out.impact_loss;
  audit_.friction_loss += out.friction_loss;
  audit_.joint_loss += out.joint_loss;
  if (audit_.has_energy) book_->step(system, result, out, audit_.end_energy - audit_.other_work, audit_);
  gaps_.exchange(gaps_ahead_);
  ahead_ = attempted_ahead_;
  measure_gaps(system, result.next.t);
  measure_missed(system, result);
  measure_impulses(system, result);
  last_ = out;
  return true;
}

void Auditor::measure_energy(const System& system, const State& state, StepAudit& out) {
  const Energetics* energetics = system.energetics();
  if (!energetics) return;
  out.kinetic = energetics->kinetic_energy(state.t, state.q, state.v);
  out.potential = energetics->potential_energy(state.t, state.q);
}

double Auditor::other_work(const Energetics& energetics, const State& before, const StepResult& result) {
  if (energetics.conservative()) return 0.0;
  const State& after = result.next;
  mean_velocity_ = 0.5 * (before.v + after.v);
  return 0.5 * result.dt_taken *
         (energetics.other_power(before.t, before.q, mean_velocity_) +
          energetics.other_power(after.t, after.q, mean_velocity_));
}

// gaps_ are still those of the step's start.
double Auditor::measure_support_work(const StepResult& result) {
  support_work_.clear();
  if (!gaps_.driven() && !gaps_ahead_.driven()) return 0.0;
  double sum = 0.0;
  for (const StepContact& contact : result.contacts) {
    double& work = support_work_.emplace_back(0.0);
    const Index start = gaps_.find(contact.constraint.id), end = gaps_ahead_.find(contact.constraint.id);
    const double* chi_0 = start < 0 ? nullptr : gaps_.chi(start);
    const double* chi_1 = end < 0 ? nullptr : gaps_ahead_.chi(end);
    if (!chi_0) chi_0 = chi_1;  // near at one end only
    if (!chi_1) chi_1 = chi_0;
    for (Index i = 0; chi_0 && i < contact.constraint.law->dim(); ++i)
      work -= 0.5 * result.impulse[contact.row + i] * (chi_0[i] + chi_1[i]);
    sum += work;
  }
  return sum;
}

void Auditor::measure_losses(const StepResult& result, StepAudit& out) const {
  for (const StepContact& contact : result.contacts) {
    const Law& law = *contact.constraint.law;
    for (Index i = 0; i < law.dim(); ++i) {
      const double loss = -step_work(result, contact.row + i);
      const bool rubs =
          law.kind() != LawKind::bilateral && i == law.dim() - 1;  // the last row of a joint with friction
      if (contact.constraint.bilateral && !rubs)
        out.joint_loss += loss;
      else if (i == 0 && law.is_contact())
        out.impact_loss += loss;
      else
        out.friction_loss += loss;
    }
  }
}

void Auditor::measure_gaps(const System& system, double t) {
  const ContactSet& contacts = gaps_.contacts();
  std::vector<Penetration>& known = audit_.penetrations;
  first_penetrations_.clear();
  auto next = known.begin();  // both are ordered by id, and neighbours mostly stay neighbours
  for (Index k = 0; k < contacts.size(); ++k) {
    const Constraint& constraint = contacts[k];
    const double gap = gaps_.gap(k);
    if (gap >= 0.0 && !constraint.bilateral) continue;
    const double share = std::abs(gap) / constraint.length_scale;
    if (constraint.bilateral) {
      if (std::abs(gap) > audit_.joint_error) {
        audit_.joint_error = std::abs(gap);
        audit_.joint_error_time = t;
      }
      if (share > audit_.worst_joint.share) {
        WorstPosition& worst = audit_.worst_joint;
        take_name(system, constraint, worst_joint_, worst.name);
        worst.share = share;
        worst.value = std::abs(gap);
        worst.t = t;
      }
    } else if (gap < 0.0) {
      if (next == known.end() || next->id != constraint.id)
        next = std::lower_bound(next, known.end(), constraint.id,
                                [](const Penetration& p, const ConstraintId& id) { return p.id < id; });
      const bool first = next == known.end() || next->id != constraint.id;
      if (first)
        first_penetrations_.push_back(
            {constraint.id, {}, constraint.element, constraint.a, constraint.b, constraint.feature});
      DeepestGap& deepest = (first ? first_penetrations_.back() : *next++).deepest;
      if (gap < deepest.gap) deepest = {gap, t};
      if (gap < audit_.deepest_gap) {
        audit_.deepest_gap = gap;
        audit_.deepest_time = t;
        take_name(system, constraint, deepest_, audit_.deepest_name);
      }
      if (share > audit_.worst_penetration.share) {
        WorstPosition& worst = audit_.worst_penetration;
        take_name(system, constraint, worst_penetration_, worst.name);
        worst.share = share;
        worst.value = -gap;
        worst.t = t;
      }
      if (constraint.clearance > 0.0 && -gap > audit_.worst_play.share * constraint.clearance) {
        WorstPosition& worst = audit_.worst_play;
        take_name(system, constraint, worst_play_, worst.name);
        worst.share = -gap / constraint.clearance;
        worst.value = -gap;
        worst.t = t;
      }
    }
  }
  if (known.empty()) return known.swap(first_penetrations_);
  // Into the others, from the end on.
  auto from = known.size();
  make_room_behind(known, first_penetrations_.size());
  known.resize(from + first_penetrations_.size());
  auto to = known.size();
  for (auto added = first_penetrations_.size(); added > 0;) {
    const bool later = from > 0 && first_penetrations_[added - 1].id < known[from - 1].id;
    known[--to] = later ? known[--from] : first_penetrations_[--added];
  }
}

void Auditor::measure_missed(const System& system, const StepResult& result) {
  for (const MissedContact& missed : missed_.found()) {
    ++audit_.missed_contacts;
    const double share = missed.depth / missed.constraint.length_scale;
    if (share > audit_.worst_missed.share)
      audit_.worst_missed = {share, missed.depth, result.next.t - (1.0 - missed.share) * result.dt_taken,
                             system.constraint_name(missed.constraint)};
  }
}

void Auditor::measure_impulses(const System& system, const StepResult& result) {
  for (const StepContact& contact : result.contacts) {
    if (contact.constraint.bilateral || !contact.constraint.law->is_contact()) continue;
    const double normal = result.impulse[contact.row];
    audit_.normal_impulse += normal;
    if (normal > audit_.largest_normal_impulse) {
      audit_.largest_normal_impulse = normal;
      audit_.largest_normal_impulse_time = result.next.t;
      audit_.largest_normal_impulse_name = system.constraint_name(contact.constraint);
    }
  }
}

}  // namespace carom::inline simulation
