// The audit of a run: where the energy went, and how well the constraints were kept.
//
//   start + work - losses - end = scheme residual
//
// A step's contact work is what its scheme reports, or  Lambda' (gamma_plus + gamma_minus) / 2 , row by row exact
// for constant M: its normal part is what impacts took, its tangential part what friction took. Forces without
// potential work along the mean velocity: what a damper takes in a step with an impact is no mean of its powers
// before and after, which may be far from all that acted in between. Supports that move (chi: driven joints, belts,
// shakers) put in  -Lambda' (chi at the start + chi at the end) / 2 , which counts as work of drives.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "carom/schemes/scheme.h"
#include "carom/simulation/missed_contacts.h"
#include "carom/simulation/near_gaps.h"

namespace carom::inline simulation {

struct StepAudit {
  double kinetic = 0, potential = 0;  // at the end of the step
  double other_work = 0;              // of forces without potential and of supports that move, in the step
  double impact_loss = 0, friction_loss = 0, joint_loss = 0;  // in the step, positive: taken out
  double scheme_residual = 0;                                 // what the scheme added (+) or lost (-) by itself
  double total() const { return kinetic + potential; }
};

struct DeepestGap {
  double gap = 0.0;  // most negative gap seen
  double t = 0.0;
};

// A unilateral constraint that penetrated, and who it is for the system that names it. Piles have many.
struct Penetration {
  ConstraintId id;
  DeepestGap deepest;
  Index element = 0, a = 0, b = 0, feature = 0;

  Constraint constraint() const { return {.id = id, .element = element, .a = a, .b = b, .feature = feature}; }
};

// The largest growth of an energy over any stretch of the run.
struct EnergyRise {
  double value = 0.0, t = 0.0;
  double by_law = 0.0;  // what contacts gave in this stretch by their laws
};

// The worst error of position in relation to the room of its constraint.
struct WorstPosition {
  double share = 0.0, value = 0.0, t = 0.0;  // value: in m, positive
  std::string name;
};

struct Audit {
  bool has_energy = false;
  double start_energy = 0, end_energy = 0;
  double other_work = 0, impact_loss = 0, friction_loss = 0, joint_loss = 0, scheme_residual = 0;
  double largest_rise = 0;  // largest increase of total energy less work in one step
  double largest_rise_time = 0;
  std::vector<Penetration> penetrations;  // by id
  double deepest_gap = 0, deepest_time = 0;
  std::string deepest_name;
  double joint_error = 0, joint_error_time = 0;  // largest |g| of bilateral constraints
  double normal_impulse = 0;                     // sum over all contacts and steps
  double largest_normal_impulse = 0, largest_normal_impulse_time = 0;
  std::string largest_normal_impulse_name;

  // What a judgement is made of (judgement.h).
  double energy_scale = 0;      // the energy turned over: motion, work of drives, losses at contacts
  EnergyRise rise;              // of the energy less the work of drives
  EnergyRise scheme_rise;       // of what neither drives nor laws explain
  double largest_law_gain = 0;  // of all contacts in one step, and who gave most of it
  std::string largest_law_gain_name;
  WorstPosition worst_penetration, worst_play, worst_joint,
      worst_missed;  // worst_play: penetration by the play it belongs to
  long missed_contacts = 0;
};

// The work of the forces of one row of a step.
inline double step_work(const StepResult& result, Index row) {
  return result.work.empty() ? 0.5 * result.impulse[row] * (result.gamma_plus[row] + result.gamma_minus[row])
                             : result.work[row];
}

// What the book of energies (energy_book.h) remembers of a run.
struct EnergyLedger {
  // Keeps the largest growth of a quantity above its lowest value before.
  struct Meter {
    double lowest = 0.0, law_at_lowest = 0.0;
  };
  Meter total, scheme;
  double by_law = 0, by_scheme = 0;                                 // net, since the start
  double kinetic = 0, lowest_potential = 0, highest_potential = 0;  // extremes
  double throughput = 0;  // work of drives and losses at contacts, by magnitude
  double floor = 0;       // what would move things by a millionth of their size against the forces
};

// All that an auditor knows of the past: with it another one goes on as if the run had never been interrupted.
struct AuditMemory {
  Audit audit;
  EnergyLedger ledger;
  StepAudit last;      // of the last step, or of the start
  double ahead = 0.0;  // how far contacts were looked for at its end
  ConstraintId worst_joint = {};
  std::vector<ConstraintId> given_up;  // contacts that shorter steps did not find in time
};

class EnergyBook;

// Accumulates the audit step by step.
class Auditor {
 public:
  Auditor();
  ~Auditor();
  // Evaluates in the memory of another who looks at the same system at other times; it must outlive this.
  void share(Evaluation& evaluation) { evaluation_ = &evaluation; }
  // Measures the start too: a start with penetration shows in the audit.
  void begin(const System& system, const State& start, StepAudit& out);
  // Looks at the end of an attempted step, before it is accepted or not: contacts missed in it. `ahead`: for how long a
  // time from there contacts count as near, at least the length of the step.
  const MissedContacts& look(const System& system, const State& before, const StepResult& result, double ahead,
                             double missed_depth);
  void give_up_missed() { missed_.give_up(); }
  // Accepts the step last looked at. False, and nothing is added to the audit, if the energy at its end is not a
  // number.
  [[nodiscard]] bool step(const System& system, const State& before, const StepResult& result, StepAudit& out);
  const Audit& audit() const { return audit_; }

  // A memory, and an auditor that goes on from it at the state it was made at.
  AuditMemory memory() const;
  void resume(const System& system, const State& state, const AuditMemory& memory, StepAudit& out);

  // The constraints near the last state accepted, and their gaps there (near_gaps.h).
  const ContactSet& contacts() const { return gaps_.contacts(); }
  double ahead() const { return ahead_; }  // how far they were looked for
  double gap(Index k) const { return gaps_.gap(k); }
  double gap_of(decltype(Constraint::id) id) const { return gaps_.gap_of(id); }
  // What the moving support of a contact of the last step put in, by the number of the contact in the result.
  double support_work(std::size_t contact) const { return support_work_.empty() ? 0.0 : support_work_[contact]; }

 private:
  void measure_energy(const System& system, const State& state, StepAudit& out);
  double other_work(const Energetics& energetics, const State& before, const StepResult& result);
  double measure_support_work(const StepResult& result);
  void measure_losses(const StepResult& result, StepAudit& out) const;
  void measure_gaps(const System& system, double t);
  void measure_missed(const System& system, const StepResult& result);
  void measure_impulses(const System& system, const StepResult& result);

  Audit audit_;
  EnergyLedger ledger_;
  StepAudit last_;
  Vector mean_velocity_;
  std::vector<double> support_work_;                            // empty: nothing is driven
  NearGaps gaps_, gaps_ahead_;                                  // of the last state accepted, and of the attempted step
  Evaluation own_evaluation_, *evaluation_ = &own_evaluation_;  // what they are seen with
  double ahead_ = 0.0, attempted_ahead_ = 0.0;
  MissedContacts missed_;
  std::vector<Penetration> first_penetrations_;                                              // of the present step
  ConstraintId worst_joint_ = {}, deepest_ = {}, worst_penetration_ = {}, worst_play_ = {};  // who has the names
  std::unique_ptr<EnergyBook> book_;
};

}  // namespace carom::inline simulation
