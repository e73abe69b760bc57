// Smooth plane curves: profiles of cams, flanks of gears. The solid lies to the left of the direction of travel, so
// that closed profiles run counterclockwise and the outer normal is the tangent turned by -90 degrees.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "carom/base/types.h"

namespace carom::geometry {

using Vector2 = Eigen::Vector2d;

// A point of a curve and its derivatives by the parameter.
struct CurvePoint {
  Vector2 x, d1, d2, d3;
};

inline Vector2 tangent(const CurvePoint& p) { return p.d1.normalized(); }
inline Vector2 outer_normal(const CurvePoint& p) { return Vector2(p.d1.y(), -p.d1.x()).normalized(); }
// Positive where the solid is convex.
inline double curvature(const CurvePoint& p) {
  const double speed = p.d1.norm();
  return (p.d1.x() * p.d2.y() - p.d1.y() * p.d2.x()) / (speed * speed * speed);
}

class Curve {
 public:
  virtual ~Curve() = default;
  virtual CurvePoint at(double u) const = 0;  // closed curves: for every u

  double lower() const { return lower_; }
  double upper() const { return upper_; }
  bool closed() const { return closed_; }
  // Into [lower, upper): the period is taken off closed curves, open ones end.
  double wrapped(double u) const;

  // A chain of straight pieces close to the curve, which searches start from. A closed chain does not repeat its first
  // point.
  struct Sample {
    double u;
    Vector2 x, normal;
  };
  const std::vector<Sample>& samples() const { return samples_; }
  double sample_spacing() const { return sample_spacing_; }  // longest distance between neighbours
  double reach() const { return reach_; }                    // largest distance from the origin

 protected:
  Curve(double lower, double upper, bool closed) : lower_(lower), upper_(upper), closed_(closed) {}
  void take_samples(int count);  // called by the constructor of the concrete curve

 private:
  double lower_, upper_;
  bool closed_;
  std::vector<Sample> samples_;
  double sample_spacing_ = 0.0, reach_ = 0.0;
};

using SharedCurve = std::shared_ptr<const Curve>;

// Cubic spline through points, twice differentiable; closed ones are periodic and turned counterclockwise if need be,
// open ones natural (no curvature at the ends). The parameter is the length along the chords.
SharedCurve spline_curve(std::vector<Vector2> points, bool closed = true);

// Any formula that gives a point and three derivatives.
SharedCurve formula_curve(std::function<CurvePoint(double)> formula, double lower, double upper, bool closed);

// A closed cam by its radius over the angle: r and three derivatives, with period 2 pi.
struct PolarPoint {
  double r, d1, d2, d3;
};
SharedCurve polar_curve(std::function<PolarPoint(double)> radius);

// The involute of a circle between two roll angles 0 < from < to: x = r (cos u + u sin u, sin u - u cos u). The solid,
// a tooth, lies counterclockwise of it; mirrored, clockwise.
SharedCurve involute_curve(double base_radius, double from, double to, bool mirrored = false);

}  // namespace carom::geometry
