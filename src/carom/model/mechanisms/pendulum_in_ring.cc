#include "carom/model/mechanisms/pendulum_in_ring.h"

#include <cmath>

#include "carom/model/assembly/builder.h"

namespace carom::model {

Model pendulum_in_ring(const PendulumInRing& data) {
  const double half_length = std::sqrt(3.0 * data.rod_inertia / data.rod_mass);
  ModelBuilder m(Space::planar);
  m.set_gravity({0.0, -data.gravity, 0.0});
  const BodyRef ring = m.add_body({.name = "ring",
                                   .mass = data.ring_mass,
                                   .inertia = data.ring_inertia * Matrix3::Identity(),
                                   .spin = {0.0, 0.0, data.ring_speed}});
  const BodyRef rod = m.add_body({.name = "rod",
                                  .mass = data.rod_mass,
                                  .inertia = data.rod_inertia * Matrix3::Identity(),
                                  .position = {0.0, -(data.ring_radius - data.start_gap) - half_length, 0.0}});
  m.add_joint({.name = "axle", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = ring.at({0, 0, 0})});
  m.add_clearance({.name = "hook",
                   .pin = rod.at({0.0, half_length, 0.0}),
                   .bore = ring.at({0, 0, 0}),
                   .pin_radius = 0.0,
                   .bore_radius = data.ring_radius,
                   .law = data.contact});
  return m.build();
}

}  // namespace carom::model
