// A mass falls on a light plate that a stiff spring carries: q = (x1, x2), heights of mass and plate,
//
//     M = diag(m1, m2)     V = c/2 (x2 - l)^2 + g (m1 x1 + m2 x2)     g_N = x1 - x2
//
// The plate's own frequency sqrt(c/m2) is far above that of mass and spring: explicit schemes must follow it.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011), section 6.1.
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct TwoMassOscillator {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"plate.contact"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"mass.height", "plate.height"};
  static constexpr std::array<const char*, n> velocity_names = {"mass.rate", "plate.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = false;

  double m1, m2, stiffness, length, gravity;

  double length_scale() const { return length; }

  struct Kinematics {
    double x1, x2;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1]}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = m1;
    M[3] = m2;
    M[1] = M[2] = 0.0;
  }
  void force(const Kinematics& k, const double*, double* h) const {
    h[0] = -m1 * gravity;
    h[1] = -m2 * gravity - stiffness * (k.x2 - length);
  }
  void force_jacobian(const Kinematics&, const double*, double* dh_dq, double* dh_dv) const {
    for (Index i = 0; i < n * n; ++i) dh_dq[i] = dh_dv[i] = 0.0;
    dh_dq[3] = -stiffness;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.x1 - k.x2; }
  void rows(const Kinematics&, Index, Index, double* W) const {
    W[0] = 1.0;
    W[1] = -1.0;
  }
  void convective(const Kinematics&, Index, Index, const double*, double* zeta) const { zeta[0] = 0.0; }

  double kinetic_energy(const double*, const double* v) const { return 0.5 * (m1 * v[0] * v[0] + m2 * v[1] * v[1]); }
  double potential_energy(const double* q) const {
    const double stretch = q[1] - length;
    return 0.5 * stiffness * stretch * stretch + gravity * (m1 * q[0] + m2 * q[1]);
  }
  void potential_gradient(const double* q, double* out) const {
    out[0] = gravity * m1;
    out[1] = gravity * m2 + stiffness * (q[1] - length);
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<TwoMassOscillator>>(
      TwoMassOscillator{p.number("m1"), p.number("m2"), p.number("stiffness"), p.number("length"), p.number("gravity")},
      contact);
  model.initial = state({p.number("x1"), p.number("x2")}, {p.number("v1"), p.number("v2")});
  const double size = 0.4 * p.number("length");
  Scene scene = planar_scene({"mass", "plate"});
  scene.shapes = {drawn_box(1, "mass", size, size, size, 0.0, 0.5 * size),
                  drawn_box(2, "plate", 2.0 * size, 0.1 * size, size, 0.0, -0.05 * size),
                  drawn_ground("floor", 0.0, 0.0)};
  scene.links = {{"spring", "spring", 0, 2, Vector3::Zero(), Vector3(0.0, -0.1 * size, 0.0)}};
  model.drawing = sketch(
      scene,
      [](const double* q, Pose* frames) {
        frames[1] = planar_pose(0.0, q[0]);
        frames[2] = planar_pose(0.0, q[1]);
      },
      [](const double* q, const Constraint&) {
        return SketchedContact{{0.0, 0.5 * (q[0] + q[1]), 0.0}, Vector3::UnitY()};
      });
  return model;
}

}  // namespace

AnalyticEntry two_mass_oscillator() {
  return {"two_mass_oscillator",
          "a mass falling on a light plate on a stiff spring",
          "Moeller 2011, section 6.1",
          true,
          {positive("m1", 10.0, "the falling mass, kg"), positive("m2", 1e-3, "the plate, kg"),
           not_negative("stiffness", 4e5, "of the spring, N/m"), positive("length", 0.1, "of the spring at rest, m"),
           any("gravity", 9.81, "m/s^2"), any("x1", 0.11, "height of the mass at the start, m"),
           any("x2", 0.1, "height of the plate at the start, m"), any("v1", 0.0, "at the start, m/s"),
           any("v2", 0.0, "at the start, m/s")},
          make};
}

}  // namespace carom::analytic
