// The double pendulum of double_pendulum.cc in its two angles from the vertical: q = (alpha1, alpha2),
//
//     M = m l^2 [ 2 c ; c 1 ]       c = cos(alpha1 - alpha2),  s = sin(alpha1 - alpha2)
//     h = ( -m l^2 s alpha2'^2 - 2 m g l sin alpha1 ,  m l^2 s alpha1'^2 - m g l sin alpha2 )
//     g_N = l sin alpha1,   l (sin alpha1 + sin alpha2)
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), section 6.2.
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/double_pendulum_sketch.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"

namespace carom::analytic {
namespace {

struct DoublePendulumMinimal {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 2> constraints = {{{"wall.mass1"}, {"wall.mass2"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"rod1.angle", "rod2.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"rod1.rate", "rod2.rate"};
  static constexpr bool constant_inertia = false, affine_force = false, constant_jacobian = false;
  static constexpr bool has_tangents = false;

  double mass, length, gravity;

  double length_scale() const { return length; }
  double ml2() const { return mass * length * length; }
  double mgl() const { return mass * gravity * length; }

  struct Kinematics {
    double s1, c1, s2, c2, s, c;
  };
  Kinematics kinematics(const double* q, Need) const {
    return {std::sin(q[0]), std::cos(q[0]),        std::sin(q[1]),
            std::cos(q[1]), std::sin(q[0] - q[1]), std::cos(q[0] - q[1])};
  }
  void inertia(const Kinematics& k, double* M) const {
    M[0] = 2.0 * ml2();
    M[1] = M[2] = ml2() * k.c;
    M[3] = ml2();
  }
  void force(const Kinematics& k, const double* v, double* h) const {
    h[0] = -ml2() * k.s * v[1] * v[1] - 2.0 * mgl() * k.s1;
    h[1] = ml2() * k.s * v[0] * v[0] - mgl() * k.s2;
  }
  void force_jacobian(const Kinematics& k, const double* v, double* dh_dq, double* dh_dv) const {
    const double w1 = ml2() * k.c * v[0] * v[0], w2 = ml2() * k.c * v[1] * v[1];
    dh_dq[0] = -w2 - 2.0 * mgl() * k.c1;
    dh_dq[1] = w1;
    dh_dq[2] = w2;
    dh_dq[3] = -w1 - mgl() * k.c2;
    dh_dv[0] = dh_dv[3] = 0.0;
    dh_dv[1] = 2.0 * ml2() * k.s * v[0];
    dh_dv[2] = -2.0 * ml2() * k.s * v[1];
  }
  void gaps(const Kinematics& k, Index c, double* g) const { g[0] = length * (c == 0 ? k.s1 : k.s1 + k.s2); }
  void rows(const Kinematics& k, Index c, Index, double* W) const {
    W[0] = length * k.c1;
    W[1] = c == 0 ? 0.0 : length * k.c2;
  }
  void convective(const Kinematics& k, Index c, Index, const double* v, double* zeta) const {
    zeta[0] = -length * (k.s1 * v[0] * v[0] + (c == 0 ? 0.0 : k.s2 * v[1] * v[1]));
  }

  double kinetic_energy(const double* q, const double* v) const {
    return ml2() * (v[0] * v[0] + 0.5 * v[1] * v[1] + std::cos(q[0] - q[1]) * v[0] * v[1]);
  }
  double potential_energy(const double* q) const { return mgl() * (3.0 - 2.0 * std::cos(q[0]) - std::cos(q[1])); }
  void potential_gradient(const double* q, double* out) const {
    out[0] = 2.0 * mgl() * std::sin(q[0]);
    out[1] = mgl() * std::sin(q[1]);
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<DoublePendulumMinimal>>(
      DoublePendulumMinimal{p.number("mass"), p.number("length"), p.number("gravity")}, contact);
  model.initial = state({p.number("angle1"), p.number("angle2")}, {p.number("rate1"), p.number("rate2")});
  const double l = p.number("length");
  model.drawing = double_pendulum_sketch(l, [=](const double* q, double* at) {
    at[0] = l * std::sin(q[0]);
    at[1] = l * std::cos(q[0]);
    at[2] = at[0] + l * std::sin(q[1]);
    at[3] = at[1] + l * std::cos(q[1]);
  });
  return model;
}

}  // namespace

AnalyticEntry double_pendulum_minimal() {
  return {"double_pendulum_minimal",
          "the double pendulum beside a wall in its two angles",
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
