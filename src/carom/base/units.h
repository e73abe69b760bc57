// Units of quantities, and how they are read: "mm", "N*s/m", "kg*m^2", "N*mm/deg", "1/s". Written without spaces.
//
// A unit is  10^decimal * factor  SI units. Powers of ten are kept apart so that "153 mm" is the same number as 0.153.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/dimension.h"

namespace carom::inline base {

struct UnitEntry {
  const char* name;
  Dimension dimension;
  double factor;
  int decimal;
  bool prefixed;  // takes n u m c d k M G
  const char* doc;
};
const std::vector<UnitEntry>& units();

struct Unit {
  Dimension dimension = {};
  double factor = 1.0;
  int decimal = 0;

  double scale() const;  // SI units in one of it
};

// A unit by its name, with a prefix or without.
std::optional<Unit> find_unit(std::string_view name);

// The longest unit that begins at `at`, which is moved behind it; none if no unit begins there. Behind a `*` the units
// h, min, in, g and t are not taken: those letters are names there, as in "5 Hz*t".
std::optional<Unit> read_unit(std::string_view text, std::size_t& at);

// A whole text as a unit; none if it is none. "1" and "" are the pure number.
std::optional<Unit> parse_unit(std::string_view text);

// The digits of a number with its unit put in: "153" and mm give 0.153 as it is written.
double with_unit(std::string_view digits, const Unit& unit);

// A word near to an unknown one.
std::string unit_suggestion(std::string_view word);

}  // namespace carom::inline base
