// A straight axle of n Euler-Bernoulli elements along x, small deflections in both planes and torsion. A node has
// the coordinates (v, theta_z, w, theta_y, phi): deflections along y and z, slopes theta_z = v' and theta_y = -w',
// and the angle of rotation about the axis.
//
//     v = H(s)' (v_i, theta_zi, v_j, theta_zj)      w = H(s)' (w_i, -theta_yi, w_j, -theta_yj)      s = (x - x_i)/l
//     H = (1 - 3 s^2 + 2 s^3,  l (s - 2 s^2 + s^3),  3 s^2 - 2 s^3,  l (s^3 - s^2))                 phi linear
//
//     M = rho A int H H' dx,   K = E I int H'' H''' dx   in each plane,   A = pi r^2, I = pi r^4 / 4
//     M = rho I_p int N N' dx, K = G I_p int N' N'' dx   in torsion,      I_p = 2 I
//     C = d_1 M in bending,    C = d_2 [1 -1; -1 1] per element in torsion
#pragma once

#include <utility>
#include <vector>

#include "carom/base/types.h"
#include "carom/model/flexible/structure_matrices.h"

namespace carom {

struct AxleData {
  Index elements = 5;
  double length = 0.59, radius = 12.5e-3;
  double density = 7850.0, youngs_modulus = 2.1e11, shear_modulus = 0.81e11;
  double mass_damping = 60.0;       // d_1, 1/s
  double torsional_damping = 1e-3;  // d_2, kg m^2/s
};

enum class AxleMotion { v, theta_z, w, theta_y, phi };

class Axle {
 public:
  static constexpr Index node_size = 5;
  using Row = std::vector<std::pair<Index, double>>;  // (coordinate, weight)

  explicit Axle(const AxleData& data) : data_(data) {}

  Index size() const { return node_size * (data_.elements + 1); }
  Index coordinate(Index node, AxleMotion motion) const { return node_size * node + static_cast<Index>(motion); }

  // Free ends. `extra` coordinates without entries follow those of the nodes.
  StructureMatrices matrices(Index extra = 0) const;
  // The motion at x in terms of the coordinates.
  Row shape(double x, AxleMotion motion) const;
  // The weight of the axle along -z, gravity > 0.
  void add_weight(double gravity, Vector& f) const;

 private:
  AxleData data_;
};

}  // namespace carom
