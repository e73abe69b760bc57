// The elastica: an inextensible, shear-stiff cantilever of unit length under a tip load across its first
// direction, by elliptic integrals. With theta the angle at the tip and alpha = P L^2 / EI,
//
//   k^2 = (1 + sin theta) / 2,  sin phi = 1 / (k sqrt 2)
//   sqrt(alpha) = K(k) - F(phi, k)      deflection = 1 - 2 (E(k) - E(phi, k)) / sqrt(alpha)
//   reach = sqrt(2 sin theta / alpha)
//
// Reference: K. E. Bisshopp, D. C. Drucker, Large deflection of cantilever beams, Quart. Appl. Math. 3 (1945).
#pragma once

#include <cmath>
#include <numbers>

namespace carom::testing {

struct Elastica {
  double angle, deflection, reach;
};

inline Elastica elastica(double alpha) {
  const auto modulus = [](double angle) { return std::sqrt(0.5 * (1.0 + std::sin(angle))); };
  const auto phi = [](double k) { return std::asin(1.0 / (k * std::numbers::sqrt2)); };
  double low = 1e-9, high = std::numbers::pi / 2.0 - 1e-12;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high), k = modulus(middle);
    (std::comp_ellint_1(k) - std::ellint_1(k, phi(k)) < std::sqrt(alpha) ? low : high) = middle;
  }
  const double k = modulus(low);
  return {low, 1.0 - 2.0 * (std::comp_ellint_2(k) - std::ellint_2(k, phi(k))) / std::sqrt(alpha),
          std::sqrt(2.0 * std::sin(low) / alpha)};
}

}  // namespace carom::testing
