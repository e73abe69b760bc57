// A function of time at one moment with its first two derivatives: (f, f', f'').
#pragma once

#include <cmath>

namespace carom::inline base {

struct Jet {
  double value = 0.0, rate = 0.0, second = 0.0;

  constexpr Jet() = default;
  constexpr Jet(double v) : value(v) {}  // NOLINT: a constant is a number
  constexpr Jet(double v, double d, double dd) : value(v), rate(d), second(dd) {}

  // f(x) with the derivatives f1, f2 by x.
  static Jet chain(const Jet& x, double f, double f1, double f2) {
    return {f, f1 * x.rate, f2 * x.rate * x.rate + f1 * x.second};
  }
};

inline Jet operator+(const Jet& a, const Jet& b) { return {a.value + b.value, a.rate + b.rate, a.second + b.second}; }
inline Jet operator-(const Jet& a, const Jet& b) { return {a.value - b.value, a.rate - b.rate, a.second - b.second}; }
inline Jet operator-(const Jet& a) { return {-a.value, -a.rate, -a.second}; }
inline Jet operator*(const Jet& a, const Jet& b) {
  return {a.value * b.value, a.rate * b.value + a.value * b.rate,
          a.second * b.value + 2.0 * a.rate * b.rate + a.value * b.second};
}
inline Jet operator/(const Jet& a, const Jet& b) {  // from a = q b
  const double q = a.value / b.value, q1 = (a.rate - q * b.rate) / b.value;
  return {q, q1, (a.second - 2.0 * q1 * b.rate - q * b.second) / b.value};
}

inline Jet sin(const Jet& x) { return Jet::chain(x, std::sin(x.value), std::cos(x.value), -std::sin(x.value)); }
inline Jet cos(const Jet& x) { return Jet::chain(x, std::cos(x.value), -std::sin(x.value), -std::cos(x.value)); }
inline Jet tan(const Jet& x) {
  const double y = std::tan(x.value), slope = 1.0 + y * y;
  return Jet::chain(x, y, slope, 2.0 * y * slope);
}
inline Jet asin(const Jet& x) {
  const double r = 1.0 - x.value * x.value;
  return Jet::chain(x, std::asin(x.value), 1.0 / std::sqrt(r), x.value / (r * std::sqrt(r)));
}
inline Jet acos(const Jet& x) {
  const double r = 1.0 - x.value * x.value;
  return Jet::chain(x, std::acos(x.value), -1.0 / std::sqrt(r), -x.value / (r * std::sqrt(r)));
}
inline Jet atan(const Jet& x) {
  const double r = 1.0 + x.value * x.value;
  return Jet::chain(x, std::atan(x.value), 1.0 / r, -2.0 * x.value / (r * r));
}
inline Jet atan2(const Jet& y, const Jet& x) {
  const double r = x.value * x.value + y.value * y.value;
  const double u = (x.value * y.rate - y.value * x.rate) / r;
  return {std::atan2(y.value, x.value), u,
          (x.value * y.second - y.value * x.second - 2.0 * u * (x.value * x.rate + y.value * y.rate)) / r};
}
inline Jet sqrt(const Jet& x) {
  const double root = std::sqrt(x.value);
  return Jet::chain(x, root, 0.5 / root, -0.25 / (x.value * root));
}
inline Jet exp(const Jet& x) { return Jet::chain(x, std::exp(x.value), std::exp(x.value), std::exp(x.value)); }
inline Jet log(const Jet& x) { return Jet::chain(x, std::log(x.value), 1.0 / x.value, -1.0 / (x.value * x.value)); }
inline Jet pow(const Jet& x, const Jet& y) {
  if (y.rate == 0.0 && y.second == 0.0) {
    const double n = y.value;
    if (n == 0.0) return {1.0};
    if (n == 1.0) return x;
    return Jet::chain(x, std::pow(x.value, n), n * std::pow(x.value, n - 1.0),
                      n * (n - 1.0) * std::pow(x.value, n - 2.0));
  }
  return exp(y * log(x));
}

inline double value_of(const Jet& x) { return x.value; }

}  // namespace carom::inline base
