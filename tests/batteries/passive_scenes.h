// Random scenes of spheres between planes, in columns and in heaps, without friction: mass ratios up to 1e6, one
// restitution between 0 and 1, random steps, gravity in any direction. Newton's law with one restitution brings in no
// energy there.
#pragma once

#include <fmt/format.h>

#include <random>

#include "batteries/battery.h"
#include "carom/model/multibody_scenes.h"

namespace carom::batteries::passive {

using Random = std::mt19937_64;
inline double uniform(Random& random, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(random);
}
inline double spread(Random& random, double a, double b) { return std::exp(uniform(random, std::log(a), std::log(b))); }

struct Scene {
  std::string text;
  Model model;
  double dt;
  double energy;  // what there is to lose, J
  bool column;
  double restitution;
};

inline Scene draw(Random& random) {
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
    const Vector3 aside =
        column ? Vector3(0, 0, 0) : Vector3(uniform(random, -0.05, 0.05), uniform(random, -0.05, 0.05), 0);
    const Vector3 velocity = column ? Vector3(0, 0, uniform(random, -3, 3))
                                    : Vector3(uniform(random, -2, 2), uniform(random, -2, 2), uniform(random, -2, 2));
    scene.add_body({.name = fmt::format("ball{}", i),
                    .mass = mass,
                    .inertia = Vector3::Constant(0.4 * mass * radius * radius),
                    .position = Vector3(0, 0, height) + aside,
                    .velocity = velocity,
                    .shape = Shape::sphere(radius)});
    energy += 0.5 * mass * velocity.squaredNorm() + mass * gravity.norm() * 0.2;
    height += radius;
  }
  scene.add_plane({.name = "floor"});
  scene.add_plane(
      {.name = "ceiling", .point = {0, 0, height + uniform(random, 0.0, 0.2)}, .normal = -Vector3::UnitZ()});
  if (!column)
    for (const double side : {-1.0, 1.0}) {
      scene.add_plane({.name = side < 0 ? "left" : "right", .point = {0.25 * side, 0, 0}, .normal = {-side, 0, 0}});
      scene.add_plane({.name = side < 0 ? "front" : "back", .point = {0, 0.25 * side, 0}, .normal = {0, -side, 0}});
    }
  scene.set_default_contact(ContactParameters{.restitution = e});
  const double dt = spread(random, 1e-4, 5e-3);
  return {fmt::format("{} of {} spheres, ratio {:.2g}, e {:.3g}, dt {:.2g}", column ? "column" : "heap", count, ratio,
                      e, dt),
          scene.build(),
          dt,
          energy,
          column,
          e};
}

inline double energy(const Scene& scene, const State& s) {
  const Energetics& energetics = *scene.model.system->energetics();
  return energetics.kinetic_energy(s.t, s.q, s.v) + energetics.potential_energy(s.t, s.q);
}

}  // namespace carom::batteries::passive
