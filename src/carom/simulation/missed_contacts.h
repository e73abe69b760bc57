// Contacts that a step did not see in time:
//
//   passed   its way leads through them, deeper than a share of their size, and they did not push (two fast spheres, a
//            corner that swings through a plane);
//   entered  they are entered at its end by half of their size, and did not push (a fast body behind a plane);
//   late     they pushed, but where or against what is not known: from the start, without them, the step would have led
//            through them by half of their size while their normal turns (a sphere that is pushed on the far side of
//            the other). Not so where the impact was located.
//
// The way is q(s) = q_0 (+) s (q_1 (-) q_0), straight and turning evenly: what a step of free motion is; that of late
// ones goes along the velocity at the start. Only contacts that the system lists at the end of the step can be found. A
// gap is least at the end of the way, or where its rate changes sign.
#pragma once

#include "carom/schemes/scheme.h"
#include "carom/simulation/near_gaps.h"

namespace carom::inline simulation {

struct MissedContact {
  Constraint constraint;
  double depth = 0.0;  // where it was deepest
  double share = 0.0;  // of the way there
};

class MissedContacts {
 public:
  // Looks at a step from `before`; `depth`: the share of a contact's size that counts. `evaluation` is scratch.
  void look(const System& system, const State& before, const StepResult& result, const NearGaps& at_end, double depth,
            Evaluation& evaluation);
  const std::vector<MissedContact>& found() const { return found_; }
  // Whether a shorter step may help: not all of them have been given up before.
  bool worth_another_look() const;
  // Shorter steps did not help.
  void give_up();
  const std::vector<ConstraintId>& given_up() const { return given_up_; }
  void give_up(const std::vector<ConstraintId>& ids) { given_up_ = ids; }

 private:
  struct Candidate {
    Index contact;                                                  // of those near the end
    double depth;                                                   // that counts, in m
    bool enters = false;                                            // not missed if it was as deep already
    bool turns = false;                                             // only if the normal turns on the way
    double start = 0.0, approach = 0.0, end = 0.0, end_rate = 0.0;  // gap and its rate at both ends of the way
  };
  void look_at_end(const StepResult& result, const NearGaps& at_end, double depth);
  void look_for_late(const State& before, const StepResult& result, const NearGaps& at_end);
  void follow_all(const System& system, const State& before, const ContactSet& contacts);
  void follow(const System& system, const State& before, const ContactSet& contacts, const Candidate& candidate);
  // The gaps of active_ at a share of the way, and their rates along the way.
  void look_at(const System& system, const State& before, double share);

  std::vector<MissedContact> found_;
  std::vector<decltype(Constraint::id)> given_up_;
  std::vector<Candidate> candidates_;
  ActiveSet active_;
  bool gentle_ = false;  // nothing turns far on the way
  Evaluation* at_ = nullptr;
  Vector way_, dq_, q_;  // from start to end; to a point between
};

}  // namespace carom::inline simulation
