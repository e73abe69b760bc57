#include "carom/model/analytic/slider_crank_sketch.h"

namespace carom::analytic {

namespace {

// A slider whose size the model does not know is drawn in proportion.
double half_length(const SliderCrankData& data) { return data.a > 0.0 ? data.a : data.l1 / 3.0; }
double half_height(const SliderCrankData& data) { return data.b > 0.0 ? data.b : data.l1 / 6.0; }

}  // namespace

Scene slider_crank_scene(const SliderCrankData& data) {
  Scene scene = planar_scene({"crank", "rod", "slider"});
  const double a = half_length(data), b = half_height(data), wall = 0.3 * b, width = 0.5 * b;
  const double from = data.l2 - data.l1 - 1.4 * a, to = data.l1 + data.l2 + 1.4 * a;
  for (const double side : {1.0, -1.0})
    scene.shapes.push_back(
        drawn_box(0, "guide", to - from, wall, 1.6 * b, 0.5 * (from + to), side * (b + data.clearance + 0.5 * wall)));
  scene.shapes.push_back(drawn_disc(0, "bearing", 1.1 * width));
  scene.shapes.push_back(drawn_bar(1, "crank", data.l1, 1.3 * width));
  scene.shapes.push_back(drawn_bar(2, "rod", data.l2, width));
  scene.shapes.push_back(drawn_box(3, "slider", 2.0 * a, 2.0 * b, 1.2 * b));
  scene.links = {{"bearing", "revolute", 0, 1},
                 {"crankpin", "revolute", 1, 2, Vector3(data.l1, 0.0, 0.0)},
                 {"wristpin", "revolute", 2, 3, Vector3(data.l2, 0.0, 0.0)},
                 {"guide", data.clearance > 0.0 ? "clearance" : "prismatic", 0, 3, Vector3(data.l2, 0.0, 0.0),
                  Vector3::Zero(), Vector3::UnitX(), data.clearance}};
  return scene;
}

void place_slider_crank(const SliderCrankData& data, double crank, double rod, double slider, Pose* frames) {
  frames[1] = planar_pose(0.0, 0.0, crank);
  const Vector3 pin = frames[1].point({data.l1, 0.0, 0.0});
  frames[2] = planar_pose(pin.x(), pin.y(), rod);
  const Vector3 wrist = frames[2].point({data.l2, 0.0, 0.0});
  frames[3] = planar_pose(wrist.x(), wrist.y(), slider);
}

SketchedContact slider_corner(const SliderCrankData& data, const Pose& slider, Index k) {
  const double sx = k % 2 == 0 ? -1.0 : 1.0, sy = k < 2 ? 1.0 : -1.0;
  return {slider.point({sx * data.a, sy * data.b, 0.0}), -sy * Vector3::UnitY(), Vector3::UnitX()};
}

}  // namespace carom::analytic
