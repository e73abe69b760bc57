#include "carom/io/quantity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::inline io {

std::string with_prefix(double value, const std::string& unit, int digits) {
  if (value == 0.0) return "0 " + unit;
  if (!std::isfinite(value)) return fmt::format("{} {}", value, unit);
  constexpr const char* prefixes[] = {"f", "p", "n", "u", "m", "", "k", "M", "G"};
  constexpr int unity = 5;
  // The exponent after rounding to the digits shown: 999.96 m is 1 km, not 1000 m.
  const std::string rounded = fmt::format("{:.{}e}", std::abs(value), digits - 1);
  const int exponent = std::stoi(rounded.substr(rounded.find('e') + 1));
  const int step = static_cast<int>(std::floor(exponent / 3.0));
  if (step < -unity || step > static_cast<int>(std::size(prefixes)) - unity)
    return fmt::format("{:.{}g} {}", value, digits, unit);
  const int index = std::min(step + unity, static_cast<int>(std::size(prefixes)) - 1);
  const double scaled = value / std::pow(10.0, 3.0 * (index - unity));
  const int decimals = std::max(0, digits - 1 - (exponent - 3 * (index - unity)));
  return fmt::format("{:.{}f} {}{}", scaled, decimals, prefixes[index], unit);
}

std::string grouped(double value) {
  const std::string digits = fmt::format("{:.0f}", std::abs(value));
  std::string text = value < 0.0 && digits != "0" ? "-" : "";
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ' ';
    text += digits[i];
  }
  return text;
}

std::string bytes_text(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.0f} B", bytes);
  if (bytes < 1e6) return fmt::format("{:.1f} kB", bytes / 1e3);
  if (bytes < 1e9) return fmt::format("{:.1f} MB", bytes / 1e6);
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace carom::inline io
