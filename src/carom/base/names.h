// Look-up of things by word: hyphens count as underscores, and a misspelt word finds its neighbour.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace carom::inline base {

// "moreau-jean" -> "moreau_jean".
std::string canonical_name(std::string_view word);

// The candidate nearest in spelling, or "" if none is near enough to be worth suggesting.
std::string nearest_name(std::string_view word, std::span<const std::string> candidates);

// "did you mean 'x'? (known here: a, b, c)".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

}  // namespace carom::inline base
