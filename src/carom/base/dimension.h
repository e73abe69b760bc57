// What a quantity measures: the product  length^a mass^b time^c angle^d.
//
// Exponents are kept in sixths, so that roots stay exact. An angle is remembered but separates nothing: omega * r is a
// velocity, N*m/rad the stiffness of a hinge. `any` is what fits everywhere: zero, and bare numbers of files that say
// they are SI.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>

namespace carom::inline base {

struct Dimension {
  std::array<int, 4> sixths = {};  // length, mass, time, angle
  bool any = false;

  static constexpr Dimension of(int length, int mass, int time, int angle = 0) {
    return {{6 * length, 6 * mass, 6 * time, 6 * angle}, false};
  }
  static constexpr Dimension anything() { return {{}, true}; }

  friend bool operator==(const Dimension&, const Dimension&) = default;
};

inline Dimension operator*(Dimension a, const Dimension& b) {
  if (a.any || b.any) return Dimension::anything();
  for (std::size_t i = 0; i < 4; ++i) a.sixths[i] += b.sixths[i];
  return a;
}
inline Dimension operator/(Dimension a, const Dimension& b) {
  if (a.any || b.any) return Dimension::anything();
  for (std::size_t i = 0; i < 4; ++i) a.sixths[i] -= b.sixths[i];
  return a;
}
// None if the exponents are not sixths any more.
inline std::optional<Dimension> power(Dimension a, double exponent) {
  if (a.any) return a;
  for (int& sixth : a.sixths) {
    const double scaled = sixth * exponent;
    if (std::abs(scaled) > 600.0 || std::abs(scaled - std::round(scaled)) > 1e-9) return std::nullopt;
    sixth = static_cast<int>(std::round(scaled));
  }
  return a;
}

// Whether they measure the same, angles aside.
inline bool agree(const Dimension& a, const Dimension& b) {
  return a.any || b.any || (a.sixths[0] == b.sixths[0] && a.sixths[1] == b.sixths[1] && a.sixths[2] == b.sixths[2]);
}
// A number, or an angle.
inline bool is_pure(const Dimension& a) { return agree(a, {}); }
inline bool is_angle(const Dimension& a) { return !a.any && a == Dimension::of(0, 0, 0, 1); }

// "a length (m)", "kg*m/s^3".
std::string to_text(const Dimension& dimension);
// The SI unit: "m", "kg*m^2"; "1" of a pure number.
std::string si_unit(const Dimension& dimension);

}  // namespace carom::inline base
