#include "carom/schemes/projection/position_projection.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/laws/contact_law.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int iteration_cap = 50;

}  // namespace

const Law& position_law(ProjectionRole role, Index rows) {
  static const std::shared_ptr<const Law> complementarity = make_contact_law(Space::planar, {});
  static const auto equalities = [] {
    std::array<std::shared_ptr<const Law>, Law::max_dim + 1> laws;
    for (Index r = 1; r <= Law::max_dim; ++r) laws[static_cast<std::size_t>(r)] = make_bilateral_law(r);
    return laws;
  }();
  return role == ProjectionRole::equality ? *equalities[static_cast<std::size_t>(rows)] : *complementarity;
}

PositionProjection::PositionProjection(const Parameters& p)
    : metric_(metric_of(p)),
      coupling_(p.word("coupling") == "in_loop" ? Coupling::in_loop
                : p.word("coupling") == "post"  ? Coupling::post
                                                : Coupling::coupled),
      tolerance_(p.number("position_tolerance")),
      two_sided_(p.word("position_test") == "two_sided") {}

std::vector<ParameterSpec> PositionProjection::parameters() {
  return {{"coupling",
           std::string("in_loop"),
           "how velocities and positions are solved together",
           0,
           0,
           {"in_loop", "post", "coupled"}},
          metric_spec(),
          tolerance_spec(),
          {"position_test",
           std::string("two_sided"),
           "whether an overshoot counts as an error too",
           0,
           0,
           {"two_sided", "one_sided"}}};
}

ParameterSpec PositionProjection::metric_spec() {
  return {"metric", std::string("kinetic"), "norm in which positions are corrected", 0, 0, {"kinetic", "euclidean"}};
}

ParameterSpec PositionProjection::tolerance_spec() {
  return {"position_tolerance", 1e-12, "gap left by a projection, relative to the length scale", 0, 1, {}, true};
}

ParameterSpec PositionProjection::energy_guard_spec() {
  return {"energy_guard", true, "less restitution in steps whose contacts would bring in energy"};
}

PositionProjection::Metric PositionProjection::metric_of(const Parameters& p) {
  return p.word("metric") == "kinetic" ? Metric::kinetic : Metric::euclidean;
}

const IterationMatrix& PositionProjection::metric_matrix(const IterationMatrix& A, StepWorkspace& ws) const {
  if (metric_ == Metric::kinetic) return A;
  if (ws.identity.size() == A.size()) return ws.identity;
  Inertia identity;
  const Index n = A.size();
  if (A.structure() == Structure::block_diagonal) {
    std::fill_n(identity.block_diagonal(n), n / 3, Matrix3::Identity());
  } else if (A.structure() == Structure::sparse) {
    identity.sparse(n).setIdentity();
  } else {
    MatrixMap(identity.dense(n), n, n).setIdentity();
  }
  ws.identity.factor(identity);
  return ws.identity;
}

double PositionProjection::violation(double g, double rho_tau, bool equality) const {
  if (equality) return std::abs(g);
  return two_sided_ ? std::abs(std::min(g, rho_tau)) : std::max(0.0, -g);
}

bool PositionProjection::constraints_met(bool multipliers_known, StepWorkspace& ws) const {
  bool met = true;
  Index row = 0;
  for (Index k = 0; k < ws.all.size(); ++k) {
    const Constraint& constraint = ws.all.constraint(k);
    const ProjectionRole role = ws.roles[static_cast<std::size_t>(k)];
    char& inside = ws.in_projection[static_cast<std::size_t>(k)];
    for (Index r = 0; r < constraint.position_rows && role != ProjectionRole::ignore; ++r) {
      const bool equality = role == ProjectionRole::equality;
      const double g = ws.at_q.g[row + r];
      const double rho_tau = multipliers_known ? ws.tau_scaled[row + r] : 0.0;
      // What is not in the problem has tau = 0: only a negative gap is wrong with it.
      const double error = inside || equality ? violation(g, rho_tau, equality) : std::max(0.0, -g);
      if (error <= tolerance_ * constraint.length_scale) continue;
      met = false;
      inside = 1;
    }
    row += constraint.law->dim();
  }
  // A correction that leaves out equalities breaks them: along a chain they would follow one by one.
  for (Index k = 0; k < ws.all.size() && !met; ++k)
    if (ws.roles[static_cast<std::size_t>(k)] == ProjectionRole::equality && ws.all.constraint(k).position_rows > 0)
      ws.in_projection[static_cast<std::size_t>(k)] = 1;
  return met;
}

namespace {

struct FixedMemory {
  Evaluation at_fixed;
  ConstraintJacobian W;
};

// The contacts in the problem, from the marks.
void list_projected(StepWorkspace& ws) {
  ws.projected.reset(ws.contacts);
  for (Index k = 0; k < ws.all.size(); ++k)
    if (ws.in_projection[static_cast<std::size_t>(k)]) ws.projected.add(k);
}

// Laws, W and c = g(q) - W' delta of the linearised problem, from the evaluation at q.
void assemble(StepWorkspace& ws) {
  InclusionProblem& problem = ws.position.problem;
  ws.indices.clear();
  ws.row_counts.clear();
  problem.laws.clear();
  for (Index i = 0; i < ws.projected.size(); ++i) {
    const Index rows = ws.projected.constraint(i).position_rows;
    ws.indices.push_back(i);
    ws.row_counts.push_back(rows);
    problem.laws.push_back(&position_law(ws.roles[static_cast<std::size_t>(ws.projected[i])], rows));
  }
  ws.W_position.assign_leading_rows(ws.at_q.W, ws.indices, ws.row_counts);
  Buffer& c = problem.c;
  ws.W_position.transpose_multiply(ws.delta.data(), c.resized(ws.W_position.rows()));
  Index source = 0;
  for (Index i = 0; i < ws.projected.size(); ++i) {
    const ConstraintJacobian::Block& block = ws.W_position.block(i);
    for (Index r = 0; r < block.rows; ++r) c[block.row + r] = ws.at_q.g[source + r] - c[block.row + r];
    source += ws.projected.constraint(i).law->dim();
  }
}

// (W'NW)_kk tau by rows of all contacts, for the two-sided test; the largest tau.
double scale_multipliers(StepWorkspace& ws) {
  double largest = 0.0;
  ws.tau_scaled.assign(ws.all.rows(), 0.0);
  Index row = 0, next = 0;
  for (Index k = 0; k < ws.all.size() && next < ws.projected.size(); ++k) {
    if (ws.projected[next] == k) {
      const ConstraintJacobian::Block& block = ws.W_position.block(next);
      const double* diagonal = ws.position.problem.G->diagonal_block(next);
      for (Index r = 0; r < block.rows; ++r) {
        const double tau = ws.position.result.lambda[block.row + r];
        ws.tau_scaled[row + r] = diagonal[r + r * block.rows] * tau;
        largest = std::max(largest, std::abs(tau));
      }
      ++next;
    }
    row += ws.all.constraint(k).law->dim();
  }
  return largest;
}

}  // namespace

void assign_roles(ProjectionRule rule, StepWorkspace& ws) {
  const Index n = ws.contacts.size();
  ws.roles.assign(static_cast<std::size_t>(n), ProjectionRole::ignore);
  Index next = 0, row = 0;
  for (Index k = 0; k < n; ++k) {
    const Constraint& constraint = ws.contacts[k];
    const bool active = next < ws.active.size() && ws.active[next] == k;
    const bool pushing = active && ws.velocity.result.lambda[row] > 0.0;
    if (active) {
      ++next;
      row += constraint.law->dim();
    }
    ProjectionRole& role = ws.roles[static_cast<std::size_t>(k)];
    if (constraint.bilateral)
      role = ProjectionRole::equality;
    else if (active &&
             (rule == ProjectionRule::active_equalities || (rule == ProjectionRule::active_impacting && pushing)))
      role = ProjectionRole::equality;
    else if (active || rule == ProjectionRule::all_contacts)
      role = ProjectionRole::inequality;
  }
}

namespace {

// Nothing is corrected, and nobody in the problem.
void begin_at(const Vector& q_bar, Index nv, StepWorkspace& ws, Vector& q) {
  ws.projected.reset(ws.contacts);
  ws.in_projection.assign(static_cast<std::size_t>(ws.contacts.size()), 0);
  ws.delta.setZero(nv);
  ws.position.result.lambda.clear();
  q = q_bar;
}

}  // namespace

void PositionProjection::advance(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar,
                                 const Vector& v, const IterationMatrix& A, StepWorkspace& ws, StepResult& result,
                                 Vector& q, const FixedDirections* fixed) const {
  const IterationMatrix& N = metric_matrix(A, ws);
  FixedMemory* memory = fixed != nullptr ? &ws.own<FixedMemory>() : nullptr;
  const ConstraintJacobian& W_force = fixed != nullptr ? memory->W : ws.W_position;
  InclusionWork& work = ws.position;
  ++result.projection_iterations;

  const Index before = ws.projected.size();
  list_projected(ws);
  system.evaluate(t, q, v, Need::gap | Need::jacobian, ws.projected, ws.at_q);
  assemble(ws);
  if (fixed != nullptr) {
    system.evaluate(fixed->t, fixed->q, v, Need::jacobian, ws.projected, memory->at_fixed);
    memory->W.assign_leading_rows(memory->at_fixed.W, ws.indices, ws.row_counts);
  }
  work.problem.G = &work.factory.build(ws.W_position, N, W_force);
  if (ws.projected.size() != before || work.result.lambda.size() != ws.W_position.rows())
    work.result.lambda.assign(ws.W_position.rows(), 0.0);
  solve_and_count(solver, work, result);

  // delta = N W tau
  work.factory.response(N, W_force, work.result.lambda.data(), ws.delta.data());
  system.move(q_bar, ws.delta, q);
  result.largest_position_multiplier = std::max(result.largest_position_multiplier, scale_multipliers(ws));
}

bool PositionProjection::project(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar,
                                 const Vector& v, const IterationMatrix& A, StepWorkspace& ws, StepResult& result,
                                 Vector& q, const FixedDirections* fixed) const {
  begin_at(q_bar, system.nv(), ws, q);
  for (int iteration = 0; iteration <= iteration_cap; ++iteration) {
    system.evaluate(t, q, v, Need::gap, ws.all, ws.at_q);
    if (constraints_met(iteration > 0, ws)) return true;
    if (iteration < iteration_cap) advance(system, solver, t, q_bar, v, A, ws, result, q, fixed);
  }
  return false;
}

bool PositionProjection::improve(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar,
                                 const Vector& v, const IterationMatrix& A, StepWorkspace& ws, StepResult& result,
                                 Vector& q, bool from_none) const {
  bool multipliers_known = false;
  if (from_none) {
    begin_at(q_bar, system.nv(), ws, q);
  } else {
    system.move(q_bar, ws.delta, q);
    for (std::size_t k = 0; k < ws.in_projection.size(); ++k) {
      if (ws.roles[k] == ProjectionRole::ignore) ws.in_projection[k] = 0;
      multipliers_known = multipliers_known || ws.in_projection[k];
    }
  }
  system.evaluate(t, q, v, Need::gap, ws.all, ws.at_q);
  if (constraints_met(multipliers_known, ws)) return true;
  advance(system, solver, t, q_bar, v, A, ws, result, q, nullptr);
  system.evaluate(t, q, v, Need::gap, ws.all, ws.at_q);
  if (constraints_met(true, ws)) return true;
  // Multipliers that a solver finds good enough as they are lead nowhere: next time it starts from none.
  if (ws.position.result.iterations == 0) ws.position.result.lambda.clear();
  return false;
}

}  // namespace carom::inline schemes
