// A mass above a floor under a constant force (gravity times mass, usually negative):
//
//     m v' = f + lambda      g = q
//
// Exact solution for f < 0, a = |f|/m, Newton's law with 0 <= e <= 1: the ball lands first at t_1
// with speed w and then makes flights of speed w e, w e^2, ..., each lasting twice its speed over a.
// For e < 1 they come to an end at t_1 + (2 w / a) e / (1 - e), after which the ball rests.
//
// Reference: P. Ballard, The dynamics of discrete mechanical systems with perfect unilateral
// constraints, Arch. Rational Mech. Anal. 154 (2000).
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct BouncingBall {
  static constexpr Index n = 1;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"floor"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"ball.height"};
  static constexpr std::array<const char*, n> velocity_names = {"ball.velocity"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = false;

  double mass, f, scale;

  double length_scale() const { return scale; }

  struct Kinematics {
    double q;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0]}; }
  void inertia(const Kinematics&, double* M) const { M[0] = mass; }
  void force(const Kinematics&, const double*, double* h) const { h[0] = f; }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.q; }
  void rows(const Kinematics&, Index, Index, double* W) const { W[0] = 1.0; }
  void convective(const Kinematics&, Index, Index, const double*, double* zeta) const { zeta[0] = 0.0; }

  double kinetic_energy(const double*, const double* v) const { return 0.5 * mass * v[0] * v[0]; }
  double potential_energy(const double* q) const { return -f * q[0]; }
};

struct BallardSolution {
  double q0, v0, a, e;

  // The flight with speed `u` at its start, `s` later.
  void fly(double u, double s, Vector& q, Vector& v) const {
    q[0] = s * (u - 0.5 * a * s);
    v[0] = u - a * s;
  }

  void operator()(double t, Vector& q, Vector& v) const {
    q.resize(1);
    v.resize(1);
    const double w = std::sqrt(v0 * v0 + 2.0 * a * q0);  // speed of the first landing
    const double t_1 = (v0 + w) / a;
    if (t < t_1) {
      q[0] = q0 + t * (v0 - 0.5 * a * t);
      v[0] = v0 - a * t;
      return;
    }
    // Time since the first landing in units of 2 w / a: flight k = 1, 2, ... lasts e^k.
    const double s = w > 0.0 ? (t - t_1) * a / (2.0 * w) : 0.0;
    if (w == 0.0 || e == 0.0 || (e < 1.0 && s >= e / (1.0 - e))) {
      q[0] = v[0] = 0.0;
      return;
    }
    const auto begin = [&](double k) { return e < 1.0 ? e * (1.0 - std::pow(e, k - 1.0)) / (1.0 - e) : k - 1.0; };
    double k = e < 1.0 ? std::floor(std::log(1.0 - s * (1.0 - e) / e) / std::log(e)) + 1.0 : std::floor(s) + 1.0;
    if (k > 1.0 && begin(k) > s) k -= 1.0;  // rounding of the logarithm
    if (begin(k + 1.0) <= s) k += 1.0;
    fly(w * std::pow(e, k), (s - begin(k)) * 2.0 * w / a, q, v);
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double mass = p.number("mass"), force = p.number("force");
  const double height = p.number("height"), velocity = p.number("velocity");
  Model model;
  const double scale = height > 0.0 ? height : 1.0;
  model.system = std::make_shared<LagrangianSystem<BouncingBall>>(BouncingBall{mass, force, scale}, contact);
  model.initial = state({height}, {velocity});
  const double radius = 0.1 * scale;  // the ball has none: it is drawn above its lowest point
  Scene scene = planar_scene({"ball"});
  scene.shapes = {drawn_disc(1, "ball", radius), drawn_ground("floor", 0.0, 0.0)};
  model.drawing = sketch(
      scene, [=](const double* q, Pose* frames) { frames[1] = planar_pose(0.0, q[0] + radius); },
      [](const double* q, const Constraint&) {
        return SketchedContact{{0.0, q[0], 0.0}, Vector3::UnitY()};
      });
  const double e = contact.restitution;
  if (force < 0.0 && height >= 0.0 && e >= 0.0 && e <= 1.0)
    model.exact = BallardSolution{height, velocity, -force / mass, e};
  return model;
}

}  // namespace

AnalyticEntry bouncing_ball() {
  return {"bouncing_ball",
          "a ball falling on a floor under a constant force",
          "Ballard 2000; Acary 2012",
          true,
          {positive("mass", 1.0, "mass, kg"), any("force", -2.0, "constant force, upwards positive, N"),
           any("height", 1.0, "height at the start, m"),
           any("velocity", 0.0, "velocity at the start, upwards positive, m/s")},
          make};
}

}  // namespace carom::analytic
