// Who a constraint is, from step to step: impulses of the last step are found again by it. Two words: which two
// things meet, and where on them (corners, edges, faces). Single-word ids serve where nothing more is needed.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <ostream>

namespace carom::inline system {

struct ConstraintId {
  std::uint64_t pair = 0, features = 0;

  constexpr ConstraintId() = default;
  constexpr ConstraintId(std::uint64_t single) : pair(single) {}  // NOLINT: a number is an id
  constexpr ConstraintId(std::uint64_t meeting, std::uint64_t at) : pair(meeting), features(at) {}

  auto operator<=>(const ConstraintId&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const ConstraintId& id) {
  return out << id.pair << ':' << id.features;
}

}  // namespace carom::inline system

template <>
struct std::hash<carom::ConstraintId> {
  std::size_t operator()(const carom::ConstraintId& id) const noexcept {
    return std::hash<std::uint64_t>()(id.pair) ^ (std::hash<std::uint64_t>()(id.features) * 0x9e3779b97f4a7c15ull);
  }
};
