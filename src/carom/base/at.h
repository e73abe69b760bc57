// An Index as the place of an entry in a container of the standard library: a[at(i)].
#pragma once

#include <cstddef>

#include "carom/base/types.h"

namespace carom::inline base {

constexpr std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace carom::inline base
