// The closed contacts of a consistent step's motion. Their impulses P act along B; their laws act on displacements:
//
//   -( g_N(q_1) - g_N(q_0) ) in N_C(P_N),   -( B_T' d ) in N_C(P_T)
//
// B holds the discrete gradients of the gaps, and the tangential directions at q_0; with `discrete_directions` off all
// are those of q_0, and the first reads B_N' d. A pass has d = d_0 + X P, X = J^-1 B: xi = G P + c with G = C X, C = d
// xi/dd.
//
// nested:         P solves this inclusion.
// simultaneous:   P_b <- project(P_b - r_b xi_b) once, r_b = 0.3 / max diag G_bb (many contacts on one body want it
// small).
#pragma once

#include "carom/inclusion/dense_delassus.h"
#include "carom/schemes/consistent/step_inertia.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

class ContactEquations {
 public:
  void begin(const System& system, const ActiveSet& contacts, bool discrete_directions, const ConsistentMotion& motion);
  // B, C and xi at the iterate.
  void evaluate(const ConsistentMotion& motion, StepInertia& inertia);
  // G and c of a pass whose free part is X's first column, with sign changed, and whose contacts' part are the others.
  void set_up(const ConsistentMotion& motion, const DenseBuffer& X);
  bool solve(const InclusionSolver& solver, StepResult& result);
  // How far it moves d.
  double project(const ConsistentMotion& motion, const DenseBuffer& X);

  Index rows() const { return contacts_->rows(); }
  ConstMatrixMap directions() const { return B_.map(); }
  double way(Index row, const Vector& d) const { return B_.map().col(row).dot(d); }

  Buffer P;

 private:
  const System* system_ = nullptr;
  const ActiveSet* contacts_ = nullptr;
  bool discrete_directions_ = true;
  Evaluation at_start_, at_mid_, at_end_;
  DenseBuffer B_, C_;  // n x rows, rows x n
  DenseBuffer rows_mid_, rows_end_;
  DenseBuffer G_;
  Buffer xi_, xi_of_P_, columns_;
  std::vector<RowRange> partition_;
  DenseDelassus delassus_;
  InclusionWork work_;
};

}  // namespace carom::inline schemes
