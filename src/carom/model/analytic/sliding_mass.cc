// A point mass on an inclined plane with friction: q = (x, y), x downhill along the plane, y away from it.
//
//     m x'' = m gravity sin(alpha) + lambda_T      m y'' = -m gravity cos(alpha) + lambda_N      g = y
//
// Exact solution from y = 0: the mass slides with x'' = gravity (sin(alpha) - mu cos(alpha) sign x') until it
// stops, and stays if tan(alpha) <= mu; otherwise it goes on (or turns round) downhill.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct SlidingMass {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"plane"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"mass.position", "mass.height"};
  static constexpr std::array<const char*, n> velocity_names = {"mass.velocity", "mass.lift_velocity"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = true;

  double mass, fx, fy;

  double length_scale() const { return 1.0; }

  struct Kinematics {
    double y;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[1]}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = M[3] = mass;
    M[1] = M[2] = 0.0;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = fx;
    h[1] = fy;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.y; }
  void rows(const Kinematics&, Index, Index rows, double* W) const {
    W[0] = 0.0;
    W[1] = 1.0;
    if (rows == 1) return;
    W[2] = 1.0;
    W[3] = 0.0;
  }
  void convective(const Kinematics&, Index, Index rows, const double*, double* zeta) const {
    for (Index r = 0; r < rows; ++r) zeta[r] = 0.0;
  }

  double kinetic_energy(const double*, const double* v) const { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]); }
  double potential_energy(const double* q) const { return -fx * q[0] - fy * q[1]; }
};

struct SlidingSolution {
  double v0, pull, hold;  // accelerations of gravity along the plane and of sliding friction

  void operator()(double t, Vector& q, Vector& v) const {
    q.setZero(2);
    v.setZero(2);
    const double sign = v0 > 0.0 ? 1.0 : -1.0;
    const double a_0 = v0 == 0.0 ? 0.0 : pull - sign * hold;  // while the first sliding lasts
    const double t_stop = v0 == 0.0 ? 0.0 : a_0 * sign < 0.0 ? -v0 / a_0 : std::numeric_limits<double>::infinity();
    const double s = std::min(t, t_stop);
    q[0] = s * (v0 + 0.5 * a_0 * s);
    v[0] = v0 + a_0 * s;
    if (t >= t_stop) {
      const double a_1 = std::max(0.0, std::abs(pull) - hold) * (pull > 0.0 ? 1.0 : -1.0);
      v[0] = a_1 * (t - t_stop);
      q[0] += 0.5 * a_1 * (t - t_stop) * (t - t_stop);
    }
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double m = p.number("mass"), gravity = p.number("gravity"), alpha = p.number("incline");
  const double pull = gravity * std::sin(alpha), press = gravity * std::cos(alpha);
  Model model;
  model.system = std::make_shared<LagrangianSystem<SlidingMass>>(SlidingMass{m, m * pull, -m * press}, contact);
  model.initial = state({0.0, 0.0}, {p.number("velocity"), 0.0});
  // Drawn as it stands in the world: the plane goes down to the right.
  const double c = std::cos(alpha), s = std::sin(alpha), size = 0.2;
  Scene scene = planar_scene({"mass"});
  scene.shapes = {drawn_box(1, "mass", 1.5 * size, size, size, 0.0, 0.5 * size),
                  drawn_ground("plane", 0.0, 0.0, -alpha)};
  model.drawing = sketch(
      scene,
      [=](const double* q, Pose* frames) { frames[1] = planar_pose(c * q[0] + s * q[1], c * q[1] - s * q[0], -alpha); },
      [=](const double* q, const Constraint&) {
        return SketchedContact{{c * q[0] + s * q[1], c * q[1] - s * q[0], 0.0}, {s, c, 0.0}, {c, -s, 0.0}};
      });
  if (press >= 0.0) model.exact = SlidingSolution{p.number("velocity"), pull, contact.friction * press};
  return model;
}

}  // namespace

AnalyticEntry sliding_mass() {
  return {"sliding_mass",
          "a point mass sliding on an inclined plane until friction stops it",
          "closed form",
          true,
          {positive("mass", 1.0, "kg"), any("gravity", 9.81, "m/s^2"),
           any("incline", 0.0, "angle of the plane, rad; downhill is the positive direction"),
           any("velocity", 2.0, "along the plane at the start, downhill positive, m/s")},
          make};
}

}  // namespace carom::analytic
