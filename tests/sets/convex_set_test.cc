// One battery for all convex sets. Each case brings, besides the set, two things that do not go through
// its projection: a membership test and a way to draw points of the set.
#include "carom/sets/convex_set.h"

#include <Eigen/Dense>
#include <functional>
#include <random>

#include "carom/base/errors.h"
#include "carom/sets/ball.h"
#include "carom/sets/box.h"
#include "carom/sets/contensou_set.h"
#include "carom/sets/ellipsoid.h"
#include "carom/sets/free_space.h"
#include "carom/sets/half_line.h"
#include "carom/sets/interval.h"
#include "carom/sets/product_set.h"

namespace carom {
namespace {

using Random = std::mt19937_64;
constexpr int points = 100000;
constexpr double infinity = std::numeric_limits<double>::infinity();

double normal(Random& random) { return std::normal_distribution<double>()(random); }
double uniform(Random& random, double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); }
Vector normal_vector(Index n, Random& random) {
  return Vector::NullaryExpr(n, [&] { return normal(random); });
}

struct SetCase {
  std::string name;
  std::shared_ptr<const ConvexSet> set;
  std::function<double(const Vector&)> excess;  // <= 0 inside
  std::function<Vector(Random&)> draw;          // a point of the set, often on its boundary
};

SetCase free_space(Index n) {
  return {"free_space_" + std::to_string(n), std::make_shared<FreeSpace>(n), [](const Vector&) { return 0.0; },
          [n](Random& random) { return normal_vector(n, random); }};
}

SetCase half_line(HalfLine::Side side) {
  const double sign = side == HalfLine::Side::nonnegative ? 1.0 : -1.0;
  return {sign > 0 ? "nonnegative" : "nonpositive", std::make_shared<HalfLine>(side),
          [sign](const Vector& x) { return -sign * x[0]; },
          [sign](Random& random) { return Vector::Constant(1, sign * std::max(0.0, uniform(random, -1.0, 3.0))); }};
}

template <class Set>
SetCase box(std::string name, std::shared_ptr<const Set> set, std::vector<Bounds> bounds) {
  return {std::move(name), std::move(set),
          [bounds](const Vector& x) {
            double worst = -infinity;
            for (std::size_t i = 0; i < bounds.size(); ++i)
              worst = std::max({worst, bounds[i].lower - x[Index(i)], x[Index(i)] - bounds[i].upper});
            return worst;
          },
          [bounds](Random& random) {
            Vector x(bounds.size());
            for (std::size_t i = 0; i < bounds.size(); ++i) {
              const double z = 2.0 * normal(random);
              x[Index(i)] = std::min(bounds[i].upper, std::max(bounds[i].lower, z));
            }
            return x;
          }};
}

Vector draw_from_unit_ball(Index n, Random& random) {
  const Vector x = normal_vector(n, random);
  return std::min(1.0, uniform(random, 0.0, 1.5)) * x.normalized();
}

SetCase ball(Index n, double radius) {
  return {"ball_" + std::to_string(n) + (radius > 0 ? "" : "_of_radius_zero"), std::make_shared<Ball>(n, radius),
          [radius](const Vector& x) { return x.norm() - radius; },
          [n, radius](Random& random) -> Vector { return radius * draw_from_unit_ball(n, random); }};
}

SetCase ellipsoid(std::string name, const Matrix& A) {
  return {std::move(name), std::make_shared<Ellipsoid>(A),
          [A](const Vector& x) { return A.fullPivLu().solve(x).norm() - 1.0; },
          [A](Random& random) -> Vector { return A * draw_from_unit_ball(Index(A.rows()), random); }};
}

// Membership by the definition: the u that allows this tangential force must allow the spin, too.
SetCase contensou(double reach) {
  const auto meridian = [](double phi) { return contensou_meridian(std::sin(phi), std::cos(phi)); };
  return {"contensou", std::make_shared<ContensouSet>(reach),
          [reach, meridian](const Vector& x) {
            const double T = std::hypot(x[0], x[1]) / reach, tau = std::abs(x[2]) / reach;
            if (T >= 1.0) return std::max(reach * (T - 1.0), std::abs(x[2]));
            double lower = 0.0, upper = 0.5 * M_PI;
            for (int k = 0; k < 52; ++k) {
              const double middle = 0.5 * (lower + upper);
              (meridian(middle).tangential < T ? lower : upper) = middle;
            }
            return reach * (tau - meridian(lower).spin) * std::cos(lower);  // along the normal
          },
          [reach, meridian](Random& random) -> Vector {
            const ContensouMeridian m = meridian(uniform(random, 0.0, 0.5 * M_PI));
            const double angle = uniform(random, 0.0, 2.0 * M_PI);
            const double size = reach * std::min(1.0, uniform(random, 0.0, 1.5));
            const double sign = uniform(random, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
            return Vector3(size * m.tangential * std::cos(angle), size * m.tangential * std::sin(angle),
                           sign * size * m.spin);
          }};
}

SetCase product(std::string name, std::vector<SetCase> factors) {
  std::vector<std::shared_ptr<const ConvexSet>> sets;
  for (const SetCase& factor : factors) sets.push_back(factor.set);
  auto set = std::make_shared<ProductSet>(sets);
  const Index n = set->dim();
  return {std::move(name), set,
          [factors](const Vector& x) {
            double worst = -infinity;
            Index row = 0;
            for (const SetCase& factor : factors) {
              worst = std::max(worst, factor.excess(x.segment(row, factor.set->dim())));
              row += factor.set->dim();
            }
            return worst;
          },
          [factors, n](Random& random) {
            Vector x(n);
            Index row = 0;
            for (const SetCase& factor : factors) {
              x.segment(row, factor.set->dim()) = factor.draw(random);
              row += factor.set->dim();
            }
            return x;
          }};
}

std::vector<SetCase> all_cases() {
  const Matrix flat = Eigen::Vector2d(1.5, 0.02).asDiagonal();
  Matrix general(3, 3);
  general << 1.0, 0.4, -0.2, 0.0, 0.7, 0.5, 0.3, 0.0, 2.0;
  return {
      free_space(1),
      free_space(6),
      half_line(HalfLine::Side::nonnegative),
      half_line(HalfLine::Side::nonpositive),
      box("interval", std::make_shared<const Interval>(-0.5, 1.25), {{-0.5, 1.25}}),
      box("interval_one_sided", std::make_shared<const Interval>(-0.5, infinity), {{-0.5, infinity}}),
      box("box", std::make_shared<const Box>(Box({{-1.0, 0.5}, {}, {0.2, infinity}, {0.3, 0.3}})),
          {{-1.0, 0.5}, {}, {0.2, infinity}, {0.3, 0.3}}),
      ball(1, 0.8),
      ball(2, 1.3),
      ball(3, 0.7),
      ball(6, 2.0),
      ball(2, 0.0),
      ellipsoid("ellipsoid_flat", flat),
      ellipsoid("ellipsoid", general),
      contensou(0.8),
      product("pressure_disc_spin", {half_line(HalfLine::Side::nonnegative), ball(2, 0.9),
                                     box("", std::make_shared<const Interval>(-0.1, 0.1), {{-0.1, 0.1}})}),
      product("ellipsoid_times_free", {ellipsoid("", general), free_space(2)}),
  };
}

class ConvexSetBattery : public ::testing::TestWithParam<SetCase> {
 protected:
  Index n() const { return GetParam().set->dim(); }
  Vector project(const Vector& x) const {
    Vector y(n());
    GetParam().set->project(x.data(), y.data());
    return y;
  }
  Matrix derivative(const Vector& x) const {
    Matrix D(n(), n());
    GetParam().set->project_derivative(x.data(), D.data());
    return D;
  }
  // Points of all sizes, many of them near the set.
  Vector point() { return std::pow(10.0, uniform(random_, -1.0, 1.0)) * normal_vector(n(), random_); }

  Random random_{20240607};
};

TEST_P(ConvexSetBattery, ProjectionIsInsideAndIdempotent) {
  double outside = 0.0, moved = 0.0, moved_inside = 0.0, distance_error = 0.0;
  for (int k = 0; k < points; ++k) {
    const Vector x = point();
    const Vector y = project(x);
    outside = std::max(outside, GetParam().excess(y));
    moved = std::max(moved, (project(y) - y).norm());
    const Vector inside = GetParam().draw(random_);
    moved_inside = std::max(moved_inside, (project(inside) - inside).norm());
    const double distance = GetParam().set->distance(x.data());
    distance_error = std::max(distance_error, std::abs(distance - (x - y).norm()));
    if (GetParam().excess(x) < -1e-12) {
      EXPECT_EQ(distance, 0.0);
    }
  }
  EXPECT_LE(outside, 1e-13);
  EXPECT_LE(moved, 1e-14);
  EXPECT_LE(moved_inside, 1e-14);
  EXPECT_EQ(distance_error, 0.0);
}

// (x - y)'(z - y) <= 0 for all z in C says that y is the nearest point, and that x - y is normal to C.
TEST_P(ConvexSetBattery, ResidualIsNormalAndNothingIsNearer) {
  double worst_angle = -infinity, worst_distance = -infinity;
  for (int k = 0; k < points; ++k) {
    const Vector x = point();
    const Vector y = project(x);
    for (int trial = 0; trial < 3; ++trial) {
      const Vector z = GetParam().draw(random_);
      worst_angle = std::max(worst_angle, (x - y).dot(z - y) / (1.0 + x.squaredNorm()));
      worst_distance = std::max(worst_distance, ((x - y).norm() - (x - z).norm()) / (1.0 + x.norm()));
    }
  }
  EXPECT_LE(worst_angle, 1e-14);
  EXPECT_LE(worst_distance, 1e-14);
}

TEST_P(ConvexSetBattery, ProjectionDoesNotExpand) {
  double worst = 0.0;
  for (int k = 0; k < points; ++k) {
    const Vector a = point(), b = point();
    worst = std::max(worst, (project(a) - project(b)).norm() / (a - b).norm());
  }
  EXPECT_LE(worst, 1.0 + 1e-14);
}

TEST_P(ConvexSetBattery, ProjectionMayOverwriteItsArgument) {
  for (int k = 0; k < 100; ++k) {
    const Vector x = point();
    Vector in_place = x;
    GetParam().set->project(in_place.data(), in_place.data());
    EXPECT_EQ(in_place, project(x));
  }
}

TEST_P(ConvexSetBattery, DerivativeAgreesWithDifferences) {
  const double h = 1e-6;
  double worst = 0.0;
  int compared = 0;
  for (int k = 0; k < points; ++k) {
    const Vector x = point();
    const Matrix D = derivative(x);
    const Vector d = normal_vector(n(), random_).normalized();
    const double step = h * (1.0 + x.norm());
    // Across a kink the derivative jumps, and differences mean nothing.
    const Matrix jump = derivative(x + step * d) - derivative(x - step * d);
    if (jump.norm() > 0.1) continue;
    ++compared;
    const Vector difference = (project(x + step * d) - project(x - step * d)) / (2.0 * step);
    worst = std::max(worst, (D * d - difference).norm());
  }
  EXPECT_LE(worst, 1e-6);
  EXPECT_GE(compared, points * 99 / 100);
}

// A projection is the gradient of a convex function, and it does not expand.
TEST_P(ConvexSetBattery, DerivativeIsSymmetricBetweenZeroAndOne) {
  double asymmetry = 0.0, below = 0.0, above = 0.0;
  for (int k = 0; k < points; ++k) {
    const Matrix D = derivative(k % 10 == 0 ? GetParam().draw(random_) : point());
    const Vector d = normal_vector(n(), random_).normalized();
    asymmetry = std::max(asymmetry, (D - D.transpose()).norm());
    below = std::max(below, -d.dot(D * d));
    above = std::max(above, d.dot(D * d) - 1.0);
  }
  EXPECT_LE(asymmetry, 1e-14);
  EXPECT_LE(below, 1e-14);
  EXPECT_LE(above, 1e-14);
}

INSTANTIATE_TEST_SUITE_P(Sets, ConvexSetBattery, testing::ValuesIn(all_cases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(ConvexSet, RefusesWhatIsNoSet) {
  EXPECT_THROW(FreeSpace(0), LogicError);
  EXPECT_THROW(FreeSpace(7), LogicError);
  EXPECT_THROW(Ball(2, -1.0), LogicError);
  EXPECT_THROW(Interval(1.0, 0.0), LogicError);
  EXPECT_THROW(Ellipsoid(Matrix::Zero(2, 2)), LogicError);
  EXPECT_THROW(Ellipsoid(Matrix::Ones(2, 3)), LogicError);
  EXPECT_THROW(ProductSet({std::make_shared<FreeSpace>(6), std::make_shared<FreeSpace>(1)}), LogicError);
}

// The ellipse x^2/4 + y^2 = 1: the nearest point to (x, 0), x > 2, is (2, 0), and the foot of the normal
// through (cos t, sin t) |-> (2 cos t, sin t) is known.
TEST(Ellipsoid, ProjectsOnTheFootOfTheNormal) {
  const Ellipsoid ellipse(Eigen::Vector2d(2.0, 1.0).asDiagonal().toDenseMatrix());
  for (double t = 0.0; t < 6.3; t += 0.1) {
    const Eigen::Vector2d foot(2.0 * std::cos(t), std::sin(t));
    for (const double height : {1e-6, 0.1, 1.0, 1e3}) {
      const Eigen::Vector2d x = foot + height * Eigen::Vector2d(std::cos(t) / 2.0, std::sin(t));
      Eigen::Vector2d y;
      ellipse.project(x.data(), y.data());
      EXPECT_LE((y - foot).norm(), 1e-13 * (1.0 + height)) << "t " << t << " height " << height;
    }
  }
}

}  // namespace
}  // namespace carom
