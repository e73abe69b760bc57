#include "carom/geometry/shape.h"

#include <gtest/gtest.h>

#include "carom/base/errors.h"
#include "geometry/oracle.h"

namespace carom::geometry {
namespace {

using namespace oracle;

// Volume, centre and inertia from random points in the bounding box. The error of a mean over n points is about
// 1/sqrt(n).
template <class Inside>
MassProperties monte_carlo(Random& random, const Bounds& box, bool planar, const Inside& inside, int n) {
  Vector3 sum = Vector3::Zero();
  Matrix3 squares = Matrix3::Zero();
  int hits = 0;
  for (int k = 0; k < n; ++k) {
    Vector3 x;
    for (int i = 0; i < 3; ++i) x[i] = planar && i == 2 ? 0.0 : uniform(random, box.lower[i], box.upper[i]);
    if (!inside(x)) continue;
    ++hits;
    sum += x;
    squares += x * x.transpose();
  }
  const Vector3 extent = box.upper - box.lower;
  const double whole = planar ? extent.x() * extent.y() : extent.prod();
  MassProperties m;
  m.volume = whole * hits / n;
  m.centre = sum / hits;
  const Matrix3 moments = m.volume * (squares / hits - m.centre * m.centre.transpose());
  m.inertia = moments.trace() * Matrix3::Identity() - moments;
  return m;
}

void expect_close(const MassProperties& m, const MassProperties& reference, double relative, double size) {
  EXPECT_NEAR(m.volume, reference.volume, relative * reference.volume);
  EXPECT_LT((m.centre - reference.centre).norm(), relative * size);
  EXPECT_LT((m.inertia - reference.inertia).norm(), 2.0 * relative * reference.inertia.norm());
}

TEST(MassProperties, AgreeWithCountingPoints) {
  Random random(1);
  for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::box, ShapeKind::capsule, ShapeKind::cylinder,
                               ShapeKind::convex_polyhedron, ShapeKind::disc, ShapeKind::polygon})
    for (int trial = 0; trial < 3; ++trial) {
      const Shape shape = random_shape(random, kind);
      const int n = 200000;  // hits are at least a tenth of the points: the error of a mean is 1 / sqrt(n / 10), 0.7 %
      const auto inside = [&](const Vector3& x) { return outside(shape, x) <= 0.0; };
      SCOPED_TRACE(name(kind));
      expect_close(shape.mass_properties(), monte_carlo(random, shape.bounds({}), shape.planar(), inside, n), 0.03,
                   shape.radius());
    }
}

TEST(MassProperties, OfPolyhedraAreThoseOfTheSameBox) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Box box(Vector3(uniform(random, 0.1, 2), uniform(random, 0.1, 2), uniform(random, 0.1, 2)));
    const Pose pose{5.0 * random_vector(random), random_rotation(random, false)};
    std::vector<Vector3> corners;
    for (const Vector3& v : box.core->vertices) corners.push_back(pose.point(v));
    const MassProperties m = ConvexPolyhedron(corners).mass_properties(), expected = moved(box.mass_properties(), pose);
    expect_close(m, expected, 1e-11, pose.x.norm());
  }
}

TEST(MassProperties, OfCompoundsAreSumsByParallelAxes) {
  // A box cut in two is the box.
  const Vector3 half(0.4, 0.3, 0.2), part(0.2, 0.3, 0.2);
  Random random(3);
  const Pose place{random_vector(random), random_rotation(random, false)};
  const Shape cut = Compound({{Box(part), place * Pose{Vector3(-0.2, 0, 0), Matrix3::Identity()}},
                              {Box(part), place * Pose{Vector3(0.2, 0, 0), Matrix3::Identity()}}});
  expect_close(cut.mass_properties(), moved(Box(half).mass_properties(), place), 1e-13, 1.0);
  // Compounds of compounds are taken apart.
  const Shape nested = Compound({{cut, place}, {Sphere(0.1), {}}});
  EXPECT_EQ(nested.as<Compound>().parts->size(), 3u);
  const MassProperties sum = moved(cut.mass_properties(), place) + Sphere(0.1).mass_properties();
  expect_close(nested.mass_properties(), sum, 1e-13, 1.0);
}

TEST(MassProperties, OfProfilesFollowFromGreen) {
  // An ellipse by formula, exact; a circle by a spline, to its order.
  const double a = 0.7, b = 0.4;
  const auto ellipse = [&](double u) {
    const double c = std::cos(u), s = std::sin(u);
    return CurvePoint{{a * c + 1.0, b * s}, {-a * s, b * c}, {-a * c, -b * s}, {a * s, -b * c}};
  };
  const MassProperties m = Profile(formula_curve(ellipse, 0.0, 2.0 * M_PI, true)).mass_properties();
  EXPECT_NEAR(m.volume, M_PI * a * b, 1e-13);
  EXPECT_NEAR(m.centre.x(), 1.0, 1e-13);
  EXPECT_NEAR(m.inertia(0, 0), M_PI * a * b * b * b / 4, 1e-13);
  EXPECT_NEAR(m.inertia(1, 1), M_PI * a * a * a * b / 4, 1e-13);
  EXPECT_NEAR(m.inertia(2, 2), M_PI * a * b * (a * a + b * b) / 4, 1e-13);

  double before = 0.0;
  for (const int n : {16, 32}) {
    std::vector<Vector2> points;
    for (int k = 0; k < n; ++k) points.emplace_back(std::cos(2 * M_PI * k / n), std::sin(2 * M_PI * k / n));
    const double error = std::abs(Profile(spline_curve(points)).mass_properties().volume - M_PI);
    if (n == 32) {
      EXPECT_LT(error, before / 12.0);
    }  // fourth order
    before = error;
  }
  EXPECT_LT(before, 2e-5);
}

TEST(ConvexHull, IsClosedConvexAndHoldsAllPoints) {
  Random random(4);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Vector3> points;
    const int n = 4 + below(random, 60);
    for (int k = 0; k < n; ++k) {
      Vector3 x = random_vector(random);
      if (trial % 3 == 0) x = x.array().round();  // many coplanar, collinear and double points
      points.push_back(x);
    }
    for (int k = 0; k < 3; ++k) points.push_back(4.0 * Vector3::Unit(k));
    points.push_back(Vector3::Constant(-3.0));
    const ConvexPolyhedron hull(points);
    const Polytope& p = *hull.core;
    for (const auto& face : p.faces)
      for (const Vector3& x : points) ASSERT_LT(face.normal.dot(x) - face.offset, 1e-8) << trial;
    const auto count = [](const auto& list) { return static_cast<int>(list.size()); };
    ASSERT_EQ(count(p.vertices) - count(p.edges) + count(p.faces), 2) << trial;  // Euler
    for (const auto& edge : p.edges) {
      const Vector3 &l = p.face(edge.left).normal, &r = p.face(edge.right).normal;
      ASSERT_GT(l.cross(r).dot(edge.direction), 1e-9) << trial;  // convex, and no two faces in one plane
    }
  }
}

TEST(ConvexHull, MergesCoplanarFacetsAndDropsPointsBetween) {
  std::vector<Vector3> grid;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) grid.emplace_back(x, y, z);
  const ConvexPolyhedron hull(grid);
  const Polytope& cube = *hull.core;
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.edges.size(), 12u);
  EXPECT_EQ(cube.faces.size(), 6u);
  EXPECT_THROW(ConvexPolyhedron({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}), InputError);
}

TEST(Shapes, BoundsTouchTheShapeOnAllSides) {
  Random random(5);
  for (const ShapeKind kind : {ShapeKind::sphere, ShapeKind::box, ShapeKind::capsule, ShapeKind::cylinder,
                               ShapeKind::convex_polyhedron, ShapeKind::disc, ShapeKind::polygon})
    for (int trial = 0; trial < 100; ++trial) {
      const Shape shape = random_shape(random, kind);
      const Pose pose{random_vector(random), random_rotation(random, shape.planar())};
      const Bounds box = shape.bounds(pose);
      for (int i = 0; i < (shape.planar() ? 2 : 3); ++i) {
        EXPECT_NEAR(box.upper[i], pose.x[i] + support_value(shape, pose.local_direction(Vector3::Unit(i))), 1e-12)
            << name(kind);
        EXPECT_NEAR(box.lower[i], pose.x[i] - support_value(shape, pose.local_direction(-Vector3::Unit(i))), 1e-12)
            << name(kind);
      }
      const Vector3 d = random_direction(random, shape.planar());
      EXPECT_LE(support_value(shape, d), shape.radius() + 1e-12);
    }
}

TEST(Shapes, BadNumbersAreRefused) {
  EXPECT_THROW(Sphere(0.0), InputError);
  EXPECT_THROW(Box(Vector3(1, -1, 1)), InputError);
  EXPECT_THROW(Capsule(1.0, std::nan("")), InputError);
  EXPECT_THROW(Cylinder(INFINITY, 1.0), InputError);
  EXPECT_THROW(HalfSpace(Vector3::Zero()), InputError);
  EXPECT_THROW(Polygon({{0, 0}, {1, 1}, {2, 2}}), InputError);
  EXPECT_THROW(Compound({{Sphere(1), {}}, {Disc(1), {}}}), InputError);
  EXPECT_THROW(involute_curve(1.0, 0.0, 1.0), InputError);
  EXPECT_THROW(Shape(HalfSpace()).mass_properties(), LogicError);
}

TEST(Curves, DerivativesAgreeWithDifferences) {
  Random random(6);
  std::vector<Vector2> points;
  for (int k = 0; k < 12; ++k)
    points.push_back(uniform(random, 0.8, 1.2) * Vector2(std::cos(k * M_PI / 6), std::sin(k * M_PI / 6)));
  std::vector<SharedCurve> curves = {spline_curve(points), spline_curve(points, false), involute_curve(0.5, 0.1, 1.2),
                                     involute_curve(0.5, 0.1, 1.2, true), polar_curve([](double u) {
                                       return PolarPoint{1.0 + 0.1 * std::cos(3 * u), -0.3 * std::sin(3 * u),
                                                         -0.9 * std::cos(3 * u), 2.7 * std::sin(3 * u)};
                                     })};
  for (const SharedCurve& curve : curves)
    for (int trial = 0; trial < 50; ++trial) {
      const double h = 1e-5 * (curve->upper() - curve->lower());
      const double u = uniform(random, curve->lower() + 2 * h, curve->upper() - 2 * h);
      const CurvePoint p = curve->at(u), l = curve->at(u - h), r = curve->at(u + h);
      EXPECT_LT(((r.x - l.x) / (2 * h) - p.d1).norm(), 1e-7);
      EXPECT_LT(((r.d1 - l.d1) / (2 * h) - p.d2).norm(), 1e-3);  // splines: the third derivative jumps at knots
      EXPECT_LT(((r.d2 - l.d2) / (2 * h) - p.d3).norm(), 20.0 * h + (p.d3 - l.d3).norm() + (p.d3 - r.d3).norm() + 1e-5);
    }
  // The solid lies to the left: the outer normal of a closed curve looks away from its middle.
  for (const SharedCurve& curve : {curves[0], curves[4]})
    for (const auto& sample : curve->samples()) EXPECT_GT(sample.normal.dot(sample.x), 0.0);
}

}  // namespace
}  // namespace carom::geometry
