#include "carom/simulation/near_gaps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/make_room.h"

namespace carom::inline simulation {

void NearGaps::look(const System& system, const State& state, double dt, Evaluation& evaluation) {
  const Constancy constancy = system.constancy();
  const bool contacts = system.features().contains(Feature::contacts);
  if (constant_contacts_of_ != system.serial()) {
    system.detect(state.t, state.q, state.v, dt, contacts_);
    all_.reset(contacts_);
    all_.add_all();
    constant_contacts_of_ = constancy.contacts ? system.serial() : 0;
  }
  const auto count = static_cast<std::size_t>(contacts_.size());
  make_room(gaps_, count);
  make_room(rates_, count);
  gaps_.clear();
  rates_.clear();
  chi_.clear();
  rows_.clear();
  if (all_.empty()) return;
  const bool driven = !constancy.autonomous;
  Need need = Need::gap;
  if (contacts) need = need | Need::gap_rate;
  if (driven) need = need | Need::jacobian;
  system.evaluate(state.t, state.q, state.v, need, all_, evaluation);
  if (driven) chi_.assign(evaluation.chi.begin(), evaluation.chi.end());
  const auto largest = [&](Index first, Index rows) {  // by magnitude; a contact has one row here
    double worst = evaluation.g[first];
    for (Index i = 1; i < rows; ++i)
      if (std::abs(evaluation.g[first + i]) > std::abs(worst)) worst = evaluation.g[first + i];
    return worst;
  };
  Index row = 0;
  for (const Constraint& constraint : contacts_.constraints) {
    if (driven) rows_.push_back(row);
    gaps_.push_back(constraint.position_rows > 0 ? largest(row, constraint.position_rows) : 0.0);
    rates_.push_back(contacts && constraint.position_rows > 0 ? evaluation.g_rate[row] : 0.0);
    row += constraint.law->dim();
  }
}

Index NearGaps::find(decltype(Constraint::id) id) const {
  const auto& constraints = contacts_.constraints;
  const auto it = std::lower_bound(constraints.begin(), constraints.end(), id,
                                   [](const Constraint& c, decltype(Constraint::id) value) { return c.id < value; });
  return it == constraints.end() || it->id != id ? -1 : static_cast<Index>(it - constraints.begin());
}

double NearGaps::gap_of(decltype(Constraint::id) id) const {
  const Index k = find(id);
  return k < 0 ? std::numeric_limits<double>::infinity() : gap(k);
}

}  // namespace carom::inline simulation
