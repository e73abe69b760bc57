// The slider-crank in an ideal guide by its crank angle alone: theta2 = asin(-l1/l2 sin theta1),
//
//     theta2' = k theta1'           k  = -l1 c1 / (l2 c2)
//     theta2'' = k theta1'' + r     r  = (l1 s1 theta1'^2 + l2 s2 theta2'^2) / (l2 c2)
//     theta1'' = (h1 + k h2 - (M12 + k M22) r) / (M11 + 2 k M12 + k^2 M22)
//
// integrated by the classical Runge-Kutta method in steps of 2e-6 s: right to about 1e-13, and without any
// constraint. It shares M and h with the model, and nothing with a scheme.
#pragma once

#include <cmath>
#include <vector>

#include "carom/model/analytic/slider_crank_arms.h"

namespace carom::analytic {

class MinimalSliderCrank {
 public:
  MinimalSliderCrank(const SliderCrankArms& arms, double angle, double rate) : arms_(arms), points_{{angle, rate}} {}

  // theta1, theta2 and their rates.
  void at(double t, Vector& q, Vector& v) {
    const auto k = static_cast<std::size_t>(t / step);
    while (points_.size() <= k) points_.push_back(advance(points_.back(), step));
    const Point p = advance(points_[k], t - static_cast<double>(k) * step);
    double rod_rate, unused;
    q.resize(2);
    v.resize(2);
    q[0] = p.angle;
    q[1] = rod_angle(p.angle);
    rod(p, rod_rate, unused);
    v[0] = p.rate;
    v[1] = rod_rate;
  }

  double rod_angle(double angle) const { return std::asin(-arms_.data.l1 / arms_.data.l2 * std::sin(angle)); }

 private:
  static constexpr double step = 2e-6;
  struct Point {
    double angle, rate;
  };

  // theta2', and r of theta2'' = k theta1'' + r.
  double rod(const Point& p, double& rate, double& r) const {
    const double angles[2] = {p.angle, rod_angle(p.angle)};
    const SliderCrankArms::Arms a = SliderCrankArms::arms(angles);
    const double l1 = arms_.data.l1, l2 = arms_.data.l2, k = -l1 * a.c1 / (l2 * a.c2);
    rate = k * p.rate;
    r = (l1 * a.s1 * p.rate * p.rate + l2 * a.s2 * rate * rate) / (l2 * a.c2);
    return k;
  }

  double acceleration(const Point& p) const {
    double rod_rate, r, h[2];
    const double k = rod(p, rod_rate, r);
    const double angles[2] = {p.angle, rod_angle(p.angle)}, rates[2] = {p.rate, rod_rate};
    const SliderCrankArms::Arms a = SliderCrankArms::arms(angles);
    arms_.arm_force(a, rates, h);
    const double M12 = arms_.coupling_cosine(a);
    return (h[0] + k * h[1] - (M12 + k * arms_.M22) * r) / (arms_.M11 + 2.0 * k * M12 + k * k * arms_.M22);
  }

  Point advance(const Point& p, double dt) const {
    const auto moved = [&](double s, const Point& slope) {
      return Point{p.angle + s * slope.angle, p.rate + s * slope.rate};
    };
    const auto slope = [&](const Point& x) { return Point{x.rate, acceleration(x)}; };
    const Point k1 = slope(p), k2 = slope(moved(0.5 * dt, k1)), k3 = slope(moved(0.5 * dt, k2)),
                k4 = slope(moved(dt, k3));
    return {p.angle + dt / 6.0 * (k1.angle + 2.0 * k2.angle + 2.0 * k3.angle + k4.angle),
            p.rate + dt / 6.0 * (k1.rate + 2.0 * k2.rate + 2.0 * k3.rate + k4.rate)};
  }

  SliderCrankArms arms_;
  std::vector<Point> points_;  // every `step`, as far as asked for
};

}  // namespace carom::analytic
