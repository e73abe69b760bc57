// Numbers that carry first derivatives in N directions: value + sum_i d[i] eps_i. One formula, written for any scalar,
// then gives its value with double and its exact derivatives with Dual. Dual<1> follows a motion: d/dt along it.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>

namespace carom::inline base {

template <int N>
struct Dual {
  double value = 0.0;
  std::array<double, N> d = {};

  constexpr Dual() = default;
  constexpr Dual(double number) : value(number) {}  // NOLINT: a constant is a number
  constexpr Dual(double number, const std::array<double, N>& derivatives) : value(number), d(derivatives) {}

  Dual& operator+=(const Dual& b) {
    value += b.value;
    for (std::size_t i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (std::size_t i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  Dual& operator*=(const Dual& b) {
    for (std::size_t i = 0; i < N; ++i) d[i] = d[i] * b.value + value * b.d[i];
    value *= b.value;
    return *this;
  }
  Dual& operator/=(const Dual& b) {
    value /= b.value;
    for (std::size_t i = 0; i < N; ++i) d[i] = (d[i] - value * b.d[i]) / b.value;
    return *this;
  }
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual& b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual& b) { return a /= b; }
  friend Dual operator-(Dual a) {
    a.value = -a.value;
    for (double& x : a.d) x = -x;
    return a;
  }
  friend bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value == b.value; }

  // f(a) with the slope f'(a).
  static Dual chain(const Dual& a, double value, double slope) {
    Dual result(value);
    for (std::size_t i = 0; i < N; ++i) result.d[i] = slope * a.d[i];
    return result;
  }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value);
    return chain(a, root, 0.5 / root);
  }
  friend Dual sin(const Dual& a) { return chain(a, std::sin(a.value), std::cos(a.value)); }
  friend Dual cos(const Dual& a) { return chain(a, std::cos(a.value), -std::sin(a.value)); }
  friend Dual abs(const Dual& a) { return a.value < 0.0 ? -a : a; }
  friend Dual atan2(const Dual& y, const Dual& x) {
    const double square = x.value * x.value + y.value * y.value;
    Dual result(std::atan2(y.value, x.value));
    for (std::size_t i = 0; i < N; ++i) result.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / square;
    return result;
  }
};

inline double value_of(double x) { return x; }
template <int N>
double value_of(const Dual<N>& x) {
  return x.value;
}

template <class S>
using Vector3Of = Eigen::Matrix<S, 3, 1>;
template <class S>
using Matrix3Of = Eigen::Matrix<S, 3, 3>;

}  // namespace carom::inline base

template <int N>
struct Eigen::NumTraits<carom::Dual<N>> : Eigen::NumTraits<double> {
  using Real = carom::Dual<N>;
  using NonInteger = carom::Dual<N>;
  using Nested = carom::Dual<N>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = N + 1,
    AddCost = N + 1,
    MulCost = 2 * N + 1
  };
};
