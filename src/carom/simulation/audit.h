// The audit of a run: where the energy went, and how well the constraints were kept.
//
//   start + work - losses - end = scheme residual
//
// A step's contact work is what its scheme reports, or  Lambda' (gamma_plus + gamma_minus) / 2 , row by row exact
// for constant M: its normal part is what impacts took, its tangential part what friction took. Forces without
// potential work along the mean velocity: what a damper takes in a step with an impact is no mean of its powers
// before and after, which may be far from all that acted in between. What moving supports (chi) put in is not
// told apart from the scheme residual.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "carom/schemes/scheme.h"

namespace carom {

struct StepAudit {
  double kinetic = 0, potential = 0;        // at the end of the step
  double other_work = 0;                    // of forces without potential, in the step
  double impact_loss = 0, friction_loss = 0, joint_loss = 0;  // in the step, positive: taken out
  double scheme_residual = 0;               // what the scheme added (+) or lost (-) by itself
  double total() const { return kinetic + potential; }
};

struct DeepestGap {
  double gap = 0.0;  // most negative gap seen
  double t = 0.0;
};

struct Audit {
  bool has_energy = false;
  double start_energy = 0, end_energy = 0;
  double other_work = 0, impact_loss = 0, friction_loss = 0, joint_loss = 0, scheme_residual = 0;
  double largest_rise = 0;          // largest increase of total energy less work in one step
  double largest_rise_time = 0;
  std::map<ConstraintId, DeepestGap> deepest;        // per unilateral constraint that penetrated
  std::map<ConstraintId, std::string> names;         // of those constraints
  double deepest_gap = 0, deepest_time = 0;
  std::string deepest_name;
  double joint_error = 0, joint_error_time = 0;       // largest |g| of bilateral constraints
  double normal_impulse = 0;                          // sum over all contacts and steps
  double largest_normal_impulse = 0, largest_normal_impulse_time = 0;
  std::string largest_normal_impulse_name;
};

// Accumulates the audit step by step.
class Auditor {
 public:
  // Measures the start too: a start with penetration shows in the audit.
  void begin(const System& system, const State& start, StepAudit& out);
  // False, and nothing is added to the audit, if the energy at the step's end is not a number.
  [[nodiscard]] bool step(const System& system, const State& before, const StepResult& result, StepAudit& out);
  const Audit& audit() const { return audit_; }

  // The constraints near the last state seen, and their gaps there: the normal gap of a contact, the
  // largest error of a joint's rows with its sign.
  const ContactSet& contacts() const { return contacts_; }
  double gap(Index k) const { return gaps_[static_cast<std::size_t>(k)]; }
  // The gap of one constraint, infinite if it is far.
  double gap_of(const ConstraintId& id) const;

 private:
  void measure_energy(const System& system, const State& state, StepAudit& out);
  double other_work(const Energetics& energetics, const State& before, const StepResult& result);
  void measure_losses(const StepResult& result, StepAudit& out) const;
  void measure_gaps(const System& system, const State& state, double dt);
  void measure_impulses(const System& system, const StepResult& result);

  Audit audit_;
  double energy_ = 0;
  Vector mean_velocity_;
  ContactSet contacts_;
  ActiveSet all_;
  std::vector<double> gaps_;
  Evaluation evaluation_;
};

}  // namespace carom
