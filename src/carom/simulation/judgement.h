// Whether a run that reached its end may be believed. A judgement is a value, made from the audit of the run and the
// limits set for it (docs/audit.md):
//
//   energy       it rose, net of the work of drives, by more than a share of what was turned over. What Newton's law
//                itself gave in impacts with friction is told from what the scheme made.
//   penetration  a gap was negative by more than a share of the size of what meets there; a body is *behind* a
//                contact if by all of it.
//   play         a gap was negative by more than a share of the clearance it belongs to.
//   joints       an error of position beyond a share of the joint's length.
//   missed       a contact was passed between two steps, or met too late (missed_contacts.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::inline simulation {

struct Audit;

struct JudgementLimits {
  double energy = 0.05;       // of the energy turned over
  double penetration = 0.1;   // of the size of what meets there
  double play = 0.1;          // of the clearance a contact belongs to
  double joint_error = 0.01;  // of the length of a joint
};

enum class Flaw { scheme_energy, law_energy, penetration, behind, play, joint_error, missed_contact };
std::string_view to_word(Flaw flaw);  // "scheme_energy"

struct Finding {
  Flaw flaw = Flaw::scheme_energy;
  std::string name;    // of the contact or joint; empty if nobody in particular is to blame
  double t = 0.0;      // when it was worst
  double value = 0.0;  // in J or m
  double share = 0.0;  // of what it is judged against
  double limit = 0.0;  // of that share
  long count = 1;      // how often, of missed contacts
};
std::string to_text(const Finding& finding);  // one sentence without a full stop

struct Judgement {
  bool judged = false;  // false: the run had no audit
  std::vector<Finding> findings;
  bool sound() const { return findings.empty(); }
};

Judgement judge(const Audit& audit, const JudgementLimits& limits);

}  // namespace carom::inline simulation
