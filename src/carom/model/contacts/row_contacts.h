// Contacts of a part with fixed things, given by constant rows over its coordinates (q' = v):
//
//     g_k = g_k0 + w_k' q      gamma_k = w_k' v      zeta = 0
//
// Nodes of linear bodies against walls: W and the list of contacts never change.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "carom/laws/contact_law.h"
#include "carom/model/assembly/groups.h"

namespace carom::model {

// A contact by rows of W': the first is the normal, the others (one in the plane, two in space) are the
// tangents, used if the law has friction.
struct RowContact {
  using Row = std::vector<std::pair<Index, double>>;  // (coordinate, weight)

  std::string name;
  double gap = 0.0;  // g_k0, at q = 0
  std::vector<Row> rows;
  ContactParameters law;
  double length_scale = 1.0;
};

class RowContacts final : public ConstraintGroup {
 public:
  // Rows count from the offsets q and v of their part. Throws InputError where a law wants rows a contact does not
  // have.
  RowContacts(const std::vector<RowContact>& contacts, Index q, Index v);

  void detect(const At& at, double dt, Index number, ContactSet& contacts) const override;
  void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                Evaluation& out) const override;
  std::string name(const Constraint& constraint) const override {
    return names_[static_cast<std::size_t>(constraint.a)];
  }
  void describe(FeatureSet& features, Constancy& constancy) const override;

 private:
  void add(const RowContact& contact);

  Index q_, v_;
  std::vector<std::string> names_;
  std::vector<double> gaps_, lengths_;
  std::vector<std::shared_ptr<const Law>> laws_;
  ConstraintJacobian W_;  // at the velocities of the model
};

}  // namespace carom::model
