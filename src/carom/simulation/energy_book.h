// Who made the energy that a run gained. The energy less the work of drives changes by what contacts and joints do and
// by what the scheme adds of itself:
//
//   d(E - work) = contacts + scheme residual,       contacts = sum of Lambda' (gamma_plus + gamma_minus)/2
//
// In a step in which contacts give energy on the whole, a contact's part is the law's if impulse and velocities obey
// it,
//
//   -(gamma_plus + e gamma_minus) in N_C(Lambda):
//
// Newton's law with friction may give energy (Kane's pendulum). If they do not, and always for joints, it is the
// scheme's.
#pragma once

#include "carom/simulation/audit.h"

namespace carom::inline simulation {

class EnergyBook {
 public:
  explicit EnergyBook(EnergyLedger& ledger) : ledger_(ledger) {}
  void begin(const StepAudit& start);
  // After the sums of the audit have been brought up to date; `total` is its energy less the work of drives.
  void step(const System& system, const StepResult& result, const StepAudit& step, double total, Audit& audit);

 private:
  // What of a step's gain at contacts is not by law; `giver` is the contact that gave most by law.
  double unlawful(const StepResult& result, double gain);

  EnergyLedger& ledger_;
  const StepContact* giver_ = nullptr;
};

}  // namespace carom::inline simulation
