// How deep a TOML text nests, before a parser is let loose on it. The TOML library builds tables one inside the other
// for every dot of a key and takes them down again by calling itself: a header of a million dots ends in the stack.
#pragma once

#include <optional>
#include <string_view>

namespace carom::inline io {

// Of brackets, and of dots in one key: a tree is never deeper than the square of it.
inline constexpr int toml_depth_limit = 32;

struct TextPlace {
  int line = 1, column = 1;
};

// Where the text first goes deeper than the limit. Strings and comments are skipped; what is no TOML may be
// misread, but never as deeper than its brackets and dots.
std::optional<TextPlace> too_deep_toml(std::string_view text);

}  // namespace carom::inline io
