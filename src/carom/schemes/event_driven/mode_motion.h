// The smooth motion of one mode, y = (q, v, eta):
//
//   q' = T(q) v      v' = a_free + M^-1 Wf lambda      0 = B' (G lambda + c)      lambda = B eta + idle
//
// Index reduction: the constraints stand on acceleration level, where they determine eta algebraically (index 1).
// Positions and velocities of the constraints are invariants of the exact motion; what integration errors make of
// them is removed by projection at the end of every segment (event_driven.cc).
//
// Guards, positive inside the mode:
//
//   open, resting   g                      closes
//   pressed         lambda_N               releases
//   slide           lambda_N, gamma_T d    releases, stops or turns
//   stick           mu lambda_N - |lambda_T|
//
// A guard that starts near zero because it has just changed (a contact that was released, a sliding that begins)
// is shifted by a margin until it has clearly left zero: rounding must not end the mode where it begins.
#pragma once

#include "carom/schemes/event_driven/mode.h"
#include "carom/schemes/event_driven/smooth_problem.h"

namespace carom::inline schemes::event_driven {

class ModeMotion final : public SmoothProblem {
 public:
  // `gap_margin`: relative to the length scale of a contact.
  ModeMotion(const System& system, const ContactSet& contacts, const Mode& mode, double gap_margin);

  // eta and the margins for a start from (t, q, v). False if the equations cannot be solved.
  bool start(double t, const Vector& q, const Vector& v, const VelocityResolution& resolution);
  const Vector& y() const { return start_; }
  // Typical size of the algebraic variables, for their tolerance.
  double force_size() const { return force_size_; }

  Index differential() const override { return nq_ + nv_; }
  Index algebraic() const override { return static_cast<Index>(basis_.cols()); }
  bool rates(double t, const double* y, double* f) override;
  Index guard_count() const override { return static_cast<Index>(guards_.size()); }
  bool guards(double t, const double* y, double* values) override;

  // After an internal step: guards that have clearly left zero lose their margin. Whether all are positive.
  bool rearm(double t, const double* y);

  // A gap that closes and opens again within one internal step has no change of sign at its ends, but its rate has one:
  // the first time between t_0 and t_1 at which such a gap closes, or t_1.
  double first_dip(const Integrator& integrator, double t_0, double t_1);

  void state(const double* y, Vector& q, Vector& v) const;
  // Acceleration at y.
  bool acceleration(double t, const double* y, Vector& a);
  // power += weight lambda gamma and impulse += weight lambda, by rows of all constraints of the contact set.
  bool add_forces(double t, const double* y, double weight, Buffer& impulse, Buffer& work);

 private:
  enum class GuardKind : char { gap, normal_force, sliding_velocity, friction_margin };
  struct Guard {
    GuardKind kind;
    Index contact;           // in the contact set
    Index block = 0;         // in the mode's blocks, or in the watched set for a gap
    double margin = 0.0;     // added while fresh
    double leave = 0.0;      // above this it is fresh no more
    double remainder = 0.0;  // added afterwards: spatial sliding ends before its direction is lost
    bool fresh = false;
  };

  bool evaluate(double t, const double* y);
  void look(const Integrator& integrator, double t);
  double value(const Guard& guard) const;
  Index block_row(Index block) const { return dynamics_.Wc().block(block).row; }

  const System& system_;
  const ContactSet& contacts_;
  const Mode& mode_;
  double gap_margin_;
  Index nq_, nv_;
  Matrix basis_;
  Vector idle_;
  Vector start_;
  double force_size_ = 0.0;
  std::vector<Guard> guards_;
  std::vector<Index> first_row_;  // of every contact in buffers over all constraints
  // Of the last evaluation.
  LocalDynamics dynamics_;
  Vector q_, v_, lambda_;
  ActiveSet watched_;
  Evaluation gaps_;
  Buffer gamma_;
  std::vector<double> values_;
  Vector between_;  // y between two internal steps
};

}  // namespace carom::inline schemes::event_driven
