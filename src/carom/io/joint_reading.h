// Coordinates of joints as formulas name them: bearing.angle, slide.displacement, and their rates. Read off the motion
// of the two bodies.
#pragma once

#include <string>

#include "carom/base/pose.h"

namespace carom::inline io {

struct JointReading {
  enum class Kind { angle, along, distance };

  std::string name, rate_name;  // "bearing.angle", "bearing.rate"
  Kind kind = Kind::angle;
  std::string frame_a, frame_b;  // of the bodies; empty: the ground
  Pose site_a, site_b;           // in them
  int axis = 2;                  // of site a, along which is slid
  double start = 0.0;            // turns are counted from here

  // Value and rate where the bodies are. An angle up to whole turns.
  std::pair<double, double> read(const Pose& a, const Twist& va, const Pose& b, const Twist& vb) const {
    const Pose pa = a * site_a, pb = b * site_b;
    const Vector3 r = pb.x - pa.x;
    const Vector3 speed = vb.velocity + vb.omega.cross(pb.x - b.x) - va.velocity - va.omega.cross(pa.x - a.x);
    if (kind == Kind::angle) {
      const double c = pa.R.col(0).dot(pb.R.col(0)), s = pa.R.col(1).dot(pb.R.col(0));
      return {std::atan2(s, c), pa.R.col(2).dot(vb.omega - va.omega)};
    }
    if (kind == Kind::along) {
      const Vector3 d = pa.R.col(axis);
      return {d.dot(r), d.dot(speed) + va.omega.cross(d).dot(r)};
    }
    const double length = r.norm();
    return {length, length > 0.0 ? r.dot(speed) / length : 0.0};
  }
};

}  // namespace carom::inline io
