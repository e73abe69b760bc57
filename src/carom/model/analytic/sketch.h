// The drawing of a mechanism given by formulas: a scene, and two functions of its coordinates.
//
//   Scene scene = planar_scene({"ball"});
//   scene.shapes.push_back({.frame = 1, .name = "ball", .kind = "disc", .size = {radius}});
//   model.drawing = sketch(scene, [=](const double* q, Pose* at) { at[1] = planar_pose(q[0], q[1], 0); },
//                          [=](const double* q, Index k) { return SketchedContact{point, normal, tangent}; });
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/model/drawing.h"

namespace carom::analytic {

// Directions that the rows of its impulse act in, on the moving body.
struct SketchedContact {
  Vector3 point, normal, tangent = Vector3::Zero(), second_tangent = Vector3::Zero();
};

using SketchedPlaces = std::function<void(const double* q, Pose* frames)>;  // frames[0] is the ground
using SketchedContacts = std::function<std::optional<SketchedContact>(const double* q, const Constraint&)>;

std::shared_ptr<const Drawing> sketch(Scene scene, SketchedPlaces places, SketchedContacts contacts = {});

Scene planar_scene(std::initializer_list<std::string> frames);

inline Pose planar_pose(double x, double y, double angle = 0.0) {
  const double c = std::cos(angle), s = std::sin(angle);
  Pose pose;
  pose.x = {x, y, 0.0};
  pose.R << c, -s, 0, s, c, 0, 0, 0, 1;
  return pose;
}

// Shapes of planar mechanisms, from plain numbers.
DrawnShape drawn_box(Index frame, std::string name, double width, double height, double depth, double x = 0.0,
                     double y = 0.0);
DrawnShape drawn_bar(Index frame, std::string name, double length,
                     double width);  // from the origin along x, with round ends
DrawnShape drawn_disc(Index frame, std::string name, double radius, double x = 0.0, double y = 0.0);
DrawnShape drawn_ground(std::string name, double x, double y,
                        double angle = 0.0);  // half plane below the line through (x, y)

}  // namespace carom::analytic
