// A mass m above a floor at height 0 with friction, and a scheme that moves it exactly in free flight and
// reverses it at the floor: small enough that every number of a run is known in closed form.
//
//   q = (x, y), v = (u, w), h = (0, -m g), one contact: gap y, rows (w, u)
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>

#include "carom/schemes/scheme.h"

namespace carom::testing {

class TwoRowLaw final : public Law {
 public:
  TwoRowLaw() : Law(2) {}
  LawKind kind() const override { return LawKind::planar_coulomb; }
  const ContactParameters* contact() const override { return &contact_; }
  ContactState state(const double* lambda, const double*) const override {
    return lambda[0] > 0.0 ? ContactState::slip : ContactState::open;
  }
  void project(const double* x, double* y) const override {
    y[0] = std::max(0.0, x[0]);
    y[1] = x[1];
  }
  void project_derivative(const double*, double*) const override {}
  void impact_shift(const double*, double*) const override {}
  bool solve_local(const double*, const double*, double*) const override { return false; }

 private:
  ContactParameters contact_ = {};
};

class FallingMass final : public System, public Energetics {
 public:
  double m = 2.0, g = 10.0, drag = 0.0;
  double clearance = 0.0;  // of the floor, as if the mass were loose in something

  Index nq() const override { return 2; }
  Index nv() const override { return 2; }
  Constancy constancy() const override { return {.inertia = true, .jacobian = true}; }
  FeatureSet features() const override { return features_of_contact(law_); }
  void detect(double, const Vector&, const Vector&, double, ContactSet& contacts) const override {
    contacts.constraints.clear();
    contacts.constraints.push_back({.id = 7, .law = &law_, .clearance = clearance});
  }
  void evaluate(double, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    if (has(need, Need::gap_rate)) {
      out.g_rate.resize(active.rows());
      if (!active.empty()) out.g_rate[0] = v[1];
    }
    if (has(need, Need::gap)) {
      out.g.resize(active.rows());
      if (!active.empty()) out.g[0] = q[1];
    }
  }
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override { q_next = q + dq; }
  void difference(const Vector& a, const Vector& b, Vector& dq) const override { dq = b - a; }
  void apply_T(const Vector&, const Vector& v, Vector& dq) const override { dq = v; }
  void apply_T_transpose(const Vector&, const Vector& p, Vector& r) const override { r = p; }
  const Energetics* energetics() const override { return this; }
  std::string constraint_name(const Constraint&) const override { return "floor"; }
  std::string coordinate_name(Index i) const override { return i == 0 ? "x" : "y"; }
  std::string velocity_name(Index i) const override { return i == 0 ? "u" : "w"; }

  double kinetic_energy(double, const Vector&, const Vector& v) const override { return 0.5 * m * v.squaredNorm(); }
  double potential_energy(double, const Vector& q) const override { return m * g * q[1]; }
  double other_power(double, const Vector&, const Vector& v) const override { return -drag * v.squaredNorm(); }
  const Law& law() const { return law_; }

 private:
  TwoRowLaw law_;
};

class NoSolver final : public InclusionSolver {
 public:
  void solve(const InclusionProblem&, SolverWorkspace&, InclusionResult&) const override {}
};

// Exact free flight; where `reflect` says so the step ends with an impact with the given restitution and
// friction impulse ratio. memory[0] counts the steps. `trouble` decides which attempts fail.
class ExactFlight final : public Scheme {
 public:
  double restitution = 0.5, friction = 0.0;
  std::function<StepStatus(double t, double dt)> trouble = [](double, double) { return StepStatus::ok; };
  mutable int starts = 0;
  mutable std::vector<double> asked;  // step lengths

  void start(const System&, double, State& state) const override {
    ++starts;
    state.memory.assign(1, 0.0);
  }
  void step(const System& system, const InclusionSolver&, const State& state, double dt, StepWorkspace&,
            StepResult& result) const override {
    const auto& mass = static_cast<const FallingMass&>(system);
    asked.push_back(dt);
    result.status = trouble(state.t, dt);
    result.dt_taken = dt;
    result.newton_iterations = 2;
    result.solver_iterations = result.contacts.empty() ? 0 : 3;
    result.solver_residual = result.status == StepStatus::solver_failed ? 1e-3 : 0.0;
    result.next = state;
    result.next.t = state.t + dt;
    result.next.memory[0] = state.memory[0] + 1.0;
    result.next.q[0] += dt * state.v[0];
    result.next.q[1] += dt * state.v[1] - 0.5 * mass.g * dt * dt;
    result.next.v[1] -= mass.g * dt;
    result.contacts.clear();
    result.impulse.clear();
    result.gamma_minus.clear();
    result.gamma_plus.clear();
    if (result.next.q[1] < 0.0 && result.next.v[1] < 0.0) bounce(mass, result);
  }

 private:
  void bounce(const FallingMass& mass, StepResult& result) const {
    Vector& v = result.next.v;
    const double pn = mass.m * (1.0 + restitution) * -v[1];
    const double pt = std::clamp(-mass.m * v[0], -friction * pn, friction * pn);
    result.contacts.push_back({{.id = 7, .law = &mass.law()}, 0});
    for (Buffer* buffer : {&result.impulse, &result.gamma_minus, &result.gamma_plus}) buffer->resize(2);
    result.impulse[0] = pn;
    result.impulse[1] = pt;
    result.gamma_minus[0] = v[1];
    result.gamma_minus[1] = v[0];
    v[1] += pn / mass.m;
    v[0] += pt / mass.m;
    result.gamma_plus[0] = v[1];
    result.gamma_plus[1] = v[0];
  }
};

inline State dropped_from(double height, double speed = 0.0) {
  State state;
  state.q = Eigen::Vector2d(0.0, height);
  state.v = Eigen::Vector2d(speed, 0.0);
  return state;
}

}  // namespace carom::testing
