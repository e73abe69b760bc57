// Scenes of many solids whose size is a number: small ones for tests, large ones for benchmarks.
#pragma once

#include <cmath>
#include <numbers>
#include <random>

#include "assembled/scene.h"
#include "carom/model/model.h"

namespace carom::testing {

// Bricks in running bond, half ones at the ends of every second course. The brick in the middle may be pushed out of
// the wall, along y.
inline Model brick_wall(int rows, int columns, double push = 0.0) {
  Scene scene({.friction = 0.6});
  const double length = 0.2, width = 0.1, height = 0.06;
  for (int row = 0; row < rows; ++row) {
    const bool shifted = row % 2 == 1;
    double x = 0.0;
    for (int k = 0; x < columns * length - 1e-9; ++k) {
      const bool half = shifted && (k == 0 || x > (columns - 0.6) * length);
      const double own = half ? 0.5 * length : length;
      const bool pushed = row == rows / 2 && k == columns / 2;
      scene.add_box("brick" + std::to_string(row) + "_" + std::to_string(k), {own, width, height},
                    {x + 0.5 * own, 0, height * (row + 0.5)}, {0, pushed ? push : 0.0, 0});
      x += own;
    }
  }
  return scene.m.build();
}

// Cubes in rows of n, n - 1, ... 1, each on two.
inline Model pyramid(int n) {
  Scene scene({.friction = 0.5});
  const double size = 0.1, pitch = 0.12;
  for (int row = 0, number = 0; row < n; ++row)
    for (int k = 0; k < n - row; ++k)
      scene.add_box("box" + std::to_string(number++), Vector3::Constant(size),
                    {(k + 0.5 * row) * pitch, 0, size * (row + 0.5)});
  return scene.m.build();
}

// Half a circle of wedges on the floor: thick enough to stand (thickness over radius 0.107 is the least).
inline Model wedge_arch(int count) {
  Scene scene({.friction = 0.8});
  const double inner = 0.9, outer = 1.1, depth = 0.2, angle = std::numbers::pi / count;
  for (int k = 0; k < count; ++k) {
    std::vector<Vector3> corners;
    for (const double a : {k * angle, (k + 1) * angle})
      for (const double r : {inner, outer})
        for (const double y : {-depth, depth}) corners.emplace_back(r * std::cos(a), y, r * std::sin(a));
    scene.add("wedge" + std::to_string(k), geometry::ConvexPolyhedron(corners), Vector3::Zero());
  }
  return scene.m.build();
}

// Spheres, boxes, capsules and cylinders in turn, turned at random, above a hopper of four tilted walls with an outlet,
// over a floor.
struct Hopper {
  int across = 5, layers = 8;  // across^2 layers bodies
  static constexpr double pitch = 0.12, slope = 0.9;
  double width() const { return across * pitch; }  // of the opening on top, each way
  double outlet() const { return std::max(0.3, 0.35 * width()); }
  double top() const { return 0.4 + slope * 0.5 * (width() - outlet()); }

  Model build() const {
    Scene scene({.friction = 0.4});
    add_walls(scene);
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    int number = 0;
    for (int k = 0; k < layers; ++k)
      for (int j = 0; j < across; ++j)
        for (int i = 0; i < across; ++i, ++number) {
          const Vector3 place((i + 0.5) * pitch - 0.5 * width(), (j + 0.5) * pitch - 0.5 * width(),
                              top() + (k + 0.5) * pitch);
          Quaternion turn(normal(random), normal(random), normal(random), normal(random));
          turn.normalize();
          scene.add("body" + std::to_string(number), shape(number % 4), place, Vector3::Zero(), turn);
        }
    return scene.m.build();
  }

 private:
  static geometry::Shape shape(int kind) {
    switch (kind) {
      case 0: return geometry::Sphere(0.05);
      case 1: return geometry::Box(Vector3(0.032, 0.026, 0.026));
      case 2: return geometry::Capsule(0.025, 0.03);
      default: return geometry::Cylinder(0.028, 0.045);
    }
  }

  // Plates that lean outwards by the slope, and upright ones above them that hold the lattice.
  void add_walls(Scene& scene) const {
    const double half = 0.5 * width(), out = 0.5 * outlet(), rise = top() - 0.4, run = half - out;
    const double length = std::hypot(rise, run) + 0.1, thick = 0.1, tall = layers * pitch + 0.5;
    const double angle = std::atan2(rise, run);
    for (int side = 0; side < 4; ++side) {
      const Matrix3 R = Eigen::AngleAxisd(0.5 * std::numbers::pi * side, Vector3::UnitZ()).toRotationMatrix();
      // Of the wall at +x: along x' up the slope, y, and the normal.
      const Matrix3 tilt = R * Eigen::AngleAxisd(-angle, Vector3::UnitY()).toRotationMatrix();
      const Vector3 middle(0.5 * (half + out), 0, 0.4 + 0.5 * rise);
      const Vector3 below = R * middle - tilt * Vector3(0, 0, 0.5 * thick);
      scene.m.add_surface({.name = "slope" + std::to_string(side),
                           .shape = geometry::Box(0.5 * Vector3(length, width() + 0.4, thick)),
                           .pose = {below, tilt}});
      scene.m.add_surface({.name = "wall" + std::to_string(side),
                           .shape = geometry::Box(0.5 * Vector3(thick, width() + 0.4, tall)),
                           .pose = {R * Vector3(half + 0.5 * thick, 0, top() + 0.5 * tall), R}});
    }
  }
};

// A layer of spheres on a ramp that slopes towards x, gravity tilted instead of the ramp: tan(angle) = share mu. A
// frame holds them, so that none can roll: they hold and slide as one block does. The frame and its spheres are one
// body with as many surfaces, or bodies of their own, each welded to a frame above them.
enum class HeldBy { one_body, welds };

inline Model spheres_in_frame(int across, int along, double mu, double share, HeldBy held) {
  Scene scene({.friction = mu});
  const double angle = std::atan(share * mu), r = 0.05, pitch = 2.0 * r;
  scene.m.set_gravity({gravity * std::sin(angle), 0, -gravity * std::cos(angle)});
  const Vector3 centre(0, 0, held == HeldBy::one_body ? r : 2.0 * r + 0.05);
  const double mass = held == HeldBy::one_body ? 0.5 * across * along : 1.0;
  const Vector3 square = Vector3(along, across, 1).cwiseAbs2() * pitch * pitch;
  const Vector3 moments = mass / 12.0 * (Vector3::Constant(square.sum()) - square);
  const BodyRef frame =
      scene.m.add_body({.name = "frame", .mass = mass, .inertia = moments.asDiagonal(), .position = centre});
  int number = 0;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j, ++number) {
      const Vector3 place((i + 0.5 - 0.5 * along) * pitch, (j + 0.5 - 0.5 * across) * pitch, r);
      const std::string name = "ball" + std::to_string(number);
      if (held == HeldBy::one_body) {
        scene.m.add_surface({.name = name,
                             .body = frame.number,
                             .shape = geometry::Sphere(r),
                             .pose = {place - centre, Matrix3::Identity()}});
        continue;
      }
      const BodyRef ball = scene.add(name, geometry::Sphere(r), place);
      scene.m.add_joint({.name = "weld" + std::to_string(number),
                         .kind = "fixed",
                         .a = frame.at(place - centre),
                         .b = ball.at(Vector3::Zero())});
    }
  return scene.m.build();
}

}  // namespace carom::testing
