// Where the frames of a model are at one position, and how they move there. A frame is what sites, joints, forces and
// contacts see of a part: the frame of a body, of a beam's section, of a node. Frame 0 is the ground.
#pragma once

#include <vector>

#include "carom/base/pose.h"
#include "carom/system/system.h"

namespace carom::model {

inline constexpr Index ground_frame = 0;

// A place on a frame: a point and a triad, both in the frame's own components.
struct Site {
  Index frame = ground_frame;
  Vector3 point = Vector3::Zero();
  Matrix3 triad = Matrix3::Identity();  // columns: the site's own x, y, z axes
};

// All by frame. `twists` holds the whole velocity of a frame, `drifts` the part of it that is prescribed (there at v =
// 0), `rates` its change at constant v.
struct Placement {
  std::vector<Pose> poses;
  std::vector<Twist> twists, drifts, rates;
  bool drifting = false;  // some frame moves as prescribed: drifts are filled
  bool bent = false;      // some frame has rates: they are filled
};

}  // namespace carom::model
