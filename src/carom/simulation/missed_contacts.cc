#include "carom/simulation/missed_contacts.h"

#include <algorithm>
#include <cmath>

#include "carom/schemes/step_contacts.h"

namespace carom::inline simulation {

namespace {

// Of its size: spheres pushed deeper than this have a normal that has little to do with that of their meeting.
constexpr double late_share = 0.5;
// Where nothing turns by more than this, a rate on the way stays below so many times the larger one of its ends: half a
// sine of that angle, with room.
constexpr double gentle_turn = 0.5, start_reach = 4.0;
// A normal has turned if so little of the approach is left.
constexpr double turned = 0.7;

bool pushed(const StepResult& result, const Constraint& constraint) {
  for (const StepContact& contact : result.contacts)
    if (contact.constraint.id == constraint.id) return result.impulse[contact.row] > 0.0;
  return false;
}

}  // namespace

void MissedContacts::look(const System& system, const State& before, const StepResult& result, const NearGaps& at_end,
                          double depth, Evaluation& evaluation) {
  at_ = &evaluation;
  found_.clear();
  candidates_.clear();
  look_at_end(result, at_end, depth);
  if (!candidates_.empty()) {
    system.difference(before.q, result.next.q, way_);
    follow_all(system, before, at_end.contacts());
    candidates_.clear();
  }
  if (result.contacts.empty()) return;
  look_for_late(before, result, at_end);
  if (candidates_.empty()) return;
  way_ = result.dt_taken * before.v;
  follow_all(system, before, at_end.contacts());
}

// Both ends of the way are looked at for all together: in a pile nearly all candidates are settled there, and a look
// moves every body.
void MissedContacts::follow_all(const System& system, const State& before, const ContactSet& contacts) {
  gentle_ = way_.lpNorm<Eigen::Infinity>() < gentle_turn;  // radians, and metres, which does no harm
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Candidate& a, const Candidate& b) { return a.contact < b.contact; });
  active_.reset(contacts);
  for (const Candidate& candidate : candidates_) active_.add(candidate.contact);
  const auto each = [&](auto&& act) {
    Index row = 0;
    for (Candidate& candidate : candidates_) {
      act(candidate, at_->g[row], at_->g_rate[row]);
      row += contacts[candidate.contact].law->dim();
    }
  };
  look_at(system, before, 0.0);
  each([](Candidate& candidate, double g, double rate) {
    candidate.start = g;
    candidate.approach = rate;
  });
  look_at(system, before, 1.0);
  each([](Candidate& candidate, double g, double rate) {
    candidate.end = g;
    candidate.end_rate = rate;
  });
  for (const Candidate& candidate : candidates_) follow(system, before, contacts, candidate);
}

// Entered: what is deep at the end. Passed: what moves apart there, and may have been closed within the step had it
// always moved so.
void MissedContacts::look_at_end(const StepResult& result, const NearGaps& at_end, double depth) {
  const ContactSet& contacts = at_end.contacts();
  for (Index k = 0; k < contacts.size(); ++k) {
    const double gap = at_end.gap(k), way = at_end.rate(k) * result.dt_taken;
    if (gap >= 0.0 && !(gap < 2.0 * way)) continue;  // nearly all
    const Constraint& c = contacts[k];
    if (always_acts(c)) continue;
    const bool entered = gap < -late_share * c.length_scale;
    const bool passed = !entered && gap < 2.0 * way && way > depth * c.length_scale;
    if ((entered || passed) && !pushed(result, c))
      candidates_.push_back({k, (entered ? late_share : depth) * c.length_scale, entered});
  }
}

// What pushed in a step in which something moved by as much as half its size. Located events are never late. Where
// nothing turns much, a contact with tangents knows how far its own bodies went past each other: spheres that spin
// somewhere in a pile are no reason to look at all others.
void MissedContacts::look_for_late(const State& before, const StepResult& result, const NearGaps& at_end) {
  if (!result.events.empty()) return;
  const double way = result.dt_taken * before.v.lpNorm<Eigen::Infinity>();  // of the fastest, whoever it is
  const auto own_way = [&](const StepContact& contact) {
    const Index rows = contact.constraint.law->dim();
    if (way >= gentle_turn || rows < 2) return way;
    double square = 0.0;
    for (Index r = 0; r < std::min<Index>(rows, 3); ++r) {
      const double speed = result.gamma_minus[contact.row + r];
      square += speed * speed;
    }
    return result.dt_taken * std::sqrt(square);
  };
  for (const StepContact& contact : result.contacts) {
    const Constraint& c = contact.constraint;
    const double depth = late_share * c.length_scale;
    if (!(2.0 * way > depth) || c.bilateral || !c.law->is_contact() || !(result.impulse[contact.row] > 0.0)) continue;
    if (!(2.0 * own_way(contact) > depth)) continue;
    if (const Index k = at_end.find(c.id); k >= 0) candidates_.push_back({k, depth, false, true});
  }
}

// The least gap on the way: at its end, or where the rate changes sign.
void MissedContacts::follow(const System& system, const State& before, const ContactSet& contacts,
                            const Candidate& candidate) {
  if (!(candidate.approach < 0.0) || (candidate.turns && candidate.end_rate < turned * candidate.approach)) return;
  double a = 0.0, b = 1.0, lowest = candidate.end;
  if (candidate.end_rate > 0.0) {  // it leads out again
    const double reach = start_reach * std::max(-candidate.approach, candidate.end_rate);
    if (gentle_ && std::min(candidate.start, candidate.end) - reach > -candidate.depth) return;
    active_.reset(contacts);
    active_.add(candidate.contact);
    for (int pass = 0; pass < 40; ++pass) {
      const double s = 0.5 * (a + b);
      look_at(system, before, s);
      (at_->g_rate[0] < 0.0 ? a : b) = s;
    }
    look_at(system, before, b);
    lowest = at_->g[0];
  }
  if (lowest < -candidate.depth && lowest < candidate.start &&
      !(candidate.enters && candidate.start < -candidate.depth))
    found_.push_back({contacts[candidate.contact], -lowest, b});
}

void MissedContacts::look_at(const System& system, const State& before, double share) {
  if (share != 1.0) dq_ = share * way_;
  system.move(before.q, share != 1.0 ? dq_ : way_, q_);
  system.evaluate(before.t, q_, way_, Need::gap | Need::gap_rate, active_, *at_);
}

bool MissedContacts::worth_another_look() const {
  return std::any_of(found_.begin(), found_.end(), [&](const MissedContact& missed) {
    return std::find(given_up_.begin(), given_up_.end(), missed.constraint.id) == given_up_.end();
  });
}

void MissedContacts::give_up() {
  for (const MissedContact& missed : found_) given_up_.push_back(missed.constraint.id);
}

}  // namespace carom::inline simulation
