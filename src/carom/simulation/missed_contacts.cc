#include "carom/simulation/missed_contacts.h"

#include <algorithm>

namespace carom {

namespace {

bool pushed(const StepResult& result, const Constraint& constraint) {
  for (const StepContact& contact : result.contacts)
    if (contact.constraint.id == constraint.id) return result.impulse[contact.row] > 0.0;
  return false;
}

}  // namespace

void MissedContacts::look(const System& system, const State& before, const StepResult& result, const NearGaps& at_end,
                          double depth) {
  found_.clear();
  const ContactSet& contacts = at_end.contacts();
  open_.reset(contacts);
  one_.reset(contacts);
  bool way_is_known = false;
  const auto know_the_way = [&] {
    if (!way_is_known) system.difference(before.q, result.next.q, way_);
    way_is_known = true;
  };
  for (Index k = 0; k < contacts.size(); ++k) {
    const Constraint& c = contacts[k];
    if (c.bilateral || c.position_rows == 0) continue;
    if (at_end.gap(k) >= 0.0) {
      open_.add(k);
    } else if (at_end.gap(k) < -c.length_scale && !pushed(result, c)) {
      know_the_way();
      one_.reset(contacts);
      one_.add(k);
      if (gap(system, before, 0.0) >= 0.0) found_.push_back({c, -at_end.gap(k), 1.0});
    }
  }
  if (open_.empty()) return;
  system.evaluate(result.next.t, result.next.q, result.next.v, Need::gap_rate, open_, at_);
  candidates_.clear();
  Index row = 0;
  for (Index i = 0; i < open_.size(); ++i) {
    const double way = at_.g_rate[row] * result.dt_taken;  // back to where it would have been, had it moved on straight
    const bool came_through = at_end.gap(open_[i]) < 2.0 * way && way > depth * open_.constraint(i).length_scale;
    if (came_through) candidates_.push_back(open_[i]);
    row += open_.constraint(i).law->dim();
  }
  for (const Index k : candidates_) {
    know_the_way();
    one_.reset(contacts);
    one_.add(k);
    look_back(system, before, result, contacts[k], depth);
  }
}

void MissedContacts::look_back(const System& system, const State& before, const StepResult& result,
                               const Constraint& constraint, double depth) {
  if (!(gap(system, before, 0.0) >= 0.0) || !(rate() < 0.0)) return;
  double a = 0.0, b = 1.0;
  for (int pass = 0; pass < 40; ++pass) {
    const double s = 0.5 * (a + b);
    gap(system, before, s);
    (rate() < 0.0 ? a : b) = s;
  }
  const double lowest = gap(system, before, b);
  if (lowest < -depth * constraint.length_scale && !pushed(result, constraint))
    found_.push_back({constraint, -lowest, b});
}

double MissedContacts::gap(const System& system, const State& before, double share) {
  dq_ = share * way_;
  system.move(before.q, dq_, q_);
  system.evaluate(before.t, q_, way_, Need::gap | Need::gap_rate, one_, at_);
  return at_.g[0];
}

bool MissedContacts::worth_another_look() const {
  return std::any_of(found_.begin(), found_.end(), [&](const MissedContact& missed) {
    return std::find(given_up_.begin(), given_up_.end(), missed.constraint.id) == given_up_.end();
  });
}

void MissedContacts::give_up() {
  for (const MissedContact& missed : found_) given_up_.push_back(missed.constraint.id);
}

}  // namespace carom
