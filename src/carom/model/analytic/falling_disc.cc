// A disc falling on a floor with friction: q = (x, y, phi) of the centre, phi counterclockwise.
//
//     g = y - R      gamma_T = x' + R phi'      (the velocity of the lowest point)
//
// An impact that slips takes mu (1 + e) |gamma_N| of forward speed and turns it into spin. One that sticks
// leaves x' = -R phi', and so does the rolling in the end: 2/3 of the first speed for a uniform disc.
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct FallingDisc {
  static constexpr Index n = 3;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"floor"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"disc.x", "disc.y", "disc.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"disc.vx", "disc.vy", "disc.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = true;

  double mass, radius, gravity;

  double length_scale() const { return radius; }
  double J() const { return 0.5 * mass * radius * radius; }

  struct Kinematics {
    double y;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[1]}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = M[4] = mass;
    M[8] = J();
    for (const Index i : {1, 2, 3, 5, 6, 7}) M[i] = 0.0;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = h[2] = 0.0;
    h[1] = -mass * gravity;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.y - radius; }
  void rows(const Kinematics&, Index, Index rows, double* W) const {
    W[0] = W[2] = 0.0;
    W[1] = 1.0;
    if (rows == 1) return;
    W[3] = 1.0;
    W[4] = 0.0;
    W[5] = radius;
  }
  void convective(const Kinematics&, Index, Index rows, const double*, double* zeta) const {
    for (Index r = 0; r < rows; ++r) zeta[r] = 0.0;
  }

  double kinetic_energy(const double*, const double* v) const {
    return 0.5 * (mass * (v[0] * v[0] + v[1] * v[1]) + J() * v[2] * v[2]);
  }
  double potential_energy(const double* q) const { return mass * gravity * q[1]; }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double R = p.number("radius");
  Model model;
  model.system =
      std::make_shared<LagrangianSystem<FallingDisc>>(FallingDisc{p.number("mass"), R, p.number("gravity")}, contact);
  model.initial = state({0.0, p.number("drop") + R, 0.0}, {p.number("vx"), p.number("vy"), p.number("rate")});
  Scene scene = planar_scene({"disc"});
  scene.shapes = {drawn_disc(1, "disc", R), drawn_ground("floor", 0.0, 0.0)};
  model.drawing = sketch(
      scene, [](const double* q, Pose* frames) { frames[1] = planar_pose(q[0], q[1], q[2]); },
      [=](const double* q, const Constraint&) {
        return SketchedContact{{q[0], q[1] - R, 0.0}, Vector3::UnitY(), Vector3::UnitX()};
      });
  return model;
}

}  // namespace

AnalyticEntry falling_disc() {
  return {
      "falling_disc",
      "a disc thrown on a floor; friction makes it roll",
      "closed form",
      true,
      {positive("mass", 1.0, "of the uniform disc, kg"), positive("radius", 0.1, "m"), any("gravity", 9.81, "m/s^2"),
       any("drop", 1.0, "height of the lowest point above the floor at the start, m"),
       any("vx", 3.0, "at the start, m/s"), any("vy", 0.0, "at the start, m/s"),
       any("rate", 0.0, "counterclockwise, at the start, rad/s")},
      make};
}

}  // namespace carom::analytic
