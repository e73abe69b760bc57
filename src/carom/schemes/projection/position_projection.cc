#include "carom/schemes/projection/position_projection.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/vector_kernels.h"
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

const IterationMatrix& PositionProjection::metric_matrix(const IterationMatrix& A, IterationMatrix& identity) const {
  if (metric_ == Metric::kinetic) return A;
  if (identity.size() == A.size()) return identity;
  Inertia I;
  const Index n = A.size();
  if (A.structure() == Structure::block_diagonal) {
    std::fill_n(I.block_diagonal(n), n / 3, Matrix3::Identity());
  } else if (A.structure() == Structure::sparse) {
    I.sparse(n).setIdentity();
  } else {
    MatrixMap(I.dense(n), n, n).setIdentity();
  }
  identity.factor(I);
  return identity;
}

double PositionProjection::violation(double g, double rho_tau, bool equality) const {
  if (equality) return std::abs(g);
  return two_sided_ ? std::abs(std::min(g, rho_tau)) : std::max(0.0, -g);
}

bool PositionProjection::constraints_met(bool multipliers_known, const ActiveSet& all, ProjectionMemory& m) const {
  bool met = true;
  Index row = 0;
  for (Index k = 0; k < all.size(); ++k) {
    const Constraint& constraint = all.constraint(k);
    const ProjectionRole role = m.roles[static_cast<std::size_t>(k)];
    char& inside = m.in_projection[static_cast<std::size_t>(k)];
    for (Index r = 0; r < constraint.position_rows && role != ProjectionRole::ignore; ++r) {
      const bool equality = role == ProjectionRole::equality;
      const double g = m.at_q.g[row + r];
      const double rho_tau = multipliers_known ? m.tau_scaled[row + r] : 0.0;
      // What is not in the problem has tau = 0: only a negative gap is wrong with it.
      const double error = inside || equality ? violation(g, rho_tau, equality) : std::max(0.0, -g);
      if (error <= tolerance_ * constraint.length_scale) continue;
      met = false;
      inside = 1;
    }
    row += constraint.law->dim();
  }
  // A correction that leaves out equalities breaks them: along a chain they would follow one by one.
  for (Index k = 0; k < all.size() && !met; ++k)
    if (m.roles[static_cast<std::size_t>(k)] == ProjectionRole::equality && all.constraint(k).position_rows > 0)
      m.in_projection[static_cast<std::size_t>(k)] = 1;
  return met;
}

namespace {

// The contacts in the problem, from the marks.
void list_projected(const ActiveSet& all, ProjectionMemory& m) {
  m.projected.reset(all.contacts());
  for (Index k = 0; k < all.size(); ++k)
    if (m.in_projection[static_cast<std::size_t>(k)]) m.projected.add(k);
}

// The multipliers of the last problem by rows of all contacts, none for those that were not in it; and back.
void spread_multipliers(const ActiveSet& all, ProjectionMemory& m) {
  const Buffer& tau = m.position.result.lambda;
  m.tau_spread.assign(all.rows(), 0.0);
  Index row = 0, next = 0, from = 0;
  for (Index k = 0; k < all.size() && from < tau.size(); ++k) {
    if (next < m.projected.size() && m.projected[next] == k) {
      const Index rows = all.constraint(k).position_rows;
      std::copy_n(tau.data() + from, rows, m.tau_spread.data() + row);
      from += rows;
      ++next;
    }
    row += all.constraint(k).law->dim();
  }
}

void gather_multipliers(const ActiveSet& all, ProjectionMemory& m) {
  Buffer& tau = m.position.result.lambda;
  tau.resize(all.rows());
  Index row = 0, next = 0, to = 0;
  for (Index k = 0; k < all.size() && next < m.projected.size(); ++k) {
    if (m.projected[next] == k) {
      const Index rows = all.constraint(k).position_rows;
      std::copy_n(m.tau_spread.data() + row, rows, tau.data() + to);
      to += rows;
      ++next;
    }
    row += all.constraint(k).law->dim();
  }
  tau.resize(to);
}

// Laws, W and c = g(q) - W' delta of the linearised problem, from the evaluation at q.
void assemble(const Vector& delta, ProjectionMemory& m) {
  InclusionProblem& problem = m.position.problem;
  m.indices.clear();
  m.row_counts.clear();
  problem.laws.clear();
  problem.without_joints = true;
  for (Index i = 0; i < m.projected.size(); ++i) {
    problem.without_joints = problem.without_joints && !m.projected.constraint(i).bilateral;
    const Index rows = m.projected.constraint(i).position_rows;
    m.indices.push_back(i);
    m.row_counts.push_back(rows);
    problem.laws.push_back(&position_law(m.roles[static_cast<std::size_t>(m.projected[i])], rows));
  }
  m.W_position.assign_leading_rows(m.at_q.W, m.indices, m.row_counts);
  Buffer& c = problem.c;
  m.W_position.transpose_multiply(delta.data(), c.resized(m.W_position.rows()));
  Index source = 0;
  for (Index i = 0; i < m.projected.size(); ++i) {
    const ConstraintJacobian::Block& block = m.W_position.block(i);
    for (Index r = 0; r < block.rows; ++r) c[block.row + r] = m.at_q.g[source + r] - c[block.row + r];
    source += m.projected.constraint(i).law->dim();
  }
}

// (W'NW)_kk tau by rows of all contacts, for the two-sided test; the largest tau.
double scale_multipliers(const ActiveSet& all, ProjectionMemory& m) {
  double largest = 0.0;
  m.tau_scaled.assign(all.rows(), 0.0);
  Index row = 0, next = 0;
  for (Index k = 0; k < all.size() && next < m.projected.size(); ++k) {
    if (m.projected[next] == k) {
      const ConstraintJacobian::Block& block = m.W_position.block(next);
      const double* diagonal = m.position.problem.G->diagonal_block(next);
      for (Index r = 0; r < block.rows; ++r) {
        const double tau = m.position.result.lambda[block.row + r];
        m.tau_scaled[row + r] = diagonal[r + r * block.rows] * tau;
        largest = std::max(largest, std::abs(tau));
      }
      ++next;
    }
    row += all.constraint(k).law->dim();
  }
  return largest;
}

}  // namespace

void assign_roles(ProjectionRule rule, const StepWorkspace& ws, std::vector<ProjectionRole>& roles) {
  const Index n = ws.contacts.size();
  roles.assign(static_cast<std::size_t>(n), ProjectionRole::ignore);
  Index next = 0, row = 0;
  for (Index k = 0; k < n; ++k) {
    const Constraint& constraint = ws.contacts[k];
    const bool active = next < ws.active.size() && ws.active[next] == k;
    const bool pushing = active && ws.velocity.result.lambda[row] > 0.0;
    if (active) {
      ++next;
      row += constraint.law->dim();
    }
    ProjectionRole& role = roles[static_cast<std::size_t>(k)];
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
void begin_at(const Vector& q_bar, Index nv, const StepWorkspace& ws, ProjectionMemory& m, Vector& q) {
  m.projected.reset(ws.contacts);
  m.in_projection.assign(static_cast<std::size_t>(ws.contacts.size()), 0);
  m.delta.setZero(nv);
  m.position.result.lambda.clear();
  q = q_bar;
}

}  // namespace

const IterationMatrix* PositionProjection::turn(const System& system, const NewtonTerms& terms, double t,
                                                const Vector& q, ProjectionMemory& m) const {
  if (metric_ != Metric::kinetic || m.position.result.lambda.size() == 0) return nullptr;
  const double* tau = m.position.result.lambda.data();
  m.tau.assign(m.projected.rows(), 0.0);
  Index row = 0;
  for (Index i = 0; i < m.projected.size(); ++i) {
    const Constraint& constraint = m.projected.constraint(i);
    std::copy_n(tau, constraint.position_rows, m.tau.data() + row);
    tau += constraint.position_rows;
    row += constraint.law->dim();
  }
  const IterationMatrix* B =
      turning_matrix(system, terms, 1.0, t, q, m.projected, m.tau.data(), m.at_q.intermediates, m.turning);
  if (B == nullptr) return nullptr;
  set_zero(system.nv(), m.turned);
  terms.M.multiply_add(1.0, m.delta.data(), m.turned.data());
  m.turning.M.multiply_add(-1.0, m.delta.data(), m.turned.data());
  B->solve(m.turned.data());
  combine(1.0, m.delta, 1.0, m.turned, m.expanded_about);
  return B;
}

void PositionProjection::advance(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar,
                                 const Vector& v, const IterationMatrix& A, const StepWorkspace& ws,
                                 ProjectionMemory& m, StepResult& result, Vector& q, const FixedDirections* fixed,
                                 const NewtonTerms* terms) const {
  const ConstraintJacobian& W_force = fixed != nullptr ? m.W_fixed : m.W_position;
  InclusionWork& work = m.position;
  ++result.projection_iterations;

  const IterationMatrix* B = terms != nullptr ? turn(system, *terms, t, q, m) : nullptr;
  const IterationMatrix& N = B != nullptr ? *B : metric_matrix(A, m.identity);
  spread_multipliers(ws.all, m);
  list_projected(ws.all, m);
  gather_multipliers(ws.all, m);
  system.evaluate(t, q, v, Need::gap | Need::jacobian, m.projected, m.at_q);
  assemble(B != nullptr ? m.expanded_about : m.delta, m);
  if (fixed != nullptr) {
    system.evaluate(fixed->t, fixed->q, v, Need::jacobian, m.projected, m.at_fixed);
    m.W_fixed.assign_leading_rows(m.at_fixed.W, m.indices, m.row_counts);
  }
  work.problem.G = &work.factory.build(m.W_position, N, W_force);
  solve_and_count(solver, work, result);

  // delta = N W tau
  work.factory.response(N, W_force, work.result.lambda.data(), m.delta.data());
  if (B != nullptr) m.delta -= m.turned;
  system.move(q_bar, m.delta, q);
  result.largest_position_multiplier = std::max(result.largest_position_multiplier, scale_multipliers(ws.all, m));
}

bool PositionProjection::project(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar,
                                 const Vector& v, const IterationMatrix& A, const StepWorkspace& ws,
                                 ProjectionMemory& m, StepResult& result, Vector& q,
                                 const FixedDirections* fixed) const {
  begin_at(q_bar, system.nv(), ws, m, q);
  for (int iteration = 0; iteration <= iteration_cap; ++iteration) {
    system.evaluate(t, q, v, Need::gap, ws.all, m.at_q);
    if (constraints_met(iteration > 0, ws.all, m)) return true;
    if (iteration < iteration_cap) advance(system, solver, t, q_bar, v, A, ws, m, result, q, fixed, nullptr);
  }
  return false;
}

bool PositionProjection::improve(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar,
                                 const Vector& v, const IterationMatrix& A, const NewtonTerms& terms,
                                 const StepWorkspace& ws, ProjectionMemory& m, StepResult& result, Vector& q,
                                 bool from_none, double enough) const {
  bool multipliers_known = false;
  if (from_none) {
    begin_at(q_bar, system.nv(), ws, m, q);
  } else {
    system.move(q_bar, m.delta, q);
    for (std::size_t k = 0; k < m.in_projection.size(); ++k) {
      if (m.roles[k] == ProjectionRole::ignore) m.in_projection[k] = 0;
      multipliers_known = multipliers_known || m.in_projection[k];
    }
  }
  system.evaluate(t, q, v, Need::gap, ws.all, m.at_q);
  if (constraints_met(multipliers_known, ws.all, m)) return true;
  m.position.problem.enough = enough;
  advance(system, solver, t, q_bar, v, A, ws, m, result, q, nullptr, &terms);
  if (enough > 0.0) return false;
  system.evaluate(t, q, v, Need::gap, ws.all, m.at_q);
  if (constraints_met(true, ws.all, m)) return true;
  // Multipliers that a solver finds good enough as they are lead nowhere: next time it starts from none.
  if (m.position.result.iterations == 0) m.position.result.lambda.clear();
  return false;
}

}  // namespace carom::inline schemes
