// The mode of a system: what every constraint does between two events, and the equations of motion that follow.
//
// A constraint in the mode contributes rows of accelerations that stay zero and the forces that keep them so,
//
//   joint, pressed (no friction), stick    Wc = Wf = W          all rows
//   slide in direction d                   Wc = W_N             the normal row,
//                                          Wf = W_N - mu W_T d  with friction fixed to the normal force
//
// and with a_free = M^-1 h the forces lambda follow from
//
//   0 = xi = G lambda + c,     G = Wc' M^-1 Wf,     c = Wc' a_free + zeta.
//
// Redundant constraints (Wc of smaller rank than rows) keep their generalised force unique: lambda = B eta with the
// columns of B spanning the range of S Wc' M^-1 Wc S, S = diag(Wc' M^-1 Wc)^-1/2; that is the lambda of least norm in
// the variables S^-1 lambda. With full rank B is the identity. The shortest lambda need not be one the laws allow,
// though: a box in the corner of a room would pull at its walls. So a mode keeps what its inclusion found beyond the
// range of B,
//
//   lambda = B eta + (the part of the inclusion's lambda that moves nothing),
//
// and with it starts where the laws hold.
#pragma once

#include <array>
#include <vector>

#include "carom/base/iteration_matrix.h"
#include "carom/system/system.h"

namespace carom::inline schemes::event_driven {

enum class Phase : char {
  open,     // away, or leaving with a speed
  resting,  // closed but without force: another contact carries, or it is about to leave
  joint,
  pressed,  // closed, without friction
  slide,
  stick
};

// A constraint that exerts forces.
struct ForceBlock {
  Index contact = 0;  // in the contact set
  Phase phase = Phase::joint;
  std::array<double, 2> d = {0.0, 0.0};  // direction of sliding
  bool begins = false;                   // to slide: keeps to d until it has a speed to speak of
};

struct Mode {
  std::vector<Phase> phases;       // by contact
  std::vector<ForceBlock> blocks;  // joints and contacts that exert forces, ascending
  Vector lambda;                   // of the inclusion that chose it, by rows of the blocks
  double flight = 0.0;             // shortest flight ahead of a contact that was just left; 0: none

  const ForceBlock* block_of(Index contact) const;
};

bool exerts_force(Phase phase);

struct VelocityResolution {
  double velocity = 1e-11;  // absolute
  double time = 0.0;        // instants this close are the same
};

// The rows of a list of blocks at one state.
class LocalDynamics {
 public:
  // False if M cannot be factored.
  bool evaluate(const System& system, double t, const Vector& q, const Vector& v, const ContactSet& contacts,
                const std::vector<ForceBlock>& blocks);

  Index rows() const { return Wc_.rows(); }
  const ActiveSet& active() const { return active_; }
  const Evaluation& at() const { return at_; }
  const IterationMatrix& M() const { return A_; }
  const Vector& a_free() const { return a_free_; }
  const ConstraintJacobian& Wc() const { return Wc_; }
  const ConstraintJacobian& Wf() const { return Wf_; }
  const Buffer& c() const { return c_; }
  const Buffer& zeta() const { return zeta_; }
  Matrix G() const { return operator_of(Wf_); }
  // B for the present state; `idle` is the part of lambda beyond its range.
  Matrix basis(const Vector& lambda, Vector& idle) const;
  // a = a_free + M^-1 Wf lambda
  void acceleration(const Vector& lambda, Vector& a) const;
  // v <- v + M^-1 Wc p with Wc' v + chi = 0. `power` is p times the mean of the velocities before and after.
  void project_velocity(Vector& v, Vector& p, Vector& power) const;

  // Local velocities by rows of the constraints themselves (not of the blocks).
  void gamma(const Vector& v, Buffer& gamma) const;
  // sum_i |W_ri x_i|: what rounding acts on in row r of block b.
  double magnitude(Index b, Index r, const Vector& x) const;
  // Velocities of row r of block b up to this are zero for all purposes: rounding of W'v, and what the acceleration
  // at hand gives within the resolution of time.
  double velocity_tolerance(Index b, Index r, const Vector& v, const VelocityResolution& resolution) const;
  // Direction of sliding of block i: fixed in the plane, along the velocity in space. Where sliding has just begun, its
  // speed grows from nothing along d, and rounding would decide the direction of the velocity.
  std::array<double, 2> direction(const ForceBlock& block, Index i, const Vector& v) const;

 private:
  Matrix operator_of(const ConstraintJacobian& Wf) const;  // Wc' M^-1 Wf
  void append(const ForceBlock& block, Index i, const Vector& v);

  ActiveSet active_;
  Evaluation at_;
  IterationMatrix A_;
  Vector a_free_;
  ConstraintJacobian Wc_, Wf_;
  Buffer c_, chi_, zeta_;
};

}  // namespace carom::inline schemes::event_driven
