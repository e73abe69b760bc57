// The constraints near a state and their gaps there: the normal gap of a contact, the largest error of a joint's rows
// with its sign.
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
  }

  const ContactSet& contacts() const { return contacts_; }
  double gap(Index k) const { return gaps_[static_cast<std::size_t>(k)]; }
  Index find(decltype(Constraint::id) id) const;  // -1 if it is far
  // Of one constraint, infinite if it is far.
  double gap_of(decltype(Constraint::id) id) const;

 private:
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation evaluation_;
  std::vector<double> gaps_;
};

}  // namespace carom
