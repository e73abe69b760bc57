// Contacts between declared features of two bodies, listed in every step: pins in bores, blocks in guides. No detection
// is needed; only the point of a rim that is farthest from the axis of its bore is looked for anew, and fixed for the
// step as an angle to start from. A rim has up to two such points (a tilted pin touches with both edges on opposite
// sides): `second` asks for the other one. A face that ends is listed while the point lies within its window.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "carom/laws/law.h"
#include "carom/model/contacts/contact_rows.h"

namespace carom::model {

// The part of a face that is there: from <= d . (x - p) <= to.
struct FaceWindow {
  Vector3 along;  // d, in the second frame
  double from, to;
};

struct PermanentContact {
  std::string name;  // "guide.c1"
  ContactRecord record;
  std::shared_ptr<const Law> law;
  double length = 1.0;  // what counts as a length
  double clearance = 0.0;
  bool second = false;  // of a rim in its bore
  std::optional<FaceWindow> window = {};
  double depth = INFINITY;  // a contact that has sunk deeper is not seen any more
};

class PermanentContacts final : public ConstraintGroup {
 public:
  explicit PermanentContacts(std::vector<PermanentContact> contacts);

  void detect(const At& at, double dt, Index number, ContactSet& contacts) const override;
  void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                Evaluation& out) const override;
  void act(const At& at, const ContactSet& contacts, const Acting& acting, Action& action) const override;
  std::string name(const Constraint& constraint) const override;
  void describe(FeatureSet& features, Constancy& constancy) const override;

 private:
  std::vector<PermanentContact> contacts_;
  std::vector<std::optional<GroundFace>> ground_faces_;  // by contact
};

}  // namespace carom::model
