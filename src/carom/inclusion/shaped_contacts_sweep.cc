// What is done with contacts of bodies of any shape four at a time.
#include <cmath>

#include "carom/inclusion/four_sweeps.h"
#include "carom/inclusion/shaped_body_lanes.h"
#include "carom/inclusion/shaped_contacts.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom::inline inclusion {

namespace {

constexpr int most_steps = 12;
constexpr double near = 1e-3;  // of psi: then the step that is under way is the last, with an error of its square
constexpr double least_opening = 0.1;

[[gnu::always_inline]] inline bool any(const auto& mask) { return (mask[0] | mask[1] | mask[2] | mask[3]) != 0; }

[[gnu::always_inline]] inline void dot2(const Lanes* a, const Lanes* b, Lanes& y) { y = a[0] * b[0] + a[1] * b[1]; }

// R x with R by rows, and R' x.
[[gnu::always_inline]] inline void times(const Lanes (*R)[3], const Lanes* x, Lanes* y) {
  for (int r = 0; r < 3; ++r) dot(R[r], x, y[r]);
}
[[gnu::always_inline]] inline void transpose_times(const Lanes (*R)[3], const Lanes* x, Lanes* y) {
  for (int i = 0; i < 3; ++i) y[i] = R[0][i] * x[0] + R[1][i] * x[1] + R[2][i] * x[2];
}

[[gnu::always_inline]] inline void velocities(const ShapedContact::Four& four, const ShapedBody* bodies, Lanes* xi) {
  const ShapedVelocities of(four, bodies);
  Lanes one[3], other[3];
  times(four.F, of.v, xi);
  times(four.L[0], of.spin, one);
  times(four.L[1], of.turn, other);
  for (int r = 0; r < 3; ++r) xi[r] += one[r] + other[r] + four.c[r];
}

// The nearest of lambda - xi / rho in the cone, for what the law itself does not solve either.
[[gnu::noinline]] void solve_by_law(const ShapedContact::Four& four, int lane, const double* x, const double* xi,
                                    double* y) {
  const double a = 1.0 / four.inverse_a[lane], beta[2] = {four.beta[0][lane], four.beta[1][lane]};
  const double g[2] = {a * beta[0], a * beta[1]}, coupled = g[0] * beta[1];
  const double G[9] = {a,
                       g[0],
                       g[1],
                       g[0],
                       1.0 / four.t[0][lane] + g[0] * beta[0],
                       coupled,
                       g[1],
                       coupled,
                       1.0 / four.t[1][lane] + g[1] * beta[1]};
  double c[3];
  for (int i = 0; i < 3; ++i) {
    y[i] = x[i];
    c[i] = xi[i] - (G[i] * x[0] + G[3 + i] * x[1] + G[6 + i] * x[2]);
  }
  const SpatialCoulombLaw law(0.0, four.mu[lane]);
  if (law.solve_local(G, c, y)) return;
  const double r = 1.0 / std::max({G[0], G[4], G[8]});
  for (int i = 0; i < 3; ++i) y[i] = x[i] - r * xi[i];
  law.project(y, y);
}

}  // namespace

[[gnu::always_inline]] inline void ShapedContact::approach(const Four& four, const Lanes* /*point*/, const Body* bodies,
                                                           Approach& out) {
  velocities(four, bodies, out.xi);
}

[[gnu::always_inline]] inline void ShapedContact::solve(const Four& four, const Lanes* point, const Approach& approach,
                                                        Lanes* y) {
  const Lanes zero = {}, unity = zero + 1.0;
  const Lanes *xi = approach.xi, *beta = four.beta, *t = four.t, mu = four.mu;
  Lanes z[3], p, square;
  for (int i = 0; i < 2; ++i) z[1 + i] = t[i] * (xi[1 + i] - beta[i] * xi[0]);
  z[0] = four.inverse_a * xi[0] - (beta[0] * z[1] + beta[1] * z[2]);
  for (int i = 0; i < 3; ++i) y[i] = point[i] - z[i];
  dot2(beta, y + 1, p);
  p += y[0];
  dot2(y + 1, y + 1, square);
  const Lanes reach = mu * y[0];
  const auto sticks = (y[0] > zero) & (square <= reach * reach);
  const auto moves = ~sticks & (p > zero), slides = moves & (mu > zero);
  for (int i = 1; i < 3; ++i) y[i] = sticks | slides ? y[i] : zero;
  y[0] = sticks ? y[0] : moves ? p : zero;  // p: without friction
  if (!any(slides)) return;

  Lanes kappa, size;
  dot2(xi + 1, point + 1, kappa);
  dot2(point + 1, point + 1, size);
  kappa = size > zero ? -kappa / size : zero;
  kappa = kappa > zero ? kappa : zero;
  const Lanes bound = mu * p;
  auto left = slides, failed = slides ^ slides;
  Lanes u[2], inverse_length, opening;
  // u and 1 / |x_T| at kappa, and 1 + mu beta'u. Divisions are what this costs.
  const auto direct = [&](Lanes * rate) __attribute__((always_inline)) {
    const Lanes one = unity + kappa * t[0], other = unity + kappa * t[1], inverse = unity / (one * other);
    const Lanes d[2] = {other * inverse, one * inverse};
    for (int i = 0; i < 2; ++i) {
      rate[i] = t[i] * d[i];
      u[i] = y[1 + i] * d[i];
    }
    dot2(u, u, inverse_length);
    square_root(inverse_length);
    inverse_length = unity / inverse_length;
    for (int i = 0; i < 2; ++i) u[i] *= inverse_length;
    dot2(beta, u, opening);
    opening = unity + mu * opening;
  };
  Lanes rate[2];
  for (int step = 0;; ++step) {
    direct(rate);
    const Lanes ratio = bound * inverse_length;
    const Lanes psi = ratio - opening;
    const Lanes q = u[0] * u[0] * rate[0] + u[1] * u[1] * rate[1];
    const Lanes slope = ratio * q - mu * (beta[0] * u[0] * (q - rate[0]) + beta[1] * u[1] * (q - rate[1]));
    const Lanes next = kappa - psi / slope;
    const auto regular = next > zero;
    const auto done = regular & (psi <= near) & (psi >= -near);
    failed |= left & ~regular & (kappa <= zero);
    kappa = left ? (regular ? next : 0.5 * kappa) : kappa;
    left &= ~(done | failed);
    if (!any(left)) break;
    if (step == most_steps) {
      failed |= left;
      break;
    }
  }
  direct(rate);
  const Lanes normal =
      (opening > least_opening ? p : unity) / (opening > least_opening ? opening : mu * inverse_length);
  failed |= slides & ~((normal > zero) & (normal - normal == zero));
  y[0] = slides ? normal : y[0];
  for (int i = 0; i < 2; ++i) y[1 + i] = slides ? mu * normal * u[i] : y[1 + i];
  if (!any(failed)) return;
  for (int lane = 0; lane < 4; ++lane) {
    if (failed[lane] == 0) continue;
    const double x[3] = {point[0][lane], point[1][lane], point[2][lane]};
    const double at[3] = {xi[0][lane], xi[1][lane], xi[2][lane]};
    double solution[3];
    solve_by_law(four, lane, x, at, solution);
    for (int i = 0; i < 3; ++i) y[i][lane] = solution[i];
  }
}

[[gnu::always_inline]] inline void ShapedContact::act(const Four& four, const Lanes* x, Impulse& impulse) {
  transpose_times(four.F, x, impulse.force);
  for (int s = 0; s < 2; ++s) transpose_times(four.L[s], x, impulse.moment[s]);
  impulse.force[3] = impulse.moment[0][3] = impulse.moment[1][3] = Lanes{};
}

[[gnu::always_inline]] inline void ShapedContact::magnitudes(const Four& four, const Lanes* x, Lanes& linear,
                                                             Lanes& first, Lanes& second) {
  Lanes moment[3];
  dot(x, x, linear);
  transpose_times(four.L[0], x, moment);
  dot(moment, moment, first);
  transpose_times(four.L[1], x, moment);
  dot(moment, moment, second);
  square_root(linear);
  square_root(first);
  square_root(second);
}

// In the tangents of the contact: the definition, in those of W, has a rho and lengths of rows that differ a little.
[[gnu::always_inline]] inline void ShapedContact::error(const Four& four, const Lanes* x, const Body* bodies,
                                                        const ImpulseMagnitude* magnitudes, Lanes* defect,
                                                        Lanes& unit) {
  const Lanes zero = {}, unity = zero + 1.0;
  // 1 / rho, the largest diagonal entry of G_bb; none for lanes that are left over.
  Lanes rho = four.inverse_a > zero ? unity / four.inverse_a : zero;
  const Lanes a = rho;
  for (int i = 0; i < 2; ++i) {
    const Lanes entry = four.t[i] > zero ? unity / four.t[i] + a * four.beta[i] * four.beta[i] : zero;
    rho = entry > rho ? entry : rho;
  }
  const Lanes inverse_rho = rho > zero ? unity / rho : zero;

  Lanes xi[3], square;
  velocities(four, bodies, xi);
  for (int i = 0; i < 3; ++i) defect[i] = x[i] - inverse_rho * xi[i];
  // The nearest in the cone of Coulomb's law as a solver projects on it: 0, or the tangential part shortened.
  const Lanes normal = defect[0] > zero ? defect[0] : zero, reach = four.mu * normal;
  dot2(defect + 1, defect + 1, square);
  Lanes length = square;
  square_root(length);
  const Lanes shrink = square > reach * reach ? reach / length : unity;
  defect[0] = normal - x[0];
  for (int i = 1; i < 3; ++i) defect[i] = shrink * defect[i] - x[i];

  const ShapedMagnitudes of(four, bodies, magnitudes);
  Lanes scale = zero, row, given;
  for (int r = 0; r < 3; ++r) {
    of.of_row(four.L[0][r], four.L[1][r], row);
    scale += row * row;
  }
  dot(four.c, four.c, given);
  square_root(scale);
  square_root(given);
  unit = inverse_rho * (scale + given);  // of impulses
}

template class FourContacts<ShapedContact>;

}  // namespace carom::inline inclusion
