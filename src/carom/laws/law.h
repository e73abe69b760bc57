// The inclusion -xi in N_{C(lambda)}(lambda) of one constraint block, as the fixed point
//
//     lambda = project(lambda - r xi)      for any r > 0.
//
// project is one map of the whole block: for Coulomb friction the disc's radius is mu max(0, x_N).
// Rows of a contact: N, T1, T2 (, spin). When a contact is active, and with which tolerance, is the
// scheme's business, not the law's.
#pragma once

#include "carom/base/types.h"
#include "carom/laws/contact_parameters.h"

namespace carom::inline laws {

// What the finite methods (enumeration, pivoting) must know of a law beyond its projection.
enum class LawKind {
  bilateral,       // xi = 0, lambda free, any number of rows
  unilateral,      // one row, 0 <= xi _|_ lambda >= 0
  planar_coulomb,  // rows N, T
  other            // spatial Coulomb, Contensou, ...: known through project alone
};

// What a contact does.
enum class ContactState : char {
  open,   // no force
  stick,  // friction holds it; joints too
  slip,   // friction is at its limit, or there is none
  spin    // the same, but the contact turns on the spot instead of sliding
};

class Law {
 public:
  static constexpr Index max_dim = 6;  // a block fits on the stack

  virtual ~Law() = default;

  Index dim() const { return dim_; }
  virtual LawKind kind() const = 0;
  // Whether some of its bounds are forces: those of impulses then grow with the time they act in (timed_laws.h).
  bool has_constant_bounds() const { return constant_bounds_; }
  // The numbers of a contact; null if it is none, but a joint.
  virtual const ContactParameters* contact() const { return nullptr; }
  // What a contact with this force (or impulse) and this xi does: the only place where stick and slip are told apart.
  // Friction within a part `state_rounding` of its limit is at it; there xi decides, or, if it is null, lambda does
  // alone.
  virtual ContactState state(const double* lambda, const double* xi) const = 0;
  static constexpr double state_rounding = 1e-9;

  // Whether the first row is a contact's normal: its impulse is a pressure >= 0.
  bool is_contact() const { return contact() != nullptr; }
  double friction() const { return contact() ? contact()->friction : 0.0; }
  // What the spin row of a four-row contact is multiplied with: its impulse is a moment over this length.
  double spin_radius() const { return contact() ? contact()->spin_radius : 0.0; }
  // Whether friction is bounded by a ball of radius friction() times the pressure, in the law's own rows.
  bool friction_in_ball() const {
    return spin_radius() == 0.0 || contact()->spin_reservoir == SpinReservoir::ellipsoid;
  }
  // Poisson's restitution: the share of the compression's normal impulse that expansion brings back (poisson_law.h).
  double expansion() const { return contact() && contact()->has_two_phases() ? contact()->restitution : 0.0; }
  // Whether its restitution gives way where it would bring in energy (schemes/passive_impact.h).
  bool is_passive() const { return contact() && contact()->is_passive(); }

  // y = project(x); x and y may be the same array.
  virtual void project(const double* x, double* y) const = 0;
  // D (dim x dim, column-major): an element of the generalised Jacobian of project at x.
  virtual void project_derivative(const double* x, double* D) const = 0;
  // xi = gamma_plus + shift: shift = e gamma_minus for an impact law.
  virtual void impact_shift(const double* gamma_minus, double* shift) const = 0;
  // The exact solution of the single block xi = G lambda + c, G dim x dim column-major, positive
  // (semi)definite. lambda enters as a guess. False if no solution was found.
  virtual bool solve_local(const double* G, const double* c, double* lambda) const = 0;

 protected:
  explicit Law(Index dim, bool constant_bounds = false) : dim_(dim), constant_bounds_(constant_bounds) {}

 private:
  Index dim_;  // not virtual: it is asked for in every loop over contacts
  bool constant_bounds_;
};

}  // namespace carom::inline laws
