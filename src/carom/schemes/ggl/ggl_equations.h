// The equations of a unified Gear-Gupta-Leimkuhler step and their derivatives. Unknowns are the displacement
// d, the velocity v = v_1, the impulses Lambda and the position multipliers Psi of the active set:
//
//   q_1 = q_0 (+) d,   q_h = q_0 (+) d/2,   v_h = (v_0 + v)/2
//
//   phi1 = d - dt v_h - N W_p(q_h) Psi                      = 0
//   phi2 = M (v - v_0) - dt h(t_mid, q_h, v_h) - W(q_h) Lambda = 0       M at q_0 (+) dt/2 v_0
//   xi   = gamma_1 + e gamma_minus                           -xi in N_C(Lambda)
//   g    = g(q_1)                                            0 <= g _|_ Psi >= 0   (joints: g = 0)
//
//   exact:       gamma_1 = W(q_1)' v + chi_1                 g = g(q_1)
//   linearised:  gamma_1 = gamma_0 + W(q_h)' (v - v_0)       g = g_0 + W_p(q_h)' d + dt chi
//
// gamma_minus is gamma_0, or that with the normal velocities of touching_contacts.h. W_p are the rows of W that exist
// on position level; N = M^-1 (kinetic metric) or 1 (euclidean).
// With B(x) = 1/2 d(W x)/dq and S = dt/2 dh_dq + B(Lambda), all at q_h:
//
//                d               v                   Lambda      Psi
//   phi1         1 - N B(Psi)   -dt/2                             -N W_p
//   phi2        -S               M - dt/2 dh_dv      -W
//   xi           C               Wc'
//   g            Pc' + P
//
//   exact:       Wc = W(q_1), C = d(W'v + chi)/dq at q_1;   Pc = W_p(q_1), P = 0
//   linearised:  Wc = W(q_h), C = 1/2 d(W'(v - v_0))/dq;    Pc = W_p(q_h), P = 1/2 d(W_p'd + dt chi)/dq
//
// Curvature (B, C, P) is left out of the matrix where W is constant, and where the system is too large for
// dense derivatives: Newton is then a simplified one. So it is, to the order of |d|, on rotations, where
// q_0 (+) (d + x) is not q_1 (+) x.
#pragma once

#include "carom/schemes/ggl/midpoint_step.h"
#include "carom/schemes/projection/position_projection.h"
#include "carom/schemes/touching_contacts.h"
#include "carom/system/curvature.h"

namespace carom::inline schemes {

struct GglOptions {
  bool exact = true;                // gap evaluation
  bool position_constraint = true;  // false: Psi = 0 and no equation for g
};

struct GglUnknowns {
  Vector d, v;
  Buffer Lambda;  // rows of the active set
  Buffer Psi;     // its position rows
};

// Values and derivatives at the last evaluate and linearise; the memory stays.
class GglEquations {
 public:
  // Gaps and velocities at the start of the step, rows of the active set. `midpoint` has moved freely and
  // activated; N is the metric; `touching` knows gamma_minus.
  void begin(const GglOptions& options, const MidpointStep& midpoint, const IterationMatrix& N,
             const TouchingContacts* touching = nullptr);

  // Until the next begin the matrices go without curvature. Velocities that stick are more rows than freedoms; with
  // curvature their linearised equations may contradict each other where the equations themselves do not.
  void leave_out_curvature() { curvature_ = nullptr; }

  // phi1, phi2, xi and g. `tangents` also asks for dh_dq and dh_dv while at it.
  void evaluate(const GglUnknowns& x, bool tangents);
  // The matrices, at the x of the last evaluate.
  void linearise(const GglUnknowns& x);

  Index nv() const { return nv_; }
  Index velocity_rows() const { return midpoint_->ws.active.rows(); }
  Index position_rows() const { return static_cast<Index>(position_row_.size()); }
  const Inertia& M() const { return midpoint_->memory.at_mid.M; }
  const IterationMatrix& N() const { return *N_; }

  Vector q_1;
  Vector phi1, phi2;
  Buffer xi, g;
  Buffer gamma_0, shift;  // shift = e gamma_minus
  Vector W_Lambda;        // W Lambda

  Evaluation mid;          // h, dh, W at q_h
  ConstraintJacobian W_p;  // position rows of W at q_h
  const ConstraintJacobian& Wc() const { return options_.exact ? end_.W : mid.W; }
  const ConstraintJacobian& Pc() const { return options_.exact ? end_W_p_ : W_p; }
  // Dense, column after column; empty where it vanishes or is left out.
  Buffer B_Lambda, B_Psi;  // nv x nv
  Buffer C;                // velocity_rows x nv
  Buffer P;                // position_rows x nv

 private:
  void find_position_rows();
  void take_position_rows(const ConstraintJacobian& W, ConstraintJacobian& out) const;
  bool directions(const Buffer& multipliers, Buffer& out) const;

  GglOptions options_;
  const MidpointStep* midpoint_ = nullptr;
  const IterationMatrix* N_ = nullptr;
  const Curvature* curvature_ = nullptr;  // null: left out
  Index nv_ = 0;
  DifferencedCurvature differences_;
  Evaluation start_, end_;
  ConstraintJacobian end_W_p_;
  Buffer g_0_, gamma_minus_, all_rows_, rates_;
  Vector q_h_, v_h_, scratch_;
  std::vector<Index> position_row_;  // row of the active set each position row is
  std::vector<Index> blocks_, block_rows_;
  bool tangents_known_ = false;
};

}  // namespace carom::inline schemes
