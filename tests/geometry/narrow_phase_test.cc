// Properties of every pair of shapes at random poses. Lengths are of order one; "rounding" is 1e-11 where the narrow
// phase itself accepts two bounds of the distance that differ by 1e-11 times the size as equal.
#include "carom/geometry/narrow_phase.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/oracle.h"

namespace carom::geometry {
namespace {

using namespace oracle;

constexpr double rounding = 2e-11;
// Cylinders that lie or stand almost flat: the features are taken as tight if their gap exceeds the separation by less
// than 1e-9 of the size.
double precision(ShapeKind a, ShapeKind b) {
  return a == ShapeKind::cylinder || b == ShapeKind::cylinder ? 1e-8 : rounding;
}

struct Kinds {
  ShapeKind a, b;
};
void PrintTo(const Kinds& kinds, std::ostream* out) { *out << name(kinds.a) << "_" << name(kinds.b); }

// Every pair of the table that consists of convex shapes, in both orders.
std::vector<Kinds> convex_pairs() {
  std::vector<Kinds> pairs;
  for (int a = 0; a < shape_kind_count; ++a)
    for (int b = 0; b < shape_kind_count; ++b) {
      const auto ka = static_cast<ShapeKind>(a), kb = static_cast<ShapeKind>(b);
      if (ka != ShapeKind::profile && kb != ShapeKind::profile && has_pair(ka, kb)) pairs.push_back({ka, kb});
    }
  return pairs;
}

std::pair<Pose, Pose> sides(const ContactPrimitive& p, const Scene& s) {
  return p.swapped ? std::make_pair(s.B, s.A) : std::make_pair(s.A, s.B);
}
Vector3 from_b_to_a(const ContactPrimitive& p) { return p.swapped ? Vector3(-p.normal) : p.normal; }

ContactList contacts_of(const Scene& s, double margin) {
  static NarrowPhase narrow_phase;
  ContactList list;
  narrow_phase.find(s.a, s.A, s.b, s.B, margin, list);
  return list;
}

std::string describe(const Kinds& kinds, int trial, const ContactPrimitive& p) {
  return std::string(name(kinds.a)) + " " + std::string(name(kinds.b)) + " trial " + std::to_string(trial) + " " +
         std::string(name(p.kind)) + " elements " + std::to_string(p.first_id.element >> 28) + " " +
         std::to_string(p.second_id.element >> 28) + " gap " + std::to_string(p.gap);
}

// A point inside an edge or face, or a normal that no face has.
bool is_frozen(const ContactPrimitive& p, const ContactWindows& windows) {
  for (const FeatureId id : {p.first_id, p.second_id})
    if (const Element kind = element_kind(id);
        kind == Element::span || kind == Element::rim_point || kind == Element::body)
      return true;
  if (p.kind != PrimitiveKind::ball_plane && p.kind != PrimitiveKind::disc_line) return false;
  return element_kind(p.second_id) != Element::face ||
         (windows.first.direction_count == 0 && element_kind(p.first_id) != Element::vertex);
}

class EveryPair : public ::testing::TestWithParam<Kinds> {
 protected:
  Random random_{12345};
  // Among cylinders a climb may end beside the summit: less than one position in two hundred, counted and not hidden.
  bool cylinders() const { return GetParam().a == ShapeKind::cylinder || GetParam().b == ShapeKind::cylinder; }
  int missed_ = 0;
  bool miss(bool wrong) { return wrong && cylinders() && ++missed_; }
};

TEST_P(EveryPair, TheSmallestGapIsTheDistance) {
  const auto [ka, kb] = GetParam();
  const double far = std::numeric_limits<double>::infinity();
  int proved = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Scene s = random_scene(random_, ka, kb, uniform(random_, 0.0, 0.4));
    const ContactList list = contacts_of(s, far);
    ASSERT_GE(list.size(), 1u) << describe(GetParam(), trial, {});
    ASSERT_LE(list.size(), ka == ShapeKind::half_space || kb == ShapeKind::half_space ? 8u : 4u);
    const ContactPrimitive& p = list.primitives[0];
    if (p.gap < 1e-7) continue;  // overlapping or touching ones have their own test
    const auto [first, second] = sides(p, s);
    const Witness w = evaluate(p, first, second);
    EXPECT_NEAR(w.gap, p.gap, 1e-12) << describe(GetParam(), trial, p);
    EXPECT_LT((w.normal - p.normal).norm(), 1e-9 / std::max(p.gap, 1e-6)) << describe(GetParam(), trial, p);
    EXPECT_NEAR((w.first - w.second).norm(), std::abs(w.gap), 1e-12);
    // Upper bound: both points belong to their shapes. Lower bound: the separation along the normal.
    const auto &shape_first = p.swapped ? s.b : s.a, &shape_second = p.swapped ? s.a : s.b;
    // A ball that stands for the line of a tilted side reaches beyond its end by the tilt, which is below 1e-5.
    const double beyond = element_kind(p.first_id) == Element::span ? 1e-5 : precision(ka, kb);
    if (miss(outside(shape_first, first.local(w.first)) > beyond ||
             outside(shape_second, second.local(w.second)) > beyond ||
             separation(s.a, s.A, s.b, s.B, from_b_to_a(p)) < p.gap - 1e-8))
      continue;
    EXPECT_LT(outside(shape_first, first.local(w.first)), beyond) << describe(GetParam(), trial, p);
    EXPECT_LT(outside(shape_second, second.local(w.second)), beyond) << describe(GetParam(), trial, p);
    double bound = separation(s.a, s.A, s.b, s.B, from_b_to_a(p));
    if (bound < p.gap - precision(ka, kb)) {
      // Faces tilted by less than 1e-9 count as flat: the gap is right to the square of the tilt, the normal to the
      // tilt itself.
      EXPECT_GT(bound, p.gap - 1e-8) << describe(GetParam(), trial, p);
      bound = improved_separation(random_, s, from_b_to_a(p), 1e-8);
    }
    EXPECT_NEAR(bound, p.gap, precision(ka, kb)) << describe(GetParam(), trial, p);
    ++proved;
    if (HasFailure()) return;
  }
  EXPECT_GT(proved, 500);
  EXPECT_LE(missed_, 5);
}

TEST_P(EveryPair, OverlapIsMeasuredAlongTheShortestWayOut) {
  const auto [ka, kb] = GetParam();
  int seen = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Scene s = random_scene(random_, ka, kb, uniform(random_, -0.15, -0.001));
    const ContactList list = contacts_of(s, 0.0);
    if (list.size() == 0) continue;
    const ContactPrimitive& p = list.primitives[0];
    ++seen;
    const auto [first, second] = sides(p, s);
    EXPECT_NEAR(evaluate(p, first, second).gap, p.gap, 1e-12) << describe(GetParam(), trial, p);
    double way = -1e9;  // of contacts equally deep the first may be one of an almost flat face, whose own normal is not
                        // quite the shortest way
    for (const ContactPrimitive& q : list.primitives)
      way = std::max(way, separation(s.a, s.A, s.b, s.B, from_b_to_a(q)));
    // Faces are preferred to edges by 1e-6 of the size and 2 % of the depth.
    const double preference = 1e-6 + 0.02 * std::abs(p.gap);
    EXPECT_NEAR(way, p.gap, preference) << describe(GetParam(), trial, p);
    // A random search, precise to about 1e-6, finds no shorter way.
    if (std::isfinite(s.a.radius()) && std::isfinite(s.b.radius())) {
      const double largest = largest_separation(random_, s, from_b_to_a(p), s.a.planar());
      if (miss(largest > p.gap + preference)) continue;
      EXPECT_LT(largest, p.gap + preference) << describe(GetParam(), trial, p);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(seen, 60);
  EXPECT_LE(missed_, 6);  // overlapping cylinders have several summits: two in a hundred end on a lower one
}

TEST_P(EveryPair, AllContactsLieOnTheShapesWithinTheMargin) {
  const auto [ka, kb] = GetParam();
  for (int trial = 0; trial < 1000; ++trial) {
    const Scene s = random_scene(random_, ka, kb, uniform(random_, -0.02, 0.1));
    const double margin = 0.05;
    const ContactList list = contacts_of(s, margin);
    const ContactList all = contacts_of(s, std::numeric_limits<double>::infinity());
    if (miss((list.size() > 0) != (all.primitives[0].gap <= margin))) continue;
    EXPECT_EQ(list.size() > 0, all.primitives[0].gap <= margin) << describe(GetParam(), trial, all.primitives[0]);
    if (list.size() > 0 && all.primitives[0].gap > 0.0) {
      EXPECT_NEAR(list.primitives[0].gap, all.primitives[0].gap, precision(ka, kb));
    }
    for (std::size_t k = 0; k < list.size(); ++k) {
      const ContactPrimitive& p = list.primitives[k];
      EXPECT_LE(p.gap, margin);
      EXPECT_GE(p.gap, list.primitives[0].gap);
      EXPECT_NEAR(p.normal.norm(), 1.0, 1e-12);
      const auto [first, second] = sides(p, s);
      const Witness w = evaluate(p, first, second);
      EXPECT_NEAR(w.gap, p.gap, 1e-12) << describe(GetParam(), trial, p);
      const auto &shape_first = p.swapped ? s.b : s.a, &shape_second = p.swapped ? s.a : s.b;
      EXPECT_LT(outside(shape_first, first.local(w.first)), element_kind(p.first_id) == Element::span ? 0.1 : 1e-9)
          << describe(GetParam(), trial, p);
      // Under a tilted face the foot of a corner may leave the face by tilt times gap.
      if (miss(outside(shape_second, second.local(w.second)) > 0.3 * std::abs(p.gap) + 1e-9)) continue;
      EXPECT_LT(outside(shape_second, second.local(w.second)), 0.3 * std::abs(p.gap) + 1e-9)
          << describe(GetParam(), trial, p);
      for (std::size_t j = 0; j < k; ++j) {
        const ContactPrimitive& q = list.primitives[j];
        EXPECT_FALSE(p.swapped == q.swapped && p.first_id == q.first_id && p.second_id == q.second_id &&
                     p.kind == q.kind)
            << "two contacts with the same ids: " << describe(GetParam(), trial, p);
      }
    }
    if (HasFailure()) return;
  }
}

// After a small motion the features that were found before still give the distance, as long as the windows hold.
TEST_P(EveryPair, WithinTheWindowThePrimitivesStayTheDistance) {
  const auto [ka, kb] = GetParam();
  const double far = std::numeric_limits<double>::infinity();
  int inside = 0, noticed = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Scene s = random_scene(random_, ka, kb, uniform(random_, 0.02, 0.4));
    const ContactList list = contacts_of(s, 0.45);
    if (list.size() == 0 || list.primitives[0].gap < 0.01) continue;
    // Points and normals that are frozen (flat contacts, sharp corners) are right to first order only; neighbours
    // closer than 2 % of the size are left out and may become the closest, which shows as a fraction of the step.
    bool frozen = false;
    for (std::size_t k = 0; k < list.size(); ++k) frozen = frozen || is_frozen(list.primitives[k], list.windows[k]);
    if (frozen && list.size() == 4) continue;  // reduced: any of those left out may be next
    const bool planar = s.a.planar();
    const double step = frozen ? 1e-6 : 3e-2;
    s.A.x += step * random_direction(random_, planar);
    s.A.R = turn(planar ? Vector3(0, 0, step * uniform(random_, -1, 1))
                        : Vector3(step * random_direction(random_, false))) *
            s.A.R;
    const double now = contacts_of(s, far).primitives[0].gap;
    double gap = far, room = far;
    for (std::size_t k = 0; k < list.size(); ++k) {
      const auto [first, second] = sides(list.primitives[k], s);
      const double slack_k = slack(list.primitives[k], list.windows[k], first, second);
      if (k == 0) room = slack_k;
      if (slack_k > 1e-9 || frozen) gap = std::min(gap, evaluate(list.primitives[k], first, second).gap);
    }
    const ContactPrimitive& p = list.primitives[0];
    if (now < 0.0) continue;  // overlapping: faces are preferred
    if (room > 1e-9) {
      ++inside;
      if (miss(std::abs(gap - now) > 1e-8)) continue;
      EXPECT_NEAR(gap, now, frozen ? 0.2 * step + precision(ka, kb) : precision(ka, kb))
          << describe(GetParam(), trial, p) << " room " << room;
    } else {
      const auto [first, second] = sides(p, s);
      noticed += std::abs(evaluate(p, first, second).gap - now) > 1e-7;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(inside, 200);
  EXPECT_LE(missed_, 5);
  RecordProperty("left_the_window", noticed);
}

using Key = std::tuple<int, FeatureId, FeatureId>;  // side a first
std::vector<Key> keys(const ContactList& list, bool exchanged) {
  std::vector<Key> all;
  for (const ContactPrimitive& p : list.primitives) {
    const bool first_is_a = p.swapped == exchanged;
    all.emplace_back(static_cast<int>(p.kind), first_is_a ? p.first_id : p.second_id,
                     first_is_a ? p.second_id : p.first_id);
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST_P(EveryPair, ExchangingTheShapesExchangesTheSides) {
  const auto [ka, kb] = GetParam();
  int same = 0, trials = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Scene s = random_scene(random_, ka, kb, uniform(random_, -0.05, 0.1));
    const ContactList list = contacts_of(s, 0.2), other = contacts_of({s.b, s.a, s.B, s.A}, 0.2);
    ASSERT_EQ(list.size() > 0, other.size() > 0);
    if (list.size() == 0) continue;
    ++trials;
    EXPECT_NEAR(list.primitives[0].gap, other.primitives[0].gap, precision(ka, kb))
        << describe(GetParam(), trial, list.primitives[0]);
    same += keys(list, false) == keys(other, true);
    if (HasFailure()) return;
  }
  // All but ties: of two flat faces either may be the reference.
  EXPECT_GT(same, 0.8 * trials);
}

TEST_P(EveryPair, MovingBothMovesTheContacts) {
  const auto [ka, kb] = GetParam();
  int same = 0, trials = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const Scene s = random_scene(random_, ka, kb, uniform(random_, -0.05, 0.1));
    const bool planar = s.a.planar();
    Pose move{random_vector(random_), random_rotation(random_, planar)};
    if (planar) move.x.z() = 0.0;
    const ContactList list = contacts_of(s, 0.2), moved = contacts_of({s.a, s.b, move * s.A, move * s.B}, 0.2);
    ASSERT_EQ(list.size() > 0, moved.size() > 0);
    if (list.size() == 0) continue;
    ++trials;
    EXPECT_NEAR(list.primitives[0].gap, moved.primitives[0].gap, precision(ka, kb))
        << describe(GetParam(), trial, list.primitives[0]);
    same += keys(list, false) == keys(moved, false);
    if (HasFailure()) return;
  }
  EXPECT_GT(same, 0.95 * trials);
}

TEST_P(EveryPair, IdsSurviveSmallMotions) {
  const auto [ka, kb] = GetParam();
  int same = 0, trials = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Scene s = random_scene(random_, ka, kb, uniform(random_, -0.05, 0.1));
    const ContactList list = contacts_of(s, 0.2);
    const bool planar = s.a.planar();
    const double step = 1e-11;
    s.A.x += step * random_direction(random_, planar);
    s.A.R = turn(planar ? Vector3(0, 0, step) : Vector3(step * random_direction(random_, false))) * s.A.R;
    const ContactList moved = contacts_of(s, 0.2);
    if (list.size() == 0) continue;
    ++trials;
    same += keys(list, false) == keys(moved, false);
  }
  EXPECT_GT(same, (cylinders() ? 0.85 : 0.95) * trials);  // half of the positions are aligned, where equals abound
}

INSTANTIATE_TEST_SUITE_P(All, EveryPair, testing::ValuesIn(convex_pairs()), [](const auto& pair) {
  return std::string(name(pair.param.a)) + "_" + std::string(name(pair.param.b));
});

}  // namespace
}  // namespace carom::geometry
