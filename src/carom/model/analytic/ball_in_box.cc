// A ball that does not turn, in a rectangular box: q = (x, y) of the centre, gravity along
// -(cos alpha, sin alpha).
//
//     g = x - R,  width - x - R,  y - R,  height - y - R
//
// Tangential velocities, should there be friction: along y at the sides, along x at floor and ceiling.
#include <cmath>
#include <numbers>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct BallInBox {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 4> constraints = {
      {{"box.left"}, {"box.right"}, {"box.floor"}, {"box.ceiling"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"ball.x", "ball.y"};
  static constexpr std::array<const char*, n> velocity_names = {"ball.vx", "ball.vy"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = true;

  double mass, radius, width, height, fx, fy;

  double length_scale() const { return radius; }

  struct Kinematics {
    double x, y;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1]}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = M[3] = mass;
    M[1] = M[2] = 0.0;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = fx;
    h[1] = fy;
  }
  void gaps(const Kinematics& k, Index c, double* g) const {
    const double distance[4] = {k.x, width - k.x, k.y, height - k.y};
    g[0] = distance[c] - radius;
  }
  void rows(const Kinematics&, Index c, Index rows, double* W) const {
    const Index across = c / 2;  // the coordinate that leads to the wall
    W[across] = c % 2 == 0 ? 1.0 : -1.0;
    W[1 - across] = 0.0;
    if (rows == 1) return;
    W[2 + across] = 0.0;
    W[3 - across] = 1.0;
  }
  void convective(const Kinematics&, Index, Index rows, const double*, double* zeta) const {
    for (Index r = 0; r < rows; ++r) zeta[r] = 0.0;
  }

  double kinetic_energy(const double*, const double* v) const { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]); }
  double potential_energy(const double* q) const { return -fx * q[0] - fy * q[1]; }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double weight = p.number("mass") * p.number("gravity"), alpha = p.number("gravity_angle");
  Model model;
  model.system = std::make_shared<LagrangianSystem<BallInBox>>(
      BallInBox{p.number("mass"), p.number("radius"), p.number("width"), p.number("height"), -weight * std::cos(alpha),
                -weight * std::sin(alpha)},
      contact);
  model.initial = state({p.number("x"), p.number("y")}, {p.number("vx"), p.number("vy")});
  const double r = p.number("radius"), w = p.number("width"), h = p.number("height"), wall = 0.05 * std::max(w, h);
  Scene scene = planar_scene({"ball"});
  scene.shapes = {drawn_disc(1, "ball", r), drawn_box(0, "left", wall, h, r, -0.5 * wall, 0.5 * h),
                  drawn_box(0, "right", wall, h, r, w + 0.5 * wall, 0.5 * h),
                  drawn_box(0, "floor", w + 2.0 * wall, wall, r, 0.5 * w, -0.5 * wall),
                  drawn_box(0, "ceiling", w + 2.0 * wall, wall, r, 0.5 * w, h + 0.5 * wall)};
  model.drawing = sketch(
      scene, [](const double* q, Pose* frames) { frames[1] = planar_pose(q[0], q[1]); },
      [=](const double* q, const Constraint& c) {
        const bool side = c.element < 2;
        const Vector3 across = side ? Vector3::UnitX() : Vector3::UnitY();
        const Vector3 normal = c.element % 2 == 0 ? across : Vector3(-across);
        return SketchedContact{Vector3(q[0], q[1], 0.0) - r * normal, normal,
                               side ? Vector3::UnitY() : Vector3::UnitX()};
      });
  return model;
}

}  // namespace

AnalyticEntry ball_in_box() {
  return {"ball_in_box",
          "a ball bouncing in a box",
          "Schindler et al. 2015",
          true,
          {positive("mass", 1.0, "kg"), positive("radius", 1.0, "m"), positive("width", 4.0, "of the box, m"),
           positive("height", 4.0, "of the box, m"), any("gravity", 9.81, "m/s^2"),
           any("gravity_angle", std::numbers::pi / 2,
               "alpha, rad: gravity acts along -(cos alpha, sin alpha); pi/2: straight down"),
           any("x", 2.0, "of the centre at the start, m"), any("y", 2.0, "of the centre at the start, m"),
           any("vx", 0.0, "at the start, m/s"), any("vy", 0.0, "at the start, m/s")},
          make};
}

}  // namespace carom::analytic
