// Vectors and places of the plane: few numbers that stay in registers.
#pragma once

#include <cmath>

#include "carom/base/pose.h"
#include "carom/base/scalar_code.h"

namespace carom::model {

struct Arrow {
  double x = 0.0, y = 0.0;

  static Arrow of(const Vector3& a) { return {a.x(), a.y()}; }
  Arrow& operator+=(Arrow b) { return x += b.x, y += b.y, *this; }
};
inline Arrow operator+(Arrow a, Arrow b) { return {a.x + b.x, a.y + b.y}; }
inline Arrow operator-(Arrow a, Arrow b) { return {a.x - b.x, a.y - b.y}; }
inline Arrow operator*(double k, Arrow a) { return {k * a.x, k * a.y}; }
inline Arrow turned(Arrow a) { return {-a.y, a.x}; }
inline double dot(Arrow a, Arrow b) { return a.x * b.x + a.y * b.y; }
inline double cross(Arrow a, Arrow b) { return a.x * b.y - a.y * b.x; }

struct PlanarPlace {
  double c = 1.0, s = 0.0;
  Arrow x = {};

  static PlanarPlace of(const Pose& pose) { return {pose.R(0, 0), pose.R(1, 0), Arrow::of(pose.x)}; }
  CAROM_INLINE Arrow direction(Arrow a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  CAROM_INLINE Arrow point(Arrow a) const { return x + direction(a); }
  // A place given relative to this one.
  CAROM_INLINE PlanarPlace operator*(const PlanarPlace& b) const {
    return {c * b.c - s * b.s, s * b.c + c * b.s, point(b.x)};
  }
  CAROM_INLINE void turn(double angle) {
    const double ca = std::cos(angle), sa = std::sin(angle), c0 = c;
    c = c0 * ca - s * sa;
    s = s * ca + c0 * sa;
  }
  Arrow axis(int i) const { return i == 0 ? Arrow{c, s} : Arrow{-s, c}; }
  void write(Pose& pose) const {
    double *out = pose.x.data(), *R = pose.R.data();
    out[0] = x.x, out[1] = x.y, out[2] = 0.0;
    R[0] = c, R[1] = s, R[2] = 0.0, R[3] = -s, R[4] = c, R[5] = R[6] = R[7] = 0.0, R[8] = 1.0;
  }
};

}  // namespace carom::model
