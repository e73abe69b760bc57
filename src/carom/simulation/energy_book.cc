#include "carom/simulation/energy_book.h"

#include <algorithm>
#include <cmath>

namespace carom::inline simulation {

namespace {

// Impulses that differ from those of the law by no more than this part of their size obey it.
constexpr double lawful = 1e-6;
// Energies that would move a body by this part of its size against the forces on it are none.
constexpr double negligible_way = 1e-6;

double block_work(const StepResult& result, const StepContact& contact) {
  double work = 0.0;
  for (Index row = contact.row; row < contact.row + contact.constraint.law->dim(); ++row)
    work += step_work(result, row);
  return work;
}

// Whether the impulse of a contact is its law's answer to the velocities, which have the impulse's own scale.
bool obeys(const Law& law, const double* Lambda, const double* gamma_minus, const double* gamma_plus) {
  double shift[Law::max_dim] = {}, x[Law::max_dim];
  law.impact_shift(gamma_minus, shift);
  double impulse = 0.0, speed = 0.0, error = 0.0;
  for (Index i = 0; i < law.dim(); ++i) {
    impulse = std::hypot(impulse, Lambda[i]);
    speed = std::hypot(speed, std::abs(gamma_minus[i]) + std::abs(gamma_plus[i]));
  }
  if (!(speed > 0.0)) return true;
  for (Index i = 0; i < law.dim(); ++i) x[i] = Lambda[i] - impulse / speed * (gamma_plus[i] + shift[i]);
  law.project(x, x);
  for (Index i = 0; i < law.dim(); ++i) error = std::hypot(error, x[i] - Lambda[i]);
  return error <= lawful * impulse;
}

}  // namespace

namespace {

void add(EnergyLedger::Meter& meter, double value, double by_law, double t, EnergyRise& rise) {
  if (value < meter.lowest)
    meter = {value, by_law};
  else if (value - meter.lowest > rise.value)
    rise = {value - meter.lowest, t, by_law - meter.law_at_lowest};
}

}  // namespace

void EnergyBook::begin(const StepAudit& start) {
  ledger_ = {};
  ledger_.total.lowest = start.total();
  ledger_.kinetic = start.kinetic;
  ledger_.lowest_potential = ledger_.highest_potential = start.potential;
}

void EnergyBook::step(const System& system, const StepResult& result, const StepAudit& step, double total,
                      Audit& audit) {
  const double contacts = -(step.impact_loss + step.friction_loss + step.joint_loss);
  giver_ = nullptr;
  const double not_by_law = contacts > 0.0 ? unlawful(result, contacts) : 0.0;
  ledger_.by_law += contacts - not_by_law;
  ledger_.by_scheme += step.scheme_residual + not_by_law;
  if (giver_ && contacts - not_by_law > audit.largest_law_gain) {
    audit.largest_law_gain = contacts - not_by_law;
    audit.largest_law_gain_name = system.constraint_name(giver_->constraint);
  }
  add(ledger_.total, total, ledger_.by_law, result.next.t, audit.rise);
  add(ledger_.scheme, ledger_.by_scheme, 0.0, result.next.t, audit.scheme_rise);

  ledger_.kinetic = std::max(ledger_.kinetic, step.kinetic);
  ledger_.lowest_potential = std::min(ledger_.lowest_potential, step.potential);
  ledger_.highest_potential = std::max(ledger_.highest_potential, step.potential);
  ledger_.throughput += std::abs(step.other_work) + std::max(0.0, -contacts);
  for (const StepContact& contact : result.contacts) {
    double impulse = 0.0;  // a joint may carry its load in any row
    for (Index r = contact.row; r < contact.row + contact.constraint.law->dim(); ++r)
      impulse = std::max(impulse, std::abs(result.impulse[r]));
    ledger_.floor =
        std::max(ledger_.floor, negligible_way * contact.constraint.length_scale * impulse / result.dt_taken);
  }
  audit.energy_scale = std::max(ledger_.kinetic, ledger_.highest_potential - ledger_.lowest_potential) +
                       ledger_.throughput + ledger_.floor;
}

double EnergyBook::unlawful(const StepResult& result, double gain) {
  double sum = 0.0, largest = 0.0;
  for (const StepContact& contact : result.contacts) {
    const double given = block_work(result, contact);
    if (!(given > 0.0)) continue;
    const Index row = contact.row;
    // A scheme that reports the work itself has settled its impacts one by one, by the law.
    const bool by_law =
        !contact.constraint.bilateral &&
        (!result.work.empty() || obeys(*contact.constraint.law, result.impulse.data() + row,
                                       result.gamma_minus.data() + row, result.gamma_plus.data() + row));
    if (!by_law) {
      sum += given;
    } else if (given > largest) {
      largest = given;
      giver_ = &contact;
    }
  }
  return std::min(sum, gain);
}

}  // namespace carom::inline simulation
