// The constraints near a state and their gaps there: the normal gap of a contact, the largest error of a joint's rows
// with its sign. Of systems that something drives, chi too: how fast the supports of each constraint move.
#pragma once

#include <utility>
#include <vector>

#include "carom/system/system.h"

namespace carom {

class NearGaps {
 public:
  // dt: how far ahead contacts are looked for, by the velocity of the state.
  void look(const System& system, const State& state, double dt);

  // What was seen, without the memory it was seen with.
  void exchange(NearGaps& other) {
    std::swap(contacts_, other.contacts_);
    gaps_.swap(other.gaps_);
    chi_.swap(other.chi_);
    rows_.swap(other.rows_);
  }

  const ContactSet& contacts() const { return contacts_; }
  double gap(Index k) const { return gaps_[static_cast<std::size_t>(k)]; }
  Index find(decltype(Constraint::id) id) const;  // -1 if it is far
  bool driven() const { return !chi_.empty(); }
  // The rows of chi of constraint k, of a driven system.
  const double* chi(Index k) const { return chi_.data() + rows_[static_cast<std::size_t>(k)]; }
  // Of one constraint, infinite if it is far.
  double gap_of(decltype(Constraint::id) id) const;

 private:
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation evaluation_;
  std::vector<double> gaps_, chi_;
  std::vector<Index> rows_;  // where those of each constraint begin
};

}  // namespace carom
