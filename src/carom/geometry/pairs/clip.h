// The part of an incident polygon that lies over a reference face (Sutherland, Hodgman).
#pragma once

#include "carom/geometry/pairs/pair.h"

namespace carom::geometry {

// Clips scratch.polygon (one or two corners, or a convex polygon) by the planes through the sides of a face along its
// normal.
void clip_to_face(const PolytopeView& reference, Index face, PairScratch& scratch);

}  // namespace carom::geometry
