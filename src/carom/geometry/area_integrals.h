// Area, centre and moments inside a closed plane curve as integrals along it (Green's theorem):
//
//   int dA = int x dy    int x dA = int x^2/2 dy    int y dA = int x y dy    int x^2 dA = int x^3/3 dy
//   int y^2 dA = int x y^2 dy    int x y dA = int x^2 y / 2 dy
#pragma once

#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

struct AreaIntegrals {
  double one = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;

  // A piece of the curve at p with increment dy.
  void add(const Eigen::Vector2d& p, double dy) {
    one += p.x() * dy;
    x += 0.5 * p.x() * p.x() * dy;
    y += p.x() * p.y() * dy;
    xx += p.x() * p.x() * p.x() / 3.0 * dy;
    yy += p.x() * p.y() * p.y() * dy;
    xy += 0.5 * p.x() * p.x() * p.y() * dy;
  }

  // A straight piece: integrands of third degree, exact with two points of Gauss.
  void add_segment(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    constexpr double gauss = 0.57735026918962576451;
    for (const double s : {-gauss, gauss}) add(0.5 * (a + b) + 0.5 * s * (b - a), 0.5 * (b.y() - a.y()));
  }

  MassProperties mass_properties() const {
    MassProperties m;
    m.volume = one;
    m.centre << x / one, y / one, 0.0;
    const double cxx = xx - x * x / one, cyy = yy - y * y / one, cxy = xy - x * y / one;
    m.inertia << cyy, -cxy, 0.0, -cxy, cxx, 0.0, 0.0, 0.0, cxx + cyy;
    return m;
  }
};

}  // namespace carom::geometry
