// A contact with Coulomb friction and Newton's impact law on both parts,
//
//     xi_N = gamma_N+ + e gamma_N-         0 <= xi_N _|_ lambda_N >= 0
//     xi_T = gamma_T+ + e_T gamma_T-       -xi_T in N_{B(mu lambda_N)}(lambda_T)
//
// with B(r) the interval [-r, r] (planar) or the disc of radius r (spatial): stick xi_T = 0, or slip
// lambda_T = -mu lambda_N xi_T/|xi_T|. As one map of the block x = (x_N, x_T):
//
//     y_N = max(0, x_N),   y_T = prox_{B(mu y_N)}(x_T)
//
//     D = [ dy_N      0   ]   with R = d y_T/d radius, nonzero where the ball is left;
//         [ mu R dy_N D_T ]   D = 0 for x_N <= 0
//
// The interval is the ball of one dimension, so both laws are this one with 1 or 2 tangential rows;
// they differ in how one block is solved. Three rows, the third a moment of spin over a length, are
// Coulomb-Contensou friction (contensou_law.h): its ellipsoid scaled to a ball, or another reservoir
// that grows with its reach mu lambda_N.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/laws/contact_law.h"
#include "carom/laws/law.h"
#include "carom/sets/ball.h"
#include "carom/sets/half_line.h"

namespace carom::inline laws {

template <Index Rows>
struct BallReservoir {
  static constexpr Index rows = Rows;
  static constexpr bool is_ball = true;
  static void project(double reach, const double* x, double* y) { project_on_ball<Rows>(reach, x, y); }
  static void derivative(double reach, const double* x, double* D, Index stride, double* d_reach) {
    ball_derivative<Rows>(reach, x, D, stride, d_reach);
  }
};

template <class Reservoir>
class FrictionLaw : public Law {
 public:
  static constexpr Index rows = 1 + Reservoir::rows;

  const ContactParameters* contact() const final { return &contact_; }
  ContactState state(const double* lambda, const double* xi) const final {
    if (!(lambda[0] > 0.0)) return ContactState::open;
    if (!at_its_limit(lambda)) return ContactState::stick;
    // Friction at its limit is opposite to the motion, in the rows of the law: either shows what moves.
    const double* along = xi ? xi : lambda;
    const double sliding = rows > 2 ? std::hypot(along[1], along[2]) : std::abs(along[1]);
    const double spinning = rows > 3 ? std::abs(along[3]) : 0.0;
    if (xi && sliding == 0.0 && spinning == 0.0) return ContactState::stick;
    return sliding < on_the_spot * spinning ? ContactState::spin : ContactState::slip;
  }

  void project(const double* x, double* y) const final {
    y[0] = project_on_half_line(x[0]);
    Reservoir::project(contact_.friction * y[0], x + 1, y + 1);
  }

  void project_derivative(const double* x, double* D) const final {
    const double pressed = half_line_derivative(x[0]);
    D[0] = pressed;
    Reservoir::derivative(contact_.friction * project_on_half_line(x[0]), x + 1, D + rows + 1, rows, D + 1);
    for (Index i = 1; i < rows; ++i) {
      D[i] *= contact_.friction * pressed;  // held d y_T / d reach so far
      D[i * rows] = 0.0;
    }
  }

  void impact_shift(const double* gamma_minus, double* shift) const final {
    shift[0] = contact_.restitution * gamma_minus[0];
    for (Index i = 1; i < rows; ++i) shift[i] = contact_.tangential_restitution * gamma_minus[i];
  }

 protected:
  explicit FrictionLaw(const ContactParameters& contact) : Law(rows), contact_(contact) {
    check({contact.restitution, contact.friction, contact.tangential_restitution});
  }

  ContactParameters contact_;

 private:
  static constexpr double on_the_spot = 1e-6;  // of the velocity by spin

  // Whether friction a little larger would be cut.
  bool at_its_limit(const double* lambda) const {
    if (contact_.friction == 0.0) return true;
    double larger[rows], allowed[rows];
    for (Index i = 1; i < rows; ++i) larger[i] = (1.0 + state_rounding) * lambda[i];
    Reservoir::project(contact_.friction * lambda[0], larger + 1, allowed + 1);
    return !std::equal(larger + 1, larger + rows, allowed + 1);
  }
};

template <Index TangentialRows>
using CoulombLaw = FrictionLaw<BallReservoir<TangentialRows>>;

}  // namespace carom::inline laws
