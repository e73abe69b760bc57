// Newton's method on the fixed point of a small block,
//
//     F(lambda) = lambda - P(lambda - r xi) = 0,    xi = G lambda + c,    r = 1/max_i G_ii,
//     J = I - D (I - r G),                          D an element of P's generalised Jacobian,
//
// damped so that |F| falls. `Map` gives project(x, y) and derivative(x, D), D with N columns of N entries.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/base/small_lu.h"
#include "carom/base/types.h"

namespace carom::inline laws {

template <Index N, class Map>
class BlockNewton {
 public:
  BlockNewton(const Map& P, const double* G, const double* c) : P_(P), G_(G), c_(c) {
    for (Index i = 0; i < N; ++i) {
      rho_ = std::max(rho_, G[i + i * N]);
      size_ += std::abs(c[i]);
    }
  }

  double rho() const { return rho_; }

  // Improves lambda while it can; what is left of |F| in units of |c|/rho.
  double solve(double* lambda, int steps) const {
    constexpr double solved = 1e-15;
    constexpr int halvings = 8;
    double x[N], F[N], dx[N], trial[N];
    const double scale = size_ / rho_;
    double norm = map(lambda, x, F);
    for (int step = 0; step < steps && norm > solved * scale; ++step) {
      if (!newton_step(x, F, dx)) break;
      double trial_norm = norm, t = 1.0;
      for (int k = 0; k <= halvings; ++k, t *= 0.5) {
        for (Index i = 0; i < N; ++i) trial[i] = lambda[i] + t * dx[i];
        trial_norm = map(trial, x, F);
        if (trial_norm < (1.0 - 0.1 * t) * norm) break;
      }
      if (!(trial_norm < norm)) break;
      std::copy(trial, trial + N, lambda);
      norm = trial_norm;
    }
    return scale > 0.0 ? norm / scale : norm;
  }

  // One step of the extragradient method, lambda <- P(lambda - r xi(P(lambda - r xi(lambda)))): it comes
  // nearer to the solution of every monotone block, if slowly.
  void extragradient(double r, double* lambda) const {
    double xi[N], x[N], half[N];
    velocity(lambda, xi);
    for (Index i = 0; i < N; ++i) x[i] = lambda[i] - r * xi[i];
    P_.project(x, half);
    velocity(half, xi);
    for (Index i = 0; i < N; ++i) x[i] = lambda[i] - r * xi[i];
    P_.project(x, lambda);
  }

 private:
  void velocity(const double* lambda, double* xi) const {
    for (Index i = 0; i < N; ++i) {
      xi[i] = c_[i];
      for (Index j = 0; j < N; ++j) xi[i] += G_[i + j * N] * lambda[j];
    }
  }

  double map(const double* lambda, double* x, double* F) const {
    double y[N], square = 0.0;
    velocity(lambda, x);
    for (Index i = 0; i < N; ++i) x[i] = lambda[i] - x[i] / rho_;
    P_.project(x, y);
    for (Index i = 0; i < N; ++i) {
      F[i] = lambda[i] - y[i];
      square += F[i] * F[i];
    }
    return std::sqrt(square);
  }

  bool newton_step(const double* x, const double* F, double* dx) const {
    double D[N * N], J[N * N];
    int pivots[N];
    P_.derivative(x, D);
    for (Index j = 0; j < N; ++j)
      for (Index i = 0; i < N; ++i) {
        double sum = i == j ? 1.0 : 0.0;
        for (Index l = 0; l < N; ++l) sum -= D[i + l * N] * ((l == j ? 1.0 : 0.0) - G_[l + j * N] / rho_);
        J[i + j * N] = sum;
      }
    if (!lu_factor(J, pivots, N)) return false;
    for (Index i = 0; i < N; ++i) dx[i] = -F[i];
    lu_solve(J, pivots, N, dx, 1);
    return std::all_of(dx, dx + N, [](double d) { return std::isfinite(d); });
  }

  const Map& P_;
  const double *G_, *c_;
  double rho_ = 0.0, size_ = 0.0;
};

// One block of a law that is known through its projection alone: Newton, with steps of the extragradient method where
// it stalls.
template <Index N, class L>
bool solve_block(const L& law, const double* G, const double* c, double* lambda) {
  struct Map {
    const L& law;
    void project(const double* x, double* y) const { law.project(x, y); }
    void derivative(const double* x, double* D) const { law.project_derivative(x, D); }
  };
  constexpr double enough = 1e-13, accepted = 1e-10;
  const Map map{law};
  const BlockNewton<N, Map> newton(map, G, c);
  if (!(newton.rho() > 0.0)) return false;
  for (int round = 0; round < 20; ++round) {
    if (newton.solve(lambda, 20) <= enough) return true;
    for (int k = 0; k < 20; ++k) newton.extragradient(0.5 / newton.rho(), lambda);
  }
  return newton.solve(lambda, 20) <= accepted;
}

}  // namespace carom::inline laws
