#include "carom/schemes/theta/theta_step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/impact_laws.h"
#include "carom/schemes/newton_stop.h"
#include "carom/schemes/passive_impact.h"
#include "carom/schemes/poisson_impact.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

constexpr int newton_cap = 30;
constexpr double infinity = std::numeric_limits<double>::infinity();
// Tangents are refreshed when the simplified Newton iteration has not converged by then.
constexpr int refresh_tangents_after = 6;
// Up to this many velocities Newton's matrix is A, a projection is solved to its end in every iteration, and every
// active set to its own.
constexpr Index small_model = 48;
// What is left of the momentum where an active set may still grow: positions then err by a hundredth of a step's way.
constexpr double rough_tolerance = 1e-2;
// The first passes over a pile need not be solved to the end: the directions turn by more. What is asked of them is a
// share of what turning left of the momentum after the pass before.
constexpr Index least_rows_of_pile = 300;
constexpr double enough_at_first = 1e-3, share_of_left = 0.1;
// An active set that still grows: one pass, with positions that need not be better than to tell which contacts close.
constexpr double enough_for_positions = 10.0 * enough_at_first;
// A pile whose contact problem was not solved in so many passes in a row goes back to a shorter step: the next pass
// asks nearly the same again, of a solver that has already tried all it has. (Once may be chance: with directions that
// have turned a little it is often solved.)
constexpr int most_unsolved = 2;
// From then on a pass that leaves more than this share of what the one before left holds the directions of the contacts
// that circle, or turn on and on.
constexpr int passes_before_holding = 3;
constexpr double slow = 0.2;
// Where passes stand, what is left of the momentum beside the solver's residual: residuals are relative to the sum of a
// contact's neighbours, in tall piles many times the weight of a body.
constexpr double circles = 100.0;

// |x|^2 = x' A^-1 x and |M x|^2 = x' M x; y is scratch.
double square_in_inverse(const IterationMatrix& A, const Vector& x, Vector& y) {
  scale(1.0, x, y);
  A.solve(y.data());
  return std::abs(dot(x, y));
}
double square_of_momentum(const Inertia& M, const Vector& x, Vector& y) {
  set_zero(M.size(), y);
  M.multiply_add(1.0, x.data(), y.data());
  return std::abs(dot(x, y));
}

// One block of another W of the same constraints.
void copy_block(const ConstraintJacobian& from, Index b, ConstraintJacobian& to) {
  const ConstraintJacobian::Block& block = from.block(b);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = from.segment(s);
    std::copy_n(from.entries(segment), block.rows * segment.size, to.entries(to.segment(s)));
  }
}

}  // namespace

ThetaStep::ThetaStep(const ThetaOptions& options, const System& system, const InclusionSolver& solver,
                     const State& state, double dt, StepWorkspace& ws, ThetaMemory& memory, StepResult& result)
    : options_(options),
      system_(system),
      solver_(solver),
      state_(state),
      dt_(dt),
      ws_(ws),
      m_(memory),
      result_(result),
      constancy_(system.constancy()) {}

void ThetaStep::begin() {
  begin_result(state_, dt_, result_);
  exchange_reported();
  find_contacts(system_, state_, dt_, ws_);
  if (ws_.all.empty()) return;
  // The last evaluation of at_1 was here, if this step follows it: what the system found on the way is found again.
  if (ws_.look.intermediates.memory != m_.at_1.intermediates.memory) ws_.look.intermediates = m_.at_1.intermediates;
  system_.evaluate(state_.t, state_.q, state_.v, Need::gap | Need::gap_rate, ws_.all, ws_.look);
}

// Where nothing is evaluated at q_theta, it is not found.
void ThetaStep::place_theta(const Vector& v) {
  const double theta = options_.theta;
  if (force_known() && !options_.midpoint_joints) return average(v);
  combine_and_scale(theta, v, 1.0 - theta, state_.v, theta * dt_, m_.v_theta, m_.increment);
  move_to_theta();
}

// By m_.increment. Rotations do not commute: the correction follows the motion, as in the projection itself.
void ThetaStep::move_to_theta() {
  if (at_start_) {
    m_.q_theta = state_.q;
    return;
  }
  system_.move(state_.q, m_.increment, m_.q_theta);
  if (!corrected_) return;
  scale(options_.theta, m_.projection.delta, m_.increment);
  system_.move(m_.q_theta, m_.increment, m_.q_theta);
}

void ThetaStep::place_end() {
  if (at_start_) {
    result_.next.q = state_.q;
    return;
  }
  scale(dt_, m_.v_theta, m_.increment);
  system_.move(state_.q, m_.increment, result_.next.q);
  if (corrected_) system_.move(result_.next.q, m_.projection.delta, result_.next.q);
}

void ThetaStep::average(const Vector& v) { combine(options_.theta, v, 1.0 - options_.theta, state_.v, m_.v_theta); }

// Weights alone: affine, without derivatives, and the same at all times.
bool ThetaStep::weights_known() const {
  return constancy_.autonomous && tangents_known() && m_.at_theta.dh_dq.structure() == Structure::zero &&
         m_.at_theta.dh_dv.structure() == Structure::zero;
}

void ThetaStep::evaluate(const Vector& v, bool tangents) {
  if (!force_known()) {
    Need need = Need::force;
    if (tangents && !tangents_known()) need = need | Need::force_jacobian | Need::inertia;
    if (!constancy_.inertia) need = need | Need::inertia;
    system_.evaluate(state_.t + options_.theta * dt_, m_.q_theta, m_.v_theta, need, ws_.none, m_.at_theta);
  }
  // f = dt h - M (v - v_0), and v = v_0 before the first iteration unless impulses moved it
  scale(dt_, m_.at_theta.h, m_.force);
  if (result_.newton_iterations > 0 || moved_) {
    combine(1.0, v, -1.0, state_.v, m_.dv);
    m_.at_theta.M.multiply_add(-1.0, m_.dv.data(), m_.force.data());
  }
  if (at_start_) {
    scale(dt_, m_.v_theta, m_.increment);
    m_.at_theta.dh_dq.multiply_add(dt_ * options_.theta, m_.increment.data(), m_.force.data());
  }

  if (ws_.active.empty() || options_.directions_at_start || (constancy_.jacobian && !options_.position_law)) return;
  place_end();
  if (may_hold()) m_.held.remember();
  system_.evaluate(result_.next.t, result_.next.q, v,
                   options_.position_law ? Need::jacobian | Need::gap : Need::jacobian, ws_.active, m_.at_1);
  if (passes_ + 1 >= passes_before_holding) m_.held.evaluated(result_.next.q);
  m_.held.restore(m_.at_1);
  remember_directions();
  turn_joints_back();
}

bool ThetaStep::may_hold() const { return passes_ >= passes_before_holding && !options_.position_law; }

bool ThetaStep::hold_directions() {
  if (!may_hold() || !slow_ ||
      !m_.held.hold(system_, result_.next.t, result_.next.v, ws_.active, m_.A, ws_.velocity.result.lambda, m_.at_1))
    return false;
  m_.directions.system = 0;
  turn_joints_back();
  return true;
}

void ThetaStep::remember_directions() {
  DirectionsKnown& known = m_.directions;
  known.system = 0;
  if (!constancy_.contacts || !joints_act()) return;  // contacts alone come and go
  known.system = system_.serial();
  known.t = result_.next.t;
  scale(1.0, result_.next.q, known.q);
  if (known.members != ws_.active.members()) known.members = ws_.active.members();
}

bool ThetaStep::directions_known() const {
  const DirectionsKnown& known = m_.directions;
  return known.system == system_.serial() && known.t == state_.t && known.q == state_.q &&
         known.members == ws_.active.members();
}

// With tangents that change, the metric of projections is that of the iterate at which they were taken last: another
// path of iterates is another metric.
bool ThetaStep::is_long() const { return system_.nv() > small_model && constancy_.inertia && constancy_.affine_force; }

// Many contacts without joints, one problem a pass.
bool ThetaStep::is_pile() const {
  return ws_.active.rows() > least_rows_of_pile && !options_.position_law && !joints_act() &&
         !PassiveImpact::needed(ws_.velocity.problem) && !PoissonImpact::needed(ws_.velocity.problem);
}

// More than weight gives in a step: |M v_0| > dt |h| in the A^-1 norm. What rests does not turn, and its first pass is
// the last.
bool ThetaStep::moves() {
  return square_of_momentum(m_.at_theta.M, state_.v, m_.dq) > dt_ * dt_ * square_in_inverse(m_.A, m_.at_theta.h, m_.dq);
}

bool ThetaStep::joints_act() const {
  for (Index i = 0; i < ws_.active.size(); ++i)
    if (ws_.active.constraint(i).bilateral) return true;
  return false;
}

void ThetaStep::turn_joints_back() {
  turned_ = options_.midpoint_joints && joints_act();
  if (!turned_) return;
  system_.evaluate(state_.t + options_.theta * dt_, m_.q_theta, m_.v_theta, Need::jacobian, ws_.active, m_.at_mid);
  for (Index i = 0; i < ws_.active.size(); ++i)
    if (!ws_.active.constraint(i).bilateral) copy_block(m_.at_1.W, i, m_.at_mid.W);
}

bool ThetaStep::tangents_known() const {
  return m_.tangents_of == system_.serial() && m_.tangents_theta_dt == options_.theta * dt_;
}

bool ThetaStep::factor() {
  if (tangents_known()) return true;
  const double a = options_.theta * dt_;
  const bool regular = m_.A.factor(m_.at_theta.M, a, m_.at_theta.dh_dv, a * a, m_.at_theta.dh_dq);
  const bool constant = constancy_.inertia && constancy_.affine_force;
  m_.tangents_of = regular && constant ? system_.serial() : 0;
  m_.tangents_theta_dt = a;
  m_.delassus_build = 0;  // it was built with the former ones
  if (!regular) result_.status = StepStatus::singular;
  return regular;
}

NewtonTerms ThetaStep::newton_terms() const {
  return {m_.at_theta.M, m_.at_theta.dh_dv, m_.at_theta.dh_dq, options_.theta * dt_};
}

const IterationMatrix& ThetaStep::turned_A() {
  if (options_.directions_at_start || constancy_.jacobian || !joints_act()) return m_.A;
  const IterationMatrix* turned =
      turning_matrix(system_, newton_terms(), options_.theta * dt_, result_.next.t, result_.next.q, ws_.active,
                     ws_.velocity.result.lambda.data(), m_.at_1.intermediates, m_.turning);
  return turned != nullptr ? *turned : m_.A;
}

bool ThetaStep::constant_delassus() const { return constancy_.jacobian && constancy_.contacts && tangents_known(); }

bool ThetaStep::delassus_known() const {
  return constant_delassus() && m_.delassus_build == ws_.velocity.factory.builds() &&
         m_.delassus_members == ws_.active.members();
}

void ThetaStep::build_delassus(const IterationMatrix& A) {
  InclusionWork& work = ws_.velocity;
  work.problem.G = &work.factory.build(m_.at_1.W, A, force_directions());
  if (!constant_delassus()) return;
  m_.delassus_build = work.factory.builds();
  m_.delassus_members = ws_.active.members();
}

bool ThetaStep::within(double tolerance, const Vector& v) {
  const bool contacts = !ws_.active.empty();
  if (contacts) {
    sum_contact_impulses();
    combine(1.0, m_.force, 1.0, m_.W_Lambda, m_.increment);
  }
  const Vector& defect = contacts ? m_.increment : m_.force;
  if (options_.absolute_test) return holds(defect.norm(), tolerance, 1.0);

  const double error = square_in_inverse(m_.A, defect, m_.dq);
  // The momenta alone usually decide; the costlier terms only enlarge the scale.
  const double momentum = square_of_momentum(m_.at_theta.M, state_.v, m_.dq);
  if (holds(error, tolerance * tolerance, momentum)) return true;
  double scale = std::sqrt(momentum) + std::sqrt(square_of_momentum(m_.at_theta.M, v, m_.dq)) +
                 dt_ * std::sqrt(square_in_inverse(m_.A, m_.at_theta.h, m_.dq));
  if (contacts) scale += std::sqrt(square_in_inverse(m_.A, m_.W_Lambda, m_.dq));
  relative_left_ = std::sqrt(error) / scale;
  const double left = std::sqrt(error), before = std::exchange(last_left_, left);
  stood_ = stands(left, before);
  slow_ = left > slow * before;
  // Velocities are known as the solver leaves them. Beyond that passes circle: impulses that it need not touch act at
  // places that move with the velocities, and under a load that would buckle without contacts, these grow.
  const bool solved = contacts && ws_.velocity.result.status == SolveStatus::solved;
  const double known = solved ? result_.solver_residual : 0.0;
  if (holds(left, std::max(tolerance, known), scale) || (stood_ && holds(left, circles * known, scale))) return true;
  if (last_move_ == infinity) return false;
  if (force_known()) {
    base::scale(options_.theta * dt_, m_.v_theta, m_.increment);
    move_to_theta();
  }
  return within_rounding(last_move_, m_.q_theta);
}

void ThetaStep::sum_contact_impulses() {
  set_zero(system_.nv(), m_.W_Lambda);
  force_directions().multiply_add(ws_.velocity.result.lambda.data(), m_.W_Lambda.data());
}

void ThetaStep::begin_newton() {
  result_.status = StepStatus::ok;
  m_.held.clear();
  passes_ = 0;
  stood_ = slow_ = false;
  turned_ = false;
  if (ws_.active.empty()) return;
  if (!warm_) warm_start(ws_.active, state_.impulses, ws_.velocity.result.lambda);
  warm_ = true;
  if (!delassus_known()) {
    m_.delassus_build = 0;
    set_laws(ws_.active, dt_, ws_.velocity.problem);
    if (!directions_known()) {
      m_.directions.system = 0;
      system_.evaluate(state_.t, state_.q, state_.v, Need::jacobian, ws_.active, m_.at_1);
    }
  }
  local_velocity(m_.at_1, state_.v, result_.gamma_minus);
  if (constancy_.affine_force && begins_with_impulses()) begin_with_impulses();
}

// Joints act much as in the step before. Where h is the same everywhere this costs no evaluation, and W(q_1) is met
// nearer: one pass then often does. Long models leave their first passes early in any case. Whether a step begins so
// must not hang on what is kept from earlier ones.
bool ThetaStep::begins_with_impulses() {
  if (result_.newton_iterations > 0 || !constancy_.inertia || !constancy_.autonomous || constancy_.jacobian ||
      options_.full_newton || options_.position_law || is_long() || !joints_act())
    return false;
  if (!tangents_known()) {
    system_.evaluate(state_.t, state_.q, state_.v, Need::force | Need::force_jacobian | Need::inertia, ws_.none,
                     m_.at_theta);
    if (!factor()) return false;
  }
  return force_known();
}

// v = v_0 + A^-1 (dt h + W(q_0) Lambda) with the impulses of the step before; after an impact it is no better than v_0.
void ThetaStep::begin_with_impulses() {
  scale(dt_, m_.at_theta.h, m_.dv);
  m_.at_1.W.multiply_add(ws_.velocity.result.lambda.data(), m_.dv.data());
  m_.A.solve(m_.dv.data());
  combine(1.0, state_.v, 1.0, m_.dv, result_.next.v);
  moved_ = true;
}

void ThetaStep::solve(const PositionProjection* projection, ProjectionRule rule) {
  Vector& v = result_.next.v;
  InclusionWork& work = ws_.velocity;
  // One pass is exact when nothing it linearises bends.
  const bool linear = constancy_.inertia && constancy_.affine_force && constancy_.jacobian;

  const bool together = projection != nullptr && is_long();

  bool solved = true, met = true;
  int unsolved = 0;  // in a row
  precise_ = false;
  last_left_ = infinity;
  if (!together || !placed_) corrected_ = placed_ = false;
  begin_newton();
  for (int iteration = 0; iteration <= newton_cap; ++iteration) {
    passes_ = iteration;
    at_start_ = options_.full_newton && !options_.position_law && result_.newton_iterations == 0;
    place_theta(v);
    const bool tangents = options_.full_newton || iteration % refresh_tangents_after == 0;
    evaluate(v, tangents);
    if (iteration > 0 && met &&
        (within(options_.newton_tolerance, v) ||
         (projection == nullptr && hold_directions() && within(options_.newton_tolerance, v)))) {
      if (enough_ == 0.0) {
        precise_ = true;
        break;
      }
      enough_ = 0.0;
    } else if (iteration > 0) {
      enough_ = std::min(enough_, share_of_left * relative_left_);
    }
    if (iteration > 0 && roughly_ && within(rough_tolerance, v)) break;
    if (iteration == newton_cap) {
      placed_ = placed_ && met;
      result_.status = !met     ? StepStatus::projection_failed
                       : solved ? StepStatus::newton_failed
                                : StepStatus::solver_failed;
      break;
    }
    if (tangents && !factor()) return;
    if (iteration == 0)
      enough_ = (projection == nullptr || roughly_) && !linear && is_pile() && moves() ? enough_at_first : 0.0;
    ++result_.newton_iterations;
    result_.solver_residual = 0.0;  // told is that of the last pass
    at_start_ = false;

    // From the first impulses of this step on: those of the step before would decide where Newton stops.
    const IterationMatrix& A = is_long() && result_.newton_iterations > 1 ? turned_A() : m_.A;
    scale(1.0, m_.force, m_.dv);
    A.solve(m_.dv.data());
    if (!ws_.active.empty()) {
      // c = W' (v + A^-1 f) + chi + e gamma_0
      combine(1.0, v, 1.0, m_.dv, m_.dq);
      local_velocity(m_.at_1, m_.dq, work.problem.c);
      add_restitution(work.problem.c);
      if (options_.position_law) use_position_law(work.problem.c);
      work.problem.c_directions = &m_.at_1.W;
      work.problem.c_velocity = m_.dq.data();
      if (!delassus_known()) build_delassus(A);
      work.problem.enough = enough_;
      solved = options_.position_law ? solve_and_count(solver_, work, result_)
                                     : solve_step(solver_, result_.gamma_minus, work, result_, velocities_before());
      unsolved = solved ? 0 : unsolved + 1;
      if (unsolved == most_unsolved && is_pile()) break;
      fit(system_.nv(), m_.W_Lambda);
      work.factory.response(A, force_directions(), work.result.lambda.data(), m_.W_Lambda.data());
      add(m_.W_Lambda, m_.dv);
    }
    add(m_.dv, v);
    last_move_ = iteration > 0 ? dt_ * m_.dv.lpNorm<Eigen::Infinity>() : infinity;

    if (together) {
      met = improve_positions(*projection, rule);
    } else if (projection != nullptr) {
      corrected_ = false;
      average(v);
      place_end();
      const int before = result_.projection_iterations;
      if (!project(*projection, rule)) return;
      corrected_ = result_.projection_iterations > before;
    }
    if (roughly_ && enough_ > 0.0) {
      average(v);
      break;
    }
    if (linear && met && (!corrected_ || m_.at_theta.dh_dq.structure() == Structure::zero)) {
      average(v);
      precise_ = true;
      break;
    }
  }
  place_end();
  if (!solved && result_.status == StepStatus::ok) result_.status = StepStatus::solver_failed;
}

const Buffer* ThetaStep::velocities_before() {
  if (!PassiveImpact::needed(ws_.velocity.problem)) return nullptr;
  local_velocity(m_.at_1, state_.v, m_.gamma);
  return &m_.gamma;
}

void ThetaStep::add_restitution(Buffer& c) {
  const Index rows = ws_.active.rows();
  if (guard_.factor() == 1.0) {
    add_impact_shift(ws_.active, result_.gamma_minus, ws_.velocity.shift, c);
    return;
  }
  Buffer& restrained = m_.restrained;
  restrained.resize(rows);
  for (Index i = 0; i < rows; ++i) restrained[i] = guard_.factor() * result_.gamma_minus[i];
  add_impact_shift(ws_.active, restrained, ws_.velocity.shift, c);
}

// What impulses and the position correction bring in: Lambda' (W' (v_0 + v_1)/2 + chi) - h' delta. With friction the
// smaller of this and of what the normals bring alone: with friction Newton's law may gain energy by itself, which is
// taken away only where the law is passive.
bool ThetaStep::restrain(double tolerance) {
  if (ws_.active.empty() || result_.status != StepStatus::ok) return false;
  const Buffer& Lambda = ws_.velocity.result.lambda;
  combine(0.5, state_.v, 0.5, result_.next.v, m_.dq);
  local_velocity(m_.at_1, m_.dq, m_.gamma);
  double normal = 0.0, all = 0.0, rounding = 0.0, length = 0.0;
  bool rebounds = false, passive = false;
  Index row = 0;
  for (Index i = 0; i < ws_.active.size(); ++i) {
    const Constraint& constraint = ws_.active.constraint(i);
    const Index dim = constraint.law->dim();
    length = std::max(length, constraint.length_scale);
    passive = passive || constraint.law->is_passive();
    for (Index r = 0; r < dim && !constraint.bilateral; ++r) {
      const double work = Lambda[row + r] * m_.gamma[row + r];
      all += work;
      rounding += 1e-10 * std::abs(work);
      // What passive restitution leaves (passive_impact.cc): its work vanishes, not its impulses and velocities.
      if (constraint.law->is_passive())
        rounding +=
            4e-9 * std::abs(Lambda[row + r]) * (std::abs(m_.gamma[row + r]) + std::abs(result_.gamma_minus[row + r]));
      if (r < constraint.position_rows) normal += work;
      rebounds = rebounds || ws_.velocity.shift[row + r] != 0.0;
    }
    row += dim;
  }
  if (guard_.factor() == 1.0 && !rebounds) return false;  // there is no restitution to take away
  double gained = passive ? all : std::min(normal, all);
  if (corrected_) gained -= dot(m_.at_theta.h, m_.projection.delta);
  rounding += 2.0 * tolerance * length * m_.at_theta.h.lpNorm<1>();
  return guard_.solve_again(gained, rounding);
}

void ThetaStep::use_position_law(Buffer& c) {
  // g(q_1 + dt theta dv) / (dt theta) = g / (dt theta) + W' dv, to first order.
  m_.at_1.W.transpose_multiply(m_.dv.data(), m_.gamma.resized(ws_.active.rows()));
  Index row = 0;
  for (Index i = 0; i < ws_.active.size(); ++i) {
    const Constraint& constraint = ws_.active.constraint(i);
    for (Index r = 0; r < constraint.position_rows; ++r) {
      c[row + r] = m_.at_1.g[row + r] / (dt_ * options_.theta) + m_.gamma[row + r];
      ws_.velocity.shift[row + r] = 0.0;
    }
    row += constraint.law->dim();
  }
}

void ThetaStep::solve_projected(const PositionProjection& projection, ProjectionRule rule) {
  switch (projection.coupling()) {
    case PositionProjection::Coupling::in_loop: solve(&projection, rule); return;
    case PositionProjection::Coupling::coupled:
      if (system_.features().contains(Feature::two_phases))  // two phases are no part of one coupled problem
        solve(&projection, rule);
      else
        solve_coupled(projection, rule);
      return;
    case PositionProjection::Coupling::post: {
      solve_velocities();
      const int before = result_.projection_iterations;
      if (result_.status == StepStatus::ok && project(projection, rule))
        corrected_ = result_.projection_iterations > before;
      return;
    }
  }
}

bool ThetaStep::project(const PositionProjection& projection, ProjectionRule rule) {
  assign_roles(rule, ws_, m_.projection.roles);
  m_.projection.q_bar = result_.next.q;
  if (projection.project(system_, solver_, result_.next.t, m_.projection.q_bar, result_.next.v, m_.A, ws_,
                         m_.projection, result_, result_.next.q))
    return true;
  result_.status = StepStatus::projection_failed;
  return false;
}

bool ThetaStep::improve_positions(const PositionProjection& projection, ProjectionRule rule) {
  const bool from_none = !placed_;
  placed_ = true;
  corrected_ = false;
  average(result_.next.v);
  place_end();
  assign_roles(rule, ws_, m_.projection.roles);
  m_.projection.q_bar = result_.next.q;
  const int before = result_.projection_iterations;
  const bool met = projection.improve(system_, solver_, result_.next.t, m_.projection.q_bar, result_.next.v, m_.A,
                                      newton_terms(), ws_, m_.projection, result_, result_.next.q, from_none,
                                      enough_ > 0.0 ? enough_for_positions : 0.0);
  corrected_ = !from_none || result_.projection_iterations > before;
  return met;
}

// What a step reports it has solved for, and what it reported before nobody asks for while it solves: one memory serves
// both. Back and forth in every step, so that it is always the same one.
void ThetaStep::exchange_reported() {
  result_.impulse.swap(ws_.velocity.result.lambda);
  result_.gamma_plus.swap(ws_.velocity.result.xi);
}

void ThetaStep::finish() {
  exchange_reported();
  // A step that ended before its first inclusion has no impulses to report.
  if (ws_.active.empty() || result_.status == StepStatus::singular)
    report_no_contacts(result_);
  else
    report_contacts(ws_.active, result_.impulse, result_.gamma_minus, result_.gamma_plus, ws_.velocity.shift, result_);
  if (options_.position_law && !result_.contacts.empty()) local_velocity(m_.at_1, result_.next.v, result_.gamma_plus);
  check_finite(result_);
}

}  // namespace carom::inline schemes
