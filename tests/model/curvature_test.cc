// How force directions, gap rates and inertia bend: closed forms of the slider-crank against central differences,
// and both against what they are derivatives of.
#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/multibody_scenes.h"
#include "carom/system/curvature.h"

namespace carom {
namespace {

Vector vector(std::initializer_list<double> values) {
  Vector x(static_cast<Index>(values.size()));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

void expect_near(const Buffer& a, const Buffer& b, double relative) {
  ASSERT_EQ(a.size(), b.size());
  double scale = 0;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  for (Index i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], relative * scale) << "entry " << i;
}

struct Scene {
  explicit Scene(Model m) : model(std::move(m)) {
    model.system->detect(0.0, model.initial.q, model.initial.v, 0.0, contacts);
    all.reset(contacts);
    all.add_all();
    differences.of(*model.system);
  }
  const System& system() const { return *model.system; }

  Model model;
  ContactSet contacts;
  ActiveSet all;
  DifferencedCurvature differences;
};

void expect_equal_curvatures(Scene& scene, const Vector& q, const Vector& v, const Vector& x) {
  const Curvature* closed = scene.system().curvature();
  ASSERT_NE(closed, nullptr);
  Buffer exact, differenced, exact_dv, differenced_dv;
  ASSERT_TRUE(closed->directions(0.0, q, scene.all, x.data(), exact));
  ASSERT_TRUE(scene.differences.directions(0.0, q, scene.all, x.data(), differenced));
  expect_near(differenced, exact, 1e-9);
  ASSERT_TRUE(closed->rates(0.0, q, scene.all, v, exact));
  ASSERT_TRUE(scene.differences.rates(0.0, q, scene.all, v, differenced));
  expect_near(differenced, exact, 1e-9);
  ASSERT_TRUE(closed->convective(0.0, q, v, scene.all, exact, exact_dv));
  ASSERT_TRUE(scene.differences.convective(0.0, q, v, scene.all, differenced, differenced_dv));
  expect_near(differenced, exact, 1e-9);
  expect_near(differenced_dv, exact_dv, 1e-12);
  ASSERT_TRUE(closed->inertia(0.0, q, v, exact));
  ASSERT_TRUE(scene.differences.inertia(0.0, q, v, differenced));
  expect_near(differenced, exact, 1e-9);
}

TEST(Curvature, OfTheSliderCrankWithAndWithoutFriction) {
  for (const double friction : {0.0, 0.3}) {
    Scene scene(make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = friction}));
    Vector x = Vector::LinSpaced(scene.all.rows(), -1.0, 2.5);
    expect_equal_curvatures(scene, vector({0.3, -0.2, 0.01}), vector({150, -75, 2}), x);
    expect_equal_curvatures(scene, vector({2.3, 0.4, -0.3}), vector({-15, 40, 20}), x);
  }
}

TEST(Curvature, OfTheSliderCrankInAnIdealGuide) {
  Scene scene(make_analytic_model("slider_crank_bilateral", {}, {}));
  expect_equal_curvatures(scene, vector({0.3, -0.2}), vector({150, -75}), vector({1.7}));
}

// Numbers written down by hand: g = l1 s1 + l2 s2, so d(W x)/dq = -diag(l1 s1, l2 s2) x.
TEST(Curvature, IsTheHessianOfTheGap) {
  Scene scene(make_analytic_model("slider_crank_bilateral", {}, {}));
  const Vector q = vector({0.3, -0.2}), v = vector({150, -75});
  const double x = 2.0;
  Buffer out;
  ASSERT_TRUE(scene.differences.directions(0.0, q, scene.all, &x, out));
  EXPECT_NEAR(out[0], -2.0 * 0.153 * std::sin(0.3), 1e-9);
  EXPECT_NEAR(out[3], -2.0 * 0.306 * std::sin(-0.2), 1e-9);
  EXPECT_NEAR(out[1], 0.0, 1e-9);
  ASSERT_TRUE(scene.differences.rates(0.0, q, scene.all, v, out));
  EXPECT_NEAR(out[0], -0.153 * std::sin(0.3) * 150.0, 1e-7);
  EXPECT_NEAR(out[1], 0.306 * std::sin(-0.2) * 75.0, 1e-7);
}

// W' v of the normal rows is the rate of the gap; so its derivative along v, less the gap's curvature, is zeta.
TEST(Curvature, AlongTheMotionIsTheConvectiveAcceleration) {
  Scene scene(make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.1}));
  const Vector q = vector({0.3, -0.2, 0.01}), v = vector({150, -75, 2});
  Buffer rates;
  ASSERT_TRUE(scene.system().curvature()->rates(0.0, q, scene.all, v, rates));
  Evaluation evaluation;
  scene.system().evaluate(0.0, q, v, Need::convective, scene.all, evaluation);
  const Index rows = scene.all.rows();
  for (Index r = 0; r < rows; ++r) {
    double along = 0;
    for (Index j = 0; j < 3; ++j) along += rates[j * rows + r] * v[j];
    EXPECT_NEAR(along, evaluation.zeta[r], 1e-10 * std::abs(evaluation.zeta[r]));
  }
}

TEST(Curvature, ConstantDirectionsHaveNone) {
  Scene scene(make_analytic_model("bouncing_ball", {}, {}));
  const double x = 1.0;
  Buffer out;
  EXPECT_FALSE(scene.differences.directions(0.0, scene.model.initial.q, scene.all, &x, out));
  EXPECT_FALSE(scene.differences.rates(0.0, scene.model.initial.q, scene.all, scene.model.initial.v, out));
  EXPECT_FALSE(scene.differences.inertia(0.0, scene.model.initial.q, scene.model.initial.v, out));
}

// Quaternions move by (+): the derivative along the motion is zeta there too.
TEST(Curvature, OfJointsInSpace) {
  Scene scene(pendulum_chain(2).build());
  Vector v = Vector::LinSpaced(scene.system().nv(), -1.0, 1.5);
  const Index rows = scene.all.rows(), nv = scene.system().nv();
  Buffer rates;
  ASSERT_TRUE(scene.differences.rates(0.0, scene.model.initial.q, scene.all, v, rates));
  Evaluation evaluation;
  scene.system().evaluate(0.0, scene.model.initial.q, v, Need::convective, scene.all, evaluation);
  for (Index r = 0; r < rows; ++r) {
    double along = 0;
    for (Index j = 0; j < nv; ++j) along += rates[j * rows + r] * v[j];
    EXPECT_NEAR(along, evaluation.zeta[r], 1e-8 * (1.0 + std::abs(evaluation.zeta[r]))) << r;
  }
}

}  // namespace
}  // namespace carom
