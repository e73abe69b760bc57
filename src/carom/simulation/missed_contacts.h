// Contacts that a step passed without a force, although
//
//   the way between its ends leads through them, deeper than a share of their size (two fast spheres, a corner that
//   swings through a plane), or
//   they were open at its start and are entered at its end by all of their size (a fast body behind a plane).
//
// The way is q(s) = q_0 (+) s (q_1 (-) q_0), straight and turning evenly: what a step of free motion is. Only contacts that
// the system lists at the end of the step and that move apart there can have been passed; on the way back the gap is least
// where its rate changes sign. A contact that pushed in the step is never missed.
#pragma once

#include "carom/schemes/scheme.h"
#include "carom/simulation/near_gaps.h"

namespace carom {

struct MissedContact {
  Constraint constraint;
  double depth = 0.0;  // where it was deepest
  double share = 0.0;  // of the way there
};

class MissedContacts {
 public:
  // Looks at a step from `before`; `depth`: the share of a contact's size that counts.
  void look(const System& system, const State& before, const StepResult& result, const NearGaps& at_end, double depth);
  const std::vector<MissedContact>& found() const { return found_; }
  // Whether a shorter step may help: not all of them have been given up before.
  bool worth_another_look() const;
  // Shorter steps did not help.
  void give_up();

 private:
  void look_back(const System& system, const State& before, const StepResult& result, const Constraint& constraint,
                 double depth);
  // The gap of the contact in one_ at a share of the way, and its rate along the way.
  double gap(const System& system, const State& before, double share);
  double rate() const { return at_.g_rate[0]; }

  std::vector<MissedContact> found_;
  std::vector<decltype(Constraint::id)> given_up_;
  std::vector<Index> candidates_;
  ActiveSet open_, one_;
  Evaluation at_;
  Vector way_, dq_, q_;  // from start to end; to a point between
};

}  // namespace carom
