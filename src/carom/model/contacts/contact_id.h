// The identity of a constraint: what meets (a joint; a body and a plane or another body; which
// corner) and nothing of when or where. 4 bits of kind, 28 of each partner, 4 of feature; ascending
// ids are joints in their order, then contacts kind by kind, body by body.
#pragma once

#include <cstdint>

#include "carom/base/types.h"

namespace carom {

enum class ConstraintKind : Index { joint, sphere_plane, sphere_sphere, corner_plane };

inline std::uint64_t constraint_id(ConstraintKind kind, Index a, Index b = 0, Index feature = 0) {
  return (static_cast<std::uint64_t>(kind) << 60) | (static_cast<std::uint64_t>(a) << 32) |
         (static_cast<std::uint64_t>(b) << 4) | static_cast<std::uint64_t>(feature);
}

}  // namespace carom
