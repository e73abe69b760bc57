#include "carom/model/contacts/row_contacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "carom/base/errors.h"
#include "carom/model/contacts/contact_rows.h"

namespace carom::model {

RowContacts::RowContacts(const std::vector<RowContact>& contacts, Index q, Index v) : q_(q), v_(v) {
  for (const RowContact& contact : contacts) add(contact);
}

void RowContacts::add(const RowContact& contact) {
  const bool friction = contact.law.friction > 0.0;
  if (contact.rows.empty() || contact.rows.size() > 3) throw LogicError("a contact has one to three rows");
  if (friction && contact.rows.size() == 1)
    throw InputError({"E0121",
                      fmt::format("friction at '{}', which has no tangential motion", contact.name),
                      "friction",
                      "it has a normal direction only: set friction to 0",
                      {},
                      0,
                      0,
                      {}});
  if (contact.law.spin_radius > 0.0)
    throw InputError({"E0122",
                      fmt::format("spin_radius at '{}', which has no row for spin", contact.name),
                      "spin_radius",
                      "contacts of linear bodies have a normal and tangents: leave spin_radius out",
                      {},
                      0,
                      0,
                      {}});
  laws_.push_back(make_contact_law(contact.rows.size() == 3 ? Space::spatial : Space::planar, contact.law));
  names_.push_back(contact.name);
  gaps_.push_back(contact.gap);
  lengths_.push_back(contact.length_scale);

  // One segment for each run of neighbouring coordinates that some row touches.
  const Index rows = laws_.back()->dim();
  std::set<Index> touched;
  for (Index r = 0; r < rows; ++r)
    for (const auto& [i, weight] : contact.rows[static_cast<std::size_t>(r)]) touched.insert(i);
  W_.add_block(rows);
  for (auto begin = touched.begin(); begin != touched.end();) {
    auto end = std::next(begin);
    while (end != touched.end() && *end == *std::prev(end) + 1) ++end;
    const Index first = *begin, size = *std::prev(end) + 1 - first;
    double* entries = W_.add_segment(v_ + first, size);
    for (Index r = 0; r < rows; ++r)
      for (const auto& [i, weight] : contact.rows[static_cast<std::size_t>(r)])
        if (i >= first && i < first + size) entries[r * size + i - first] += weight;
    begin = end;
  }
}

void RowContacts::detect(const At&, double, Index number, ContactSet& contacts) const {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    Constraint c;
    c.id = pair_word(number, k);
    c.law = laws_[k].get();
    c.length_scale = lengths_[k];
    c.element = number;
    c.a = static_cast<Index>(k);
    contacts.constraints.push_back(c);
  }
}

void RowContacts::evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                           Evaluation& out) const {
  for (Index i = begin; i < end; ++i) {
    const Index k = active.constraint(i).a, rows = W_.block(k).rows;
    if (has(need, Need::gap)) {
      double w_q[3];
      W_.transpose_multiply(k, at.q + q_ - v_, w_q);  // q' = v: the same columns, at the offset of q
      out.g[row] = gaps_[static_cast<std::size_t>(k)] + w_q[0];
    }
    if (has(need, Need::gap_rate)) W_.transpose_multiply(k, at.v, out.g_rate.data() + row);
    if (has(need, Need::jacobian)) out.W.append_leading_rows(W_, k, rows);
    row += rows;
  }
}

void RowContacts::describe(FeatureSet& features, Constancy&) const {
  for (const auto& law : laws_) features.insert(features_of_contact(*law));
}

}  // namespace carom::model
