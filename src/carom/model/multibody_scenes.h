// Scenes that tests, benchmarks and scenario files share.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "carom/model/multibody.h"

namespace carom {

// Equal spheres on a lattice, jittered sideways so that the pile does not stay a lattice.
//
// Sphere (i, j, k) stands at  origin + ((i + 1/2) p - nx p / 2 + dx, (j + 1/2) p - ny p / 2 + dy,
// (k + 1/2) p),  k outermost, i innermost; dx, then dy, are drawn in that order, uniform within
// +-jitter, from the generator  s <- 6364136223846793005 s + 1442695040888963407 (mod 2^64),
// u = (s >> 11) / 2^53. Bodies are called name0, name1, ...
struct SphereLattice {
  std::string name = "ball";
  std::array<Index, 3> counts = {5, 5, 4};
  double radius = 0.05;
  double density = 1000.0;
  double pitch = 0.11;
  double jitter = 0.0025;
  std::uint64_t seed = 12345;
  Vector3 origin = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();
  double shaking = 0.0;  // of velocities: random, up to so much along each axis
};
void add_lattice(const SphereLattice& lattice, Multibody& scene);
// Without gaps between them.
SphereLattice touching_spheres(std::array<Index, 3> counts);

// Spheres of radius 0.05 m and density 1000 kg/m^3, pitch 2.2 r, jitter 0.05 r, dropped from rest
// into a box of a floor and four walls that the lattice just fills.
Multibody spheres_in_box(std::array<Index, 3> counts = {5, 5, 4},
                         const ContactParameters& contact = {.restitution = 0.0, .friction = 0.5});
// The same box around any lattice at the origin.
Multibody spheres_in_box(const SphereLattice& lattice,
                         const ContactParameters& contact = {.restitution = 0.0, .friction = 0.5});

// A body that starts on the floor with the speed v0 along x and slides to rest:
//   x = v0 t - mu g t^2 / 2  until  t = v0 / (mu g)
struct Sliding {
  double speed = 2.0;
  double friction = 0.5;
  double restitution = 0.0;
  double gravity = 9.81;
};
// A block 0.4 x 0.4 x 0.1 m of density 1000 kg/m^3 on its four lower corners.
Model sliding_block(const Sliding& sliding = {});
// A sphere of radius 0.1 m and density 1000 kg/m^3, held from rolling.
Model sliding_sphere(const Sliding& sliding = {});

// Equal thin rods of length 0.5 m and mass 1 kg in a row along x, hung at the origin by a spherical
// joint and linked by spherical joints, released from rest.
Multibody pendulum_chain(Index links = 4);

}  // namespace carom
