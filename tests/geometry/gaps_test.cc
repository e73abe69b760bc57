#include "carom/geometry/gaps.h"

#include <gtest/gtest.h>

#include <random>

namespace carom {
namespace {

TEST(Gaps, SphereOnPlane) {
  const Plane roof{{0, 0, 2}, {0, 0, -1}};
  EXPECT_DOUBLE_EQ(sphere_plane_gap({5, 7, 1}, 0.25, roof), 0.75);
  EXPECT_DOUBLE_EQ(sphere_plane_gap({5, 7, 1.9}, 0.25, roof), -0.15);
}

TEST(Gaps, TwoSpheres) {
  EXPECT_DOUBLE_EQ(sphere_sphere_gap({3, 0, 4}, 1.0, {0, 0, 0}, 2.0), 2.0);
  EXPECT_EQ(sphere_sphere_normal({3, 0, 4}, {0, 0, 0}), Vector3(0.6, 0, 0.8));
  EXPECT_DOUBLE_EQ(sphere_sphere_normal({1, 1, 1}, {1, 1, 1}).norm(), 1.0);
}

TEST(Gaps, CornersOfABoxAreItsExtremePoints) {
  const Vector3 half(0.1, 0.2, 0.3);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 100; ++trial) {
    // The support of a box in direction d is sum |d_i| s_i.
    const Vector3 d(normal(random), normal(random), normal(random));
    double highest = -1e9;
    for (Index k = 0; k < box_corner_count; ++k)
      highest = std::max(highest, d.dot(box_corner(half, k)));
    EXPECT_NEAR(highest, d.cwiseAbs().dot(half), 1e-14);
  }
}

}  // namespace
}  // namespace carom
