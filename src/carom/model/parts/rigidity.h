// The joints that make bodies rigid whose coordinates do not: one block of rows for each body of a pool, over that
// body's own coordinates. Rows gives g(q), W(q)' and zeta(v) of one body.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/laws/contact_law.h"
#include "carom/model/assembly/groups.h"

namespace carom::model {

template <class Rows>
class Rigidity final : public ConstraintGroup {
 public:
  // Of bodies one after the other, from the offsets q and v of their part.
  Rigidity(std::vector<std::string> names, Index q, Index v)
      : names_(std::move(names)), q_(q), v_(v), law_(make_bilateral_law(Rows::rows)) {}

  void detect(const At&, double, Index number, ContactSet& contacts) const override {
    for (std::size_t b = 0; b < names_.size(); ++b) {
      Constraint c;
      c.id = pair_word(number, b);
      c.law = law_.get();
      c.bilateral = true;
      c.position_rows = Rows::rows;
      c.element = number;
      c.a = static_cast<Index>(b);
      contacts.constraints.push_back(c);
    }
  }

  void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                Evaluation& out) const override {
    for (Index i = begin; i < end; ++i, row += Rows::rows) {
      const Index body = Rows::size * active.constraint(i).a;
      const double *q = at.q + q_ + body, *v = at.v + v_ + body;
      if (has(need, Need::gap)) Rows::gap(q, out.g.data() + row);
      if (has(need, Need::gap_rate)) {
        double W[Rows::rows * Rows::size] = {};
        Rows::fill(q, W);
        for (Index k = 0; k < Rows::rows * Rows::size; ++k)
          out.g_rate[row + k / Rows::size] += W[k] * v[k % Rows::size];
      }
      if (has(need, Need::jacobian)) {
        out.W.add_block(Rows::rows);
        Rows::fill(q, out.W.add_segment(v_ + body, Rows::size));
      }
      if (has(need, Need::convective)) Rows::convective(v, out.zeta.data() + row);
    }
  }

  std::string name(const Constraint& c) const override { return names_[static_cast<std::size_t>(c.a)] + ".rigidity"; }
  void describe(FeatureSet& features, Constancy& constancy) const override {
    features.insert(Feature::joints);
    if (!Rows::constant) constancy.jacobian = false;
  }

 private:
  std::vector<std::string> names_;
  Index q_, v_;
  std::shared_ptr<const Law> law_;
};

}  // namespace carom::model
