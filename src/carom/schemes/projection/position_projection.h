// Projection of positions onto the constraints, the shared second half of all projected schemes:
//
//   q = q_bar (+) delta,   delta = N W(q) tau
//   equality constraints:    g(q) = 0,  tau free
//   inequality constraints:  0 <= g(q) _|_ tau >= 0
//
// solved by Josephy-Newton for the total tau from q_bar,
//
//   0 <= W' N W tau + g(q^i) - W' delta^i  _|_  tau >= 0,      delta^{i+1} = N W(q^i) tau,
//
// with N = A^-1 (kinetic metric) or the identity (euclidean). Only contacts that are violated or have
// been are in the problem; the others are checked and join when they close.
//
// The directions may also be fixed at another position, delta = N W(q_f) tau: then W' N W(q_f) takes the
// place of W' N W, which is no longer symmetric.
//
// Along chains W(q) tau turns with the bodies. A step taken with other unknowns (`improve`) has of T = d(W tau)/dq what
// stays within one body, with B = A - T:
//
//   0 <= W' B^-1 W tau + g(q^i) - W' (delta^i + s)  _|_  tau >= 0,   s = B^-1 T delta^i,   delta^{i+1} = B^-1 W tau - s
//
// Two-sided stop: |min(g, (W'NW)_kk tau)| <= tolerance length_scale. A one-sided stop (g >= -tolerance
// only) leaves gaps slightly open by curvature: the next explicit forecast then misses the contact.
#pragma once

#include <span>

#include "carom/schemes/scheme.h"
#include "carom/schemes/turning_matrix.h"

namespace carom::inline schemes {

enum class ProjectionRole : char { ignore, inequality, equality };

// Who is projected, and how; joints always are, as equalities.
enum class ProjectionRule {
  all_contacts,      // every contact as an inequality
  active_contacts,   // active ones as inequalities
  active_impacting,  // active ones: equality where the impulse pushes, else inequality
  active_equalities  // active ones as equalities
};

// Where the directions of the correction are taken, if not at its end.
struct FixedDirections {
  double t;
  const Vector& q;
};

struct ProjectionMemory {
  std::vector<ProjectionRole> roles;  // by contact
  Vector q_bar, delta;                // where it starts, and the correction
  InclusionWork position;
  ActiveSet projected;              // contacts in the problem
  std::vector<char> in_projection;  // the same, marked by contact
  Evaluation at_q;
  ConstraintJacobian W_position;  // the position rows of at_q.W
  std::vector<Index> indices, row_counts;
  Buffer tau_scaled;  // (W'NW)_kk tau by rows of all contacts
  Buffer tau_spread;  // tau by the same
  IterationMatrix identity;
  // Of directions fixed elsewhere.
  Evaluation at_fixed;
  ConstraintJacobian W_fixed;
  // Of directions that turn: tau by rows of the projected contacts, s, and delta + s.
  TurningMemory turning;
  Buffer tau;
  Vector turned, expanded_about;
};

class PositionProjection {
 public:
  enum class Metric { kinetic, euclidean };
  // How positions and velocities are solved together: alternating inside the Newton iteration, so
  // that both hold at its end; positions after velocities; or one problem for both multipliers.
  enum class Coupling { in_loop, post, coupled };

  explicit PositionProjection(const Parameters& p);
  PositionProjection(Metric metric, double tolerance) : metric_(metric), tolerance_(tolerance) {}
  static std::vector<ParameterSpec> parameters();
  static ParameterSpec metric_spec();
  static ParameterSpec tolerance_spec();
  static ParameterSpec energy_guard_spec();
  static Metric metric_of(const Parameters& p);

  Coupling coupling() const { return coupling_; }
  double tolerance() const { return tolerance_; }

  // N for the factored A of the step; `identity` is memory.
  const IterationMatrix& metric_matrix(const IterationMatrix& A, IterationMatrix& identity) const;

  // q_bar -> q = q_bar (+) memory.delta for the roles in memory.roles. False if it did not converge.
  bool project(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar, const Vector& v,
               const IterationMatrix& A, const StepWorkspace& ws, ProjectionMemory& memory, StepResult& result,
               Vector& q, const FixedDirections* fixed = nullptr) const;

  // One step of this iteration, for callers that look for q_bar at the same time: from memory.delta and the multipliers
  // of the last step, or from none. Whether the constraints are met then. enough: a residual with which nobody asks
  // whether they are, because the step will be repeated.
  bool improve(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar, const Vector& v,
               const IterationMatrix& A, const NewtonTerms& terms, const StepWorkspace& ws, ProjectionMemory& memory,
               StepResult& result, Vector& q, bool from_none, double enough = 0.0) const;

  // |min(g, rho tau)| or |g|: the judge of one constraint row.
  double violation(double g, double rho_tau, bool equality) const;

 private:
  // Looks at the gaps of all contacts at q; whoever is wrong and not yet in the problem joins it.
  bool constraints_met(bool multipliers_known, const ActiveSet& all, ProjectionMemory& m) const;
  // The linearised problem at q, and where its solution leads.
  void advance(const System& system, const InclusionSolver& solver, double t, const Vector& q_bar, const Vector& v,
               const IterationMatrix& A, const StepWorkspace& ws, ProjectionMemory& memory, StepResult& result,
               Vector& q, const FixedDirections* fixed, const NewtonTerms* terms) const;
  // B with the multipliers of the last step, and s; null: A is all there is.
  const IterationMatrix* turn(const System& system, const NewtonTerms& terms, double t, const Vector& q,
                              ProjectionMemory& m) const;

  Metric metric_;
  Coupling coupling_ = Coupling::post;
  double tolerance_;
  bool two_sided_ = true;
};

// The roles of all contacts by the rule, from the active set and the impulses in ws.velocity.
void assign_roles(ProjectionRule rule, const StepWorkspace& ws, std::vector<ProjectionRole>& roles);

// The law of a constraint on position level: complementarity, or equality on `rows` rows.
const Law& position_law(ProjectionRole role, Index rows);

}  // namespace carom::inline schemes
