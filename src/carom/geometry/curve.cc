#include "carom/geometry/curve.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/dense_solve.h"
#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

double Curve::wrapped(double u) const {
  if (!closed_) return std::clamp(u, lower_, upper_);
  const double period = upper_ - lower_;
  const double turns = std::floor((u - lower_) / period);
  const double inside = u - turns * period;
  return inside < upper_ ? inside : lower_;
}

void Curve::take_samples(int count) {
  const int pieces = closed_ ? count : count - 1;
  samples_.clear();
  for (int k = 0; k < count; ++k) {
    const double u = lower_ + (upper_ - lower_) * k / pieces;
    const CurvePoint p = at(u);
    if (!p.x.allFinite() || !p.d1.allFinite() || !(p.d1.norm() > 0.0))
      bad_shape("profile", "the curve stands still or is not finite somewhere",
                "use a parametrisation with a tangent everywhere");
    samples_.push_back({u, p.x, outer_normal(p)});
    reach_ = std::max(reach_, p.x.norm());
  }
  for (int k = 0; k < pieces; ++k)
    sample_spacing_ = std::max(
        sample_spacing_,
        (samples_[static_cast<std::size_t>((k + 1) % count)].x - samples_[static_cast<std::size_t>(k)].x).norm());
  reach_ += sample_spacing_;  // between samples the curve may reach a little further
}

namespace {

double signed_area(const std::vector<Vector2>& points) {
  double area = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const Vector2 &a = points[k], &b = points[(k + 1) % points.size()];
    area += 0.5 * (a.x() * b.y() - a.y() * b.x());
  }
  return area;
}

class SplineCurve final : public Curve {
 public:
  SplineCurve(std::vector<Vector2> points, std::vector<double> knots, bool closed)
      : Curve(knots.front(), knots.back(), closed), points_(std::move(points)), knots_(std::move(knots)) {
    find_second_derivatives();
    take_samples(8 * static_cast<int>(knots_.size() - 1) + (closed ? 0 : 1));
  }

  CurvePoint at(double u) const override {
    u = wrapped(u);
    const std::size_t last = knots_.size() - 2;
    const auto after = std::upper_bound(knots_.begin(), knots_.end(), u);
    const std::size_t k =
        std::min(last, static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - knots_.begin() - 1, 0)));
    const double h = knots_[k + 1] - knots_[k], s = u - knots_[k];
    const Vector2 &a = points_[k], &b = points_[k + 1], &ma = second_[k], &mb = second_[k + 1];
    const Vector2 third = (mb - ma) / h, first = (b - a) / h - h / 6.0 * (2.0 * ma + mb);
    return {a + s * (first + s * (0.5 * ma + s / 6.0 * third)), first + s * (ma + 0.5 * s * third), ma + s * third,
            third};
  }

 private:
  // h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (slope_k - slope_{k-1}); periodic, or m = 0 at the ends.
  void find_second_derivatives() {
    const Index n = static_cast<Index>(knots_.size()) - 1;  // pieces; points_ has n + 1 entries
    const auto h = [&](Index k) {
      return knots_[static_cast<std::size_t>(k + 1)] - knots_[static_cast<std::size_t>(k)];
    };
    const auto slope = [&](Index k) -> Vector2 {
      return (points_[static_cast<std::size_t>(k + 1)] - points_[static_cast<std::size_t>(k)]) / h(k);
    };
    Matrix A = Matrix::Zero(n + 1, n + 1);
    Matrix b = Matrix::Zero(n + 1, 2);
    for (Index k = 0; k <= n; ++k) {
      if (!closed() && (k == 0 || k == n)) {
        A(k, k) = 1.0;
      } else if (k == n) {  // the same point again
        A(n, n) = 1.0;
        A(n, 0) = -1.0;
      } else {
        const Index before = k == 0 ? n - 1 : k - 1;
        A(k, before) += h(before);
        A(k, k) += 2.0 * (h(before) + h(k));
        A(k, k + 1) += h(k);
        b.row(k) = 6.0 * (slope(k) - slope(before)).transpose();
      }
    }
    const Matrix m = lu_solution(A, b);
    for (Index k = 0; k <= n; ++k) second_.push_back(m.row(k).transpose());
  }

  std::vector<Vector2> points_;
  std::vector<double> knots_;
  std::vector<Vector2> second_;
};

class FormulaCurve final : public Curve {
 public:
  FormulaCurve(std::function<CurvePoint(double)> formula, double lower, double upper, bool closed)
      : Curve(lower, upper, closed), formula_(std::move(formula)) {
    take_samples(256);
  }
  CurvePoint at(double u) const override { return formula_(wrapped(u)); }

 private:
  std::function<CurvePoint(double)> formula_;
};

}  // namespace

SharedCurve spline_curve(std::vector<Vector2> points, bool closed) {
  if (points.size() < 3) bad_shape("profile", "a spline needs at least three points", "give more points");
  if (closed && (points.front() - points.back()).norm() == 0.0) points.pop_back();
  if (closed && signed_area(points) < 0.0) std::reverse(points.begin(), points.end());
  if (closed) points.push_back(points.front());
  std::vector<double> knots = {0.0};
  for (std::size_t k = 1; k < points.size(); ++k) {
    const double chord = (points[k] - points[k - 1]).norm();
    if (!(chord > 0.0) || !std::isfinite(chord))
      bad_shape("profile", "two neighbouring points coincide", "leave one out");
    knots.push_back(knots.back() + chord);
  }
  return std::make_shared<SplineCurve>(std::move(points), std::move(knots), closed);
}

SharedCurve formula_curve(std::function<CurvePoint(double)> formula, double lower, double upper, bool closed) {
  if (!(lower < upper)) bad_shape("profile", "the interval of the parameter is empty", "give lower < upper");
  auto curve = std::make_shared<FormulaCurve>(std::move(formula), lower, upper, closed);
  std::vector<Vector2> chain;
  for (const auto& sample : curve->samples()) chain.push_back(sample.x);
  if (closed && !(signed_area(chain) > 0.0))
    bad_shape("profile", "the curve runs clockwise", "reverse its parameter: the solid lies to the left");
  return curve;
}

SharedCurve polar_curve(std::function<PolarPoint(double)> radius) {
  const auto formula = [radius = std::move(radius)](double u) {
    const PolarPoint p = radius(u);
    const Vector2 e(std::cos(u), std::sin(u)), f(-e.y(), e.x());  // e' = f, f' = -e
    return CurvePoint{p.r * e, p.d1 * e + p.r * f, (p.d2 - p.r) * e + 2.0 * p.d1 * f,
                      (p.d3 - 3.0 * p.d1) * e + (3.0 * p.d2 - p.r) * f};
  };
  return formula_curve(formula, 0.0, 2.0 * std::numbers::pi, true);
}

SharedCurve involute_curve(double base_radius, double from, double to, bool mirrored) {
  positive(base_radius, "involute", "base_radius");
  if (!(from > 0.0 && from < to))
    bad_shape("involute", "the roll angles must satisfy 0 < from < to", "the involute has a cusp at 0");
  const double r = base_radius;
  const auto plain = [r](double u) {
    const Vector2 e(std::cos(u), std::sin(u)), f(-e.y(), e.x());
    return CurvePoint{r * (e - u * f), r * u * e, r * (e + u * f), r * (2.0 * f - u * e)};
  };
  if (!mirrored) return formula_curve(plain, from, to, false);
  // Mirrored at the x axis and run backwards, so that the solid is on the left again.
  const auto mirror = [plain](double u) {
    CurvePoint p = plain(-u);
    const auto flip = [](const Vector2& v, double sign) { return Vector2(sign * v.x(), -sign * v.y()); };
    return CurvePoint{flip(p.x, 1.0), flip(p.d1, -1.0), flip(p.d2, 1.0), flip(p.d3, -1.0)};
  };
  return formula_curve(mirror, -to, -from, false);
}

}  // namespace carom::geometry
