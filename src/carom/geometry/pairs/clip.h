// The part of an incident polygon that lies over a reference face (Sutherland, Hodgman).
#pragma once

#include "carom/geometry/pairs/pair.h"

namespace carom::geometry {

// Times the size of the reference: what counts as lying on a side, where nothing is known of the gap.
inline constexpr double border = 1e-12;

// Clips scratch.polygon (one or two corners, or a convex polygon) by the planes through the sides of a face along its
// normal. What lies up to `beyond` outside of a side counts as inside.
void clip_to_face(const PolytopeView& reference, Index face, double beyond, PairScratch& scratch);

}  // namespace carom::geometry
