// Gaps in formulas are true distances, of near and of far contacts: against the distances between the shapes, written
// down once more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "carom/base/rotation.h"
#include "carom/io/channels.h"
#include "carom/model/multibody.h"

namespace carom {
namespace {

struct Pair {
  std::string a, b;
  double gap;
};

struct RandomScene {
  Multibody scene;
  std::vector<BodySpec> bodies;
  std::vector<PlaneSpec> planes;
};

// Spheres and boxes, tens of their size apart; a few planes below all of them; no two boxes or box and sphere meet.
RandomScene random_scene(std::mt19937& random) {
  std::uniform_real_distribution<double> place(-5.0, 5.0), size(0.01, 0.3), speed(-3.0, 3.0);
  std::uniform_int_distribution<int> count(1, 5), chance(0, 1);
  RandomScene made;
  const auto vector = [&](auto& from) { return Vector3(from(random), from(random), from(random)); };
  for (int p = 0, n = count(random); p < n; ++p) {
    PlaneSpec plane{
        .name = fmt::format("plane{}", p), .point = Vector3(0, 0, -20.0 - p), .normal = Vector3(0.1 * p, 0, 1)};
    made.planes.push_back(plane);
  }
  for (int b = 0, n = 1 + count(random); b < n; ++b) {
    BodySpec body{.name = fmt::format("ball{}", b),
                  .mass = 1,
                  .inertia = Vector3::Ones(),
                  .position = vector(place),
                  .velocity = vector(speed),
                  .shape = Shape::sphere(size(random))};
    made.bodies.push_back(body);
  }
  if (chance(random)) {
    BodySpec box{.name = "box",
                 .mass = 1,
                 .inertia = Vector3::Ones(),
                 .position = vector(place),
                 .orientation = orientation_from_axis(vector(speed), 1.0),
                 .velocity = vector(speed),
                 .shape = Shape::box(2.0 * Vector3(size(random), size(random), size(random)))};
    made.bodies.push_back(box);
  }
  made.scene.set_default_contact(ContactParameters{.restitution = 0.5, .friction = 0.3});
  for (const PlaneSpec& plane : made.planes) made.scene.add_plane(plane);
  for (const BodySpec& body : made.bodies) made.scene.add_body(body);
  for (const BodySpec& body : made.bodies)
    if (made.bodies.back().name == "box" && body.name != "box")
      made.scene.add_contact({"apart" + body.name, "box", body.name, std::nullopt});
  return made;
}

std::vector<Pair> all_gaps(const RandomScene& made) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < made.bodies.size(); ++i) {
    const BodySpec& a = made.bodies[i];
    for (const PlaneSpec& plane : made.planes) {
      const Vector3 n = plane.normal.normalized();
      if (a.shape.type == ShapeType::sphere) {
        pairs.push_back({a.name, plane.name, n.dot(a.position - plane.point) - a.shape.radius});
        continue;
      }
      const Matrix3 R = rotation_matrix(a.orientation);
      for (const double x : {-1.0, 1.0})
        for (const double y : {-1.0, 1.0})
          for (const double z : {-1.0, 1.0})
            pairs.push_back({a.name, plane.name,
                             n.dot(a.position + R * a.shape.half_size.cwiseProduct(Vector3(x, y, z)) - plane.point)});
    }
    for (std::size_t j = i + 1; j < made.bodies.size(); ++j) {
      const BodySpec& b = made.bodies[j];
      if (a.shape.type != ShapeType::sphere || b.shape.type != ShapeType::sphere) continue;
      pairs.push_back({a.name, b.name, (a.position - b.position).norm() - a.shape.radius - b.shape.radius});
    }
  }
  return pairs;
}

double value_at(const Model& model, const std::string& formula) {
  Channels channels(*model.system, model.initial, {});
  const Expression expression(formula);
  channels.need(expression);
  Auditor auditor;
  StepAudit energy;
  auditor.begin(*model.system, model.initial, energy);
  channels.sample({model.initial, nullptr, energy, auditor});
  return expression.evaluate(channels, Expression::Scope::instant).data[0];
}

TEST(FarGaps, AreTheDistancesBetweenTheShapes) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 60; ++trial) {
    const RandomScene made = random_scene(random);
    Model model;
    try {
      model = made.scene.build();
    } catch (const InputError&) {
      continue;  // two overlap at the start
    }
    const std::vector<Pair> pairs = all_gaps(made);
    double least = std::numeric_limits<double>::infinity(), most = -least, sum = 0.0, floor = least;
    for (const Pair& pair : pairs) {
      least = std::min(least, pair.gap);
      most = std::max(most, pair.gap);
      sum += pair.gap;
      if (pair.b == "plane0") floor = std::min(floor, pair.gap);
    }
    const double rounding = 1e-12 * most;  // distances of about 20 m from sums of a few terms
    EXPECT_NEAR(value_at(model, "min(contact.gap)"), least, rounding);
    EXPECT_NEAR(value_at(model, "max(contact.gap)"), most, rounding);
    EXPECT_NEAR(value_at(model, "mean(contact.gap)"), sum / static_cast<double>(pairs.size()), rounding);
    EXPECT_NEAR(value_at(model, "min(plane0.gap)"), floor, rounding);
    for (const Pair& pair : pairs) {
      if (pair.a == "box") continue;
      EXPECT_NEAR(value_at(model, fmt::format("'{}-{}.gap'", pair.a, pair.b)), pair.gap, rounding);
      EXPECT_NEAR(value_at(model, fmt::format("'{}-{}.gap'", pair.b, pair.a)), pair.gap, rounding)
          << "in the other order";
    }
  }
}

TEST(FarGaps, OfSeveralContactsWantToBePutTogetherHoweverFarTheyAre) {
  Multibody scene;
  scene.add_plane({.name = "floor"});
  for (const double height : {0.1, 50.0})
    scene.add_body({.name = height < 1 ? "low" : "high",
                    .mass = 1,
                    .inertia = Vector3::Ones(),
                    .position = {3 * height, 0, height},
                    .shape = Shape::sphere(0.1)});
  scene.set_default_contact(ContactParameters{});
  const Model model = scene.build();
  EXPECT_THROW(value_at(model, "floor.gap"), ExpressionError) << "two balls over the floor, one of them far";
  EXPECT_THROW(value_at(model, "'low-flor.gap'"), ExpressionError);
  EXPECT_DOUBLE_EQ(value_at(model, "max(floor.gap)"), 49.9);
}

// More pairs than are kept in a list.
TEST(FarGaps, OfVeryManyPairsAreTrueToo) {
  Multibody scene;
  for (int i = 0; i < 250; ++i)
    scene.add_body({.name = fmt::format("ball{}", i),
                    .mass = 1,
                    .inertia = Vector3::Ones(),
                    .position = {1.0 * i * i, 0, 0},
                    .shape = Shape::sphere(0.1)});
  scene.set_default_contact(ContactParameters{});
  const Model model = scene.build();
  EXPECT_DOUBLE_EQ(value_at(model, "min(contact.gap)"), 0.8);
  EXPECT_DOUBLE_EQ(value_at(model, "max(contact.gap)"), 249.0 * 249.0 - 0.2);
}

}  // namespace
}  // namespace carom
