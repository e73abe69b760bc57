// A damped spring-mass driven by a harmonic force, with a stop at a distance from the spring's rest position:
//
//     m x'' + c x' + k x = F cos phi + lambda      phi' = omega      g = sigma + x
//
// The phase phi of the drive is a coordinate that turns evenly (a light flywheel nothing acts on), so that nothing
// depends on t. Over the driving frequency its motion shows grazing, period doubling and chaos: carom sweep --section.
#include <algorithm>
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"

namespace carom::analytic {
namespace {

struct DrivenImpactOscillator {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"stop"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"mass.position", "drive.phase"};
  static constexpr std::array<const char*, n> velocity_names = {"mass.velocity", "drive.rate"};
  static constexpr bool constant_inertia = true, affine_force = false, constant_jacobian = true;
  static constexpr bool has_tangents = false;

  static constexpr double flywheel = 1e-9;  // so light that its energy does not count

  double mass, stiffness, damping, force_amplitude, distance, scale;

  double length_scale() const { return scale; }

  struct Kinematics {
    double x, cosine, sine;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], std::cos(q[1]), std::sin(q[1])}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = mass;
    M[3] = flywheel;
    M[1] = M[2] = 0.0;
  }
  void force(const Kinematics& k, const double* v, double* h) const {
    h[0] = force_amplitude * k.cosine - stiffness * k.x - damping * v[0];
    h[1] = 0.0;
  }
  void force_jacobian(const Kinematics& k, const double*, double* dh_dq, double* dh_dv) const {
    std::fill(dh_dq, dh_dq + 4, 0.0);
    std::fill(dh_dv, dh_dv + 4, 0.0);
    dh_dq[0] = -stiffness;
    dh_dq[2] = -force_amplitude * k.sine;
    dh_dv[0] = -damping;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = distance + k.x; }
  void rows(const Kinematics&, Index, Index, double* W) const {
    W[0] = 1.0;
    W[1] = 0.0;
  }
  void convective(const Kinematics&, Index, Index, const double*, double* zeta) const { zeta[0] = 0.0; }

  double kinetic_energy(const double*, const double* v) const {
    return 0.5 * (mass * v[0] * v[0] + flywheel * v[1] * v[1]);
  }
  double potential_energy(const double* q) const { return 0.5 * stiffness * q[0] * q[0]; }
  double other_power(const double* q, const double* v) const {
    return (force_amplitude * std::cos(q[1]) - damping * v[0]) * v[0];
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  const double sigma = p.number("distance"), F = p.number("force"), k = p.number("stiffness");
  const double size = std::max({std::abs(sigma), std::abs(p.number("position")), k > 0.0 ? std::abs(F) / k : 0.0});
  Model model;
  model.system = std::make_shared<LagrangianSystem<DrivenImpactOscillator>>(
      DrivenImpactOscillator{p.number("mass"), k, p.number("damping"), F, sigma, size > 0.0 ? size : 1.0}, contact);
  model.initial = state({p.number("position"), p.number("phase")}, {p.number("velocity"), p.number("omega")});
  return model;
}

}  // namespace

AnalyticEntry driven_impact_oscillator() {
  return {"driven_impact_oscillator",
          "a damped spring-mass driven by a harmonic force, with a stop",
          "Thompson, Ghaffari 1982; Nordmark 1991",
          true,
          {positive("mass", 1.0, "mass, kg"), not_negative("stiffness", 1.0, "of the spring, N/m"),
           not_negative("damping", 0.1, "of the damper, N s/m"), any("force", 1.0, "amplitude of the drive, N"),
           any("omega", 1.0, "of the drive, rad/s"), any("phase", 0.0, "of the drive at the start, rad"),
           any("distance", 0.0, "of the stop below the spring's rest position, m"),
           any("position", 0.0, "at the start, m"), any("velocity", 0.0, "at the start, m/s")},
          make};
}

}  // namespace carom::analytic
