// The functions that pairs.def names.
#pragma once

#include "carom/geometry/pairs/pair.h"

namespace carom::geometry {

#define CAROM_PAIR(a, b, function) void function(const PairCall& call);
#include "carom/geometry/pairs.def"
#undef CAROM_PAIR

}  // namespace carom::geometry
