// One block alone,  G = [a b'; g E],  c = (c_N, c_T), b and g of length 2, E 2x2:
//
//   open     c_N >= 0:  lambda = 0.
//   closed   xi_N = 0 gives lambda_N = -(c_N + b'lambda_T)/a and leaves
//                xi_T = S lambda_T - r,    S = E - g b'/a,    r = g c_N/a - c_T.
//     stick  and slip are one family: xi_T = -kappa lambda_T with kappa >= 0 (stick: 0), that is
//                lambda_T(kappa) = (S + kappa I)^-1 r = w/Delta,
//                w = adj(S) r + kappa r,    Delta = det S + kappa tr S + kappa^2.
//            Stick if lambda_T(0) lies in the cone |lambda_T| <= mu lambda_N; otherwise slip, with
//            the kappa > 0 that puts it on the cone. Written without dividing by lambda_N,
//                psi(kappa) = -mu c_N Delta/|w| - mu b'u - a = 0,      u = w/|w|,
//            which is (mu lambda_N/|lambda_T| - 1) a. The first term is 1/|lambda_T|, almost linear.
//
// For G positive definite (symmetric or not) S + kappa I is regular for all kappa >= 0, so psi is
// continuous, negative at 0 (no stick) and grows like -mu c_N kappa/|r|: there is a root, and
// bisection finds it if Newton's method should not. With S a multiple of the identity and b = 0, a
// sphere's contact, psi is linear and the starting value is the root already.
#include "carom/laws/spatial_coulomb_law.h"

#include <cmath>
#include <limits>

#include "carom/base/small_lu.h"
#include "carom/laws/block_residual.h"

namespace carom {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// The closed contact with lambda_N eliminated.
struct Reduced {
  double a, b[2], mu, c_N;
  double S[4], r[2];           // xi_T = S lambda_T - r, S column-major
  double adj_r[2], det, trace;  // adj(S) r, det S, tr S

  Reduced(const double* G, const double* c, double friction)
      : a(G[0]), b{G[3], G[6]}, mu(friction), c_N(c[0]) {
    const double g[2] = {G[1] / a, G[2] / a};
    S[0] = G[4] - g[0] * b[0];
    S[1] = G[5] - g[1] * b[0];
    S[2] = G[7] - g[0] * b[1];
    S[3] = G[8] - g[1] * b[1];
    r[0] = g[0] * c_N - c[1];
    r[1] = g[1] * c_N - c[2];
    adj_r[0] = S[3] * r[0] - S[2] * r[1];
    adj_r[1] = S[0] * r[1] - S[1] * r[0];
    det = S[0] * S[3] - S[1] * S[2];
    trace = S[0] + S[3];
  }

  double normal(const double* lambda_T) const {
    return -(c_N + b[0] * lambda_T[0] + b[1] * lambda_T[1]) / a;
  }
};

bool in_cone(double mu, const double* lambda) {
  return euclidean_norm<2>(lambda + 1) <= mu * lambda[0];
}

// lambda_T = S^-1 r. A singular S with r in its range (redundant directions) has S r = tr(S) r and
// many solutions; r/tr(S) is the shortest for symmetric S. False if there is none.
bool stick(const Reduced& block, double* lambda) {
  double* lambda_T = lambda + 1;
  const double* r = block.r;
  if (block.det > 16.0 * epsilon * block.trace * block.trace) {
    const double inverse = 1.0 / block.det;
    lambda_T[0] = inverse * block.adj_r[0];
    lambda_T[1] = inverse * block.adj_r[1];
  } else if (r[0] == 0.0 && r[1] == 0.0) {
    lambda_T[0] = lambda_T[1] = 0.0;
  } else {
    if (!(euclidean_norm<2>(block.adj_r) <= 1e-13 * block.trace * euclidean_norm<2>(r))) return false;
    lambda_T[0] = r[0] / block.trace;
    lambda_T[1] = r[1] / block.trace;
  }
  lambda[0] = block.normal(lambda_T);
  return true;
}

// psi, its derivative, the size of its terms (what rounding acts on), and u.
struct ConeEquation {
  double value, slope, size, u[2];

  ConeEquation(const Reduced& block, double kappa) {
    const double* r = block.r;
    const double w[2] = {block.adj_r[0] + kappa * r[0], block.adj_r[1] + kappa * r[1]};
    const double delta = block.det + kappa * (block.trace + kappa);
    const double inverse = 1.0 / euclidean_norm<2>(w);
    u[0] = inverse * w[0];
    u[1] = inverse * w[1];
    const double u_r = u[0] * r[0] + u[1] * r[1];
    const double b_u = block.b[0] * u[0] + block.b[1] * u[1];
    const double b_r = block.b[0] * r[0] + block.b[1] * r[1];
    const double reach = -block.mu * block.c_N * inverse;
    value = reach * delta - block.mu * b_u - block.a;
    slope = reach * (block.trace + 2.0 * kappa - delta * inverse * u_r) -
            block.mu * inverse * (b_r - b_u * u_r);
    size = std::abs(reach * delta) + block.mu * std::abs(b_u) + block.a;
  }
};

// Newton's method kept between a negative and a positive value of psi. Returns kappa.
double slip_multiplier(const Reduced& block, double kappa) {
  double below = 0.0, above = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 200; ++iteration) {
    const ConeEquation psi(block, kappa);
    if (std::abs(psi.value) <= 2.0 * epsilon * psi.size) break;
    (psi.value > 0.0 ? above : below) = kappa;
    double next = kappa - psi.value / psi.slope;
    if (!(next > below && next < above))  // also for not-a-number
      next = above < std::numeric_limits<double>::infinity() ? 0.5 * (below + above)
                                                             : 2.0 * kappa + block.trace;
    if (next == kappa) break;
    kappa = next;
  }
  return kappa;
}

// The root for S = (tr S/2) I and w along r.
double isotropic_multiplier(const Reduced& block) {
  const double norm_r = euclidean_norm<2>(block.r);
  const double b_r = block.b[0] * block.r[0] + block.b[1] * block.r[1];
  const double kappa = (block.a * norm_r + block.mu * b_r) / (-block.mu * block.c_N) - 0.5 * block.trace;
  return kappa > 0.0 ? kappa : 0.0;
}

// lambda on the cone in the direction of w(kappa), with xi_N = 0.
void slip(const Reduced& block, double kappa, double* lambda) {
  const ConeEquation psi(block, kappa);
  lambda[0] = -block.c_N / (block.a + block.mu * (block.b[0] * psi.u[0] + block.b[1] * psi.u[1]));
  lambda[1] = block.mu * lambda[0] * psi.u[0];
  lambda[2] = block.mu * lambda[0] * psi.u[1];
}

// Adjugates lose digits when S is ill-conditioned. One Newton step on the equations as they stand,
//     G lambda + kappa (0, lambda_T) + c = 0,     |lambda_T|^2 = mu^2 lambda_N^2     (slip only),
// with elimination by pivots gets them back.
void refine(const double* G, const double* c, double mu, bool slipping, double& kappa, double* lambda) {
  constexpr Index n = 4;
  double J[n * n] = {}, step[n], lost[n];
  int pivots[n];
  for (Index i = 0; i < 3; ++i) {
    lost[i] = c[i];
    for (Index j = 0; j < 3; ++j) {
      lost[i] += G[i + 3 * j] * lambda[j];
      J[i + n * j] = G[i + 3 * j];
    }
  }
  for (Index i = 1; i < 3; ++i) {
    lost[i] += kappa * lambda[i];
    J[i + n * i] += kappa;
  }
  if (slipping) {
    const double norm_T = euclidean_norm<2>(lambda + 1);
    lost[3] = norm_T - mu * lambda[0];
    J[3] = -mu;
    for (Index i = 1; i < 3; ++i) {
      J[3 + n * i] = lambda[i] / norm_T;
      J[i + n * 3] = lambda[i];
    }
  } else {
    lost[3] = 0.0;
    J[3 + n * 3] = 1.0;
  }
  if (!lu_factor(J, pivots, n)) return;
  for (Index i = 0; i < n; ++i) step[i] = -lost[i];
  lu_solve(J, pivots, n, step, 1);
  for (Index i = 0; i < 3; ++i) lambda[i] += step[i];
  kappa += step[3];
}

}  // namespace

bool SpatialCoulombLaw::solve_local(const double* G, const double* c, double* lambda) const {
  if (c[0] >= 0.0) {
    lambda[0] = lambda[1] = lambda[2] = 0.0;
    return true;
  }
  if (!(G[0] > 0.0)) return false;
  if (mu_ == 0.0) {
    lambda[0] = -c[0] / G[0];
    lambda[1] = lambda[2] = 0.0;
    return true;
  }

  const Reduced block(G, c, mu_);
  double kappa = 0.0;
  const bool sticking = stick(block, lambda) && in_cone(mu_, lambda);
  if (!sticking) {
    kappa = slip_multiplier(block, isotropic_multiplier(block));
    slip(block, kappa, lambda);
  }

  const auto project_block = [this](const double* x, double* y) { project(x, y); };
  double residual = block_residual<3>(G, c, lambda, project_block);
  for (int pass = 0; pass < 3 && !(residual <= 16.0 * epsilon); ++pass) {
    double refined[3] = {lambda[0], lambda[1], lambda[2]};
    refine(G, c, mu_, !sticking, kappa, refined);
    const double improved = block_residual<3>(G, c, refined, project_block);
    if (!(improved < residual)) break;
    residual = improved;
    for (Index i = 0; i < 3; ++i) lambda[i] = refined[i];
  }
  return residual <= block_tolerance && lambda[0] > 0.0;
}

}  // namespace carom
