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

#include "carom/laws/contact_law.h"
#include "carom/laws/law.h"
#include "carom/sets/ball.h"
#include "carom/sets/half_line.h"

namespace carom {

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

  double friction() const final { return mu_; }
  bool friction_in_ball() const final { return Reservoir::is_ball; }
  bool is_contact() const final { return true; }
  double restitution() const { return e_; }
  double tangential_restitution() const { return e_T_; }

  void project(const double* x, double* y) const final {
    y[0] = project_on_half_line(x[0]);
    Reservoir::project(mu_ * y[0], x + 1, y + 1);
  }

  void project_derivative(const double* x, double* D) const final {
    const double pressed = half_line_derivative(x[0]);
    D[0] = pressed;
    Reservoir::derivative(mu_ * project_on_half_line(x[0]), x + 1, D + rows + 1, rows, D + 1);
    for (Index i = 1; i < rows; ++i) {
      D[i] *= mu_ * pressed;  // held d y_T / d reach so far
      D[i * rows] = 0.0;
    }
  }

  void impact_shift(const double* gamma_minus, double* shift) const final {
    shift[0] = e_ * gamma_minus[0];
    for (Index i = 1; i < rows; ++i) shift[i] = e_T_ * gamma_minus[i];
  }

 protected:
  FrictionLaw(double restitution, double friction, double tangential_restitution)
      : Law(rows), e_(restitution), mu_(friction), e_T_(tangential_restitution) {
    check(ContactParameters{restitution, friction, tangential_restitution});
  }

  double e_, mu_, e_T_;
};

template <Index TangentialRows>
using CoulombLaw = FrictionLaw<BallReservoir<TangentialRows>>;

}  // namespace carom
