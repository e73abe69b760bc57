// The matrix J of a consistent step's pass, x = (d, S, kappa): the derivative of its rows without contact impulses.
// Second derivatives times multipliers are left out: they are smaller by dt^2.
//
// Up to 48 velocities, and for inertia that changes, one dense matrix. Above, J11 = 2/dt (M - dt/2 dh_dv - dt^2/4
// dh_dq) keeps the structure of M and the forces (bars, beams), and the joints, few beside them, are eliminated.
//
// Where all is linear in the state the factors serve every step of one length.
#pragma once

#include "carom/schemes/consistent/joint_equations.h"

namespace carom::inline schemes {

class PassMatrix {
 public:
  // `linear`: of this system every pass has the same matrix. False: it is singular.
  bool factor(const System& system, const Inertia& M, const ConsistentMotion& motion, StepInertia& inertia,
              const JointEquations& joints, bool linear);
  // X := J^-1 X
  void solve(double* X, Index columns);

 private:
  void evaluate_stiffness(const System& system, const ConsistentMotion& motion);
  bool factor_dense(const ConsistentMotion& motion, StepInertia& inertia, const JointEquations& joints);
  bool factor_structured(const Inertia& M, const ConsistentMotion& motion, const StepInertia& inertia,
                         const JointEquations& joints);
  void solve_motion(double* x, Index columns);

  Index n_ = 0, m_ = 0;  // d; S and kappa
  double dt_ = 0.0;
  bool structured_ = false;
  std::uint64_t known_of_ = 0;  // the system whose factors these are

  Evaluation forces_;
  ContactSet no_contacts_;
  ActiveSet none_;
  Vector v_mean_;
  DenseBuffer J_;  // dense, or what eliminated joints leave
  std::vector<int> pivots_;
  IterationMatrix motion_;                  // dt/2 J11
  DenseBuffer joint_columns_, joint_rows_;  // J11^-1 J12 and J21
};

}  // namespace carom::inline schemes
