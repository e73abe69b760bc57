// A damped spring-mass over a stop at the spring's rest position:
//
//     m v' + c v + k q = lambda      g = q
//
// Exact solution for weak damping, w0 = sqrt(k/m), z = c/(2 m w0) < 1, wd = w0 sqrt(1 - z^2): a flight that
// starts from (a, b) is
//
//     q = exp(-z w0 s) (a cos wd s + B sin wd s)      B = (b + z w0 a)/wd
//
// and ends after (pi - atan2(a, B))/wd. All later flights start from a = 0 and last pi/wd each, so
// that the speeds after the impacts form a geometric series with the factor e exp(-z w0 pi/wd).
#include <cmath>
#include <numbers>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct ImpactOscillator {
  static constexpr Index n = 1;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"stop"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"mass.position"};
  static constexpr std::array<const char*, n> velocity_names = {"mass.velocity"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = false;

  double mass, stiffness, damping, scale;

  double length_scale() const { return scale; }

  struct Kinematics {
    double q;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0]}; }
  void inertia(const Kinematics&, double* M) const { M[0] = mass; }
  void force(const Kinematics& k, const double* v, double* h) const { h[0] = -stiffness * k.q - damping * v[0]; }
  void force_jacobian(const Kinematics&, const double*, double* dh_dq, double* dh_dv) const {
    dh_dq[0] = -stiffness;
    dh_dv[0] = -damping;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.q; }
  void rows(const Kinematics&, Index, Index, double* W) const { W[0] = 1.0; }
  void convective(const Kinematics&, Index, Index, const double*, double* zeta) const { zeta[0] = 0.0; }

  double kinetic_energy(const double*, const double* v) const { return 0.5 * mass * v[0] * v[0]; }
  double potential_energy(const double* q) const { return 0.5 * stiffness * q[0] * q[0]; }
  double other_power(const double*, const double* v) const { return -damping * v[0] * v[0]; }
};

struct OscillatorSolution {
  double q0, v0, e;
  double decay, wd;  // z w0 and wd

  void fly(double a, double b, double s, Vector& q, Vector& v) const {
    const double B = (b + decay * a) / wd;
    const double shrink = std::exp(-decay * s), cosine = std::cos(wd * s), sine = std::sin(wd * s);
    q[0] = shrink * (a * cosine + B * sine);
    v[0] = -decay * q[0] + shrink * wd * (B * cosine - a * sine);
  }

  void operator()(double t, Vector& q, Vector& v) const {
    q.resize(1);
    v.resize(1);
    const double pi = std::numbers::pi;
    const double t_1 = (pi - std::atan2(q0, (v0 + decay * q0) / wd)) / wd;
    if (q0 == 0.0 && v0 == 0.0) {
      q[0] = v[0] = 0.0;
      return;
    }
    if (t < t_1) {
      fly(q0, v0, t, q, v);
      return;
    }
    fly(q0, v0, t_1, q, v);
    const double landing = -v[0];
    const double flight = pi / wd;
    const double k = std::floor((t - t_1) / flight);
    const double start = e * landing * std::pow(e * std::exp(-decay * flight), k);
    fly(0.0, start, t - t_1 - k * flight, q, v);
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double m = p.number("mass"), k = p.number("stiffness"), c = p.number("damping");
  const double q0 = p.number("position"), v0 = p.number("velocity"), e = contact.restitution;
  Model model;
  model.system =
      std::make_shared<LagrangianSystem<ImpactOscillator>>(ImpactOscillator{m, k, c, q0 > 0.0 ? q0 : 1.0}, contact);
  model.initial = state({q0}, {v0});
  const double size = 0.3 * (q0 > 0.0 ? q0 : 1.0);
  Scene scene = planar_scene({"mass"});
  scene.shapes = {drawn_box(1, "mass", size, size, size, 0.5 * size),
                  drawn_box(0, "stop", 0.2 * size, 2.0 * size, size, -0.1 * size),
                  drawn_box(0, "wall", 0.2 * size, 2.0 * size, size, 8.1 * size)};
  scene.links = {{"spring", "spring", 0, 1, Vector3(8.0 * size, 0.0, 0.0), Vector3(size, 0.0, 0.0)}};
  model.drawing = sketch(
      scene, [](const double* q, Pose* frames) { frames[1] = planar_pose(q[0], 0.0); },
      [](const double* q, const Constraint&) {
        return SketchedContact{{q[0], 0.0, 0.0}, Vector3::UnitX()};
      });
  const double decay = c / (2.0 * m), wd_squared = k / m - decay * decay;
  if (wd_squared > 0.0 && q0 >= 0.0 && e >= 0.0 && e <= 1.0)
    model.exact = OscillatorSolution{q0, v0, e, decay, std::sqrt(wd_squared)};
  return model;
}

}  // namespace

AnalyticEntry impact_oscillator() {
  return {"impact_oscillator",
          "a damped spring-mass over a stop",
          "Acary 2012",
          true,
          {positive("mass", 1.0, "mass, kg"),
           not_negative("stiffness", 4.0 * std::numbers::pi * std::numbers::pi, "of the spring, N/m"),
           not_negative("damping", 0.5, "of the damper, N s/m"),
           any("position", 1.0, "distance from the stop at the start, m"), any("velocity", 0.0, "at the start, m/s")},
          make};
}

}  // namespace carom::analytic
