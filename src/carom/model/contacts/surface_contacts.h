// Contacts between the surfaces of bodies: found once a step, as primitives fixed in the two bodies
// (geometry/narrow_phase.h), and evaluated from these during it.
//
// In a step of length dt a body moves by at most |v| dt + 1/2 |a| dt^2 while it flies, and what a blow adds is of the
// same size: a contact is listed when its gap is below  2 |v_rel| dt + |a| dt^2 + a small part of the smaller body,
// |v_rel| bounded with the spins and the reach of both shapes.
#pragma once

#include <utility>
#include <vector>

#include "carom/geometry/pair_finder.h"
#include "carom/geometry/shape.h"
#include "carom/model/contacts/contact_laws.h"
#include "carom/model/contacts/contact_rows.h"

namespace carom::model {

struct Surface {
  std::string name;  // of the body, or of its shape where there are several
  Index frame = ground_frame;
  geometry::Shape shape;  // in the components of the frame
  Index material = 0;
  std::uint32_t groups = 1;   // collision groups it belongs to, as bits
  std::uint32_t meets = ~0u;  // groups it touches; both sides must agree
};

struct SurfaceSet {
  std::vector<Surface> surfaces;
  ContactLaws spatial, planar;    // by materials
  geometry::ExcludedPairs apart;  // frames that do not touch each other (joined, or asked for)
  double acceleration = 0.0;      // |a|: how fast free bodies gain speed
};

class SurfaceContacts final : public ConstraintGroup {
 public:
  explicit SurfaceContacts(SurfaceSet set);
  const std::vector<Surface>& surfaces() const { return set_.surfaces; }

  void detect(const At& at, double dt, Index number, ContactSet& contacts) const override;
  void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                Evaluation& out) const override;
  void act(const At& at, const ContactSet& contacts, const Acting& acting, Action& action) const override;
  std::string name(const Constraint& constraint) const override;
  void describe(FeatureSet& features, Constancy& constancy) const override;

  bool comes_and_goes() const override { return true; }
  Index partner(std::string_view name) const override;
  bool can_touch(const Frames& frames, Index partner) const override;
  void visit_far(const At& at, Index number, Index partner, const VisitFar& visit) const override;
  double far_gap(const At& at, const Constraint& contact) const override;

 private:
  struct Search;

  const Surface& surface(Index s) const { return set_.surfaces[static_cast<std::size_t>(s)]; }
  double size(Index s) const { return sizes_[static_cast<std::size_t>(s)]; }
  bool may_touch(const Frames& frames, Index a, Index b) const;
  const Law* law(const Frames& frames, Index a, Index b) const;
  void add_pair(const At& at, double dt, Index number, Index a, Index b, Search& search, ContactSet& contacts) const;
  // Of all features of a pair, however far, with their gaps, until `visit` says false.
  bool visit_pair(const At& at, Index number, Index a, Index b, const VisitFar& visit) const;
  void find_features(const At& at, Index a, Index b, double margin, Search& search) const;
  Constraint constraint(Index number, Index a, Index b, const Law* law,
                        const geometry::ContactPrimitive& primitive) const;
  double smaller_size(Index a, Index b) const;

  SurfaceSet set_;
  std::vector<double> sizes_;  // radius around the frame's origin; 0 if unbounded
};

}  // namespace carom::model
