// Two masses on rods beside a wall, from the places of the masses; y downwards there, upwards in the picture.
#pragma once

#include "carom/model/analytic/sketch.h"

namespace carom::analytic {

// masses(q, at): x1, y1, x2, y2.
template <class Masses>
std::shared_ptr<const Drawing> double_pendulum_sketch(double length, Masses masses) {
  Scene scene = planar_scene({"rod1", "rod2"});
  const double width = 0.06 * length;
  for (const Index rod : {1, 2}) {
    const std::string number = std::to_string(rod);
    scene.shapes.push_back(drawn_bar(rod, "rod" + number, length, width));
    scene.shapes.push_back(drawn_disc(rod, "mass" + number, 2.0 * width, length));
  }
  scene.shapes.push_back(drawn_box(0, "wall", width, 3.0 * length, 4.0 * width, -0.5 * width, -1.0 * length));
  scene.links = {{"hinge", "revolute", 0, 1}, {"joint", "revolute", 1, 2, Vector3(length, 0.0, 0.0)}};
  return sketch(
      scene,
      [=](const double* q, Pose* frames) {
        double at[4];
        masses(q, at);
        frames[1] = planar_pose(0.0, 0.0, std::atan2(-at[1], at[0]));
        frames[2] = planar_pose(at[0], -at[1], std::atan2(at[1] - at[3], at[2] - at[0]));
      },
      [=](const double* q, const Constraint& c) -> std::optional<SketchedContact> {
        if (c.bilateral) return std::nullopt;
        double at[4];
        masses(q, at);
        const bool second = c.id.pair % 2 == 0;  // the masses of the wall are the last two constraints of both models
        return SketchedContact{{at[second ? 2 : 0], -at[second ? 3 : 1], 0.0}, Vector3::UnitX()};
      });
}

}  // namespace carom::analytic
