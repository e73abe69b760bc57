// Coulomb-Contensou friction: rows N, T1, T2 and spin, the last one times the mean friction radius R_bar
// of the patch (row: R_bar n.(omega_a - omega_b); impulse: moment / R_bar), so that the block has one unit.
//
//     exact       the reservoir of a Hertzian patch (sets/contensou_set.h)
//     ellipsoid   (|lambda_T| / mu lambda_N)^2 + (moment / R_bar mu lambda_N)^2 <= 1, in these rows a ball:
//                 slightly larger, and its projection is a formula
//
// Without sliding, spinning meets the moment R_bar mu lambda_N; sliding takes it away, and spinning takes
// away from the friction force: why a spinning top turns over and a polisher is easy to push.
#pragma once

#include "carom/laws/coulomb_law.h"
#include "carom/sets/contensou_set.h"

namespace carom::inline laws {

struct ContensouReservoir {
  static constexpr Index rows = 3;
  static constexpr bool is_ball = false;
  static void project(double reach, const double* x, double* y) { project_on_contensou(reach, x, y); }
  static void derivative(double reach, const double* x, double* D, Index stride, double* d_reach) {
    contensou_derivative(reach, x, D, stride, d_reach);
  }
};

// One block of four rows has no closed solution: Newton's method on its fixed point.
template <class Reservoir>
class SpinFrictionLaw final : public FrictionLaw<Reservoir> {
 public:
  explicit SpinFrictionLaw(const ContactParameters& contact) : FrictionLaw<Reservoir>(contact) {}
  SpinFrictionLaw(double restitution, double friction, double spin_radius, double tangential_restitution = 0.0)
      : FrictionLaw<Reservoir>({restitution, friction, tangential_restitution, spin_radius,
                                Reservoir::is_ball ? SpinReservoir::ellipsoid : SpinReservoir::exact}) {}

  LawKind kind() const override { return LawKind::other; }
  bool solve_local(const double* G, const double* c, double* lambda) const override;
};

using ContensouLaw = SpinFrictionLaw<ContensouReservoir>;
using ContensouEllipsoidLaw = SpinFrictionLaw<BallReservoir<3>>;

}  // namespace carom::inline laws
