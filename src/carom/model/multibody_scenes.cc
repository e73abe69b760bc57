#include "carom/model/multibody_scenes.h"

#include <algorithm>

namespace carom {

namespace {

constexpr double standard_gravity = 9.81;

// The part of a sliding scene both bodies share: floor, law, motion.
Model slide(const Sliding& sliding, BodySpec body, bool held_from_turning) {
  const MassProperties solid_body = solid(body.shape, 1000.0);
  body.mass = solid_body.mass;
  body.inertia = solid_body.inertia;
  body.velocity = {sliding.speed, 0.0, 0.0};
  const Vector3 start = body.position;

  Multibody scene;
  scene.set_gravity({0.0, 0.0, -sliding.gravity});
  scene.add_plane({.name = "floor"});
  if (held_from_turning) scene.add_joint({.name = "guide", .type = "fixed_orientation", .a = "ground", .b = body.name});
  scene.add_body(std::move(body));
  scene.set_default_contact(ContactParameters{.restitution = sliding.restitution, .friction = sliding.friction});
  Model model = scene.build();
  model.exact = [sliding, start, q = model.initial.q](double t, Vector& q_t, Vector& v_t) {
    const double deceleration = sliding.friction * sliding.gravity;
    const double moving = deceleration > 0.0 ? std::min(t, sliding.speed / deceleration) : t;  // time in motion
    q_t = q;
    q_t[0] = start.x() + (sliding.speed - 0.5 * deceleration * moving) * moving;
    v_t = Vector::Zero(body_v);
    if (moving == t) v_t[0] = sliding.speed - deceleration * t;
  };
  return model;
}

}  // namespace

void add_lattice(const SphereLattice& lattice, Multibody& scene) {
  std::uint64_t state = lattice.seed;
  const auto draw = [&](double most) {
    state = 6364136223846793005ull * state + 1442695040888963407ull;
    return (static_cast<double>(state >> 11) / 9007199254740992.0 * 2.0 - 1.0) * most;
  };
  const auto [nx, ny, nz] = lattice.counts;
  const double p = lattice.pitch, width = nx * p, depth = ny * p;
  const MassProperties sphere = solid(Shape::sphere(lattice.radius), lattice.density);
  Index number = 0;
  for (Index k = 0; k < nz; ++k)
    for (Index j = 0; j < ny; ++j)
      for (Index i = 0; i < nx; ++i) {
        const double dx = draw(lattice.jitter);
        const double dy = draw(lattice.jitter);
        const Vector3 place(-width / 2 + (i + 0.5) * p + dx, -depth / 2 + (j + 0.5) * p + dy, (k + 0.5) * p);
        Vector3 velocity = lattice.velocity;
        if (lattice.shaking > 0.0)
          for (double& v : velocity) v += draw(lattice.shaking);
        scene.add_body({.name = lattice.name + std::to_string(number++),
                        .mass = sphere.mass,
                        .inertia = sphere.inertia,
                        .position = lattice.origin + place,
                        .velocity = velocity,
                        .shape = Shape::sphere(lattice.radius)});
      }
}

SphereLattice touching_spheres(std::array<Index, 3> counts) {
  SphereLattice lattice;
  lattice.counts = counts;
  lattice.pitch = 2.0 * lattice.radius;
  lattice.jitter = 0.0;
  return lattice;
}

Multibody spheres_in_box(std::array<Index, 3> counts, const ContactParameters& contact) {
  SphereLattice lattice;
  lattice.counts = counts;
  lattice.pitch = 2.2 * lattice.radius;
  lattice.jitter = 0.05 * lattice.radius;
  return spheres_in_box(lattice, contact);
}

Multibody spheres_in_box(const SphereLattice& lattice, const ContactParameters& contact) {
  const double width = lattice.counts[0] * lattice.pitch, depth = lattice.counts[1] * lattice.pitch;
  Multibody scene;
  scene.set_gravity({0.0, 0.0, -standard_gravity});
  add_lattice(lattice, scene);
  scene.add_plane({.name = "floor"});
  scene.add_plane({.name = "left", .point = {-width / 2, 0, 0}, .normal = {1, 0, 0}});
  scene.add_plane({.name = "right", .point = {width / 2, 0, 0}, .normal = {-1, 0, 0}});
  scene.add_plane({.name = "front", .point = {0, -depth / 2, 0}, .normal = {0, 1, 0}});
  scene.add_plane({.name = "back", .point = {0, depth / 2, 0}, .normal = {0, -1, 0}});
  scene.set_default_contact(contact);
  return scene;
}

Model sliding_block(const Sliding& sliding) {
  return slide(sliding, {.name = "block", .position = {0, 0, 0.05}, .shape = Shape::box({0.4, 0.4, 0.1})}, false);
}

Model sliding_sphere(const Sliding& sliding) {
  return slide(sliding, {.name = "ball", .position = {0, 0, 0.1}, .shape = Shape::sphere(0.1)}, true);
}

Multibody pendulum_chain(Index links) {
  constexpr double length = 0.5, mass = 1.0, thickness = 0.02;
  const double across = mass * length * length / 12.0;
  const double along = 0.5 * mass * thickness * thickness / 4.0;

  Multibody scene;
  scene.set_gravity({0.0, 0.0, -standard_gravity});
  for (Index i = 0; i < links; ++i) {
    const std::string name = "link" + std::to_string(i);
    scene.add_body(
        {.name = name, .mass = mass, .inertia = {along, across, across}, .position = {(i + 0.5) * length, 0, 0}});
    scene.add_joint({.name = "pin" + std::to_string(i),
                     .a = i == 0 ? "ground" : "link" + std::to_string(i - 1),
                     .b = name,
                     .point = Vector3(i * length, 0, 0)});
  }
  return scene;
}

}  // namespace carom
