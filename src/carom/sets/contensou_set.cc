#include "carom/sets/contensou_set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "carom/base/errors.h"

namespace carom::inline sets {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double k = 16.0 / (3.0 * pi);

// For u > 2 the closed forms cancel (their terms grow like u^3, their sum falls like 1/u), so they are
// expanded in w = 1/u: with asin w = sum c_j w^(2j+1) and sqrt(1 - w^2) = sum d_j w^2j,
//
//     b_T   = 3/16     sum (4 c_j - c_j+1 + d_j+1 + 2 d_j) w^2j
//     b_tau = 1/(4 pi) sum (3 c_j+2 - 8 c_j+1 + 8 c_j + 6 d_j+1 - 3 d_j+2) w^(2j+1).
struct Series {
  static constexpr int terms = 24;  // w^2 <= 1/4: the rest is below rounding
  std::array<double, terms> tangential, spin;

  constexpr Series() : tangential{}, spin{} {
    std::array<double, terms + 2> c{}, d{};
    double central = 1.0;  // (2j)! / (4^j j!^2)
    for (std::size_t j = 0; j < c.size(); ++j) {
      const double n = 2.0 * static_cast<double>(j);
      c[j] = central / (n + 1.0);
      d[j] = central / (1.0 - n);
      central *= (n + 1.0) / (n + 2.0);
    }
    for (std::size_t j = 0; j < tangential.size(); ++j) {
      tangential[j] = 3.0 / 16.0 * (4.0 * c[j] - c[j + 1] + d[j + 1] + 2.0 * d[j]);
      spin[j] = (3.0 * c[j + 2] - 8.0 * c[j + 1] + 8.0 * c[j] + 6.0 * d[j + 1] - 3.0 * d[j + 2]) / (4.0 * pi);
    }
  }
};
constexpr Series series;

ContensouMeridian sliding_side(double w) {
  const double w2 = w * w;
  double tangential = 0.0, spin = 0.0, slope = 0.0;  // slope: b_T'(u)/w^3 = sum -2j a_j w^(2j-2)
  for (int j = Series::terms - 1; j >= 0; --j) {
    const auto i = static_cast<std::size_t>(j);
    tangential = tangential * w2 + series.tangential[i];
    spin = spin * w2 + series.spin[i];
    if (j > 0) slope = slope * w2 - 2.0 * j * series.tangential[i];
  }
  const double base = w2 + k * k;
  return {tangential, spin * w, slope * base * std::sqrt(base) / k};
}

ContensouMeridian spinning_side(double u) {
  const double u2 = u * u;
  double tangential, spin, slope;
  if (u <= 1.0) {
    tangential = 3.0 * pi / 32.0 * (4.0 - u2) * u;
    spin = 0.125 * ((3.0 * u2 - 8.0) * u2 + 8.0);
    slope = 3.0 * pi / 32.0 * (4.0 - 3.0 * u2);
  } else {
    const double root = std::sqrt(u2 - 1.0), arc = std::asin(1.0 / u);
    tangential = 3.0 / 16.0 * ((4.0 - u2) * u * arc + (u2 + 2.0) * root / u);
    spin = (((3.0 * u2 - 8.0) * u2 + 8.0) * arc + (6.0 - 3.0 * u2) * root) / (4.0 * pi);
    slope = 3.0 / 16.0 * ((4.0 - 3.0 * u2) * arc + (3.0 * u2 - 2.0) * root / u2);
  }
  const double base = 1.0 + k * k * u2;
  return {tangential, spin, slope * base * std::sqrt(base) / k};
}

// The set with reach 1 contains the ball of this radius (the meridian comes as near as 0.93999).
constexpr double inscribed = 0.9399;

// The foot of the normal through (x, y), x, y >= 0 in units of the reach.
struct Foot {
  double sine = 0.0, cosine = 1.0;
  ContensouMeridian at{};
  double distance = 0.0;  // <= 0: the point is inside
};

Foot foot_of(double x, double y) {
  Foot foot;
  if (x * x + y * y <= inscribed * inscribed) return foot;
  double lower = 0.0, upper = 0.5 * pi;
  double phi = std::atan2(x, y);  // a sphere's
  for (int iteration = 0; iteration < 60; ++iteration) {
    foot.sine = std::sin(phi);
    foot.cosine = std::cos(phi);
    foot.at = contensou_meridian(foot.sine, foot.cosine);
    const double dx = x - foot.at.tangential, dy = y - foot.at.spin;
    foot.distance = dx * foot.sine + dy * foot.cosine;
    const double f = dx * foot.cosine - dy * foot.sine;
    (f > 0.0 ? lower : upper) = phi;
    const double slope = foot.at.radius + foot.distance;
    const double step = slope > 0.0 ? f / slope : pi;
    if (std::abs(step) <= 1e-15 || upper - lower <= 1e-15) break;
    phi = phi + step > lower && phi + step < upper ? phi + step : 0.5 * (lower + upper);
  }
  return foot;
}

struct Meridian2D {
  double tangential, spin;  // of the point, in units of the reach
  double norm;              // |z_T|
};

Meridian2D in_half_plane(double reach, const double* z) {
  const double norm = std::hypot(z[0], z[1]);
  return {norm / reach, std::abs(z[2]) / reach, norm};
}

}  // namespace

ContensouMeridian contensou_meridian(double sine, double cosine) {
  // u = tan(phi)/k
  if (sine > 2.0 * k * cosine) return sliding_side(k * cosine / sine);
  return spinning_side(sine / (k * cosine));
}

void project_on_contensou(double reach, const double* z, double* y) {
  if (!(reach > 0.0)) {
    y[0] = y[1] = y[2] = 0.0;
    return;
  }
  const Meridian2D point = in_half_plane(reach, z);
  const Foot foot = foot_of(point.tangential, point.spin);
  if (foot.distance <= 0.0) {
    std::copy(z, z + 3, y);
    return;
  }
  const double scale = point.norm > 0.0 ? reach * foot.at.tangential / point.norm : 0.0;
  y[0] = scale * z[0];
  y[1] = scale * z[1];
  y[2] = std::copysign(reach * foot.at.spin, z[2]);
}

void contensou_derivative(double reach, const double* z, double* D, Index stride, double* d_reach) {
  for (Index j = 0; j < 3; ++j) {
    d_reach[j] = 0.0;
    for (Index i = 0; i < 3; ++i) D[i + j * stride] = 0.0;
  }
  if (!(reach > 0.0)) {
    // The set is a point and its projection constant; it opens towards z.
    const double unit[3] = {z[0], z[1], z[2]};
    if (unit[0] != 0.0 || unit[1] != 0.0 || unit[2] != 0.0) {
      const double size = std::max({std::abs(z[0]), std::abs(z[1]), std::abs(z[2])});
      const double far[3] = {1e9 * z[0] / size, 1e9 * z[1] / size, 1e9 * z[2] / size};
      project_on_contensou(1.0, far, d_reach);
    }
    return;
  }
  const Meridian2D point = in_half_plane(reach, z);
  const Foot foot = foot_of(point.tangential, point.spin);
  if (foot.distance <= 0.0) {
    for (Index i = 0; i < 3; ++i) D[i + i * stride] = 1.0;
    return;
  }
  // The frame of the foot: e along z_T, c across it, a along the axis.
  const double sign = z[2] < 0.0 ? -1.0 : 1.0;
  const double e[2] = {point.norm > 0.0 ? z[0] / point.norm : 1.0, point.norm > 0.0 ? z[1] / point.norm : 0.0};
  const double along = foot.at.radius / (foot.at.radius + foot.distance);
  // Around the axis a point at its pole turns like the meridian does.
  const double around = point.norm > 0.0 ? foot.at.tangential / point.tangential : along;
  const double tangent[3] = {foot.cosine * e[0], foot.cosine * e[1], -sign * foot.sine};
  const double across[3] = {-e[1], e[0], 0.0};
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 3; ++i) D[i + j * stride] = along * tangent[i] * tangent[j] + around * across[i] * across[j];
  // Growing the reach moves the foot with its own position, less what slides back along the meridian.
  const double slide = along * (foot.at.tangential * foot.cosine - foot.at.spin * foot.sine);
  d_reach[0] = foot.at.tangential * e[0] - slide * tangent[0];
  d_reach[1] = foot.at.tangential * e[1] - slide * tangent[1];
  d_reach[2] = sign * foot.at.spin - slide * tangent[2];
}

ContensouSet::ContensouSet(double reach) : reach_(reach) {
  if (!(reach >= 0.0)) throw LogicError("friction needs a reach >= 0");
}

}  // namespace carom::inline sets
