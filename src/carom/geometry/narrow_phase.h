// Once a step, for every pair the broad phase found: which primitives are the contacts of two shapes.
//
//   ContactList contacts;                       // kept between steps
//   NarrowPhase narrow_phase;                   // scratch memory, kept between steps; results do not depend on it
//   contacts.clear();
//   narrow_phase.find(shape_a, pose_a, shape_b, pose_b, margin, contacts);       // appends
//
// Appends up to four primitives (eight on half spaces) whose gap is at most `margin`, the smallest gap first (for
// compounds: for each pair of parts, in their order). Nothing is appended for shapes further apart. If a contact exists
// at all, the smallest gap is the signed distance of the shapes. Depends on the two shapes and their relative pose
// only; exchanging a and b exchanges the sides.
#pragma once

#include "carom/geometry/contact_features.h"
#include "carom/geometry/shape.h"

namespace carom::geometry {

struct PairScratch;  // pairs/pair.h

class NarrowPhase {
 public:
  NarrowPhase();
  ~NarrowPhase();
  NarrowPhase(NarrowPhase&&) noexcept;
  NarrowPhase& operator=(NarrowPhase&&) noexcept;

  void find(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b, double margin,
            ContactList& contacts);

 private:
  std::unique_ptr<PairScratch> scratch_;
};

// Whether pairs.def knows a function for these kinds; planar and spatial shapes do not meet.
bool has_pair(ShapeKind a, ShapeKind b);

}  // namespace carom::geometry
