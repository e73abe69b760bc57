// One block alone,  G = [a b; g s0],  c = (c_N, c_T):
//
//   open     c_N >= 0:  lambda = 0.
//   closed   xi_N = 0 gives lambda_N = -(c_N + b lambda_T)/a and leaves
//                xi_T = S lambda_T - r,    S = s0 - g b/a,    r = g c_N/a - c_T.
//     stick  lambda_T = r/S if |lambda_T| <= mu lambda_N;
//     slip   otherwise lambda_T = s mu lambda_N, s = +-1, so lambda_N = -c_N/(a + s mu b), where
//            s xi_T <= 0. For S > 0 (G positive definite) s = sign(r) and this is the only solution:
//            xi_T = -kappa lambda_T with kappa > 0 means (S + kappa) lambda_T = r.
//
// A G that is not positive definite may need the other sign, and may have no solution; hence the check.
#include "carom/laws/planar_coulomb_law.h"

#include <cmath>

#include "carom/laws/block_residual.h"

namespace carom::inline laws {

bool PlanarCoulombLaw::solve_local(const double* G, const double* c, double* lambda) const {
  const double c_N = c[0], c_T = c[1], mu = contact_.friction;
  if (c_N >= 0.0) {
    lambda[0] = lambda[1] = 0.0;
    return true;
  }
  const double a = G[0], g = G[1], b = G[2];
  if (!(a > 0.0)) return false;

  const double S = G[3] - g * b / a;
  const double r = g * c_N / a - c_T;
  const double stick_T = r == 0.0 ? 0.0 : r / S;
  const double stick_N = -(c_N + b * stick_T) / a;
  if (std::abs(stick_T) <= mu * stick_N) {  // false for S = 0, r != 0
    lambda[0] = stick_N;
    lambda[1] = stick_T;
    return true;
  }

  const auto project_block = [this](const double* x, double* y) { project(x, y); };
  const double likely = r < 0.0 ? -1.0 : 1.0;
  for (const double s : {likely, -likely}) {
    const double slope = a + s * mu * b;
    if (!(slope > 0.0)) continue;
    const double slip[2] = {-c_N / slope, s * mu * -c_N / slope};
    if (block_residual<2>(G, c, slip, project_block) > block_tolerance) continue;
    lambda[0] = slip[0];
    lambda[1] = slip[1];
    return true;
  }
  return false;
}

}  // namespace carom::inline laws
