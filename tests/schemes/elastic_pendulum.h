// A mass on a stiff spring that swings against a wall: q = (x, y), the spring fixed at the origin,
//
//   V = k/2 (|q| - L)^2 + m g y,      wall at x = wall,  g = x - wall,  sliding along y
//
// With omega dt = sqrt(k/m) dt >> 1 the spring is a rod to the motion and a catastrophe to explicit methods.
#pragma once

#include <cmath>

#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/model.h"

namespace carom::testing {

struct ElasticPendulum {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"wall"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"x", "y"};
  static constexpr std::array<const char*, n> velocity_names = {"vx", "vy"};
  static constexpr bool constant_inertia = true, affine_force = false, constant_jacobian = true;
  static constexpr bool has_tangents = true;

  double k = 1e8, mass = 1.0, length = 1.0, gravity = 9.81, wall = -0.2;

  double length_scale() const { return length; }
  struct Kinematics {
    double x, y, r;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1], std::hypot(q[0], q[1])}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = M[3] = mass;
    M[1] = M[2] = 0.0;
  }
  void force(const Kinematics& s, const double*, double* h) const {
    const double pull = k * (s.r - length) / s.r;
    h[0] = -pull * s.x;
    h[1] = -pull * s.y - mass * gravity;
  }
  void force_jacobian(const Kinematics& s, const double*, double* dh_dq, double* dh_dv) const {
    // -k (r - L)/r 1 - k L q q'/r^3
    const double pull = k * (s.r - length) / s.r, turn = k * length / (s.r * s.r * s.r);
    dh_dq[0] = -pull - turn * s.x * s.x;
    dh_dq[1] = dh_dq[2] = -turn * s.x * s.y;
    dh_dq[3] = -pull - turn * s.y * s.y;
    for (Index i = 0; i < 4; ++i) dh_dv[i] = 0.0;
  }
  void gaps(const Kinematics& s, Index, double* g) const { g[0] = s.x - wall; }
  void rows(const Kinematics&, Index, Index rows, double* W) const {
    W[0] = 1.0;
    W[1] = 0.0;
    if (rows == 1) return;
    W[2] = 0.0;
    W[3] = 1.0;
  }
  void convective(const Kinematics&, Index, Index rows, const double*, double* zeta) const {
    for (Index r = 0; r < rows; ++r) zeta[r] = 0.0;
  }
  double kinetic_energy(const double*, const double* v) const { return 0.5 * mass * (v[0] * v[0] + v[1] * v[1]); }
  double potential_energy(const double* q) const {
    const double stretch = std::hypot(q[0], q[1]) - length;
    return 0.5 * k * stretch * stretch + mass * gravity * q[1];
  }
};

// Released at rest at an angle of 45 degrees to the right, the spring in equilibrium with the weight along it.
inline Model elastic_pendulum(const ElasticPendulum& data, const ContactParameters& contact) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<ElasticPendulum>>(data, contact);
  const double angle = std::atan(1.0);
  const double r = data.length + data.mass * data.gravity * std::cos(angle) / data.k;
  model.initial.q = Vector::Zero(2);
  model.initial.q << r * std::sin(angle), -r * std::cos(angle);
  model.initial.v = Vector::Zero(2);
  return model;
}

}  // namespace carom::testing
