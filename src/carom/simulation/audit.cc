#include "carom/simulation/audit.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {

void Auditor::begin(const System& system, const State& start, StepAudit& out) {
  audit_ = {};
  out = {};
  audit_.has_energy = system.energetics() != nullptr;
  measure_energy(system, start, out);
  audit_.start_energy = audit_.end_energy = energy_ = out.total();
  measure_gaps(system, start, 0.0);
}

bool Auditor::step(const System& system, const State& before, const StepResult& result, StepAudit& out) {
  out = {};
  measure_losses(result, out);
  if (audit_.has_energy) {
    measure_energy(system, result.next, out);
    if (!std::isfinite(out.total())) return false;
    out.other_work = other_work(*system.energetics(), before, result);
    const double rise = out.total() - energy_ - out.other_work;
    out.scheme_residual = rise + out.impact_loss + out.friction_loss + out.joint_loss;
    if (rise > audit_.largest_rise) {
      audit_.largest_rise = rise;
      audit_.largest_rise_time = result.next.t;
    }
    audit_.end_energy = energy_ = out.total();
    audit_.other_work += out.other_work;
    audit_.scheme_residual += out.scheme_residual;
  }
  audit_.impact_loss += out.impact_loss;
  audit_.friction_loss += out.friction_loss;
  audit_.joint_loss += out.joint_loss;
  measure_gaps(system, result.next, result.dt_taken);
  measure_impulses(system, result);
  return true;
}

double Auditor::gap_of(const ConstraintId& id) const {
  const auto& constraints = contacts_.constraints;
  const auto it = std::lower_bound(constraints.begin(), constraints.end(), id,
                                   [](const Constraint& c, const ConstraintId& value) { return c.id < value; });
  if (it == constraints.end() || it->id != id) return std::numeric_limits<double>::infinity();
  return gap(static_cast<Index>(it - constraints.begin()));
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

void Auditor::measure_losses(const StepResult& result, StepAudit& out) const {
  for (const StepContact& contact : result.contacts) {
    const Law& law = *contact.constraint.law;
    for (Index i = 0; i < law.dim(); ++i) {
      const Index row = contact.row + i;
      const double loss =
          result.work.empty() ? -0.5 * result.impulse[row] * (result.gamma_plus[row] + result.gamma_minus[row])
                              : -result.work[row];
      if (contact.constraint.bilateral)
        out.joint_loss += loss;
      else if (i == 0 && law.is_contact())
        out.impact_loss += loss;
      else
        out.friction_loss += loss;
    }
  }
}

void Auditor::measure_gaps(const System& system, const State& state, double dt) {
  system.detect(state.t, state.q, state.v, dt, contacts_);
  all_.reset(contacts_);
  all_.add_all();
  gaps_.clear();
  if (all_.empty()) return;
  system.evaluate(state.t, state.q, state.v, Need::gap, all_, evaluation_);
  const auto largest = [&](Index first, Index count) {  // by magnitude; a contact has one row here
    double worst = evaluation_.g[first];
    for (Index i = 1; i < count; ++i)
      if (std::abs(evaluation_.g[first + i]) > std::abs(worst)) worst = evaluation_.g[first + i];
    return worst;
  };
  Index row = 0;
  for (const Constraint& constraint : contacts_.constraints) {
    const double gap = constraint.position_rows > 0 ? largest(row, constraint.position_rows) : 0.0;
    gaps_.push_back(gap);
    if (constraint.bilateral) {
      if (std::abs(gap) > audit_.joint_error) {
        audit_.joint_error = std::abs(gap);
        audit_.joint_error_time = state.t;
      }
    } else if (gap < 0.0) {
      const auto [it, first] = audit_.deepest.try_emplace(constraint.id);
      if (first) audit_.names[constraint.id] = system.constraint_name(constraint);
      if (gap < it->second.gap) it->second = {gap, state.t};
      if (gap < audit_.deepest_gap) {
        audit_.deepest_gap = gap;
        audit_.deepest_time = state.t;
        audit_.deepest_name = audit_.names[constraint.id];
      }
    }
    row += constraint.law->dim();
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

}  // namespace carom
