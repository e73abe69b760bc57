// Unified Gear-Gupta-Leimkuhler: the implicit midpoint rule with impact law on velocities and non-penetration
// of positions as one problem. The equations phi1, phi2, xi, g in the unknowns (d, v, Lambda, Psi) stand in
// ggl_equations.h. activation = touch: the active set is found by solving, as touching_contacts.h says, and contacts
// that push, rho Lambda_N > xi_N, are held at g = 0. activation = forecast, as published: joints and contacts with
// g(q_0 (+) dt/2 v_0) <= 0; then bodies overshoot the first touch, and do not come to rest for 0 < e < 1.
//
// Josephy-Newton: phi1 = phi2 = 0, xi and g are linearised, the laws are kept as they are. With
// K = 1 - N B(Psi) and S = dt/2 dh_dq + B(Lambda) the increments are
//
//   A dv = -phi2 - W Lambda + S K^-1 (r + N W_p Psi+) + W Lambda+,      A = M - dt/2 dh_dv - dt/2 S K^-1
//   dd   = K^-1 (dt/2 dv + r + N W_p Psi+),                             r = dt v_h - d
//
// affine in the new multipliers (Lambda+, Psi+); put into xi + C dd + Wc' dv and g + (Pc' + P) dd they leave one
// linear inclusion for both, which is not symmetric, and which the solver gets with the laws of the contacts
// for Lambda+ and complementarity (joints: equality) for Psi+ / dt, so that all rows have the same units.
//
// It stops when in the norm of kinetic energy, s = |M v_0| + |M v| + dt |h| + |W Lambda|,
//
//   |phi2| <= tolerance s,   |phi1| <= tolerance dt s,
//   rho |Lambda - P_C(Lambda - xi / rho)| <= tolerance sqrt(rho) s        every block, rho as in residual.h
//   |min(g, rho Psi)| <= position_tolerance length_scale                  every row; joints, held contacts: |g|
//
// The last two judge the nonlinear equations, so that redundant contacts whose linear problem has no
// exact solution in rounded numbers are no failure. Where forces are so stiff that rounding of q alone breaks
// the first two, they are dropped once an iteration moves q by no more than rounding.
//
// position_constraint = false drops Psi and g: the "reference line" of the publication.
//
// Reference: Schoeder, Ulbrich, Schindler (2013), equations 36 to 52. Departures: kinetic metric, exact gaps and
// contacts found by touching by default; closed is g <= 0; joints; friction: its rows act with Lambda on velocity level, the Coulomb disc
// has the radius mu Lambda_N, and Psi is frictionless (docs/theory/ggl.md).

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/gram_blocks.h"
#include "carom/base/small_lu.h"
#include "carom/base/vector_kernels.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/schemes/ggl/ggl_equations.h"
#include "carom/schemes/step_contacts.h"
#include "carom/schemes/within_rounding.h"

namespace carom {

namespace {

constexpr int newton_cap = 30;
// Larger systems of bodies without stiffness keep the multipliers' operator by blocks.
constexpr Index dense_limit = 48;

// Scratch of the elimination; columns are nv long, one per multiplier.
struct Elimination {
  IterationMatrix A;
  ForceJacobian bent;                 // dh_dv + S K^-1
  Buffer S, K, scratch;
  std::vector<int> pivots;
  Buffer dv_Lambda, dv_Psi;           // A^-1 W, A^-1 S K^-1 N W_p
  Buffer dd_Lambda, dd_Psi;           // dt/2 K^-1 dv_Lambda, K^-1 (N W_p + dt/2 dv_Psi)
  Vector dv, dd, r;                   // parts without multipliers, then the increments
  // By blocks: no columns, but  [ Wc' A^-1 W  0 ; Pc' A^-1 W / 2  Pc' N W_p ]  from its factors.
  bool by_blocks = false;
  GramBlocks velocity_blocks, mixed_blocks, position_blocks;
  BlockSparseDelassus G;
  Vector response;
};

// How a contact is kept on position level: 0 <= g _|_ Psi >= 0, or g = 0 because it pushes. Who was found not to push
// after all stays released, so that the search ends.
enum class Hold : char { inequality, equality, released };

struct GglMemory {
  GglEquations equations;
  GglUnknowns x;
  Elimination e;
  TouchingContacts touching;
  std::vector<Hold> holds;  // by active constraint
  Vector v_free;
};

// y += D x for a dense rows x n matrix; an empty one vanishes.
void add_dense_product(const Buffer& D, Index rows, Index n, const double* x, double* y) {
  if (D.empty()) return;
  for (Index i = 0; i < n; ++i)
    for (Index r = 0; r < rows; ++r) y[r] += D[i * rows + r] * x[i];
}

// |v| = sqrt(v' M v); y is scratch.
double energy_norm(const Inertia& M, const Vector& v, Vector& y) {
  set_zero(M.size(), y);
  M.multiply_add(1.0, v.data(), y.data());
  return std::sqrt(std::abs(dot(v, y)));
}

class GglUnified final : public Scheme {
 public:
  explicit GglUnified(const Parameters& p)
      : options_{p.word("gap_evaluation") == "exact", p.flag("position_constraint")},
        judge_(PositionProjection::metric_of(p), p.number("position_tolerance")),
        touch_(p.word("activation") == "touch" && options_.position_constraint),
        newton_tolerance_(p.number("newton_tolerance")),
        activation_tolerance_(p.number("activation_tolerance")) {}

  void step(const System& system, const InclusionSolver& solver, const State& state, double dt,
            StepWorkspace& ws, StepResult& result) const override {
    const MidpointStep midpoint{system, solver, state, dt, ws, result};
    if (!midpoint.move_freely()) return;
    GglMemory& memory = ws.own<GglMemory>();
    memory.v_free = result.next.v;
    if (touch_) {
      TouchingContacts& touching = memory.touching;
      touching.begin(midpoint, activation_tolerance_);
      do {
        solve_on_active_set(midpoint, memory);
      } while (result.status == StepStatus::ok
                   ? touching.grow(midpoint, judge_.tolerance()) || restrain(midpoint, memory)
                   : result.status != StepStatus::singular && touching.relent(ws.active));
    } else {
      midpoint.activate(activation_tolerance_);
      solve_on_active_set(midpoint, memory);
    }
    if (result.status == StepStatus::singular) return;
    report(memory.equations, memory.x, ws, result);
    check_finite(result);
  }

 private:
  // Newton, with pushing contacts held at g = 0 where the active set is found by touching. Where they cannot all be
  // held, with inequalities alone; where the linearised problems have no solution, once more without curvature.
  void solve_on_active_set(const MidpointStep& midpoint, GglMemory& memory) const {
    memory.equations.begin(options_, midpoint, judge_.metric_matrix(midpoint.ws.M_factor, midpoint.ws),
                           touch_ ? &memory.touching : nullptr);
    const auto failed = [&](bool hold_pushing) {
      return !solve(midpoint, memory, hold_pushing) && midpoint.result.status != StepStatus::singular;
    };
    if (!failed(touch_) || (touch_ && !failed(false))) return;
    memory.equations.leave_out_curvature();
    if (failed(touch_) && touch_) solve(midpoint, memory, false);
  }

  bool solve(const MidpointStep& midpoint, GglMemory& memory, bool hold_pushing) const {
    StepWorkspace& ws = midpoint.ws;
    StepResult& result = midpoint.result;
    GglEquations& equations = memory.equations;
    GglUnknowns& x = memory.x;
    result.status = StepStatus::ok;
    guess(midpoint, memory);
    memory.holds.assign(static_cast<std::size_t>(ws.active.size()), Hold::inequality);
    if (hold_pushing) guess_holds(x, ws.active, memory.holds);
    set_laws(equations, memory.holds, ws);
    const Constancy constancy = midpoint.system.constancy();
    const bool linear = constancy.inertia && constancy.affine_force && constancy.jacobian;

    bool solved = true, settled = true;
    for (int iteration = 0; iteration <= newton_cap; ++iteration) {
      equations.evaluate(x, iteration == 0);
      if (iteration > 0 && settled && ((linear && solved) || converged(midpoint, memory))) break;
      if (iteration == newton_cap) {
        result.status = solved ? StepStatus::newton_failed : StepStatus::solver_failed;
        break;
      }
      ++result.newton_iterations;
      equations.linearise(x);
      if (!eliminate(midpoint, equations, x, memory.e)) {
        result.status = StepStatus::singular;
        return false;
      }
      solved = ws.active.empty() || solve_multipliers(midpoint, equations, memory.e, x);
      move_unknowns(0.5 * midpoint.dt, equations, memory.e, x);
      if (hold_pushing && !ws.active.empty()) {
        settled = !update_holds(ws, memory.holds);
        if (!settled) set_laws(equations, memory.holds, ws);
      }
    }
    result.next.q = equations.q_1;
    result.next.v = x.v;
    return result.status == StepStatus::ok;
  }

  // The free motion, and the impulses of the last step. Where the free motion of a step exceeds the motion so
  // far, forces are stiff and it is no guess: then the motion so far.
  static void guess(const MidpointStep& midpoint, GglMemory& memory) {
    GglUnknowns& x = memory.x;
    Elimination& e = memory.e;
    const Vector &v_0 = midpoint.state.v, &v_free = memory.v_free;
    const Inertia& M = memory.equations.M();
    combine(1.0, v_free, -1.0, v_0, e.dv);
    const bool stiff = energy_norm(M, e.dv, e.r) > energy_norm(M, v_0, e.r);
    scale(1.0, stiff ? v_0 : v_free, x.v);
    const double half = 0.5 * midpoint.dt;
    combine(half, v_0, half, x.v, x.d);
    warm_start(midpoint.ws.active, midpoint.state.impulses, x.Lambda);
    x.Psi.assign(memory.equations.position_rows(), 0.0);
  }

  static bool unilateral(const Constraint& constraint) { return !constraint.bilateral && constraint.position_rows > 0; }

  // Who pushed in the last step probably does in this one.
  static void guess_holds(const GglUnknowns& x, const ActiveSet& active, std::vector<Hold>& holds) {
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      if (unilateral(active.constraint(i)) && x.Lambda[row] > 0.0) holds[static_cast<std::size_t>(i)] = Hold::equality;
      row += active.constraint(i).law->dim();
    }
  }

  // Who pushes in the last solution, rho Lambda_N > xi_N, is held. Whether anything changed.
  static bool update_holds(const StepWorkspace& ws, std::vector<Hold>& holds) {
    const InclusionResult& result = ws.position.result;
    bool changed = false;
    Index row = 0;
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Constraint& constraint = ws.active.constraint(i);
      Hold& hold = holds[static_cast<std::size_t>(i)];
      const bool pushes = ws.position.problem.G->rho(i) * result.lambda[row] > result.xi[row];
      if (unilateral(constraint) && hold != Hold::released && pushes != (hold == Hold::equality)) {
        hold = pushes ? Hold::equality : Hold::released;
        changed = true;
      }
      row += constraint.law->dim();
    }
    return changed;
  }

  bool restrain(const MidpointStep& midpoint, GglMemory& memory) const {
    const GglUnknowns& x = memory.x;
    const double half = 0.5 * midpoint.dt;
    combine(half, midpoint.state.v, half, x.v, memory.e.r);
    combine(1.0, x.d, -1.0, memory.e.r, memory.e.dd);  // N W_p Psi
    return memory.touching.restrain(midpoint, memory.equations.mid, x.Lambda, memory.e.dd, judge_.tolerance());
  }

  // Blocks of the inclusion: the active constraints with their laws, then their position rows.
  static void set_laws(const GglEquations& equations, const std::vector<Hold>& holds, StepWorkspace& ws) {
    InclusionProblem& problem = ws.position.problem;
    problem.laws.clear();
    ws.coupled_partition.clear();
    Index row = 0;
    const auto add = [&](const Law& law) {
      problem.laws.push_back(&law);
      ws.coupled_partition.push_back({row, law.dim()});
      row += law.dim();
    };
    for (Index i = 0; i < ws.active.size(); ++i) add(*ws.active.constraint(i).law);
    if (equations.position_rows() == 0) return;
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Constraint& constraint = ws.active.constraint(i);
      if (constraint.position_rows > 0)
        add(position_law(held(constraint, holds, i) ? ProjectionRole::equality : ProjectionRole::inequality,
                         constraint.position_rows));
    }
  }

  static bool held(const Constraint& constraint, const std::vector<Hold>& holds, Index i) {
    return constraint.bilateral || holds[static_cast<std::size_t>(i)] == Hold::equality;
  }

  // K, S and A; what multipliers and residuals do to v and d.
  static bool eliminate(const MidpointStep& midpoint, const GglEquations& equations, const GglUnknowns& x,
                        Elimination& e) {
    const Index n = equations.nv();
    const double half = 0.5 * midpoint.dt;
    const bool bent_positions = !equations.B_Psi.empty();
    if (bent_positions && !factor_K(equations, e)) return false;
    const auto solve_K = [&](double* columns, Index count) {
      if (bent_positions) lu_solve(e.K.data(), e.pivots.data(), n, columns, count);
    };
    if (!factor_A(midpoint, equations, bent_positions, e)) return false;

    // r = dt v_h - d, and dv = A^-1 (-phi2 - W Lambda + S K^-1 r), dd = K^-1 (dt/2 dv + r)
    combine(half, x.v, half, midpoint.state.v, e.r);
    combine(1.0, e.r, -1.0, x.d, e.r);
    solve_K(e.r.data(), 1);
    scale(-1.0, equations.phi2, e.dv);
    if (equations.velocity_rows() > 0) combine(1.0, e.dv, -1.0, equations.W_Lambda, e.dv);
    add_S(half, equations, e.r.data(), e.dv.data());
    e.A.solve(e.dv.data());
    scale(half, e.dv, e.dd);
    solve_K(e.dd.data(), 1);
    add(e.r, e.dd);
    e.by_blocks = n > dense_limit && equations.mid.dh_dq.structure() == Structure::zero && by_blocks(e.A) && by_blocks(equations.N());
    if (e.by_blocks) return true;

    if (const Index rows = equations.velocity_rows(); rows > 0) {
      equations.mid.W.to_columns(n, e.dv_Lambda);
      e.A.solve(e.dv_Lambda.data(), rows);
      e.dd_Lambda.resize(n * rows);
      for (Index i = 0; i < n * rows; ++i) e.dd_Lambda[i] = half * e.dv_Lambda[i];
      solve_K(e.dd_Lambda.data(), rows);
    }
    if (const Index rows = equations.position_rows(); rows > 0) {
      equations.W_p.to_columns(n, e.dd_Psi);  // becomes K^-1 N W_p
      equations.N().solve(e.dd_Psi.data(), rows);
      solve_K(e.dd_Psi.data(), rows);
      e.dv_Psi.assign(n * rows, 0.0);
      for (Index j = 0; j < rows; ++j) add_S(half, equations, e.dd_Psi.data() + j * n, e.dv_Psi.data() + j * n);
      e.A.solve(e.dv_Psi.data(), rows);
      e.scratch.resize(n * rows);
      for (Index i = 0; i < n * rows; ++i) e.scratch[i] = half * e.dv_Psi[i];
      solve_K(e.scratch.data(), rows);
      for (Index i = 0; i < n * rows; ++i) e.dd_Psi[i] += e.scratch[i];
    }
    return true;
  }

  static bool by_blocks(const IterationMatrix& A) {
    return A.structure() == Structure::block_diagonal || A.components() != nullptr;
  }

  // The operator of (Lambda+, Psi+ / dt) where S = 0 and nothing bends.
  static void assemble_blocks(const GglEquations& equations, const std::vector<RowRange>& partition, Elimination& e) {
    const Index constraints = equations.mid.W.block_count();
    e.G.begin(partition, false);
    e.velocity_blocks.begin(equations.Wc(), e.A, equations.mid.W);
    for (Index b = 0; b < constraints; ++b)
      for (const Index j : e.velocity_blocks.row(b)) e.velocity_blocks.add(b, j, e.G.add_block(b, j));
    if (equations.position_rows() > 0) {
      const ConstraintJacobian& Pc = equations.Pc();
      e.mixed_blocks.begin(Pc, e.A, equations.mid.W);
      e.position_blocks.begin(Pc, equations.N(), equations.W_p);
      for (Index k = 0; k < Pc.block_count(); ++k) {
        for (const Index j : e.mixed_blocks.row(k)) {
          double* entries = e.G.add_block(constraints + k, j);
          e.mixed_blocks.add(k, j, entries);
          for (Index i = 0; i < Pc.block(k).rows * partition[static_cast<std::size_t>(j)].rows; ++i) entries[i] *= 0.5;
        }
        for (const Index j : e.position_blocks.row(k)) e.position_blocks.add(k, j, e.G.add_block(constraints + k, constraints + j));
      }
    }
    e.G.finish();
  }

  // y += S x
  static void add_S(double half_dt, const GglEquations& equations, const double* x, double* y) {
    equations.mid.dh_dq.multiply_add(half_dt, x, y);
    add_dense_product(equations.B_Lambda, equations.nv(), equations.nv(), x, y);
  }

  static bool factor_K(const GglEquations& equations, Elimination& e) {
    const Index n = equations.nv();
    e.K = equations.B_Psi;
    equations.N().solve(e.K.data(), n);
    for (double& entry : e.K) entry = -entry;
    for (Index i = 0; i < n; ++i) e.K[i + i * n] += 1.0;
    e.pivots.resize(static_cast<std::size_t>(n));
    return lu_factor(e.K.data(), e.pivots.data(), n);
  }

  static bool factor_A(const MidpointStep& midpoint, const GglEquations& equations, bool bent_positions,
                       Elimination& e) {
    const double half = 0.5 * midpoint.dt;
    const Evaluation& mid = equations.mid;
    if (equations.B_Lambda.empty() && !bent_positions)
      return e.A.factor(equations.M(), half, mid.dh_dv, half * half, mid.dh_dq);
    // dh_dv + S K^-1, by columns of K^-1
    const Index n = equations.nv();
    double* bent = e.bent.dense(n);
    std::fill_n(bent, n * n, 0.0);
    e.scratch.assign(n * n, 0.0);
    for (Index i = 0; i < n; ++i) e.scratch[i + i * n] = 1.0;
    for (Index j = 0; j < n; ++j) mid.dh_dv.multiply_add(1.0, e.scratch.data() + j * n, bent + j * n);
    if (bent_positions) lu_solve(e.K.data(), e.pivots.data(), n, e.scratch.data(), n);
    for (Index j = 0; j < n; ++j) add_S(half, equations, e.scratch.data() + j * n, bent + j * n);
    static const ForceJacobian none;
    return e.A.factor(equations.M(), half, e.bent, 0.0, none);
  }

  // The inclusion for Lambda+ and Psi+ / dt.
  static bool solve_multipliers(const MidpointStep& midpoint, const GglEquations& equations, Elimination& e,
                                GglUnknowns& x) {
    StepWorkspace& ws = midpoint.ws;
    InclusionWork& work = ws.position;
    const Index n = equations.nv(), rows_v = equations.velocity_rows(), rows_p = equations.position_rows();
    const Index rows = rows_v + rows_p;
    const double dt = midpoint.dt;

    // What a pair of increments does to xi and g / dt.
    const auto respond = [&](const double* dv, const double* dd, double scale, double* out) {
      equations.Wc().transpose_multiply(dv, out);
      add_dense_product(equations.C, rows_v, n, dd, out);
      if (rows_p > 0) {
        equations.Pc().transpose_multiply(dd, out + rows_v);
        add_dense_product(equations.P, rows_p, n, dd, out + rows_v);
      }
      for (Index i = 0; i < rows_v; ++i) out[i] *= scale;
      for (Index i = rows_v; i < rows; ++i) out[i] *= scale / dt;
    };
    if (e.by_blocks) {
      assemble_blocks(equations, ws.coupled_partition, e);
      work.problem.G = &e.G;
    } else {
      ws.coupled_matrix.resize(rows * rows);
      for (Index j = 0; j < rows_v; ++j)
        respond(e.dv_Lambda.data() + j * n, e.dd_Lambda.data() + j * n, 1.0, ws.coupled_matrix.data() + j * rows);
      for (Index j = 0; j < rows_p; ++j)
        respond(e.dv_Psi.data() + j * n, e.dd_Psi.data() + j * n, dt,
                ws.coupled_matrix.data() + (rows_v + j) * rows);
      ws.coupled.assign(rows, ws.coupled_partition, ws.coupled_matrix.data(), false);
      work.problem.G = &ws.coupled;
    }
    Buffer& c = work.problem.c;
    c.resize(rows);
    respond(e.dv.data(), e.dd.data(), 1.0, c.data());
    for (Index i = 0; i < rows_v; ++i) c[i] += equations.xi[i];
    for (Index j = 0; j < rows_p; ++j) c[rows_v + j] += equations.g[j] / dt;

    work.result.lambda.resize(rows);
    for (Index i = 0; i < rows_v; ++i) work.result.lambda[i] = x.Lambda[i];
    for (Index j = 0; j < rows_p; ++j) work.result.lambda[rows_v + j] = x.Psi[j] / dt;
    const bool solved = solve_and_count(midpoint.solver, work, midpoint.result);
    for (Index i = 0; i < rows_v; ++i) x.Lambda[i] = work.result.lambda[i];
    for (Index j = 0; j < rows_p; ++j) x.Psi[j] = dt * work.result.lambda[rows_v + j];
    return solved;
  }

  // dv += A^-1 W Lambda, dd += dt/2 A^-1 W Lambda + N W_p Psi
  static void respond_by_blocks(double half_dt, const GglEquations& equations, const GglUnknowns& x, Elimination& e) {
    if (equations.velocity_rows() == 0) return;
    set_zero(equations.nv(), e.response);
    equations.mid.W.multiply_add(x.Lambda.data(), e.response.data());
    e.A.solve(e.response.data());
    add(e.response, e.dv);
    combine(1.0, e.dd, half_dt, e.response, e.dd);
    if (equations.position_rows() == 0) return;
    set_zero(equations.nv(), e.response);
    equations.W_p.multiply_add(x.Psi.data(), e.response.data());
    equations.N().solve(e.response.data());
    add(e.response, e.dd);
  }

  static void move_unknowns(double half_dt, const GglEquations& equations, Elimination& e, GglUnknowns& x) {
    const Index n = equations.nv();
    if (e.by_blocks) {
      respond_by_blocks(half_dt, equations, x, e);
      add(e.dv, x.v);
      add(e.dd, x.d);
      return;
    }
    const auto add_columns = [n](const Buffer& columns, const Buffer& multipliers, Vector& out) {
      for (Index j = 0; j < multipliers.size(); ++j)
        for (Index i = 0; i < n; ++i) out[i] += multipliers[j] * columns[j * n + i];
    };
    add_columns(e.dv_Lambda, x.Lambda, e.dv);
    add_columns(e.dv_Psi, x.Psi, e.dv);
    add_columns(e.dd_Lambda, x.Lambda, e.dd);
    add_columns(e.dd_Psi, x.Psi, e.dd);
    add(e.dv, x.v);
    add(e.dd, x.d);
  }

  // s = |M v_0| + |M v| + dt |h| + |W Lambda| in the norm of kinetic energy.
  static double momentum_scale(const MidpointStep& midpoint, GglMemory& memory) {
    const GglEquations& equations = memory.equations;
    double s = momentum(memory, midpoint.state.v) + momentum(memory, memory.x.v) +
               midpoint.dt * impulse(midpoint, memory, equations.mid.h);
    if (!midpoint.ws.active.empty()) s += impulse(midpoint, memory, equations.W_Lambda);
    return s;
  }
  static double momentum(GglMemory& memory, const Vector& velocity) {
    return energy_norm(memory.equations.M(), velocity, memory.e.r);
  }
  static double impulse(const MidpointStep& midpoint, GglMemory& memory, const Vector& p) {
    scale(1.0, p, memory.e.r);
    midpoint.ws.M_factor.solve(memory.e.r.data());
    return std::sqrt(std::abs(dot(p, memory.e.r)));
  }

  bool converged(const MidpointStep& midpoint, GglMemory& memory) const {
    const GglEquations& equations = memory.equations;
    const double limit = newton_tolerance_ * momentum_scale(midpoint, memory);
    const bool equations_hold =
        (impulse(midpoint, memory, equations.phi2) <= limit && momentum(memory, equations.phi1) <= midpoint.dt * limit) ||
        within_rounding(memory.e.dd, equations.q_1);
    return equations_hold && laws_hold(equations, memory.x, midpoint.ws, limit) &&
           positions_hold(memory, midpoint.ws);
  }

  // rho |Lambda - P_C(Lambda - xi / rho)| <= sqrt(rho) limit, where the last digit of Lambda hides no more than that.
  static bool laws_hold(const GglEquations& equations, const GglUnknowns& x, const StepWorkspace& ws, double limit) {
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Law& law = *ws.active.constraint(i).law;
      const Index row = ws.coupled_partition[static_cast<std::size_t>(i)].row;
      const double rho = ws.position.problem.G->rho(i);
      if (!(rho > 0.0)) continue;
      constexpr double rounding = std::numeric_limits<double>::epsilon();
      double y[Law::max_dim], square = 0.0;
      for (Index r = 0; r < law.dim(); ++r) square += rounding * rounding * x.Lambda[row + r] * x.Lambda[row + r];
      for (Index r = 0; r < law.dim(); ++r) y[r] = x.Lambda[row + r] - equations.xi[row + r] / rho;
      law.project(y, y);
      for (Index r = 0; r < law.dim(); ++r) square += (x.Lambda[row + r] - y[r]) * (x.Lambda[row + r] - y[r]);
      if (!(rho * square <= limit * limit)) return false;
    }
    return true;
  }

  bool positions_hold(const GglMemory& memory, const StepWorkspace& ws) const {
    const GglEquations& equations = memory.equations;
    const GglUnknowns& x = memory.x;
    if (equations.position_rows() == 0) return true;
    Index row = 0, block = ws.active.size();
    for (Index i = 0; i < ws.active.size(); ++i) {
      const Constraint& constraint = ws.active.constraint(i);
      if (constraint.position_rows == 0) continue;
      const double* diagonal = ws.position.problem.G->diagonal_block(block++);
      for (Index r = 0; r < constraint.position_rows; ++r, ++row) {
        const double rho_Psi = diagonal[r + r * constraint.position_rows] * x.Psi[row];
        if (!(judge_.violation(equations.g[row], rho_Psi, held(constraint, memory.holds, i)) <=
              judge_.tolerance() * constraint.length_scale))
          return false;
      }
    }
    return true;
  }

  static void report(const GglEquations& equations, const GglUnknowns& x, StepWorkspace& ws, StepResult& result) {
    if (ws.active.empty()) return report_no_contacts(result);
    report_contacts(ws.active, x.Lambda, equations.gamma_0, equations.xi, equations.shift, result);
    for (const double Psi : x.Psi)
      result.largest_position_multiplier = std::max(result.largest_position_multiplier, std::abs(Psi));
  }

  GglOptions options_;
  PositionProjection judge_;
  bool touch_;
  double newton_tolerance_;
  double activation_tolerance_;
};

}  // namespace

extern const SchemeEntry ggl_unified_entry;
const SchemeEntry ggl_unified_entry{
    .name = "ggl_unified",
    .title = "implicit midpoint rule with impact law and non-penetration in one problem: no drift, order 2",
    .reference = "Schoeder, Ulbrich, Schindler 2013; friction: docs/theory/ggl.md",
    .treats = {Feature::contacts, Feature::joints, Feature::friction, Feature::inelastic, Feature::quaternions,
               Feature::variable_inertia, Feature::spin_friction, Feature::exact_reservoir, Feature::joint_friction,
               Feature::rheonomic},
    .promises = {.orders = {2, 2, 1}, .position_level = true, .velocity_level = true, .impact_law = true,
                 .implicit_force = true, .passive = true},
    .parameters = {{"gap_evaluation", std::string("exact"), "gaps and their rates at the end of the step, or expanded "
                    "about its middle", 0, 0, {"exact", "linearised"}},
                   PositionProjection::metric_spec(),
                   {"position_constraint", true, "false: velocities only, gaps may drift"},
                   {"activation", std::string("touch"), "contacts that touch within the step, or those the published "
                    "forecast sees", 0, 0, {"touch", "forecast"}},
                   {"newton_tolerance", 1e-10, "relative residual at which Newton stops", 0, 1, {}, true},
                   PositionProjection::tolerance_spec(),
                   activation_tolerance_spec(rounding_activation)},
    .make = [](const Parameters& p) -> std::unique_ptr<Scheme> { return std::make_unique<GglUnified>(p); }};

}  // namespace carom
