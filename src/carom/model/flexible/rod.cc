#include "carom/model/flexible/rod.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace carom {

RodData steel_rod(Index elements, double stiffness_damping) {
  RodData rod;
  rod.elements = elements;
  rod.section = std::numbers::pi * 1e-4;
  rod.stiffness_damping = stiffness_damping;
  return rod;
}

StructureMatrices rod_matrices(const RodData& rod) {
  const Index n = rod.elements;
  const double l = rod.length / n;
  const double mass = rod.density * rod.section * l / 6.0, stiffness = rod.youngs_modulus * rod.section / l;
  std::vector<Eigen::Triplet<double>> M, K;
  for (Index e = 0; e < n; ++e)
    for (Index i : {e, e + 1})
      for (Index j : {e, e + 1}) {
        M.emplace_back(i, j, i == j ? 2.0 * mass : mass);
        K.emplace_back(i, j, i == j ? stiffness : -stiffness);
      }
  StructureMatrices matrices;
  matrices.M.resize(n + 1, n + 1);
  matrices.K.resize(n + 1, n + 1);
  matrices.M.setFromTriplets(M.begin(), M.end());
  matrices.K.setFromTriplets(K.begin(), K.end());
  matrices.C = rayleigh_damping(matrices.M, matrices.K, rod.mass_damping, rod.stiffness_damping);
  return matrices;
}

double wave_speed(const RodData& rod) { return std::sqrt(rod.youngs_modulus / rod.density); }

RodImpact::RodImpact(const RodData& rod, double speed)
    : contact_time(2.0 * rod.length / wave_speed(rod)),
      contact_force(rod.section * std::sqrt(rod.youngs_modulus * rod.density) * speed),
      c_(wave_speed(rod)),
      length_(rod.length),
      speed_(speed) {}

double RodImpact::displacement(double x, double t) const {
  const double stops = x / c_, leaves = (2.0 * length_ - x) / c_;
  if (t <= stops) return -speed_ * t;
  return -speed_ * stops + (t > leaves ? speed_ * (t - leaves) : 0.0);
}

double RodImpact::velocity(double x, double t) const {
  if (t < x / c_) return -speed_;
  return t < (2.0 * length_ - x) / c_ ? 0.0 : speed_;
}

}  // namespace carom
