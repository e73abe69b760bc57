// The velocity problem of the implicit theta method with impact law, shared by Moreau-Jean and both
// projected schemes. With v_theta = theta v_1 + (1 - theta) v_0 and a position correction delta
// (zero for Moreau-Jean):
//
//   M(q_theta) (v_1 - v_0) - dt h(t_theta, q_theta, v_theta) = W_f Lambda,     W_f = W(q_1)
//   q_1 = q_0 (+) dt v_theta (+) delta,     q_theta = q_0 (+) theta dt v_theta (+) theta delta
//   active:   xi = W(q_1)' v_1 + chi + e (W(q_0)' v_0 + chi_0),   -xi in N_C(Lambda)
//   inactive: Lambda = 0
//
// Newton: A = M - dt theta dh_dv - dt^2 theta^2 dh_dq, factored once a step; M, h, W at the last
// iterate, so that the limit solves the equations above, not a linearisation of them:
//
//   f = dt h - M (v - v_0),   G = W' A^-1 W_f,   c = W' (v + A^-1 f) + chi + e gamma_0
//   v <- v + A^-1 (f + W_f Lambda)
//
// The power of a joint's force along the mean velocity is Lambda' W_f' (v_0 + v_1)/2. With W_f = W(q_1) and W_1' v_1 =
// W_0' v_0 = 0 that is Lambda' (W_1 - W_0)' v_0 / 2 = O(dt^2), and the sum over the run O(dt): joints of bodies with
// all their coordinates lose energy. directions = midpoint takes W_f = W(q_theta) in their rows. W_mid is the mean of
// both up to O(dt^2), the power Lambda' (W_1 - W_0)' (v_0 - v_1)/4 = O(dt^3), and the sum O(dt^2). Their velocities are
// still asked for at the end: nothing alternates.
//
// The first iterate has v = v_0 and the positions that follow from it; with joints and constant weights v is where the
// impulses of the step before lead. newton = full is the loop as Acary 2012 prints
// it: the first iterate is q_0, v_0, where what h misses is added to first order, f = dt h(q_0) + dt theta dh_dq (dt
// v_0), and A belongs to each iterate. The limit is the same, but for projections in the kinetic metric, which is that
// of A; the number of iterations is not.
//
// Above `small_model` velocities, from the first impulses of the step on, Newton's matrix has of d(W Lambda)/dq what
// stays within one body (system/turning_directions.h), where A falls apart into bodies; the metric of projections has
// not. A projection within the iteration takes one step in each, from where the last one ended: positions and
// velocities converge together, and neither is solved to the end for values of the other that change again.
//
// Contacts for which the passes circle keep the directions of one of them (held_directions.h). Passes over piles that
// move are solved only as far as the directions are known, the last one to the end; of an active set that still grows
// there is but one such pass.
//
// It stops when |f + W Lambda| <= tolerance (|M v_0| + |M v_1| + dt |h| + |W Lambda|) in the A^-1 norm, or
// when an iteration after the first moves the positions by no more than rounding: then stiff forces forbid more.
#pragma once

#include <limits>

#include "carom/base/iteration_matrix.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/schemes/projection/energy_guard.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/scheme.h"
#include "carom/schemes/theta/held_directions.h"
#include "carom/schemes/turning_matrix.h"

namespace carom::inline schemes {

struct ThetaOptions {
  double theta = 0.5;
  double newton_tolerance = 1e-10;
  bool absolute_test = false;        // |f + W Lambda| <= tolerance instead, as some published runs did
  bool full_newton = false;          // from q_0, v_0 and with the matrix of each iterate
  bool directions_at_start = false;  // W(q_0) instead of W(q_1)
  bool position_law = false;         // 0 <= g(q_1) _|_ Lambda >= 0 in place of the impact law
  bool midpoint_joints = false;      // their forces at q_theta instead of q_1

  static std::vector<ParameterSpec> parameters();
  static ThetaOptions from(const Parameters& p);
  static Orders orders(const Parameters& p);
};

// Of the coupled solution (coupled_step.cc).
struct CoupledMemory {
  DenseDelassus operator_of_both;
  std::vector<RowRange> partition;         // constraints of the active set, then projected ones
  Buffer columns_v, columns_p, columns_x;  // A^-1 W_v, N W_p, A^-1 K N W_p
  Buffer G, product;
};

// What W of at_1 belongs to: the end of a step is the start of the next.
struct DirectionsKnown {
  std::uint64_t system = 0;  // 0: something else
  double t = 0.0;
  Vector q;
  std::vector<Index> members;
};

struct ThetaMemory final : SchemeMemory {
  // Constant tangents stay in at_theta and A from step to step, for the system and the theta dt named beside them.
  Evaluation at_theta, at_1;
  IterationMatrix A;
  std::uint64_t tangents_of = 0;
  double tangents_theta_dt = 0.0;
  // Where W is constant as well: the active set at_1.W and the velocity problem's G were built for, and
  // which build of G that was (0: none).
  std::vector<Index> delassus_members;
  std::uint64_t delassus_build = 0;
  DirectionsKnown directions;
  HeldDirections held;
  Evaluation at_mid;  // where joints act at q_theta
  Vector v_theta, q_theta;
  Vector force, W_Lambda;  // f, W_f Lambda
  Vector dv;               // what an iteration adds to v
  Vector increment, dq;    // scratch: of positions or momenta, and of velocities or A^-1 of something
  Buffer restrained;       // gamma_0 (the result's gamma_minus), as far as the guard lets it
  Buffer gamma;            // scratch: velocities by rows
  // Of a growing active set.
  Evaluation at_end;
  std::vector<Index> members;
  TurningMemory turning;

  ProjectionMemory projection;
  CoupledMemory coupled;

  const InclusionWork* position_problem() const override { return &projection.position; }
};

class ThetaStep {
 public:
  ThetaStep(const ThetaOptions& options, const System& system, const InclusionSolver& solver, const State& state,
            double dt, StepWorkspace& ws, ThetaMemory& memory, StepResult& result);

  // Finds the constraints of the step and measures gaps and velocities at its start.
  void begin();

  // The active sets. explicit: g_0 + activation_gamma dt gamma_0 <= tolerance. free: the gap the
  // contact would have at the end of the step without contact forces <= tolerance. all: every one.
  void activate_bilateral();
  void activate_explicit(double activation_gamma, double tolerance);
  void activate_free(double tolerance);
  void activate_all();

  // Adds the contacts that are closed at the end of the step. Whether there were any.
  bool grow_active_set();

  // Newton on the active set.
  void solve_velocities() { solve(nullptr, ProjectionRule::all_contacts); }
  // Newton on velocities and projection of positions, coupled as the projection says.
  void solve_projected(const PositionProjection& projection, ProjectionRule rule);

  // Long models: an active set that still grows need not be solved to the end. `roughly`: what follows is solved only
  // as far as contacts show that close. Whether the last solution is one to the end all the same.
  bool is_long() const;
  void solve_roughly(bool roughly) { roughly_ = roughly; }
  bool is_pile() const;  // the active set
  bool is_precise() const { return precise_; }

  // Whether contacts and position correction of the last solution brought in energy, so that the step must be solved
  // again with less restitution (energy_guard.h). `tolerance` is that of the projection.
  bool restrain(double tolerance);

  // Impulses, contact velocities and counters into the result.
  void finish();

 private:
  // g_0 + look_ahead (gap rate) <= tolerance length_scale
  void keep_impulses(const std::vector<Index>& members);
  void activate_by_forecast(double look_ahead, double tolerance);
  bool project(const PositionProjection& projection, ProjectionRule rule);
  bool improve_positions(const PositionProjection& projection, ProjectionRule rule);
  void solve_coupled(const PositionProjection& projection, ProjectionRule rule);
  void solve(const PositionProjection* projection, ProjectionRule rule);
  bool positions_converged(const PositionProjection& projection) const;
  void begin_newton();          // guess, laws and velocities of the active set
  bool begins_with_impulses();  // of the step before
  void begin_with_impulses();
  void average(const Vector& v);      // v_theta of an iterate
  void place_theta(const Vector& v);  // and q_theta, where something is evaluated there
  void move_to_theta();
  void place_end();                               // q_1, once v_theta is known
  void evaluate(const Vector& v, bool tangents);  // M, h (, dh), and q_1 and W if contacts act
  bool weights_known() const;
  bool force_known() const { return constancy_.affine_force && weights_known(); }  // the same everywhere, and found
  void remember_directions();     // W of at_1 is that at the end of this step
  bool directions_known() const;  // and at the start of this one
  bool may_hold() const;
  bool hold_directions();  // of contacts for which the passes circle
  bool moves();
  bool joints_act() const;  // some of the active constraints are joints
  void turn_joints_back();  // W_f, if it is not W(q_1)
  const ConstraintJacobian& force_directions() const { return turned_ ? m_.at_mid.W : m_.at_1.W; }  // W_f
  void exchange_reported();           // memory of impulses and velocities, with the result
  void sum_contact_impulses();        // W_f Lambda
  const Buffer* velocities_before();  // W(q_1)' v_0 + chi, where passive restitution asks for it
  void add_restitution(Buffer& c);    // e gamma_0, as far as the guard lets it
  void use_position_law(Buffer& c);   // gaps in place of the normal velocities
  bool converged(const Vector& v) { return within(options_.newton_tolerance, v); }
  bool within(double tolerance, const Vector& v);  // what is left of the equations of motion
  bool factor();
  NewtonTerms newton_terms() const;               // of A
  const IterationMatrix& turned_A();              // with the turning of joints where the system knows it
  bool tangents_known() const;                    // constant, and factored in an earlier step
  void build_delassus(const IterationMatrix& A);  // G
  bool constant_delassus() const;                 // for one active set
  bool delassus_known() const;                    // constant, and W and G built in an earlier step

  const ThetaOptions& options_;
  const System& system_;
  const InclusionSolver& solver_;
  const State& state_;
  const double dt_;
  StepWorkspace& ws_;
  ThetaMemory& m_;
  StepResult& result_;
  const Constancy constancy_;
  bool at_start_ = false;                                       // this iterate is q_0, v_0
  bool moved_ = false;                                          // the first iterate is not v_0
  double last_move_ = 0.0;                                      // dt |dv| of the last iteration, the first left out
  double last_left_ = std::numeric_limits<double>::infinity();  // of the equations of motion, after the last pass
  double relative_left_ = 0.0;                                  // the same, beside the size of its terms
  double enough_ = 0.0;                // residual that is enough for the next pass; 0: the solver's own
  int passes_ = 0;                     // of this active set
  bool stood_ = false, slow_ = false;  // the last pass left half, or a fifth, of what the one before had left
  bool corrected_ = false;             // the correction is part of the positions
  bool turned_ = false;                // W_f is that of at_mid
  EnergyGuard guard_;
  bool warm_ = false;  // the inclusion's lambda holds a guess for the active set
  bool roughly_ = false, precise_ = false;
  bool placed_ = false;  // the correction and the multipliers of positions hold a guess for it
};

}  // namespace carom::inline schemes
