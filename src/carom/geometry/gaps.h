// Gap functions: the signed distance between two shapes, positive when they are apart.
//
//   point and plane     g = n . (X - P)
//   sphere and plane    g = n . (x - P) - r
//   two spheres         g = |x_a - x_b| - r_a - r_b      n = (x_a - x_b) / |x_a - x_b|
//
// A plane bounds the half space below it: n points out of the solid. n always points from the
// second shape to the first, so that a positive normal force pushes the first along +n.
#pragma once

#include "carom/base/types.h"

namespace carom {

struct Plane {
  Vector3 point = Vector3::Zero();
  Vector3 normal = Vector3::UnitZ();  // unit
};

inline double point_plane_gap(const Vector3& x, const Plane& plane) {
  return plane.normal.dot(x - plane.point);
}

inline double sphere_plane_gap(const Vector3& x, double radius, const Plane& plane) {
  return point_plane_gap(x, plane) - radius;
}

inline double sphere_sphere_gap(const Vector3& xa, double ra, const Vector3& xb, double rb) {
  return (xa - xb).norm() - (ra + rb);
}

// Unit vector from b to a. Concentric spheres have no normal; any will do, the same every time.
inline Vector3 sphere_sphere_normal(const Vector3& xa, const Vector3& xb) {
  const Vector3 d = xa - xb;
  const double distance = d.norm();
  return distance > 0.0 ? Vector3(d / distance) : Vector3(Vector3::UnitZ());
}

// The eight corners of a box with half sizes s: bit 0, 1, 2 of k choose the side in x, y, z.
inline constexpr Index box_corner_count = 8;
inline Vector3 box_corner(const Vector3& half_size, Index k) {
  return {(k & 1) ? half_size.x() : -half_size.x(), (k & 2) ? half_size.y() : -half_size.y(),
          (k & 4) ? half_size.z() : -half_size.z()};
}

}  // namespace carom
