// One block alone,  G = [a b'; g E],  c = (c_N, c_T), b and g of length 2, E 2x2:
//
//   open     c_N >= 0:  lambda = 0.
//   closed   xi_N = 0 gives lambda_N = -(c_N + b'lambda_T)/a and leaves
//                xi_T = S lambda_T - r,    S = E - g b'/a,    r = g c_N/a - c_T.
//     stick  and slip are one family: xi_T = -kappa lambda_T with kappa >= 0 (stick: 0), that is
//                lambda_T(kappa) = (S + kappa I)^-1 r = |r| w/Delta;
//            in the tangential basis whose first direction is r,
//                w = (S22 + kappa, -S21),    Delta = (S11 + kappa)(S22 + kappa) - S12 S21.
//            Stick if lambda_T(0) lies in the cone |lambda_T| <= mu lambda_N; otherwise slip, with
//            the kappa > 0 that puts it on the cone. Written without dividing by lambda_N,
//                psi(kappa) = -mu c_N Delta/(|r||w|) - mu b'u - a = 0,      u = w/|w|,
//            which is (mu lambda_N/|lambda_T| - 1) a. The first term goes with 1/|lambda_T|, which is
//            almost linear.
//
// For G positive definite (symmetric or not) S + kappa I is regular for all kappa >= 0, so psi is
// continuous, negative at 0 (no stick) and grows like -mu c_N kappa/|r|: there is a root, and
// bisection finds it if Newton's method should not. With S a multiple of the identity and b = 0, a
// sphere's contact, psi is linear and the starting value is the root already.
//
// Why the basis along r: there w comes without subtraction, and the rounding of Delta is that of S11,
// so the computed root solves a block that differs from the given one by rounding, however
// ill-conditioned S is.
#include "carom/laws/spatial_coulomb_law.h"

#include <cmath>
#include <limits>

#include "carom/laws/block_residual.h"

namespace carom::inline laws {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinity = std::numeric_limits<double>::infinity();

// The closed contact with lambda_N eliminated, in the tangential basis along r.
struct Reduced {
  double a, mu, c_N;
  double r, direction[2];  // r = |r| direction
  double S11, S21, S12, S22;
  double b1, b2;

  Reduced(const double* G, const double* c, double friction) : a(G[0]), mu(friction), c_N(c[0]) {
    const double g[2] = {G[1] / a, G[2] / a};
    const double E11 = G[4] - g[0] * G[3], E21 = G[5] - g[1] * G[3];
    const double E12 = G[7] - g[0] * G[6], E22 = G[8] - g[1] * G[6];
    const double r_T[2] = {g[0] * c_N - c[1], g[1] * c_N - c[2]};
    r = euclidean_norm<2>(r_T);
    const double x = direction[0] = r > 0.0 ? r_T[0] / r : 1.0;
    const double y = direction[1] = r > 0.0 ? r_T[1] / r : 0.0;
    // S := R' S R and b := R' b with R = [x -y; y x].
    const double C11 = E11 * x + E12 * y, C12 = E12 * x - E11 * y;
    const double C21 = E21 * x + E22 * y, C22 = E22 * x - E21 * y;
    S11 = x * C11 + y * C21;
    S12 = x * C12 + y * C22;
    S21 = x * C21 - y * C11;
    S22 = x * C22 - y * C12;
    b1 = x * G[3] + y * G[6];
    b2 = x * G[6] - y * G[3];
  }

  void set(double normal, double along, double across, double* lambda) const {
    lambda[0] = normal;
    lambda[1] = direction[0] * along - direction[1] * across;
    lambda[2] = direction[1] * along + direction[0] * across;
  }
};

// lambda(kappa = 0), true if it lies in the cone. Redundant directions make S singular; then there is
// a solution if r is in the range of S, S = S11 along r, and the shortest is taken.
bool stick(const Reduced& block, double* lambda) {
  double along = 0.0, across = 0.0;
  if (block.r > 0.0) {
    const double rest = std::abs(block.S22) + std::abs(block.S21);
    if (rest <= 64.0 * epsilon * block.S11) {
      along = block.r / block.S11;
    } else {
      const double delta = block.S11 * block.S22 - block.S12 * block.S21;
      if (!(delta > 4.0 * epsilon * std::abs(block.S11 * block.S22))) return false;
      const double scale = block.r / delta;
      along = scale * block.S22;
      across = -scale * block.S21;
    }
  }
  const double normal = -(block.c_N + block.b1 * along + block.b2 * across) / block.a;
  const double reach = block.mu * normal;
  if (!(reach >= 0.0 && along * along + across * across <= reach * reach)) return false;
  block.set(normal, along, across, lambda);
  return true;
}

// psi, its derivative, the size of its terms (what rounding acts on), and u.
struct ConeEquation {
  double value, slope, size, u1, u2;
  double ratio, ratio_size;      // Delta/|w|, and the size of its terms
  double opening, opening_size;  // a + mu b'u: xi_N = opening lambda_N + c_N on the cone

  ConeEquation(const Reduced& block, double kappa) {
    const double w1 = block.S22 + kappa, w2 = -block.S21, S1 = block.S11 + kappa;
    const double inverse = 1.0 / std::sqrt(w1 * w1 + w2 * w2);
    u1 = inverse * w1;
    u2 = inverse * w2;
    // Delta/|w| and its derivative (Delta' = S1 + w1, |w|' = u1).
    ratio = S1 * u1 + block.S12 * u2;
    ratio_size = std::abs(S1 * u1) + std::abs(block.S12 * u2);
    const double ratio_slope = inverse * (S1 + w1 - ratio * u1);
    const double reach = -block.mu * block.c_N / block.r;
    const double pull = block.mu * (block.b1 * u1 + block.b2 * u2);
    const double pull_slope = block.mu * inverse * u2 * (block.b1 * u2 - block.b2 * u1);
    opening = block.a + pull;
    opening_size = block.a + std::abs(pull);
    value = reach * ratio - opening;
    slope = reach * ratio_slope - pull_slope;
    size = reach * ratio_size + opening_size;
  }
};

// The root if lambda_T were along r; exact for a sphere's contact.
double first_multiplier(const Reduced& block) {
  const double kappa = (block.a + block.mu * block.b1) * block.r / (-block.mu * block.c_N) - block.S11;
  return kappa > 0.0 ? kappa : 0.0;
}

// Newton's method kept between a negative and a positive value of psi, then lambda on the cone in the
// direction u. Its length follows from xi_N = 0 or from |lambda_T| = |r||w|/Delta, the same at the root:
// the one that loses fewer digits is taken.
void slip(const Reduced& block, double* lambda) {
  double kappa = first_multiplier(block), below = 0.0, above = infinity;
  ConeEquation psi(block, kappa);
  for (int iteration = 0; iteration < 200; ++iteration) {
    if (std::abs(psi.value) <= 2.0 * epsilon * psi.size) break;
    (psi.value > 0.0 ? above : below) = kappa;
    double next = kappa - psi.value / psi.slope;
    if (!(next > below && next < above))  // also for not-a-number
      next = above < infinity ? 0.5 * (below + above) : 2.0 * kappa + block.S11 + block.S22;
    if (next == kappa) break;
    kappa = next;
    psi = ConeEquation(block, kappa);
  }
  const double normal = psi.opening * psi.ratio_size >= psi.ratio * psi.opening_size ? -block.c_N / psi.opening
                                                                                     : block.r / (block.mu * psi.ratio);
  block.set(normal, block.mu * normal * psi.u1, block.mu * normal * psi.u2, lambda);
}

}  // namespace

bool SpatialCoulombLaw::solve_local(const double* G, const double* c, double* lambda) const {
  if (c[0] >= 0.0) {
    lambda[0] = lambda[1] = lambda[2] = 0.0;
    return true;
  }
  if (!(G[0] > 0.0)) return false;
  if (contact_.friction == 0.0) {
    lambda[0] = -c[0] / G[0];
    lambda[1] = lambda[2] = 0.0;
    return true;
  }
  const Reduced block(G, c, contact_.friction);
  double solution[3];
  if (!stick(block, solution)) slip(block, solution);
  const auto project_block = [this](const double* x, double* y) { project(x, y); };
  if (!(solution[0] > 0.0) || !(block_residual<3>(G, c, solution, project_block) <= block_tolerance)) return false;
  for (Index i = 0; i < 3; ++i) lambda[i] = solution[i];
  return true;
}

}  // namespace carom::inline laws
