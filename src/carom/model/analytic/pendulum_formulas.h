// A rigid pendulum in the coordinates of its free body, q = (x, y, theta) of the centre of mass, tied to the
// origin by a joint:
//
//     m x'' = lambda_1      m y'' = m gravity + lambda_2      J theta'' = L (s lambda_1 - c lambda_2)
//     g_1 = x - L c = 0     g_2 = y - L s = 0                 (c, s of theta; y points downwards)
//
// and, if it has a wall, the contact g = x - x_wall >= 0 of the centre, which slides along it with gamma_T = y'.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {

template <bool has_wall>
struct PendulumFormulas {
  static constexpr Index n = 3;
  static constexpr auto constraints = [] {
    std::array<ConstraintFormula, has_wall ? 2 : 1> list{};
    list[0] = {"hinge", 2};
    if constexpr (has_wall) list[1] = {"wall", 0};
    return list;
  }();
  static constexpr std::array<const char*, n> coordinate_names = {"mass.x", "mass.y", "mass.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"mass.vx", "mass.vy", "mass.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = false;
  static constexpr bool has_tangents = has_wall;

  double mass, inertia_about_centre, length, gravity, wall;

  double length_scale() const { return length; }

  struct Kinematics {
    double x, y, c, s;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1], std::cos(q[2]), std::sin(q[2])}; }
  void inertia(const Kinematics&, double* M) const {
    std::fill_n(M, 9, 0.0);
    M[0] = M[4] = mass;
    M[8] = inertia_about_centre;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = h[2] = 0.0;
    h[1] = mass * gravity;
  }
  void gaps(const Kinematics& k, Index constraint, double* g) const {
    if (constraint == 1) {
      g[0] = k.x - wall;
      return;
    }
    g[0] = k.x - length * k.c;
    g[1] = k.y - length * k.s;
  }
  void rows(const Kinematics& k, Index constraint, Index rows, double* W) const {
    if (constraint == 1) {
      const double entries[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
      std::copy_n(entries, 3 * rows, W);
      return;
    }
    const double entries[] = {1.0, 0.0, length * k.s, 0.0, 1.0, -length * k.c};
    std::copy_n(entries, 6, W);
  }
  void convective(const Kinematics& k, Index constraint, Index rows, const double* v, double* zeta) const {
    std::fill_n(zeta, rows, 0.0);
    if (constraint == 1) return;
    zeta[0] = length * k.c * v[2] * v[2];
    zeta[1] = length * k.s * v[2] * v[2];
  }

  double kinetic_energy(const double*, const double* v) const {
    return 0.5 * (mass * (v[0] * v[0] + v[1] * v[1]) + inertia_about_centre * v[2] * v[2]);
  }
  double potential_energy(const double* q) const { return -mass * gravity * q[1]; }
};

// Drawn with y upwards: a bar from the hinge through the centre of mass, and the wall if there is one.
inline std::shared_ptr<const Drawing> pendulum_sketch(double length, std::optional<double> wall) {
  Scene scene = planar_scene({"mass"});
  const double width = 0.06 * length;
  scene.shapes = {drawn_bar(1, "mass", length, width), drawn_disc(1, "mass", 2.0 * width, length)};
  if (wall)
    scene.shapes.push_back(drawn_box(0, "wall", width, 3.0 * length, 4.0 * width, *wall - 0.5 * width, -0.2 * length));
  scene.links = {{"hinge", "revolute", 0, 1}};
  return sketch(
      scene,
      [=](const double* q, Pose* frames) {
        frames[1] = planar_pose(q[0] - length * std::cos(q[2]), length * std::sin(q[2]) - q[1], -q[2]);
      },
      [](const double* q, const Constraint& c) {
        if (c.bilateral) return SketchedContact{Vector3::Zero(), Vector3::UnitX(), -Vector3::UnitY()};
        return SketchedContact{{q[0], -q[1], 0.0}, Vector3::UnitX(), -Vector3::UnitY()};
      });
}

}  // namespace carom::analytic
