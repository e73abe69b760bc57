// Bodies of any shape for contacts that are swept four at a time (four_contacts.h).
#pragma once

#include "carom/inclusion/contact_order.h"
#include "carom/inclusion/delassus.h"
#include "carom/inclusion/four_lanes.h"

namespace carom::inline inclusion {

struct ShapedBody {
  static constexpr Index velocities = 6;

  Lanes velocity;  // three, and the inverse of the mass
  Lanes spin;      // three, and the norm of the inverse inertia
  Lanes later[2];
  Lanes inverse_inertia[3];  // its columns
};

// The bodies of block b, the ground where there is one only. False: they are no such bodies, or the same one twice.
bool find_shaped_bodies(const DelassusFactors& factors, Index b, std::int32_t ground, ContactOrder::Pair& pair);

// At rest.
ShapedBody shaped_body(const DelassusFactors& factors, std::size_t body);

// The rows' entries W of block b for its bodies, by rows of six; none: null. False where the translations of the second
// body are not those of the first with the other sign.
bool find_shaped_entries(const DelassusFactors& factors, Index b, const double* (&entries)[2]);

}  // namespace carom::inline inclusion
