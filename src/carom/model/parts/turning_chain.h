// A chain of the plane whose joints all turn, on the ground, by the absolute angles of its links: the mechanisms that
// are met most. With A_k the arrow from the pin of link k to the next one, D_k its first moment about its pin with the
// mass of all outboard at the next pin, I_k the inertia of the same about its pin, all turning with link k, w its spin,
//
//   M_kk = I_k      M_jk = X_jk = A_j . D_k      Z_jk = A_j x D_k              for j inboard of k
//   h_j = sum over k outboard w_k^2 Z_jk - sum over i inboard w_i^2 Z_ij + D_j x g
//
// dZ_jk/dtheta_k = X_jk = -dZ_jk/dtheta_j gives all derivatives. Joint coordinates follow by w = S v, with S the sums
// of what turns the links up to k: M = S' M S, h = S' h, and so on.
#pragma once

#include <cmath>

#include "carom/model/parts/planar_tree_dynamics.h"

namespace carom::model {

struct TurningLink {
  double sign, offset;  // of its joint's angle; its angle to the link before where that is zero
  bool idle;            // A and D are zero
  Arrow a, d, heavy;    // A, D, and D of what has weight, in the components of the link
  double I;
};

template <class Chain>
CAROM_INLINE inline void evaluate_turning_chain(Chain chain, const TurningLink* links, Arrow gravity, const double* q,
                                                const double* v, double* M, double* h, double* by_q, double* by_v) {
  constexpr Index n = Chain::size();
  double w[n], X[n * n], Z[n * n], weight[n], bent[n];
  Arrow A[n];
  double angle = 0.0, spin = 0.0;
  chain.each([&](auto k) CAROM_INLINE {
    const TurningLink& link = links[k];
    angle += link.offset + link.sign * q[k];
    if (v != nullptr) spin += link.sign * v[k];
    w[k] = spin;
    Arrow D;
    A[k] = {};
    weight[k] = bent[k] = 0.0;
    if (!link.idle) {
      const double c = std::cos(angle), s = std::sin(angle);
      const auto world = [&](Arrow x) CAROM_INLINE { return Arrow{c * x.x - s * x.y, s * x.x + c * x.y}; };
      A[k] = world(link.a);
      D = world(link.d);
      const Arrow heavy = world(link.heavy);
      weight[k] = cross(heavy, gravity);
      bent[k] = -dot(heavy, gravity);
    }
    chain.inboard(k, [&](auto j) CAROM_INLINE {
      X[n * j + k] = dot(A[j], D);
      Z[n * j + k] = cross(A[j], D);
    });
  });
  // sum_kl over k >= i, l >= j of a matrix in absolute angles
  const auto in_joint_coordinates = [&](double* matrix, double* out) CAROM_INLINE {
    chain.inward([&](auto l) CAROM_INLINE {
      if constexpr (l + 1 < n) chain.each([&](auto k) CAROM_INLINE { matrix[n * l + k] += matrix[n * (l + 1) + k]; });
    });
    chain.each([&](auto l) CAROM_INLINE {
      double sum = 0.0;
      chain.inward([&](auto k) CAROM_INLINE {
        sum += matrix[n * l + k];
        out[n * l + k] = (links[k].sign * links[l].sign) * sum;
      });
    });
  };
  double matrix[n * n];
  if (M != nullptr) {
    chain.each([&](auto k) CAROM_INLINE {
      matrix[n * k + k] = links[k].I;
      chain.inboard(k, [&](auto j) CAROM_INLINE { matrix[n * j + k] = matrix[n * k + j] = X[n * j + k]; });
    });
    in_joint_coordinates(matrix, M);
  }
  if (h == nullptr && by_q == nullptr) return;
  double square[n];
  chain.each([&](auto k) CAROM_INLINE { square[k] = w[k] * w[k]; });
  if (h != nullptr) {
    chain.each([&](auto k) CAROM_INLINE {
      chain.inboard(k, [&](auto j) CAROM_INLINE {
        weight[j] += square[k] * Z[n * j + k];
        weight[k] -= square[j] * Z[n * j + k];
      });
    });
    double sum = 0.0;
    chain.inward([&](auto k) CAROM_INLINE {
      sum += weight[k];
      h[k] += links[k].sign * sum;
    });
  }
  if (by_q == nullptr) return;
  chain.each([&](auto k) CAROM_INLINE {
    chain.inboard(k, [&](auto j) CAROM_INLINE {
      const double of_k = square[k] * X[n * j + k], of_j = square[j] * X[n * j + k];
      matrix[n * k + j] = of_k;
      matrix[n * j + k] = of_j;
      bent[j] -= of_k;
      bent[k] -= of_j;
    });
  });
  chain.each([&](auto k) CAROM_INLINE { matrix[n * k + k] = bent[k]; });
  in_joint_coordinates(matrix, by_q);
  chain.each([&](auto k) CAROM_INLINE {
    matrix[n * k + k] = 0.0;
    chain.inboard(k, [&](auto j) CAROM_INLINE {
      matrix[n * k + j] = 2.0 * w[k] * Z[n * j + k];
      matrix[n * j + k] = -2.0 * w[j] * Z[n * j + k];
    });
  });
  in_joint_coordinates(matrix, by_v);
}

}  // namespace carom::model
