// Frictionless contacts bring in no energy. Random scenes of spheres between planes, in columns and in heaps, mass ratios
// up to 1e6, one restitution between 0 and 1, random steps, gravity in any direction. Newton's law with one restitution
// is passive without friction, so that every rise of the energy is the scheme's own: of the schemes that declare
// passive contacts none may rise by more than what tolerances leave.
#include <fmt/format.h>

#include <random>

#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries {
namespace {

using Random = std::mt19937_64;
double uniform(Random& random, double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); }
double spread(Random& random, double a, double b) { return std::exp(uniform(random, std::log(a), std::log(b))); }

struct Scene {
  std::string text;
  Model model;
  double dt;
  double energy;  // what there is to lose, J
  bool column;
};

Scene draw(Random& random) {
  const bool column = uniform(random, 0, 1) < 0.6;
  const int count = std::uniform_int_distribution<int>(1, 4)(random);
  const double ratio = spread(random, 1.0, 1e6);
  const double e = std::array{0.0, 1.0, uniform(random, 0.0, 1.0)}[static_cast<std::size_t>(random() % 3)];
  Multibody scene;
  const Vector3 gravity = column ? Vector3(0, 0, uniform(random, 0, 1) < 0.7 ? -9.81 : 9.81)
                                 : Vector3(uniform(random, -3, 3), uniform(random, -3, 3), -9.81);
  scene.set_gravity(gravity);
  double height = 0.0, energy = 0.0;
  for (int i = 0; i < count; ++i) {
    const double radius = uniform(random, 0.05, 0.15), mass = std::pow(ratio, uniform(random, 0.0, 1.0));
    height += uniform(random, 0.0, 0.1) + radius;
    const Vector3 aside = column ? Vector3(0, 0, 0) : Vector3(uniform(random, -0.05, 0.05), uniform(random, -0.05, 0.05), 0);
    const Vector3 velocity = column ? Vector3(0, 0, uniform(random, -3, 3))
                                    : Vector3(uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, -2, 2));
    scene.add_body({.name = fmt::format("ball{}", i), .mass = mass,
                    .inertia = Vector3::Constant(0.4 * mass * radius * radius),
                    .position = Vector3(0, 0, height) + aside, .velocity = velocity, .shape = Shape::sphere(radius)});
    energy += 0.5 * mass * velocity.squaredNorm() + mass * gravity.norm() * 0.2;
    height += radius;
  }
  scene.add_plane({.name = "floor"});
  scene.add_plane({.name = "ceiling", .point = {0, 0, height + uniform(random, 0.0, 0.2)}, .normal = -Vector3::UnitZ()});
  if (!column)
    for (const double side : {-1.0, 1.0}) {
      scene.add_plane({.name = side < 0 ? "left" : "right", .point = {0.25 * side, 0, 0}, .normal = {-side, 0, 0}});
      scene.add_plane({.name = side < 0 ? "front" : "back", .point = {0, 0.25 * side, 0}, .normal = {0, -side, 0}});
    }
  scene.set_default_contact(ContactParameters{.restitution = e});
  const double dt = spread(random, 1e-4, 5e-3);
  return {fmt::format("{} of {} spheres, ratio {:.2g}, e {:.3g}, dt {:.2g}", column ? "column" : "heap", count, ratio, e, dt),
          scene.build(), dt, energy, column};
}

class PassiveContacts : public EveryScheme {};

TEST_P(PassiveContacts, BringInNoEnergy) {
  if (!entry().passive) GTEST_SKIP() << "does not declare it";
  Random random(7);
  int impacts = 0;
  for (int sample = 0; sample < 60; ++sample) {
    const Scene scene = draw(random);
    if (refusal(entry(), *scene.model.system)) continue;
    SCOPED_TRACE(fmt::format("sample {}: {}", sample, scene.text));
    const Energetics& energetics = *scene.model.system->energetics();
    const auto energy = [&](const State& s) {
      return energetics.kinetic_energy(s.t, s.q, s.v) + energetics.potential_energy(s.t, s.q);
    };
    take_steps(scene.model, *scheme(), scene.dt, 200, [&](const State& before, const StepResult& result) {
      // In a column tolerances remain, of positions (1e-12 of a radius, times a weight) and of impulses (1e-12, times
      // a velocity). Spheres that slide over each other also turn the normal during the step: a term of third order.
      ASSERT_LE(energy(result.next) - energy(before), (scene.column ? 1e-10 : 1e-6) * scene.energy) << "t " << result.next.t;
      for (const double impulse : result.impulse) impacts += impulse > 0.0;
    });
    if (HasFailure()) return;
  }
  EXPECT_GT(impacts, 1000);
}

CAROM_FOR_EVERY_SCHEME(PassiveContacts);

}  // namespace
}  // namespace carom::batteries
