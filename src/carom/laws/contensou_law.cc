// One block alone, G = [a b'; g E], c = (c_N, c_T), b and g of length 3:
//
//   open     c_N >= 0:  lambda = 0.
//   closed   Newton's method on the block's fixed point finds lambda in nearly all cases. Where it stands
//            still, the block is taken apart: at a given reach the tangential part
//
//                -( E lambda_T + g lambda_N + c_T ) in N_{C(mu lambda_N)}(lambda_T)
//
//            is monotone and has one solution lambda_T(lambda_N), which leaves one equation for one number,
//
//                phi(lambda_N) = a lambda_N + b' lambda_T(lambda_N) + c_N = 0.
//
//            phi is continuous, phi(0) = c_N < 0, and far out phi/lambda_N tends to a + b'z with z the
//            tangential solution for c = 0, lambda_N = 1. Since z'(E z + g) <= 0 (0 is in C),
//                a + b'z >= (1, z)' G (1, z) > 0
//            for positive definite G, symmetric or not: there is a root, and bisection finds it.
#include "carom/laws/contensou_law.h"

#include <cmath>

#include "carom/laws/block_newton.h"
#include "carom/laws/block_residual.h"

namespace carom::inline laws {

namespace {

constexpr Index n = 4, n_T = 3;
constexpr double good = 1e-14;  // of the block's backward error

struct WholeBlock {
  const Law& law;
  void project(const double* x, double* y) const { law.project(x, y); }
  void derivative(const double* x, double* D) const { law.project_derivative(x, D); }
};

template <class Reservoir>
struct GivenReach {
  double reach;
  void project(const double* x, double* y) const { Reservoir::project(reach, x, y); }
  void derivative(const double* x, double* D) const {
    double d_reach[n_T];
    Reservoir::derivative(reach, x, D, n_T, d_reach);
  }
};

// lambda_T at a given reach; enters as guess.
template <class Map>
void solve_tangential(const Map& map, const double* E, const double* d, double* lambda_T) {
  const BlockNewton<n_T, Map> block(map, E, d);
  if (!(block.rho() > 0.0)) return;
  double largest = 0.0;  // an upper bound of |E|
  for (Index i = 0; i < n_T * n_T; ++i) largest += E[i] * E[i];
  const double r = 0.9 / std::sqrt(largest);
  for (int round = 0; round < 20; ++round) {
    if (block.solve(lambda_T, 20) <= 1e-13) return;
    for (int k = 0; k < 100; ++k) block.extragradient(r, lambda_T);
  }
}

template <class Reservoir>
void solve_by_parts(double mu, const double* G, const double* c, double* lambda) {
  double E[n_T * n_T], d[n_T];
  for (Index j = 0; j < n_T; ++j)
    for (Index i = 0; i < n_T; ++i) E[i + j * n_T] = G[(i + 1) + (j + 1) * n];
  double* lambda_T = lambda + 1;
  const auto phi = [&](double lambda_N) {
    for (Index i = 0; i < n_T; ++i) d[i] = c[i + 1] + G[i + 1] * lambda_N;
    solve_tangential(GivenReach<Reservoir>{mu * lambda_N}, E, d, lambda_T);
    double xi_N = c[0] + G[0] * lambda_N;
    for (Index j = 0; j < n_T; ++j) xi_N += G[(j + 1) * n] * lambda_T[j];
    return xi_N;
  };
  for (Index i = 0; i < n_T; ++i) lambda_T[i] = 0.0;
  double lower = 0.0, upper = -c[0] / G[0];
  for (int k = 0; k < 200 && phi(upper) < 0.0; ++k) {
    lower = upper;
    upper *= 2.0;
  }
  for (int k = 0; k < 60 && upper - lower > 1e-15 * upper; ++k) {
    const double middle = 0.5 * (lower + upper);
    (phi(middle) < 0.0 ? lower : upper) = middle;
  }
  lambda[0] = 0.5 * (lower + upper);
  phi(lambda[0]);
}

}  // namespace

template <class Reservoir>
bool SpinFrictionLaw<Reservoir>::solve_local(const double* G, const double* c, double* lambda) const {
  if (c[0] >= 0.0) {
    for (Index i = 0; i < n; ++i) lambda[i] = 0.0;
    return true;
  }
  if (!(G[0] > 0.0)) return false;
  const WholeBlock map{*this};
  const BlockNewton<n, WholeBlock> block(map, G, c);
  const auto residual = [&] {
    return block_residual<n>(G, c, lambda, [this](const double* x, double* y) { this->project(x, y); });
  };
  block.solve(lambda, 30);
  if (residual() <= good) return true;
  solve_by_parts<Reservoir>(this->contact_.friction, G, c, lambda);
  block.solve(lambda, 30);
  return residual() <= block_tolerance;
}

template class SpinFrictionLaw<ContensouReservoir>;
template class SpinFrictionLaw<BallReservoir<3>>;

}  // namespace carom::inline laws
