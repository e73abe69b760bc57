// Where a body or the frame of a shape is: x_W = x + R X takes a point of the frame to the world. Planar bodies live in the plane z = 0
// and turn about z; one pose type serves both.
#pragma once

#include <cmath>

#include "carom/base/types.h"

namespace carom::geometry {

struct Pose {
  Vector3 x = Vector3::Zero();
  Matrix3 R = Matrix3::Identity();

  Vector3 point(const Vector3& X) const { return x + R * X; }                       // to the world
  Vector3 local(const Vector3& p) const { return R.transpose() * (p - x); }         // from the world
  Vector3 direction(const Vector3& D) const { return R * D; }
  Vector3 local_direction(const Vector3& d) const { return R.transpose() * d; }
  Pose operator*(const Pose& inner) const { return {point(inner.x), R * inner.R}; }  // inner is given in this frame
};

inline Pose planar_pose(double x, double y, double angle) {
  Pose pose;
  const double c = std::cos(angle), s = std::sin(angle);
  pose.x << x, y, 0.0;
  pose.R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  return pose;
}

}  // namespace carom::geometry
