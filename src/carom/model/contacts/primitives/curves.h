// Profiles in the plane (cams, flanks of teeth): closest points by Newton from the parameter frozen at detection, then
// one step in the scalar S for the derivatives. X(u) = o + Q c(u) with Q the rotation that takes x to the feature's
// direction; N the outer normal there.
//
//   disc_curve    (x - X(u)) . X'(u) = 0        g = N.(x - X) - r        normal N
//   curve_line    n . X'(u) = 0                 g = n.(X - p)            normal n, the line's
//   curve_curve   both at once                  g = N_2.(X_1 - X_2)      normal N_2, with N_1 = -N_2
#pragma once

#include "carom/geometry/curve.h"
#include "carom/model/contacts/primitives/rings.h"

namespace carom::model {

// A curve in the world around the parameter u: point, first and second derivative, exact to first order in what S
// carries.
template <class S>
struct CurveAt {
  Vector3Of<S> x, d1, d2, normal;

  CurveAt(const geometry::Feature& feature, const PoseOf<S>& pose, const S& u) {
    const double u0 = value_of(u);
    const geometry::CurvePoint at = feature.curve->at(u0);
    const Vector3 ex = feature.direction, ey(-ex.y(), ex.x(), 0.0);
    const auto world = [&](const Eigen::Vector2d& c) { return pose.direction(Vector3(c.x() * ex + c.y() * ey)); };
    const S du = u - S(u0);
    d2 = world(at.d2) + du * world(at.d3);
    d1 = world(at.d1) + du * world(at.d2);
    x = pose.point(feature.point) + world(at.x) + du * world(at.d1);
    using std::sqrt;
    const S speed = sqrt(d1.dot(d1));
    normal = Vector3Of<S>(d1.y(), -d1.x(), S(0.0)) / speed;
  }
};

// Newton on one parameter; `equation` gives F and dF/du.
template <class S, class Equation>
S curve_parameter(double start, Equation equation) {
  S u = S(start);
  for (int k = 0; k <= most_newton_steps; ++k) {
    S F, slope;
    equation(u, F, slope);
    if (value_of(slope) == 0.0) break;
    const S step = F / slope;
    u = u - step;
    if (std::abs(value_of(step)) <= 1e-15 * (1.0 + std::abs(value_of(u)))) break;
  }
  return u;
}

template <class S>
Touch<S> disc_curve(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const auto solve = [&]<class T>(const PoseOf<T>& a, const PoseOf<T>& b, double start) {
    const Vector3Of<T> x = a.point(p.first.point);
    return curve_parameter<T>(start, [&](const T& u, T& F, T& slope) {
      const CurveAt<T> c(p.second, b, u);
      const Vector3Of<T> w = x - c.x;
      F = w.dot(c.d1);
      slope = w.dot(c.d2) - c.d1.dot(c.d1);
    });
  };
  const double start = solve(values(A), values(B), p.second.parameter);
  const CurveAt<S> c(p.second, B, solve(A, B, start));
  const Vector3Of<S> x = A.point(p.first.point);
  const S r = S(p.first.radius);
  return {c.normal.dot(Vector3Of<S>(x - c.x)) - r, c.normal, x - r * c.normal, c.x};
}

template <class S>
Touch<S> curve_line(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  const auto solve = [&]<class T>(const PoseOf<T>& a, const PoseOf<T>& b, double start) {
    const Vector3Of<T> n = b.direction(p.second.direction);
    return curve_parameter<T>(start, [&](const T& u, T& F, T& slope) {
      const CurveAt<T> c(p.first, a, u);
      F = n.dot(c.d1);
      slope = n.dot(c.d2);
    });
  };
  const double start = solve(values(A), values(B), p.first.parameter);
  const CurveAt<S> c(p.first, A, solve(A, B, start));
  const Vector3Of<S> n = B.direction(p.second.direction);
  const S gap = n.dot(Vector3Of<S>(c.x - B.point(p.second.point)));
  return {gap, n, c.x, c.x - gap * n};
}

// (X_1 - X_2).X_1' = 0 and (X_1 - X_2).X_2' = 0.
template <class S>
void closest_parameters(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B, double start_1,
                        double start_2, S& u1, S& u2) {
  u1 = S(start_1);
  u2 = S(start_2);
  for (int k = 0; k <= most_newton_steps; ++k) {
    const CurveAt<S> one(p.first, A, u1), two(p.second, B, u2);
    // Parallel tangents, and the connection across them: well posed at zero gap, where the distance itself is not.
    const Vector3Of<S> w = one.x - two.x;
    const S F1 = one.d1.dot(two.normal), F2 = w.dot(two.d1);
    const S speed2 = two.d1.dot(two.d1);
    const S turn = (two.d1.x() * two.d2.y() - two.d1.y() * two.d2.x()) / speed2;  // of the normal, per parameter
    using std::sqrt;
    const S a11 = one.d2.dot(two.normal), a12 = one.d1.dot(two.d1) / sqrt(speed2) * turn;
    const S a21 = one.d1.dot(two.d1), a22 = w.dot(two.d2) - speed2;
    const S determinant = a11 * a22 - a12 * a21;
    if (value_of(determinant) == 0.0) break;
    const S d1 = (F1 * a22 - F2 * a12) / determinant, d2 = (F2 * a11 - F1 * a21) / determinant;
    u1 = u1 - d1;
    u2 = u2 - d2;
    if (std::abs(value_of(d1)) + std::abs(value_of(d2)) <=
        1e-15 * (1.0 + std::abs(value_of(u1)) + std::abs(value_of(u2))))
      break;
  }
}

template <class S>
Touch<S> curve_curve(const geometry::ContactPrimitive& p, const PoseOf<S>& A, const PoseOf<S>& B) {
  double start_1, start_2;
  closest_parameters<double>(p, values(A), values(B), p.first.parameter, p.second.parameter, start_1, start_2);
  S u1, u2;
  closest_parameters<S>(p, A, B, start_1, start_2, u1, u2);
  const CurveAt<S> one(p.first, A, u1), two(p.second, B, u2);
  return {two.normal.dot(Vector3Of<S>(one.x - two.x)), two.normal, one.x, two.x};
}

}  // namespace carom::model
