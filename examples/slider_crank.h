// The slider-crank of Flores, Leine and Glocker (2010) from three bodies: the slider is loose in its guide.
#pragma once

#include <carom/carom.h>

inline carom::Model slider_crank(double clearance) {
  using namespace carom;
  const double crank_length = 0.153, rod_length = 0.306, speed = 150.0;
  const auto inertia = [](double J) { return Matrix3(J * Matrix3::Identity()); };
  ModelBuilder m(Space::planar);
  m.set_gravity({0, -9.81, 0});
  const BodyRef crank = m.add_body({.name = "crank", .mass = 0.038, .inertia = inertia(7.4e-5)});
  const BodyRef rod = m.add_body({.name = "rod", .mass = 0.038, .inertia = inertia(5.9e-4)});
  const BodyRef slider = m.add_body({.name = "slider", .mass = 0.076, .inertia = inertia(2.7e-6)});
  // Where the joints start and how fast: the builder finds the positions and velocities of the bodies.
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = crank.at({-crank_length / 2, 0, 0}),
               .start = {{.value = 0.0, .rate = speed}}});
  m.add_joint({.name = "crankpin",
               .kind = "revolute",
               .a = crank.at({crank_length / 2, 0, 0}),
               .b = rod.at({-rod_length / 2, 0, 0}),
               .start = {{.value = 0.0, .rate = -speed * (1 + crank_length / rod_length)}}});
  m.add_joint({.name = "wristpin",
               .kind = "revolute",
               .a = rod.at({rod_length / 2, 0, 0}),
               .b = slider.at({0, 0, 0}),
               .start = {{.value = 0.0, .rate = speed * crank_length / rod_length}}});
  m.add_guide({.name = "guide",
               .guide = m.ground().at({0, 0, 0}),
               .block = slider.at({0, 0, 0}),
               .half_length = 0.05,
               .half_height = 0.025,
               .clearance = clearance,
               .law = {.restitution = 0.4, .friction = 0.01}});
  return m.build();
}
