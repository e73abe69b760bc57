// The step where Newton's method on active sets ends without a solution: the sets of redundant contacts cycle, or those
// that stick contradict each other by more than may be shared (docs/theory/generalized_alpha.md). The inclusion solver
// then finds them, level by level, repeated until nothing moves:
//
//   smooth     M a - W lambda = h on joints alone: contacts push through the corrections, as in strategy pvv
//   position   M u = W nu + dt/2 W_T Lambda_T,   0 <= g _|_ nu* >= 0;   g = 0 for joints and contacts that push below
//   velocity   M w = W Lambda,   -(gamma + shift) in N_C(Lambda*)       on joints and on the contacts closed above
//
// in the totals nu*, Lambda* of step.h. A contact that has pushed once stays an equality of the position level:
// friction at several contacts may ask for a pull there where the velocity level asks for a push, and neither would
// give in.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/alpha/step.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes::alpha {

namespace {

constexpr int pass_cap = 60;
// What a pass may still move, relative to lengths, and change of an impulse, relative to the largest. Along a chain of
// a thousand links rounding moves more than that; it shows in moves that become no smaller.
constexpr double move_tolerance = 1e-11, standing_tolerance = 1e-9, impulse_tolerance = 1e-12;

}  // namespace

bool Step::solve_inclusions() {
  Work& w = work_;
  const Levels& levels = options_.levels;
  if (rows() == 0 || !levels.position || !levels.velocity || levels.original_correction) return false;
  inactive_ = Inactive::total;
  predict();
  w.held.assign(static_cast<std::size_t>(ws_.all.size()), 0);
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const bool joint = constraint(k).bilateral;
    w.activity[static_cast<std::size_t>(k)] = {joint, joint, joint, joint, joint};
  }
  w.impulse_guess.assign(rows(), 0.0);
  double length = constraint(0).length_scale;
  for (Index k = 1; k < ws_.all.size(); ++k) length = std::min(length, constraint(k).length_scale);

  double force_before = std::numeric_limits<double>::infinity(), move_before = force_before;
  last_move_ = std::numeric_limits<double>::infinity();
  bool solved = false;
  for (int pass = 0; pass <= pass_cap; ++pass) {
    update();
    evaluate(Need::force);
    const double force = residual().force;
    if (!std::isfinite(force)) break;
    const bool force_holds =
        holds_as_rounding_allows(force, force_before, options_.tolerance, last_move_, result_.next.q);
    const bool at_rest = holds(last_move_, move_tolerance, length) ||
                         (holds(last_move_, standing_tolerance, length) && stands(last_move_, move_before));
    if (solved && force_holds && at_rest) {
      result_.status = StepStatus::ok;
      return true;
    }
    force_before = force;
    move_before = last_move_;
    last_move_ = 0.0;
    ++result_.newton_iterations;
    if (!linearise()) {
      result_.status = StepStatus::singular;
      return false;
    }
    deactivate(smooth_level);
    correct(smooth_level);
    update();
    evaluate(Need::none);
    solved = solve_positions();
    update();
    evaluate(Need::none);
    solved = solve_velocities() && solved;
  }
  result_.status = solved ? StepStatus::newton_failed : StepStatus::solver_failed;
  return false;
}

// x = M^-1 W multipliers, by rows of all constraints.
void Step::inertia_response(const double* multipliers, Vector& x) {
  set_zero(nv_, x);
  work_.end.W.multiply_add(multipliers, x.data());
  work_.M_factor.solve(x.data());
}

bool Step::solve_positions() {
  Work& w = work_;
  // u without nu*, then c = g + W'(u - u of the last pass).
  double* given = w.rhs.resized(rows());
  for (Index k = 0; k < ws_.all.size(); ++k)
    for (Index r = 0; r < constraint(k).law->dim(); ++r) {
      const Index row = row_of(k) + r;
      given[row] = r < constraint(k).position_rows ? w.nu[row] - w.nu_total[row] : 0.5 * c_.dt * w.Lambda[row];
    }
  inertia_response(given, w.column);
  combine(1.0, w.column, -1.0, w.u, w.increment);

  InclusionWork& work = work_.position;
  InclusionProblem& problem = work.problem;
  work_.indices.clear();
  work_.row_counts.clear();
  problem.laws.clear();
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    if (c.position_rows == 0) continue;
    work_.indices.push_back(k);
    work_.row_counts.push_back(c.position_rows);
    const bool equality = c.bilateral || w.held[static_cast<std::size_t>(k)];
    const ProjectionRole role = equality ? ProjectionRole::equality : ProjectionRole::inequality;
    problem.laws.push_back(&position_law(role, c.position_rows));
  }
  bool solved = true;
  w.du = w.increment;
  if (!problem.laws.empty()) {
    work_.W_position.assign_leading_rows(w.end.W, work_.indices, work_.row_counts);
    work_.W_position.transpose_multiply(w.increment.data(), problem.c.resized(work_.W_position.rows()));
    work.result.lambda.resize(work_.W_position.rows());
    for_position_rows([&](Index i, Index row) {
      problem.c[i] += w.end.g[row];
      work.result.lambda[i] = w.nu_total[row];
    });
    problem.G = &work.factory.build(work_.W_position, w.M_factor);
    solved = solve_and_count(solver_, work, result_);
    ++result_.projection_iterations;
    fit(nv_, w.increment);
    work.factory.response(w.M_factor, work_.W_position, work.result.lambda.data(), w.increment.data());
    add(w.increment, w.du);
    for_position_rows([&](Index i, Index row) { w.nu[row] += work.result.lambda[i] - w.nu_total[row]; });
  }
  add(w.du, w.u);
  last_move_ = std::max(last_move_, w.du.lpNorm<Eigen::Infinity>());
  return solved;
}

// f(row of the position problem, row of all).
template <class F>
void Step::for_position_rows(F f) const {
  Index i = 0;
  for (Index k = 0; k < ws_.all.size(); ++k)
    for (Index r = 0; r < constraint(k).position_rows; ++r) f(i++, row_of(k) + r);
}

// f(row of the active constraints, row of all).
template <class F>
void Step::for_active_rows(F f) const {
  Index i = 0;
  for (const Index k : ws_.active.members())
    for (Index r = 0; r < constraint(k).law->dim(); ++r) f(i++, row_of(k) + r);
}

bool Step::solve_velocities() {
  Work& w = work_;
  // Open contacts have Lambda* = 0; all begin with that.
  double* given = w.rhs.resized(rows());
  for (Index row = 0; row < rows(); ++row) given[row] = w.Lambda[row] - w.Lambda_total[row];
  inertia_response(given, w.column);

  ws_.active.reset(ws_.contacts);
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const Constraint& c = constraint(k);
    const Index row = row_of(k);
    Activity& is = w.activity[static_cast<std::size_t>(k)];
    const bool closed = w.nu_total[row] > 0.0 || w.end.g[row] <= rounding_activation * c.length_scale;
    if (!c.bilateral) is.position = is.velocity = closed || w.held[static_cast<std::size_t>(k)];
    if (is.velocity) ws_.active.add(k);
  }
  bool solved = true;
  double largest = 0.0, change = 0.0;
  if (!ws_.active.empty()) {
    InclusionWork& work = ws_.velocity;
    combine(1.0, w.v_smooth, 1.0, w.column, w.increment);
    system_.evaluate(result_.next.t, result_.next.q, w.increment, Need::jacobian, ws_.active, work_.at_1);
    local_velocity(work_.at_1, w.increment, work.problem.c);
    set_laws(ws_.active, 0.0, work.problem);
    work.problem.c_directions = &work_.at_1.W;
    work.problem.c_velocity = w.increment.data();
    work.result.lambda.resize(ws_.active.rows());
    for_active_rows([&](Index i, Index row) {
      work.problem.c[i] += w.shift[row];
      work.result.lambda[i] = w.impulse_guess[row];
    });
    work.problem.G = &work.factory.build(work_.at_1.W, w.M_factor);
    solved = solve_and_count(solver_, work, result_);
    work.factory.response(w.M_factor, work_.at_1.W, work.result.lambda.data(), w.increment.data());
    add(w.increment, w.column);
    for_active_rows([&](Index i, Index row) {
      given[row] += work.result.lambda[i];
      w.impulse_guess[row] = work.result.lambda[i];
    });
  }
  for (Index row = 0; row < rows(); ++row) {
    largest = std::max(largest, std::abs(given[row]));
    change = std::max(change, std::abs(given[row] - w.Lambda[row]));
    w.Lambda[row] = given[row];
  }
  for (Index k = 0; k < ws_.all.size(); ++k) {
    const bool pushes = w.activity[static_cast<std::size_t>(k)].velocity && w.impulse_guess[row_of(k)] > 0.0;
    if (!constraint(k).bilateral && pushes) w.held[static_cast<std::size_t>(k)] = 1;
  }
  combine(1.0, w.column, -1.0, w.w, w.increment);
  last_move_ = std::max(last_move_, c_.dt * w.increment.lpNorm<Eigen::Infinity>());
  w.w = w.column;
  update_totals();
  return solved && change <= impulse_tolerance * largest;
}

}  // namespace carom::inline schemes::alpha
