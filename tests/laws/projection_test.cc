// The laws as fixed points: lambda = project(lambda - r xi) holds exactly for the pairs (lambda, xi)
// that the law allows, written here case by case; and the derivative is that of the map.
#include <functional>

#include "carom/laws/bilateral_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"
#include "laws/law_test_tools.h"

namespace carom {
namespace {

using namespace testing_tools;

constexpr double mu = 0.4;
constexpr int samples = 100000;

struct Pair {
  Vector lambda, xi;
};
struct LawCase {
  std::string name;
  std::shared_ptr<const Law> law;
  std::vector<std::function<Pair(Random&)>> allowed;
  std::vector<std::function<Pair(Random&)>> forbidden;
};

Vector direction(Index n, Random& random) { return normal_vector(n, random).normalized(); }

Vector stack(double first, const Vector& rest) {
  Vector x(1 + rest.size());
  x << first, rest;
  return x;
}

LawCase coulomb(std::string name, std::shared_ptr<const Law> law) {
  const Index t = law->dim() - 1;
  const auto positive = [](Random& random) { return uniform(random, 0.1, 2.0); };
  return {std::move(name),
          std::move(law),
          {
              [=](Random& random) -> Pair {  // open: any sliding
                return {Vector::Zero(1 + t), stack(positive(random), normal_vector(t, random))};
              },
              [=](Random& random) -> Pair {  // stick
                const double pressure = positive(random);
                return {stack(pressure, mu * pressure * uniform(random, 0.0, 1.0) * direction(t, random)),
                        Vector::Zero(1 + t)};
              },
              [=](Random& random) -> Pair {  // slip
                const double pressure = positive(random);
                const Vector d = direction(t, random);
                return {stack(pressure, -mu * pressure * d), stack(0.0, positive(random) * d)};
              },
          },
          {
              [=](Random& random) -> Pair {  // penetrating
                return {Vector::Zero(1 + t), stack(-positive(random), Vector::Zero(t))};
              },
              [=](Random& random) -> Pair {  // pulling
                return {stack(-positive(random), Vector::Zero(t)), Vector::Zero(1 + t)};
              },
              [=](Random& random) -> Pair {  // pressed while leaving
                return {stack(positive(random), Vector::Zero(t)), stack(positive(random), Vector::Zero(t))};
              },
              [=](Random& random) -> Pair {  // more friction than the pressure allows
                const double pressure = positive(random);
                return {stack(pressure, mu * pressure * uniform(random, 1.1, 2.0) * direction(t, random)),
                        Vector::Zero(1 + t)};
              },
              [=](Random& random) -> Pair {  // friction that drives
                const double pressure = positive(random);
                const Vector d = direction(t, random);
                return {stack(pressure, mu * pressure * d), stack(0.0, positive(random) * d)};
              },
              [=](Random& random) -> Pair {  // sliding with too little friction
                const double pressure = positive(random);
                const Vector d = direction(t, random);
                return {stack(pressure, -0.9 * mu * pressure * d), stack(0.0, positive(random) * d)};
              },
              [=](Random& random) -> Pair {  // friction without pressure
                return {stack(0.0, 0.1 * direction(t, random)), Vector::Zero(1 + t)};
              },
          }};
}

std::vector<LawCase> all_laws() {
  const auto scalar = [](double lambda, double xi) {
    return [=](Random& random) -> Pair {
      const double size = uniform(random, 0.1, 2.0);
      return {Vector::Constant(1, size * lambda), Vector::Constant(1, size * xi)};
    };
  };
  return {
      {"bilateral",
       std::make_shared<BilateralLaw>(3),
       {[](Random& random) -> Pair {
         return {normal_vector(3, random), Vector::Zero(3)};
       }},
       {[](Random& random) -> Pair {
         return {normal_vector(3, random), direction(3, random)};
       }}},
      {"unilateral",
       std::make_shared<UnilateralLaw>(0.5),
       {scalar(1.0, 0.0), scalar(0.0, 1.0), scalar(0.0, 0.0)},
       {scalar(1.0, 1.0), scalar(0.0, -1.0), scalar(-1.0, 0.0), scalar(1.0, -1.0), scalar(-1.0, 1.0)}},
      coulomb("planar_coulomb", std::make_shared<PlanarCoulombLaw>(0.5, mu, 0.0)),
      coulomb("spatial_coulomb", std::make_shared<SpatialCoulombLaw>(0.5, mu, 0.0)),
  };
}

class LawProjection : public ::testing::TestWithParam<LawCase> {
 protected:
  const Law& law() const { return *GetParam().law; }
  double defect(const Pair& pair, double r) const {
    return (pair.lambda - project(law(), pair.lambda - r * pair.xi)).norm();
  }
  Random random_{11};
};

TEST_P(LawProjection, FixedPointsAreThePairsOfTheLaw) {
  for (const auto& draw : GetParam().allowed) {
    double worst = 0.0;
    for (int k = 0; k < samples / 10; ++k) {
      const Pair pair = draw(random_);
      for (const double r : {1e-2, 1.0, 1e2}) worst = std::max(worst, defect(pair, r) / (1.0 + r));
    }
    EXPECT_LE(worst, 1e-15);
  }
}

TEST_P(LawProjection, ForbiddenPairsAreNoFixedPoints) {
  for (std::size_t i = 0; i < GetParam().forbidden.size(); ++i) {
    double least = 1.0;
    for (int k = 0; k < samples / 10; ++k) {
      const Pair pair = GetParam().forbidden[i](random_);
      for (const double r : {1e-2, 1.0, 1e2}) least = std::min(least, defect(pair, r));
    }
    EXPECT_GE(least, 1e-4) << "forbidden case " << i;
  }
}

TEST_P(LawProjection, MayOverwriteItsArgument) {
  for (int k = 0; k < 100; ++k) {
    const Vector x = normal_vector(law().dim(), random_);
    Vector in_place = x;
    law().project(in_place.data(), in_place.data());
    EXPECT_EQ(in_place, project(law(), x));
  }
}

TEST_P(LawProjection, DerivativeAgreesWithDifferences) {
  double worst = 0.0;
  int compared = 0;
  for (int k = 0; k < samples; ++k) {
    const Vector x = normal_vector(law().dim(), random_);
    const double h = 1e-7;
    // Not across a kink, and not where the disc is so small that its curvature is beyond differences.
    if (std::abs(x[0]) < 1e-3) continue;
    const Matrix D = derivative(law(), x);
    Matrix difference(law().dim(), law().dim());
    bool smooth = true;
    for (Index j = 0; j < law().dim(); ++j) {
      const Vector step = h * Vector::Unit(law().dim(), j);
      smooth = smooth && (derivative(law(), x + step) - derivative(law(), x - step)).norm() < 0.01;
      difference.col(j) = (project(law(), x + step) - project(law(), x - step)) / (2.0 * h);
    }
    if (!smooth) continue;
    ++compared;
    worst = std::max(worst, (D - difference).norm());
  }
  EXPECT_LE(worst, 1e-6);
  EXPECT_GE(compared, samples * 99 / 100);
}

INSTANTIATE_TEST_SUITE_P(Laws, LawProjection, testing::ValuesIn(all_laws()),
                         [](const auto& instance) { return instance.param.name; });

TEST(LawProjection, SlidingFrictionFollowsThePressure) {
  const SpatialCoulombLaw law(0.0, mu, 0.0);
  const Vector x = Eigen::Vector3d(2.0, 3.0, 4.0);  // |x_T| = 5 > 0.8
  const Matrix D = derivative(law, x);
  EXPECT_NEAR(D(1, 0), mu * 0.6, 1e-15);
  EXPECT_NEAR(D(2, 0), mu * 0.8, 1e-15);
  EXPECT_NEAR(D(1, 1), 0.16 * 0.64, 1e-15);  // (radius/|x_T|) (1 - 0.6^2)
  EXPECT_NEAR(D(1, 2), -0.16 * 0.48, 1e-15);
}

}  // namespace
}  // namespace carom
