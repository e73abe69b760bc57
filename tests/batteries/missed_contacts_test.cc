// Bodies that fly further than their size in a step: every scheme meets what is in their way, because steps that would
// pass it unseen are halved; and what the search for passages finds is what a fine look at the way finds.
#include <fmt/format.h>

#include <random>

#include "batteries/battery.h"
#include "carom/model/multibody.h"

namespace carom::batteries {
namespace {

double uniform(std::mt19937_64& random, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(random);
}

BodySpec ball(const std::string& name, double radius, const Vector3& position, const Vector3& velocity) {
  BodySpec body;
  body.name = name;
  body.mass = 1.0;
  body.inertia = Vector3::Constant(0.4 * radius * radius);
  body.shape = Shape::sphere(radius);
  body.position = position;
  body.velocity = velocity;
  return body;
}

class FastBodies : public EveryScheme {};

TEST_P(FastBodies, SpheresMeet) {
  CAROM_NEEDS_CONTACTS();
  std::mt19937_64 random(26);
  for (int k = 0; k < 10; ++k) {
    Multibody scene;
    scene.add_body(ball("a", 0.05, {-uniform(random, 8.0, 9.0), uniform(random, -0.05, 0.05), 0}, {1000, 0, 0}));
    scene.add_body(ball("b", 0.05, Vector3::Zero(), Vector3::Zero()));
    scene.set_default_contact(ContactParameters{.restitution = 1.0});
    const Model model = scene.build();
    CAROM_SKIP_IF_REFUSED(model);
    const auto summary = simulate(*model.system, *scheme(), solver(), model.initial, {.t_end = 0.015, .dt = 1e-3});
    SCOPED_TRACE(fmt::format("a starts at {} {}", model.initial.q[0], model.initial.q[1]));
    ASSERT_EQ(summary.outcome, Outcome::finished) << summary.advice;
    EXPECT_EQ(summary.audit.missed_contacts, 0);
    EXPECT_GT(summary.last.v[6], 100.0) << "b was not hit";
    EXPECT_NEAR(summary.last.v[0] + summary.last.v[6], 1000.0, 1e-6);
  }
}

// Onto a plane: the sphere comes back, at worst after entering by less than its radius.
TEST_P(FastBodies, SpheresComeBackFromAPlane) {
  CAROM_NEEDS_CONTACTS();
  std::mt19937_64 random(27);
  for (int k = 0; k < 10; ++k) {
    Multibody scene;
    scene.add_body(ball("a", 0.05, {0, 0, uniform(random, 3.0, 4.0)}, {0, 0, -1000}));
    scene.add_plane({"floor", Vector3::Zero(), Vector3::UnitZ()});
    scene.set_default_contact(ContactParameters{.restitution = 1.0});
    const Model model = scene.build();
    CAROM_SKIP_IF_REFUSED(model);
    const auto summary = simulate(*model.system, *scheme(), solver(), model.initial, {.t_end = 0.01, .dt = 1e-3});
    ASSERT_EQ(summary.outcome, Outcome::finished) << summary.advice;
    EXPECT_EQ(summary.audit.missed_contacts, 0);
    EXPECT_NEAR(summary.last.v[2], 1000.0, 1e-6);
    EXPECT_GT(summary.last.q[2], 0.05);
  }
}

CAROM_FOR_EVERY_SCHEME(FastBodies);

// Ways of two spheres, and of a box that turns by up to two radians over a plane: the search against a thousand looks
// at the way, which are up to 9 mm apart and so see a depth to 2 mm.
TEST(Passages, AreThoseOfAFineLook) {
  std::mt19937_64 random(28);
  int found = 0, none = 0;
  for (int k = 0; k < 400; ++k) {
    Multibody scene;
    scene.add_plane({"floor", Vector3::Zero(), Vector3::UnitZ()});
    const bool spheres = k % 2 == 0;
    Vector3 spin = Vector3::Zero();
    if (spheres) {
      scene.add_body(ball("a", uniform(random, 0.05, 0.2), {-3, uniform(random, -0.4, 0.4), 3.0},
                          {uniform(random, 3.0, 9.0), 0, 0}));
      scene.add_body(ball("b", uniform(random, 0.05, 0.2), {0, 0, 3.0}, Vector3::Zero()));
    } else {
      BodySpec box = ball("box", 1.0, {0, 0, uniform(random, 0.35, 0.7)}, {0, 0, uniform(random, -0.3, 0.3)});
      box.shape = Shape::box({0.6, uniform(random, 0.1, 0.6), uniform(random, 0.1, 0.6)});
      box.spin = spin = {uniform(random, -1.0, 1.0), uniform(random, -2.0, 2.0), 0};
      scene.add_body(box);
    }
    scene.set_default_contact(ContactParameters{});
    Model model;
    try {
      model = scene.build();
    } catch (const InputError&) {
      continue;  // overlaps at the start
    }
    // One free step of one second.
    const State& before = model.initial;
    StepResult result;
    result.next = before;
    result.next.t = 1.0;
    result.dt_taken = 1.0;
    model.system->move(before.q, before.v, result.next.q);
    NearGaps at_end;
    Evaluation evaluation;
    at_end.look(*model.system, result.next, 1.0, evaluation);
    MissedContacts search;
    constexpr double depth = 0.05;
    search.look(*model.system, before, result, at_end, depth, evaluation);

    ActiveSet all;
    all.reset(at_end.contacts());
    all.add_all();
    Evaluation at;
    std::vector<double> lowest(static_cast<std::size_t>(all.size()), 1e9), first, last;
    Vector q;
    for (int s = 0; s <= 1000; ++s) {
      model.system->move(before.q, (s / 1000.0) * before.v, q);
      model.system->evaluate(0.0, q, before.v, Need::gap, all, at);
      std::vector<double> gaps;
      Index row = 0;
      for (Index i = 0; i < all.size(); ++i) {
        gaps.push_back(at.g[row]);
        lowest[static_cast<std::size_t>(i)] = std::min(lowest[static_cast<std::size_t>(i)], at.g[row]);
        row += all.constraint(i).law->dim();
      }
      if (s == 0) first = gaps;
      last = gaps;
    }
    for (Index i = 0; i < all.size(); ++i) {
      const auto j = static_cast<std::size_t>(i);
      const Constraint& c = all.constraint(i);
      const bool passed = first[j] >= 0.0 && last[j] > lowest[j] + 2e-3 && lowest[j] < -depth * c.length_scale - 2e-3;
      const bool not_passed = first[j] < 0.0 || lowest[j] > -depth * c.length_scale + 2e-3;
      const auto hit = std::find_if(search.found().begin(), search.found().end(),
                                    [&](const MissedContact& m) { return m.constraint.id == c.id; });
      SCOPED_TRACE(
          fmt::format("way {}, {}: {} .. {} .. {}", k, model.system->constraint_name(c), first[j], lowest[j], last[j]));
      if (passed) {
        ++found;
        ASSERT_NE(hit, search.found().end());
        EXPECT_NEAR(hit->depth, -lowest[j], 2e-3);
      } else if (not_passed) {
        ++none;
        EXPECT_EQ(hit, search.found().end());
      }
    }
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(none, 50);
}

}  // namespace
}  // namespace carom::batteries
