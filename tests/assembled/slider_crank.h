// The slider-crank put together: three planar bodies, three revolute joints, and a block that is loose in its guide.
// The numbers are those of the analytic models slider_crank and slider_crank_maximal.
#pragma once

#include "carom/model/assembly/builder.h"

namespace carom::testing {

inline Model assembled_slider_crank(model::Coordinates coordinates = model::Coordinates::maximal,
                                    const ContactParameters& law = ContactParameters{.restitution = 0.4,
                                                                                     .friction = 0.01}) {
  using namespace model;
  constexpr double l1 = 0.153, l2 = 0.306, omega = 150.0;
  ModelBuilder m(Space::planar);
  m.set_coordinates(coordinates);
  m.set_gravity({0.0, -9.81, 0.0});
  const auto inertia = [](double J) { return Matrix3(J * Matrix3::Identity()); };
  const BodyRef crank = m.add_body({.name = "crank", .mass = 0.038, .inertia = inertia(7.4e-5)});
  const BodyRef rod = m.add_body({.name = "rod", .mass = 0.038, .inertia = inertia(5.9e-4)});
  const BodyRef slider = m.add_body({.name = "slider", .mass = 0.076, .inertia = inertia(2.7e-6)});
  m.add_joint({.name = "bearing",
               .kind = "revolute",
               .a = m.ground().at({0, 0, 0}),
               .b = crank.at({-l1 / 2, 0, 0}),
               .start = CoordinateStart{0.0, omega}});
  m.add_joint({.name = "crankpin",
               .kind = "revolute",
               .a = crank.at({l1 / 2, 0, 0}),
               .b = rod.at({-l2 / 2, 0, 0}),
               .start = CoordinateStart{0.0, -omega * (1 + l1 / l2)}});
  m.add_joint({.name = "wristpin",
               .kind = "revolute",
               .a = rod.at({l2 / 2, 0, 0}),
               .b = slider.at({0, 0, 0}),
               .start = CoordinateStart{0.0, omega * l1 / l2}});
  m.add_guide({.name = "guide",
               .guide = m.ground().at({0, 0, 0}),
               .block = slider.at({0, 0, 0}),
               .half_length = 0.05,
               .half_height = 0.025,
               .clearance = 0.001,
               .law = law});
  return m.build();
}

}  // namespace carom::testing
