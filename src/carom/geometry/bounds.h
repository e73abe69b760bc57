// Axis-aligned boxes, possibly unbounded.
#pragma once

#include <limits>

#include "carom/geometry/pose.h"

namespace carom::geometry {

struct Bounds {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(-std::numeric_limits<double>::infinity());

  void add(const Vector3& point) {
    lower = lower.cwiseMin(point);
    upper = upper.cwiseMax(point);
  }
  void add(const Bounds& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
  Bounds grown(double by) const { return {lower.array() - by, upper.array() + by}; }
  bool meets(const Bounds& other) const {
    return lower.x() <= other.upper.x() && other.lower.x() <= upper.x() && lower.y() <= other.upper.y() &&
           other.lower.y() <= upper.y() && lower.z() <= other.upper.z() && other.lower.z() <= upper.z();
  }
};

inline Bounds unbounded() {
  const Vector3 all = Vector3::Constant(std::numeric_limits<double>::infinity());
  return {-all, all};
}

}  // namespace carom::geometry
