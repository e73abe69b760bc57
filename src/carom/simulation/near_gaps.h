// The constraints near a state, their gaps there (the normal gap of a contact, the largest error of a joint's rows with
// its sign) and the rates of these, in one evaluation. Of systems that something drives, chi too: how fast the supports
// of each constraint move.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "carom/system/system.h"

namespace carom::inline simulation {

class NearGaps {
 public:
  // dt: how far ahead contacts are looked for, by the velocity of the state. `evaluation` is scratch: it may serve all
  // who look at the same system.
  void look(const System& system, const State& state, double dt, Evaluation& evaluation);

  // What was seen, but for rates, which are asked for before. Of the same system: constant contacts need not change
  // hands.
  void exchange(NearGaps& other) {
    if (constant_contacts_of_ == 0) std::swap(contacts_, other.contacts_);
    gaps_.swap(other.gaps_);
    chi_.swap(other.chi_);
    rows_.swap(other.rows_);
  }

  const ContactSet& contacts() const { return contacts_; }
  double gap(Index k) const { return gaps_[static_cast<std::size_t>(k)]; }
  double rate(Index k) const {
    return rates_[static_cast<std::size_t>(k)];
  }                                               // of its first row; zero where nothing can open
  Index find(decltype(Constraint::id) id) const;  // -1 if it is far
  bool driven() const { return !chi_.empty(); }
  // The rows of chi of constraint k, of a driven system.
  const double* chi(Index k) const { return chi_.data() + rows_[static_cast<std::size_t>(k)]; }
  // Of one constraint, infinite if it is far.
  double gap_of(decltype(Constraint::id) id) const;

 private:
  ContactSet contacts_;
  ActiveSet all_;
  std::vector<double> gaps_, rates_, chi_;
  std::vector<Index> rows_;                 // where those of chi begin for each constraint
  std::uint64_t constant_contacts_of_ = 0;  // the system whose constraints are listed once and for all; 0: none
};

}  // namespace carom::inline simulation
