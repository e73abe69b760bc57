// The tangents of a contact in which what its block leaves of the tangential part, without the normal one, is diagonal:
//
//   E - b b'/a = diag(s_1, s_2),  s_1 >= s_2         G_bb = [a b'; b E], its symmetric part
#pragma once

#include <cmath>

namespace carom::inline inclusion {

// From the tangents of W to these, and back.
struct TangentTurn {
  double cosine = 1.0, sine = 0.0;

  void turn(const double* x, double* out) const {
    const double one = x[0], other = x[1];
    out[0] = cosine * one + sine * other;
    out[1] = cosine * other - sine * one;
  }
  void turn_back(const double* x, double* out) const {
    const double one = x[0], other = x[1];
    out[0] = cosine * one - sine * other;
    out[1] = sine * one + cosine * other;
  }
};

struct PrincipalTangents {
  double a, b[2], s[2];
  TangentTurn turn;

  // G: G_bb, 3 x 3 by columns.
  explicit PrincipalTangents(const double* G) : a(G[0]) {
    const double g[2] = {0.5 * (G[1] + G[3]), 0.5 * (G[2] + G[6])};
    const double S11 = G[4] - g[0] * g[0] / a, S22 = G[8] - g[1] * g[1] / a,
                 S12 = 0.5 * (G[5] + G[7]) - g[0] * g[1] / a;
    const double half = 0.5 * (S11 - S22), root = std::sqrt(half * half + S12 * S12), mean = 0.5 * (S11 + S22);
    s[0] = mean + root;
    s[1] = mean - root;
    // The direction of s_1: twice its angle is that of (half, S12).
    const double x = root + std::abs(half), length = std::sqrt(x * x + S12 * S12);
    if (length > 0.0) {
      const bool along = half >= 0.0;
      turn.cosine = (along ? x : std::abs(S12)) / length;
      turn.sine = (along ? S12 : std::copysign(x, S12)) / length;
    }
    turn.turn(g, b);
  }
};

}  // namespace carom::inline inclusion
