// Profiles against shapes whose distance is known otherwise: a circle as a curve is a disc; an ellipse is sampled
// densely; gear flanks keep their distance while the gears turn.
#include <gtest/gtest.h>

#include "geometry/oracle.h"

namespace carom::geometry {
namespace {

using namespace oracle;

Shape circle(double r) {
  return Profile(polar_curve([r](double) { return PolarPoint{r, 0, 0, 0}; }));
}

Shape egg(double a, double b) {
  return Profile(formula_curve(
      [=](double u) {
        const double c = std::cos(u), s = std::sin(u);
        return CurvePoint{{a * c, b * s}, {-a * s, b * c}, {-a * c, -b * s}, {a * s, -b * c}};
      },
      0.0, 2.0 * M_PI, true));
}

ContactList contacts_of(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double margin) {
  static NarrowPhase narrow_phase;
  ContactList list;
  narrow_phase.find(a, A, b, B, margin, list);
  return list;
}

Pose random_pose(Random& random, double room) {
  return planar_pose(uniform(random, -room, room), uniform(random, -room, room), uniform(random, -3, 3));
}

TEST(Profile, ACircleTouchesAsADiscDoes) {
  Random random(1);
  int seen = 0;
  for (int trial = 0; trial < 600; ++trial) {
    const double r = uniform(random, 0.4, 1.0);
    const ShapeKind kinds[] = {ShapeKind::disc, ShapeKind::polygon, ShapeKind::half_plane};
    Shape other = random_shape(random, kinds[trial % 3]);
    Shape other_as_curve = other;
    if (trial % 6 == 0) other_as_curve = circle(other.as<Disc>().radius);  // curve against curve
    const Pose A = random_pose(random, 0.3), B = random_pose(random, 2.0);
    const Shape round = circle(r);  // a primitive points to its curve: the shape must live on
    const ContactList disc = contacts_of(Disc(r), A, other, B, 0.5),
                      curve = contacts_of(round, A, other_as_curve, B, 0.5);
    if (disc.size() == 0) {
      EXPECT_EQ(curve.size(), 0u) << trial;
      continue;
    }
    if (disc.primitives[0].gap < -0.2 * r) continue;  // deeper, a polygon's own choice differs
    ++seen;
    ASSERT_GE(curve.size(), 1u) << trial;
    EXPECT_NEAR(curve.primitives[0].gap, disc.primitives[0].gap, 1e-11)
        << trial << " " << name(curve.primitives[0].kind);
    const ContactPrimitive& p = curve.primitives[0];
    const Witness w = p.swapped ? evaluate(p, B, A) : evaluate(p, A, B);
    EXPECT_NEAR(w.gap, p.gap, 1e-12);
    const Vector3 n = p.swapped ? Vector3(-p.normal) : p.normal;
    const ContactPrimitive& q = disc.primitives[0];
    EXPECT_LT((n - (q.swapped ? Vector3(-q.normal) : q.normal)).norm(), 1e-7) << trial;
  }
  EXPECT_GT(seen, 150);
}

TEST(Profile, EllipsesKeepTheDistanceOfDenseSamples) {
  Random random(2);
  int seen = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const double a = uniform(random, 0.5, 1.0), b = uniform(random, 0.3, 1.0), c = uniform(random, 0.5, 1.0),
                 d = uniform(random, 0.3, 1.0);
    const Shape one = egg(a, b), two = egg(c, d);
    const Pose A = random_pose(random, 0.2);
    const double direction = uniform(random, -3, 3), away = uniform(random, 1.7, 2.4);
    const Pose B =
        planar_pose(A.x.x() + away * std::cos(direction), A.x.y() + away * std::sin(direction), uniform(random, -3, 3));
    double least = 1e9;
    const int n = 1500;
    std::vector<Vector3> points;
    for (int k = 0; k < n; ++k)
      points.push_back(B.point(Vector3(c * std::cos(2 * M_PI * k / n), d * std::sin(2 * M_PI * k / n), 0)));
    for (int k = 0; k < n; ++k) {
      const Vector3 x = A.point(Vector3(a * std::cos(2 * M_PI * k / n), b * std::sin(2 * M_PI * k / n), 0));
      for (const Vector3& y : points) least = std::min(least, (x - y).squaredNorm());
    }
    least = std::sqrt(least);
    if (least < 0.05 || least > 0.5) continue;
    ++seen;
    const ContactList list = contacts_of(one, A, two, B, 1.0);
    ASSERT_GE(list.size(), 1u);
    // Samples 0.004 apart miss the closest points by 0.002, and the distance by the square of that over the distance.
    EXPECT_NEAR(list.primitives[0].gap, least, 2e-4) << trial;
    EXPECT_LE(list.primitives[0].gap, least + 1e-12);
  }
  EXPECT_GT(seen, 10);
}

TEST(Profile, InvoluteFlanksKeepTheirGapWhileTheGearsTurn) {
  // Conjugate flanks touch on the common tangent of the base circles. With centres at distance c and base radii r1, r2,
  // turning the gears by phi and -phi r1 / r2 leaves the gap along that line as it is: the law of gearing.
  const double r1 = 0.05, r2 = 0.08, c = 0.145;
  const Shape one = Profile(involute_curve(r1, 0.05, 1.4)), two = Profile(involute_curve(r2, 0.05, 1.4));
  // The second gear is seen from its own side: turned by half a turn its flanks face those of the first.
  double first_gap = 0.0;
  int seen = 0;
  const double inv = std::sqrt(c * c - (r1 + r2) * (r1 + r2)) / (r1 + r2) -
                     std::acos((r1 + r2) / c);  // involute function of the working angle
  for (int k = 0; k <= 20; ++k) {
    const double phi = -0.25 + 0.025 * k, play = 1e-3;
    const Pose A = planar_pose(0, 0, -inv + phi), B = planar_pose(c, 0, M_PI - inv - phi * r1 / r2 + play / r2);
    const ContactList list = contacts_of(one, A, two, B, 0.01);
    if (list.size() == 0) continue;
    if (seen++ == 0) first_gap = list.primitives[0].gap;
    EXPECT_NEAR(list.primitives[0].gap, first_gap, 1e-13) << phi;
    EXPECT_NEAR(std::abs(list.primitives[0].gap), play, 1e-12) << phi;
    // The normal is the line of action.
    EXPECT_NEAR(std::abs(list.primitives[0].normal.x()),
                (r1 + r2) / c * 0.0 + std::sqrt(1 - std::pow((r1 + r2) / c, 2)), 1e-9);
  }
  EXPECT_GT(seen, 10);
}

TEST(Profile, ACamTouchesAPlateAtItsHighestPoint) {
  // r = 1 + 0.1 cos 3u: at rest on a line the three lobes take turns; from far away all local minima within the margin
  // are listed.
  const Shape cam = Profile(polar_curve([](double u) {
    return PolarPoint{1.0 + 0.1 * std::cos(3 * u), -0.3 * std::sin(3 * u), -0.9 * std::cos(3 * u),
                      2.7 * std::sin(3 * u)};
  }));
  for (int k = 0; k < 50; ++k) {
    const double angle = 0.13 * k;
    const Pose A = planar_pose(0, 1.2, angle);
    const ContactList list = contacts_of(cam, A, HalfPlane(), {}, 0.3);
    ASSERT_GE(list.size(), 1u);
    double lowest = 1e9;
    for (int j = 0; j < 200000; ++j) {
      const double u = 2 * M_PI * j / 200000, r = 1.0 + 0.1 * std::cos(3 * u);
      lowest = std::min(lowest, 1.2 + r * std::sin(u + angle));
    }
    EXPECT_NEAR(list.primitives[0].gap, lowest, 1e-9) << k;
    for (const auto& p : list.primitives) EXPECT_EQ(p.kind, PrimitiveKind::curve_line);
  }
}

}  // namespace
}  // namespace carom::geometry
