// Two point masses on massless rods, hanging beside a wall x >= 0: q = (x1, y1, x2, y2), y downwards,
//
//     M = m I     V = 3 m g l - m g (y1 + y2)
//     g_S = 1/2 ( x1^2 + y1^2 - l^2 ,  (x2 - x1)^2 + (y2 - y1)^2 - l^2 )       the rods
//     g_N = x1, x2                                                              the wall
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), section 6.2.
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/double_pendulum_sketch.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"

namespace carom::analytic {
namespace {

struct DoublePendulum {
  static constexpr Index n = 4;
  static constexpr std::array<ConstraintFormula, 4> constraints = {
      {{"rod1", 1}, {"rod2", 1}, {"wall.mass1"}, {"wall.mass2"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"mass1.x", "mass1.y", "mass2.x", "mass2.y"};
  static constexpr std::array<const char*, n> velocity_names = {"mass1.vx", "mass1.vy", "mass2.vx", "mass2.vy"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = false;
  static constexpr bool has_tangents = false;

  double mass, length, gravity;

  double length_scale() const { return length; }

  struct Kinematics {
    double x1, y1, dx, dy;
    double x2;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1], q[2] - q[0], q[3] - q[1], q[2]}; }
  void inertia(const Kinematics&, double* M) const {
    for (Index i = 0; i < n * n; ++i) M[i] = 0.0;
    for (Index i = 0; i < n; ++i) M[i * (n + 1)] = mass;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = h[2] = 0.0;
    h[1] = h[3] = mass * gravity;
  }
  void gaps(const Kinematics& k, Index c, double* g) const {
    switch (c) {
      case 0: g[0] = 0.5 * (k.x1 * k.x1 + k.y1 * k.y1 - length * length); return;
      case 1: g[0] = 0.5 * (k.dx * k.dx + k.dy * k.dy - length * length); return;
      case 2: g[0] = k.x1; return;
      default: g[0] = k.x2; return;
    }
  }
  void rows(const Kinematics& k, Index c, Index, double* W) const {
    W[0] = W[1] = W[2] = W[3] = 0.0;
    switch (c) {
      case 0: W[0] = k.x1, W[1] = k.y1; return;
      case 1: W[0] = -k.dx, W[1] = -k.dy, W[2] = k.dx, W[3] = k.dy; return;
      case 2: W[0] = 1.0; return;
      default: W[2] = 1.0; return;
    }
  }
  void convective(const Kinematics&, Index c, Index, const double* v, double* zeta) const {
    const double vx = v[2] - v[0], vy = v[3] - v[1];
    zeta[0] = c == 0 ? v[0] * v[0] + v[1] * v[1] : c == 1 ? vx * vx + vy * vy : 0.0;
  }

  double kinetic_energy(const double*, const double* v) const {
    return 0.5 * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
  }
  double potential_energy(const double* q) const { return mass * gravity * (3.0 * length - q[1] - q[3]); }
  void potential_gradient(const double*, double* out) const {
    out[0] = out[2] = 0.0;
    out[1] = out[3] = -mass * gravity;
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double l = p.number("length"), a1 = p.number("angle1"), a2 = p.number("angle2");
  const double w1 = p.number("rate1"), w2 = p.number("rate2");
  Model model;
  model.system = std::make_shared<LagrangianSystem<DoublePendulum>>(
      DoublePendulum{p.number("mass"), l, p.number("gravity")}, contact);
  const double x1 = l * std::sin(a1), y1 = l * std::cos(a1);
  const double vx1 = l * w1 * std::cos(a1), vy1 = -l * w1 * std::sin(a1);
  model.initial = state({x1, y1, x1 + l * std::sin(a2), y1 + l * std::cos(a2)},
                        {vx1, vy1, vx1 + l * w2 * std::cos(a2), vy1 - l * w2 * std::sin(a2)});
  model.drawing = double_pendulum_sketch(l, [](const double* q, double* at) { std::copy_n(q, 4, at); });
  return model;
}

}  // namespace

AnalyticEntry double_pendulum() {
  return {"double_pendulum",
          "a double pendulum beside a wall: four coordinates, two rods",
          "Moeller 2011, section 6.2",
          true,
          {positive("mass", 0.2, "of each point, kg"), positive("length", 0.5, "of each rod, m"),
           any("gravity", 9.81, "m/s^2"), any("angle1", 0.0, "of the upper rod from the vertical at the start, rad"),
           any("angle2", 0.0, "of the lower rod from the vertical at the start, rad"),
           any("rate1", 5.0, "of the upper rod at the start, rad/s"),
           any("rate2", 5.0, "of the lower rod at the start, rad/s")},
          make};
}

}  // namespace carom::analytic
