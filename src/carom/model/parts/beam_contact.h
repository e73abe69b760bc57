// What a beam may touch: a point of its skin against a fixed plane or ball.
#pragma once

#include <string>

#include "carom/base/types.h"
#include "carom/laws/contact_law.h"

namespace carom::model {

// A fixed thing a beam may touch: a half space, or a ball (in the plane: half plane, disc).
struct BeamObstacle {
  enum class Kind { plane, ball };
  Kind kind = Kind::plane;
  Vector3 point = Vector3::Zero();    // on the plane; centre of the ball
  Vector3 normal = Vector3::UnitZ();  // of the plane, of any length
  double radius = 0.0;                // of the ball

  static BeamObstacle half_space(const Vector3& point, const Vector3& normal) {
    return {Kind::plane, point, normal, 0.0};
  }
  static BeamObstacle ball(const Vector3& centre, double radius) {
    return {Kind::ball, centre, Vector3::UnitZ(), radius};
  }
};

// The skin of a round section against an obstacle.
struct BeamContact {
  std::string name;
  double at = 0.0;         // arc length from node 0
  double thickness = 0.0;  // radius of the section where it touches
  BeamObstacle obstacle;
  ContactParameters law;
};

}  // namespace carom::model
