// Tangential rows and gaps of the small models against the position of the contact point, written down
// here a second time.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/model/analytic/analytic_model.h"
#include "model/dense_view.h"

namespace carom {
namespace {

using testing::DenseView;
using testing::Random;
using testing::view;

const ContactParameters rough{.restitution = 0.5, .friction = 0.3};

TEST(RockingBlock, CornersAreThoseOfARectangle) {
  const Model model = make_analytic_model("rocking_block", {{"width", 0.8}, {"height", 2.0}}, rough);
  Random random(1);
  const Vector q = random.vector(3, 1.0), v = random.vector(3, 2.0);
  const DenseView at = view(*model.system, q, v);
  for (int c = 0; c < 2; ++c) {
    const Eigen::Vector2d corner(c == 0 ? 0.4 : -0.4, -1.0);
    const auto position = [&](double s) {
      const Vector p = q + s * v;
      return Eigen::Vector2d(p.head<2>() + Eigen::Rotation2Dd(p[2]) * corner);
    };
    const Eigen::Vector2d rate = testing::derivative(position);
    EXPECT_NEAR(at.g[2 * c], position(0.0).y(), 1e-15);
    EXPECT_NEAR((at.Wt.row(2 * c) * v).value(), rate.y(), 1e-11);
    EXPECT_NEAR((at.Wt.row(2 * c + 1) * v).value(), rate.x(), 1e-11);
  }
  // Energy of the published start.
  const Model published = make_analytic_model("rocking_block", {}, rough);
  const Energetics& energy = *published.system->energetics();
  EXPECT_NEAR(energy.kinetic_energy(0, published.initial.q, published.initial.v) +
                  energy.potential_energy(0, published.initial.q),
              9.8154, 5e-5);
}

TEST(FallingDisc, RollsWithoutTangentialVelocity) {
  const Model model = make_analytic_model("falling_disc", {}, rough);
  Vector rolling(3);
  rolling << 2.0, 0.0, -20.0;  // to the right, clockwise, radius 0.1
  const DenseView at = view(*model.system, model.initial.q, rolling);
  EXPECT_NEAR((at.Wt.row(1) * rolling).value(), 0.0, 1e-15);
  EXPECT_NEAR(at.g[0], 1.0, 1e-15);
}

TEST(SliderRoller, RimVelocityIsRadiusTimesRate) {
  const Model model = make_analytic_model("slider_roller", {{"radius", 0.2}}, rough);
  Vector v(2);
  v << -3.0, 5.0;
  const DenseView at = view(*model.system, model.initial.q, v);
  const Vector gamma = at.Wt * v;
  EXPECT_DOUBLE_EQ(gamma[0], -3.0);
  EXPECT_DOUBLE_EQ(gamma[1], 1.0);
  EXPECT_DOUBLE_EQ(at.g[0], 0.05);
  // Half of what friction can hold: mu m gravity R / 2.
  EXPECT_NEAR(view(*make_analytic_model("slider_roller", {}, rough).system, model.initial.q, v).h[1],
              0.5 * 0.3 * 9.81 * 0.1, 1e-16);
}

TEST(BallInBox, FourWallsAndTiltedGravity) {
  const Model model =
      make_analytic_model("ball_in_box", {{"gravity_angle", std::numbers::pi / 6}, {"width", 5.0}}, rough);
  Vector q(2), v(2);
  q << 1.5, 2.25;
  v << 0.5, -2.0;
  const DenseView at = view(*model.system, q, v);
  const Vector gamma = at.Wt * v;
  const double gaps[4] = {0.5, 2.5, 1.25, 0.75}, normal[4] = {0.5, -0.5, -2.0, 2.0},
               tangential[4] = {-2.0, -2.0, 0.5, 0.5};
  for (int c = 0; c < 4; ++c) {
    EXPECT_DOUBLE_EQ(at.g[2 * c], gaps[c]);
    EXPECT_DOUBLE_EQ(gamma[2 * c], normal[c]);
    EXPECT_DOUBLE_EQ(gamma[2 * c + 1], tangential[c]);
  }
  EXPECT_NEAR(at.h[0], -9.81 * std::sqrt(0.75), 1e-14);
  EXPECT_NEAR(at.h[1], -9.81 * 0.5, 1e-14);
}

}  // namespace
}  // namespace carom
