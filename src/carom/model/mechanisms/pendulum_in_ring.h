// A rod that hangs by its upper end in a ring, and a ring that spins about its fixed axis. The end C of the rod is a
// point in the hollow disc:
//
//   g = R - |C|      gamma_T = t . C' - R phi'
//
// Coulomb friction between the two carries the rod up the ring until it slides back.
#pragma once

#include "carom/laws/contact_law.h"
#include "carom/model/model.h"

namespace carom::model {

struct PendulumInRing {
  double ring_radius = 1.0, ring_mass = 1.0, ring_inertia = 0.8, ring_speed = 10.0;
  double rod_mass = 5.0, rod_inertia = 1.0;
  double start_gap = 1e-2;  // of the rod's end above the lowest point of the ring
  double gravity = 9.81;
  ContactParameters contact = {.restitution = 0.0, .friction = 0.3};
};

// Bodies ring and rod, the contact "hook". The end lies half the length of a uniform rod, sqrt(3 J / m), above its
// centre.
Model pendulum_in_ring(const PendulumInRing& data);

}  // namespace carom::model
