#include "carom/model/flexible/axle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace carom {

namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

// The coordinates of an element in one plane and the sign with which they enter H.
struct Plane {
  AxleMotion deflection, slope;
  double sign;  // of the slope: theta_z = v', theta_y = -w'
};
constexpr Plane planes[2] = {{AxleMotion::v, AxleMotion::theta_z, 1.0}, {AxleMotion::w, AxleMotion::theta_y, -1.0}};

// H and H' (with respect to x) at s.
std::array<double, 4> hermite(double s, double l) {
  return {1.0 - 3.0 * s * s + 2.0 * s * s * s, l * (s - 2.0 * s * s + s * s * s), 3.0 * s * s - 2.0 * s * s * s,
          l * (s * s * s - s * s)};
}
std::array<double, 4> hermite_slope(double s, double l) {
  return {(-6.0 * s + 6.0 * s * s) / l, 1.0 - 4.0 * s + 3.0 * s * s, (6.0 * s - 6.0 * s * s) / l,
          3.0 * s * s - 2.0 * s};
}

}  // namespace

StructureMatrices Axle::matrices(Index extra) const {
  const double l = data_.length / data_.elements, r = data_.radius;
  const double A = std::numbers::pi * r * r, I = std::numbers::pi * std::pow(r, 4) / 4.0, Ip = 2.0 * I;
  const double m = data_.density * A * l / 420.0, k = data_.youngs_modulus * I / (l * l * l);
  const double Me[4][4] = {{156, 22 * l, 54, -13 * l},
                           {22 * l, 4 * l * l, 13 * l, -3 * l * l},
                           {54, 13 * l, 156, -22 * l},
                           {-13 * l, -3 * l * l, -22 * l, 4 * l * l}};
  const double Ke[4][4] = {{12, 6 * l, -12, 6 * l},
                           {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                           {-12, -6 * l, 12, -6 * l},
                           {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
  const double torsion_mass = data_.density * Ip * l / 6.0, torsion_stiffness = data_.shear_modulus * Ip / l;
  Entries M, C, K;
  for (Index e = 0; e < data_.elements; ++e) {
    for (const Plane& plane : planes) {
      const Index at[4] = {coordinate(e, plane.deflection), coordinate(e, plane.slope),
                           coordinate(e + 1, plane.deflection), coordinate(e + 1, plane.slope)};
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          const double sign = (i % 2 == 1 ? plane.sign : 1.0) * (j % 2 == 1 ? plane.sign : 1.0);
          M.emplace_back(at[i], at[j], sign * m * Me[i][j]);
          C.emplace_back(at[i], at[j], sign * data_.mass_damping * m * Me[i][j]);
          K.emplace_back(at[i], at[j], sign * k * Ke[i][j]);
        }
    }
    for (Index i : {e, e + 1})
      for (Index j : {e, e + 1}) {
        const Index a = coordinate(i, AxleMotion::phi), b = coordinate(j, AxleMotion::phi);
        M.emplace_back(a, b, i == j ? 2.0 * torsion_mass : torsion_mass);
        C.emplace_back(a, b, i == j ? data_.torsional_damping : -data_.torsional_damping);
        K.emplace_back(a, b, i == j ? torsion_stiffness : -torsion_stiffness);
      }
  }
  StructureMatrices matrices;
  const Index n = size() + extra;
  for (auto* matrix : {&matrices.M, &matrices.C, &matrices.K}) matrix->resize(n, n);
  matrices.M.setFromTriplets(M.begin(), M.end());
  matrices.C.setFromTriplets(C.begin(), C.end());
  matrices.K.setFromTriplets(K.begin(), K.end());
  return matrices;
}

Axle::Row Axle::shape(double x, AxleMotion motion) const {
  const double l = data_.length / data_.elements;
  const Index e = std::clamp(static_cast<Index>(x / l), 0, data_.elements - 1);
  const double s = x / l - e;
  if (motion == AxleMotion::phi) return {{coordinate(e, motion), 1.0 - s}, {coordinate(e + 1, motion), s}};
  const bool in_y = motion == AxleMotion::v || motion == AxleMotion::theta_z;
  const Plane& plane = planes[in_y ? 0 : 1];
  const bool slope = motion == plane.slope;
  const std::array<double, 4> H = slope ? hermite_slope(s, l) : hermite(s, l);
  const double outside = slope ? plane.sign : 1.0;  // theta_y = -w'
  return {{coordinate(e, plane.deflection), outside * H[0]},
          {coordinate(e, plane.slope), outside * plane.sign * H[1]},
          {coordinate(e + 1, plane.deflection), outside * H[2]},
          {coordinate(e + 1, plane.slope), outside * plane.sign * H[3]}};
}

// int H dx = l (1/2, l/12, 1/2, -l/12)
void Axle::add_weight(double gravity, Vector& f) const {
  const double l = data_.length / data_.elements;
  const double weight = data_.density * std::numbers::pi * data_.radius * data_.radius * l * gravity;
  for (Index e = 0; e < data_.elements; ++e) {
    f[coordinate(e, AxleMotion::w)] -= 0.5 * weight;
    f[coordinate(e + 1, AxleMotion::w)] -= 0.5 * weight;
    f[coordinate(e, AxleMotion::theta_y)] += weight * l / 12.0;
    f[coordinate(e + 1, AxleMotion::theta_y)] -= weight * l / 12.0;
  }
}

}  // namespace carom
