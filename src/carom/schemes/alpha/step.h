// One step of the generalized-alpha family: Newton's method on the equations of levels.h with the nested active
// sets A > B > C found anew in every iteration (activity.cc),
//
//   R1  M a - W lambda - h                     R2  smooth rows,          lambda = 0 off C
//   R3  M u - W nu - dt/2 W_T Lambda_T         R4  g = 0 on A,           nu* = 0 off A
//   R5  M w - W Lambda                         R6  gamma + shift on B,   Lambda* = 0 off B
//
// with the totals  Lambda* = Lambda + once(eta),  nu* = nu + twice(eta):  Lambda* is the impulse that reaches
// the bodies, lambda alone has no meaning. All at the end of the step. The active sets are part of the Newton
// iteration, as published; where it does not find them the inclusion solver does (inclusions.cc).
//
// Solution::sequential solves (R1, R2), (R3, R4), (R5, R6) one after the other in every iteration,
// Solution::monolithic all six at once. Both are `correct` with other levels asked for.
#pragma once

#include <vector>

#include "carom/inclusion/minimum_norm.h"
#include "carom/schemes/alpha/coefficients.h"
#include "carom/schemes/alpha/levels.h"
#include "carom/schemes/alpha/multiplier_blocks.h"
#include "carom/schemes/alpha/past.h"
#include "carom/schemes/scheme.h"
#include "carom/system/curvature.h"

namespace carom::inline schemes::alpha {

// The state of one constraint in an iteration.
struct Activity {
  bool position = false, velocity = false, acceleration = false;  // member of A, B, C
  bool sticks = false;                                            // its impulse is inside the friction disc
  bool force_sticks = false;                                      // its smooth force too
  bool operator==(const Activity&) const = default;
};

// Levels a correction works on, as bits.
enum CorrectionLevel : unsigned { smooth_level = 1, position_level = 2, velocity_level = 4, all_levels = 7 };

// A multiplier of an active row, and the row's equation beside it.
struct Unknown {
  CorrectionLevel level;
  Index k, row, r;  // constraint, its row, counted within the block
};

// The kinds of equations (equations.cc), all in the unit of an acceleration.
enum class Form {
  position,         // g / dt^2
  velocity,         // (gamma + shift) / dt
  smooth_velocity,  // (W'v_smooth + chi) / dt
  acceleration,     // W'a + zeta
  baumgarte,
  slip_impulse,  // impulse on the friction disc
  slip_force,    // smooth force on the disc, sliding is about to begin
  sliding_force  // smooth force against the sliding velocity
};

// How far the equations are from holding, each relative to its own unit.
struct Residual {
  double force = 0.0;   // R1
  double others = 0.0;  // R3, R5, the equations of active rows, the multipliers of the others
  // The same in two parts: velocities and accelerations of contacts that stick, which may contradict each other, not
  // judged stricter than forces, and the rest.
  double sticking = 0.0, without_sticking = 0.0;
};

// Columns A^-1 w of rows, as far as they are known.
struct Responses {
  std::vector<char> known;
  Buffer columns;
};

// Scratch memory, kept from step to step.
struct Work : SchemeMemory {
  Past past, next;    // a_0, a_bar_0, lambda_0, eta_0 and the end's a, a_bar, lambda, eta
  Vector u, w;        // corrections of position and velocity
  Buffer nu, Lambda;  // their multipliers
  Buffer nu_total, Lambda_total;
  Vector v_smooth;
  Evaluation end;
  ConstraintJacobian W_0;                                      // of the start, for the original correction
  Buffer gamma_minus, shift, gamma, gamma_smooth, gamma_rate;  // of v_0, v, v_smooth; W'a + zeta
  Buffer r_N, r_T;                                             // by constraint: inverse diagonal of W'M^-1 W
  std::vector<Activity> activity, activity_before, activity_twice_before;
  std::vector<Index> first_row;
  Vector R1, R3, R5, W_lambda, increment, column;

  // Factors, and what they belong to.
  IterationMatrix M_factor, S_factor;
  std::uint64_t M_of = 0, S_of = 0, constants_of = 0, r_of = 0;
  double S_dt = 0.0, S_rho = 0.0;
  DifferencedCurvature differences;
  ForceJacobian stiffness;  // dh_dq and what curvature adds
  const ForceJacobian* K = nullptr;
  Buffer curvature, D_a, D_h, D_v, D_s;
  bool curved_directions = false, curved_rows = false;
  bool keeps_responses = false;  // nothing they depend on changes
  Responses S_responses, M_responses;

  // The system of the active multipliers.
  std::vector<Unknown> unknowns;
  std::vector<Index> smooth_index, position_index, velocity_index;  // by row; -1: none
  Buffer X, Q, V;             // responses of a, q, v: one column per unknown, the last of the residual
  Buffer P_a, P_q, P_v, P_s;  // W' of them with the curvature of the rows
  Buffer matrix, rhs;
  Vector da, dq, dv;  // what a correction changes
  MinimumNormMemory minimum_norm;
  MultiplierBlocks blocks;  // in place of the columns, where it falls apart

  // Of the solution by inclusions.
  Vector du;
  Buffer impulse_guess;    // Lambda* of the last pass, by rows
  std::vector<char> held;  // by constraint: has pushed, an equality of the position level
  InclusionWork position;
  ConstraintJacobian W_position;
  std::vector<Index> indices, row_counts;
  Evaluation at_1;

  // Of a start.
  Evaluation at_0;
  IterationMatrix M_0_factor;

  const InclusionWork* position_problem() const override { return &position; }
};

class Step {
 public:
  Step(const System& system, const InclusionSolver& solver, const State& state, double dt, const Options& options,
       StepWorkspace& ws, Work& work, StepResult& result);

  // The whole step.
  void run();

 private:
  // start.cc
  bool begin();
  bool accelerate(double t, const Vector& q, const Vector& v, Vector& a, Buffer& lambda);

  bool iterate(Solution solution);
  void predict();
  void update();  // a_bar, eta, q, v and totals from the unknowns
  void update_totals();
  void evaluate(Need extra);
  Residual residual();
  void residual_vectors();
  bool solved(const Residual& before, const Residual& now) const;
  bool cycling();  // the sets alternate
  void report();

  // equations.cc
  void list_unknowns(unsigned levels);
  Form form_of(const Unknown& unknown) const;
  double equation(const Unknown& unknown) const;
  double unit_of(const Unknown& unknown, double F) const;

  // activity.cc
  bool measure_masses();
  void activate(bool one_by_one);
  void deactivate(unsigned levels);

  // correction.cc
  bool factor_inertia();
  bool linearise();
  void correct(unsigned levels);
  void respond(unsigned levels);
  void inertia_response(const Unknown& unknown, double factor, double* x);
  void kept_response(Responses& kept, const IterationMatrix& A, const Unknown& unknown, double factor, double* x);
  void assemble();
  void apply();
  void move_unknowns();

  // linear_equation.h
  template <class Columns, class Put>
  void linear_equation(const Unknown& unknown, Columns columns, Put put) const;

  // sparse_correction.cc
  bool falls_apart() const;
  void correct_by_blocks(unsigned levels);
  void respond_to_changes(unsigned levels);
  void assemble_blocks(unsigned levels);

  // inclusions.cc
  bool solve_inclusions();
  bool solve_positions();
  bool solve_velocities();
  void inertia_response(const double* multipliers, Vector& x);
  template <class F>
  void for_position_rows(F f) const;
  template <class F>
  void for_active_rows(F f) const;

  // The direction of sliding d of a Coulomb row, and 1/|s| of the vector s it is the direction of.
  struct Slide {
    double d[Law::max_dim];
    double inverse_length;
  };
  Slide slide(Form form, Index k) const;

  Index rows() const { return ws_.all.rows(); }
  Index row_of(Index k) const { return work_.first_row[static_cast<std::size_t>(k)]; }
  const Constraint& constraint(Index k) const { return ws_.all.constraint(k); }
  bool has_smooth_row(const Constraint& c) const {
    return c.bilateral ? options_.levels.joints != SmoothRow::none : options_.levels.contacts;
  }

  const System& system_;
  const InclusionSolver& solver_;
  const State& state_;
  const Options& options_;
  const Coefficients c_;
  const Constancy constancy_;
  const Index nv_;
  StepWorkspace& ws_;
  Work& work_;
  StepResult& result_;
  Inactive inactive_ = Inactive::total;  // of the iteration under way
  int alternations_ = 0;                 // of the sets, in a row
  bool sets_changed_ = false;            // in this iteration
  double last_move_ = 0.0;               // how far the last iteration moved a position, or dt times a velocity
};

}  // namespace carom::inline schemes::alpha
