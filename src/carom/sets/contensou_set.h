// The friction a small round contact patch can give while it slides and spins at once (Hertz pressure,
// Coulomb friction at every point of the patch): forces z = (z_T1, z_T2, z_tau) with the moment divided
// by the mean friction radius, so that all three are forces. With the reach F = mu lambda_N,
//
//     C(F) = { z : |z_T| <= F b_T(u), |z_tau| <= F b_tau(u) for some u >= 0 }
//
//     u <= 1:  b_T = 3 pi/32 (4u - u^3)                     b_tau = (3u^4 - 8u^2 + 8)/8
//     u >  1:  b_T = 3/16 [ (4u - u^3) asin(1/u) + (u^2 + 2) sqrt(u^2 - 1)/u ]
//              b_tau = 1/(4 pi) [ (3u^4 - 8u^2 + 8) asin(1/u) + (6 - 3u^2) sqrt(u^2 - 1) ]
//
// u = |gamma_T| / (R |gamma_tau|) is the ratio of sliding to spinning in patch radii, and since
// k u b_T' + b_tau' = 0 with k = 16/(3 pi), the outward normal of the meridian (b_T, b_tau) is (k u, 1).
// Here the meridian is walked by the angle phi of that normal, (sin phi, cos phi), tan phi = k u: pure
// spin is phi = 0, pure sliding phi = pi/2, and nothing is infinite. Its radius of curvature is
//
//     rho = b_T' (1 + k^2 u^2)^(3/2) / k,     d(b_T, b_tau)/d phi = rho (cos phi, -sin phi).
//
// Projection of a point outside, in the half plane x = |z_T|/F, y = |z_tau|/F: the phi with
//
//     f(phi) = (x - b_T) cos phi - (y - b_tau) sin phi = 0,    f' = -(rho + t),
//     t = (x - b_T) sin phi + (y - b_tau) cos phi  (the distance, at the root),
//
// by Newton's method in a bracket. Its derivative is the curvature's: rho/(rho + t/F) along the meridian,
// |y_T|/|z_T| around the axis, nothing along the normal.
//
// References: Contensou 1963; Leine, Glocker 2003 (the set as a normal cone law); Moeller 2011.
#pragma once

#include "carom/sets/convex_set.h"

namespace carom::inline sets {

// The point of the meridian whose outward normal is (sine, cosine), both >= 0.
struct ContensouMeridian {
  double tangential, spin;  // b_T, b_tau
  double radius;            // of curvature
};
ContensouMeridian contensou_meridian(double sine, double cosine);

void project_on_contensou(double reach, const double* z, double* y);
// D as in ball_derivative: column j starts at D + j stride; d_reach has three entries.
void contensou_derivative(double reach, const double* z, double* D, Index stride, double* d_reach);

class ContensouSet final : public ConvexSet {
 public:
  explicit ContensouSet(double reach);

  Index dim() const override { return 3; }
  void project(const double* x, double* y) const override { project_on_contensou(reach_, x, y); }
  void project_derivative(const double* x, double* D) const override {
    double d_reach[3];
    contensou_derivative(reach_, x, D, 3, d_reach);
  }

 private:
  double reach_;
};

}  // namespace carom::inline sets
