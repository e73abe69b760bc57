// Positions a pile is made of: what must be four points, two ends or a rim is, with ids that stay.
#include <gtest/gtest.h>

#include "geometry/oracle.h"
#include "inclusion/counting_allocator.h"

namespace carom::geometry {
namespace {

using namespace oracle;

ContactList contacts_of(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double margin) {
  static NarrowPhase narrow_phase;
  ContactList list;
  narrow_phase.find(a, A, b, B, margin, list);
  return list;
}

Pose at(double x, double y, double z) { return {Vector3(x, y, z), Matrix3::Identity()}; }

TEST(Stacking, ABoxOnABoxHasFourContacts) {
  Random random(1);
  const Shape box = Box(Vector3(0.5, 0.5, 0.5));
  for (int trial = 0; trial < 500; ++trial) {
    // Shifted, turned about the vertical, with rounding or a little penetration in the gap and in the tilt.
    const double yaw = trial % 3 == 0 ? 0.0 : uniform(random, -3, 3), noise = std::pow(10.0, -uniform(random, 7, 16));
    const double x = uniform(random, -0.2, 0.2), y = uniform(random, -0.2, 0.2);
    const Pose upper{Vector3(x, y, 1.0 + noise * uniform(random, -1, 1)),
                     turn(noise * random_vector(random)) * turn(Vector3(0, 0, yaw))};
    const ContactList list = contacts_of(box, upper, box, {}, 1e-3);
    ASSERT_EQ(list.size(), 4u) << trial;
    Vector3 sum = Vector3::Zero();
    for (const ContactPrimitive& p : list.primitives) {
      const Vector3 n = p.swapped ? Vector3(-p.normal) : p.normal;
      EXPECT_NEAR(n.z(), 1.0, 1e-9) << trial << " " << name(p.kind);
      EXPECT_LT(std::abs(p.gap), 3e-7);
      sum += p.swapped ? evaluate(p, {}, upper).first : evaluate(p, upper, {}).first;
    }
    EXPECT_NEAR(sum.z() / 4, 0.5, 1e-6);
  }
}

TEST(Stacking, TheFourPointsSpanWhatLiesOverlapped) {
  // Two equal boxes, half over each other: the points are the corners of the common rectangle.
  const Shape box = Box(Vector3(0.5, 0.5, 0.5));
  const ContactList list = contacts_of(box, at(0.3, 0.2, 1.0), box, {}, 1e-3);
  ASSERT_EQ(list.size(), 4u);
  double corners[2][2] = {{1, -1}, {1, -1}};
  for (const ContactPrimitive& p : list.primitives) {
    const Vector3 x = p.swapped ? evaluate(p, {}, at(0.3, 0.2, 1.0)).first : evaluate(p, at(0.3, 0.2, 1.0), {}).first;
    for (int i = 0; i < 2; ++i)
      corners[i][0] = std::min(corners[i][0], x[i]), corners[i][1] = std::max(corners[i][1], x[i]);
  }
  EXPECT_NEAR(corners[0][0], -0.2, 1e-12);
  EXPECT_NEAR(corners[0][1], 0.5, 1e-12);
  EXPECT_NEAR(corners[1][0], -0.3, 1e-12);
  EXPECT_NEAR(corners[1][1], 0.5, 1e-12);
}

// Bricks of a wall have common sides: which of two coinciding edges is the outer one changes with what a solver leaves,
// and the contacts must be the same all the same.
TEST(Stacking, IdsOfAlignedBricksDoNotFollowTheSolver) {
  Random random(3);
  const Shape brick = Box(Vector3(0.1, 0.05, 0.03)), half = Box(Vector3(0.05, 0.05, 0.03));
  const struct {
    const Shape& upper;
    Vector3 place;
  } cases[] = {{brick, {0.1, 0, 0.06}}, {brick, {-0.1, 0, 0.06}}, {half, {0.05, 0, 0.06}}, {brick, {0.2, 0, 0}}};
  for (const auto& wanted : cases) {
    const Pose upper{wanted.place, Matrix3::Identity()};
    const ContactList list = contacts_of(wanted.upper, upper, brick, {}, 1e-4);
    ASSERT_EQ(list.size(), 4u);
    for (int k = 0; k < 50; ++k) {
      Pose nudged = upper;
      nudged.x += 1e-10 * random_vector(random);
      nudged.R = turn(1e-9 * random_vector(random)) * nudged.R;
      const ContactList again = contacts_of(wanted.upper, nudged, brick, {}, 1e-4);
      ASSERT_EQ(again.size(), list.size());
      for (const ContactPrimitive& p : list.primitives)
        EXPECT_TRUE(std::any_of(again.primitives.begin(), again.primitives.end(), [&](const ContactPrimitive& q) {
          return p.swapped == q.swapped && p.first_id == q.first_id && p.second_id == q.second_id;
        })) << wanted.place.transpose();
    }
  }
}

TEST(Stacking, IdsAtRestDoNotFollowRounding) {
  Random random(2);
  const Shape box = Box(Vector3(0.5, 0.4, 0.3));
  for (int trial = 0; trial < 100; ++trial) {
    const Pose upper{Vector3(uniform(random, -0.3, 0.3), uniform(random, -0.3, 0.3), 0.6),
                     turn(Vector3(0, 0, uniform(random, -3, 3)))};
    const ContactList list = contacts_of(box, upper, box, {}, 1e-3);
    for (int k = 0; k < 20; ++k) {
      Pose nudged = upper;
      nudged.x += 1e-12 * random_vector(random);
      nudged.R = turn(1e-12 * random_vector(random)) * nudged.R;
      const ContactList again = contacts_of(box, nudged, box, {}, 1e-3);
      ASSERT_EQ(again.size(), list.size());
      for (const ContactPrimitive& p : list.primitives) {
        const bool there =
            std::any_of(again.primitives.begin(), again.primitives.end(), [&](const ContactPrimitive& q) {
              return p.kind == q.kind && p.swapped == q.swapped && p.first_id == q.first_id &&
                     p.second_id == q.second_id;
            });
        EXPECT_TRUE(there) << trial;
      }
    }
  }
}

TEST(Stacking, SingularPositionsHaveSubstitutes) {
  const Shape floor = HalfSpace(), can = Cylinder(0.3, 0.5), pill = Capsule(0.2, 0.4), box = Box(Vector3(1, 1, 0.5));
  // Standing: four points of the rim.
  for (const Shape& ground : {floor, box}) {
    const double top = ground.kind() == ShapeKind::box ? 0.5 : 0.0;
    ContactList list = contacts_of(can, at(0, 0, top + 0.5), ground, {}, 1e-3);
    ASSERT_EQ(list.size(), 4u);
    for (const auto& p : list.primitives) {
      EXPECT_EQ(p.kind, PrimitiveKind::ball_plane);
      EXPECT_NEAR(p.gap, 0.0, 1e-12);
    }
    // Tilted beyond the margin: one rim.
    list = contacts_of(can, {Vector3(0, 0, top + 0.5 * std::cos(0.3) + 0.3 * std::sin(0.3)), turn(Vector3(0.3, 0, 0))},
                       ground, {}, 1e-3);
    ASSERT_EQ(list.size(), 1u);
    EXPECT_EQ(list.primitives[0].kind, PrimitiveKind::rim_plane);
    EXPECT_NEAR(list.primitives[0].gap, 0.0, 1e-12);
    // Lying: both rims.
    list = contacts_of(can, {Vector3(0, 0, top + 0.3), turn(Vector3(M_PI / 2, 0, 0))}, ground, {}, 1e-3);
    ASSERT_EQ(list.size(), 2u);
    for (const auto& p : list.primitives) {
      EXPECT_EQ(p.kind, PrimitiveKind::rim_plane);
      EXPECT_NEAR(p.gap, 0.0, 1e-12);
    }
    // A capsule lying: both ends.
    list = contacts_of(pill, {Vector3(0, 0, top + 0.2), turn(Vector3(M_PI / 2, 0, 0))}, ground, {}, 1e-3);
    ASSERT_EQ(list.size(), 2u);
    for (const auto& p : list.primitives) {
      EXPECT_EQ(p.kind, PrimitiveKind::ball_plane);
      EXPECT_NEAR(p.gap, 0.0, 1e-12);
    }
  }
  // Parallel capsules and cylinders: the ends of their common stretch.
  for (const Shape& rod : {pill, can}) {
    const double r = rod.kind() == ShapeKind::capsule ? 0.2 : 0.3, half = rod.kind() == ShapeKind::capsule ? 0.4 : 0.5;
    const ContactList list = contacts_of(rod, at(2 * r, 0, 0.3), rod, {}, 1e-3);
    ASSERT_EQ(list.size(), 2u) << name(rod.kind());
    double low = 1, high = -1;
    for (const auto& p : list.primitives) {
      EXPECT_NEAR(p.gap, 0.0, 1e-12);
      const Witness w = p.swapped ? evaluate(p, {}, at(2 * r, 0, 0.3)) : evaluate(p, at(2 * r, 0, 0.3), {});
      low = std::min(low, w.first.z()), high = std::max(high, w.first.z());
    }
    EXPECT_NEAR(low, 0.3 - half, 1e-9);
    EXPECT_NEAR(high, half, 1e-9);
  }
}

TEST(Stacking, CompoundsTouchWithTheirPartsInTheFrameOfTheBody) {
  const Shape table = Compound({{Box(Vector3(1, 1, 0.1)), at(0, 0, 1)},
                                {Box(Vector3(0.1, 0.1, 0.45)), at(0.8, 0.8, 0.45)},
                                {Cylinder(0.1, 0.45), {Vector3(-0.8, -0.8, 0.45), turn(Vector3(0, 0, 1))}}});
  const Pose pose{Vector3(3, 2, 1e-6), turn(Vector3(0, 0, 0.4))};
  const ContactList list = contacts_of(table, pose, HalfSpace(), {}, 1e-3);
  ASSERT_EQ(list.size(), 8u);
  for (const auto& p : list.primitives) {
    EXPECT_NEAR(evaluate(p, pose, {}).gap, 1e-6, 1e-13);
    EXPECT_NEAR(p.gap, 1e-6, 1e-13);
    EXPECT_TRUE(p.first_id.leaf == 1 || p.first_id.leaf == 2);
  }
}

TEST(NarrowPhase, DoesNotAllocateAfterWarmUp) {
  Random random(3);
  const ShapeKind kinds[] = {
      ShapeKind::sphere,  ShapeKind::box, ShapeKind::capsule, ShapeKind::half_space, ShapeKind::convex_polyhedron,
      ShapeKind::cylinder};
  std::vector<Scene> scenes;
  for (const ShapeKind a : kinds)
    for (const ShapeKind b : kinds)
      if (has_pair(a, b))
        for (int trial = 0; trial < 20; ++trial)
          scenes.push_back(random_scene(random, a, b, uniform(random, -0.05, 0.05)));
  NarrowPhase narrow_phase;
  ContactList list;
  for (const Scene& s : scenes) narrow_phase.find(s.a, s.A, s.b, s.B, 0.1, list);
  EXPECT_GT(list.size(), scenes.size() / 2);
  list.clear();
  const long before = test::allocation_count();
  for (const Scene& s : scenes) narrow_phase.find(s.a, s.A, s.b, s.B, 0.1, list);
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace carom::geometry
