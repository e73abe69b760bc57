#include "carom/base/units.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

#include "carom/base/names.h"

namespace carom::inline base {

namespace {

constexpr double pi = std::numbers::pi;
constexpr Dimension pure = {}, length = Dimension::of(1, 0, 0), mass = Dimension::of(0, 1, 0),
                    time = Dimension::of(0, 0, 1), angle = Dimension::of(0, 0, 0, 1), force = Dimension::of(1, 1, -2),
                    pressure = Dimension::of(-1, 1, -2), energy = Dimension::of(2, 1, -2),
                    power_ = Dimension::of(2, 1, -3), frequency = Dimension::of(0, 0, -1),
                    angular_rate = Dimension::of(0, 0, -1, 1);

struct Prefix {
  const char* name;
  int decimal;
};
constexpr Prefix prefixes[] = {{"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"m", -3}, {"c", -2},
                               {"d", -1}, {"k", 3},  {"M", 6},         {"G", 9}};

struct NamedDimension {
  Dimension dimension;
  const char* name;
};
const NamedDimension named_dimensions[] = {
    {pure, "a pure number"},
    {angle, "an angle (rad)"},
    {length, "a length (m)"},
    {Dimension::of(2, 0, 0), "an area (m^2)"},
    {Dimension::of(3, 0, 0), "a volume (m^3)"},
    {Dimension::of(4, 0, 0), "a second moment of area (m^4)"},
    {mass, "a mass (kg)"},
    {time, "a time (s)"},
    {frequency, "a frequency (Hz)"},
    {angular_rate, "an angular velocity (rad/s)"},
    {Dimension::of(0, 0, -2, 1), "an angular acceleration (rad/s^2)"},
    {Dimension::of(1, 0, -1), "a velocity (m/s)"},
    {Dimension::of(1, 0, -2), "an acceleration (m/s^2)"},
    {force, "a force (N)"},
    {energy, "a torque or an energy (N*m)"},
    {Dimension::of(2, 1, -2, -1), "a torsional stiffness (N*m/rad)"},
    {Dimension::of(2, 1, -1, -1), "a torsional damping (N*m*s/rad)"},
    {Dimension::of(2, 1, -1), "an angular momentum (N*m*s)"},
    {pressure, "a pressure (Pa)"},
    {power_, "a power (W)"},
    {Dimension::of(1, 1, -1), "an impulse (N*s)"},
    {Dimension::of(-3, 1, 0), "a density (kg/m^3)"},
    {Dimension::of(-2, 1, 0), "a mass per area (kg/m^2)"},
    {Dimension::of(-1, 1, 0), "a mass per length (kg/m)"},
    {Dimension::of(2, 1, 0), "an inertia (kg*m^2)"},
    {Dimension::of(0, 1, -2), "a stiffness (N/m)"},
    {Dimension::of(0, 1, -1), "a damping (N*s/m)"},
};

bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || static_cast<unsigned char>(c) >= 0x80; }

std::string_view word_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && letter(text[end])) ++end;
  // Digits, underscores, dots and brackets behind it belong to names and calls.
  if (end < text.size() &&
      (std::isdigit(static_cast<unsigned char>(text[end])) || text[end] == '_' || text[end] == '.' || text[end] == '('))
    return {};
  return text.substr(at, end - at);
}

bool a_name_behind_products(std::string_view word) {
  return word == "h" || word == "min" || word == "in" || word == "g" || word == "t";
}

Unit raised(const Unit& unit, int exponent) {
  Unit out;
  out.dimension = *power(unit.dimension, exponent);
  out.factor = exponent == 1 ? unit.factor : std::pow(unit.factor, exponent);
  out.decimal = unit.decimal * exponent;
  return out;
}

void multiply(Unit& a, const Unit& b, int sign) {
  a.dimension = sign > 0 ? a.dimension * b.dimension : a.dimension / b.dimension;
  a.factor = sign > 0 ? a.factor * b.factor : a.factor / b.factor;
  a.decimal += sign * b.decimal;
}

// ^2, ^-1, at most one digit.
int read_exponent(std::string_view text, std::size_t& at) {
  if (at >= text.size() || text[at] != '^') return 1;
  std::size_t next = at + 1;
  const bool negative = next < text.size() && text[next] == '-';
  if (negative) ++next;
  if (next >= text.size() || !std::isdigit(static_cast<unsigned char>(text[next]))) return 1;
  if (next + 1 < text.size() && (std::isdigit(static_cast<unsigned char>(text[next + 1])) || text[next + 1] == '.'))
    return 1;
  const int value = text[next] - '0';
  at = next + 1;
  return negative ? -value : value;
}

std::optional<Unit> read_factor(std::string_view text, std::size_t& at, char before) {
  const std::string_view word = word_at(text, at);
  if (word.empty() || (before == '*' && a_name_behind_products(word)) || (before == '/' && word == "t"))
    return std::nullopt;
  const auto unit = find_unit(word);
  if (!unit) return std::nullopt;
  at += word.size();
  return raised(*unit, read_exponent(text, at));
}

std::optional<Unit> read_product(std::string_view text, std::size_t& at, bool brackets);

// a*b/c inside brackets, as in N/(m*s); none in them.
std::optional<Unit> read_bracket(std::string_view text, std::size_t& at) {
  std::size_t inside = at + 1;
  const auto unit = read_product(text, inside, false);
  if (!unit || inside >= text.size() || text[inside] != ')') return std::nullopt;
  at = inside + 1;
  return raised(*unit, read_exponent(text, at));
}

std::optional<Unit> read_product(std::string_view text, std::size_t& at, bool brackets) {
  std::size_t here = at;
  auto first = read_factor(text, here, '\0');
  if (!first && here + 1 < text.size() && text[here] == '1' && text[here + 1] == '/') {  // 1/s
    first = Unit{};
    ++here;
  }
  if (!first) return std::nullopt;
  Unit unit = *first;
  while (here < text.size() && (text[here] == '*' || text[here] == '/')) {
    const char sign = text[here];
    std::size_t next = here + 1;
    const bool bracket = brackets && sign == '/' && next < text.size() && text[next] == '(';
    const auto factor = bracket ? read_bracket(text, next) : read_factor(text, next, sign);
    if (!factor) break;
    multiply(unit, *factor, sign == '*' ? 1 : -1);
    here = next;
  }
  at = here;
  return unit;
}

}  // namespace

const std::vector<UnitEntry>& units() {
  static const std::vector<UnitEntry> table = {
      {"m", length, 1.0, 0, true, "metre"},
      {"in", length, 0.0254, 0, false, "inch"},
      {"ft", length, 0.3048, 0, false, "foot"},
      {"g", mass, 1.0, -3, true, "gram"},
      {"t", mass, 1.0, 3, false, "tonne"},
      {"lb", mass, 0.45359237, 0, false, "pound"},
      {"s", time, 1.0, 0, true, "second"},
      {"min", time, 60.0, 0, false, "minute"},
      {"h", time, 3600.0, 0, false, "hour"},
      {"rad", angle, 1.0, 0, true, "radian"},
      {"deg", angle, pi / 180.0, 0, false, "degree"},
      {"rev", angle, 2.0 * pi, 0, false, "turn"},
      {"rpm", angular_rate, pi / 30.0, 0, false, "turns a minute"},
      {"Hz", frequency, 1.0, 0, true, "cycles a second; angular velocities are rad/s, deg/s, rev/s, rpm"},
      {"N", force, 1.0, 0, true, "newton"},
      {"lbf", force, 4.4482216152605, 0, false, "pound-force"},
      {"Pa", pressure, 1.0, 0, true, "pascal"},
      {"bar", pressure, 1.0, 5, true, "bar"},
      {"psi", pressure, 6894.757293168361, 0, false, "pound-force per square inch"},
      {"J", energy, 1.0, 0, true, "joule"},
      {"W", power_, 1.0, 0, true, "watt"},
      {"percent", pure, 1.0, -2, false, "hundredth"},
  };
  return table;
}

double Unit::scale() const { return with_unit("1", *this); }

std::optional<Unit> find_unit(std::string_view name) {
  for (const UnitEntry& unit : units())
    if (name == unit.name) return Unit{unit.dimension, unit.factor, unit.decimal};
  for (const Prefix& prefix : prefixes) {
    const std::string_view head = prefix.name;
    if (!name.starts_with(head)) continue;
    for (const UnitEntry& unit : units())
      if (unit.prefixed && name.substr(head.size()) == unit.name)
        return Unit{unit.dimension, unit.factor, unit.decimal + prefix.decimal};
  }
  return std::nullopt;
}

std::optional<Unit> read_unit(std::string_view text, std::size_t& at) { return read_product(text, at, true); }

std::optional<Unit> parse_unit(std::string_view text) {
  if (text.empty() || text == "1") return Unit{};
  std::size_t at = 0;
  const auto unit = read_unit(text, at);
  return unit && at == text.size() ? unit : std::nullopt;
}

double with_unit(std::string_view digits, const Unit& unit) {
  std::string text(digits);
  if (unit.decimal != 0) {
    int exponent = 0;
    const std::size_t e = text.find_first_of("eE");
    if (e != std::string::npos) {
      const std::size_t begin = e + 1 + (text[e + 1] == '+' ? 1 : 0);
      std::from_chars(text.data() + begin, text.data() + text.size(), exponent);
      text.resize(e);
    }
    if (exponent > -100000 && exponent < 100000) exponent += unit.decimal;
    text += fmt::format("e{}", exponent);
  }
  double x = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error == std::errc::result_out_of_range) x = text.find("e-") == std::string::npos ? HUGE_VAL : 0.0;
  return unit.factor == 1.0 ? x : x * unit.factor;
}

std::string unit_suggestion(std::string_view word) {
  std::vector<std::string> known;
  for (const UnitEntry& unit : units()) known.emplace_back(unit.name);
  for (const char* common :
       {"mm", "um", "nm", "km", "kg", "ms", "us", "ns", "kN", "mN", "kPa", "MPa", "GPa", "kJ", "kW", "kHz"})
    known.emplace_back(common);
  const std::string near = nearest_name(word, known);
  return near.empty() ? "`carom list units` shows them; products and quotients without spaces: N*s/m"
                      : fmt::format("did you mean '{}'? `carom list units` shows them", near);
}

std::string si_unit(const Dimension& dimension) {
  if (dimension.any) return "any unit";
  constexpr const char* base[] = {"m", "kg", "s", "rad"};
  constexpr std::size_t order[] = {1, 0, 2, 3};
  std::string above, below;
  for (const std::size_t i : order) {
    const int sixths = dimension.sixths[i];
    if (sixths == 0) continue;
    std::string& side = sixths > 0 ? above : below;
    const int n = std::abs(sixths);
    if (!side.empty()) side += sixths > 0 ? "*" : "/";
    side += base[i];
    if (n % 6 != 0)
      side += fmt::format("^({}/6)", n);
    else if (n != 6)
      side += fmt::format("^{}", n / 6);
  }
  if (above.empty()) return below.empty() ? "1" : "1/" + below;
  return below.empty() ? above : above + "/" + below;
}

std::string to_text(const Dimension& dimension) {
  if (dimension.any) return "any quantity";
  for (const NamedDimension& named : named_dimensions)
    if (named.dimension == dimension) return named.name;
  return si_unit(dimension);
}

}  // namespace carom::inline base
