#include "carom/model/mechanisms/slider_crank_clearance.h"

#include "carom/model/assembly/builder.h"

namespace carom::model {

Model slider_crank_clearance(const SliderCrankClearance& data) {
  const double l1 = data.crank_length, l2 = data.rod_length;
  const bool spatial = data.space == Space::spatial;
  ModelBuilder m(data.space);
  m.set_gravity({0.0, -data.gravity, 0.0});
  const auto inertia = [&](double J) { return Matrix3(Vector3(data.axial_inertia, J, J).asDiagonal()); };
  const double rod_start = data.crank_speed * l1 + data.rod_speed * l2 / 2.0;
  const BodyRef crank = m.add_body({.name = "crank",
                                    .mass = data.crank_mass,
                                    .inertia = inertia(data.crank_inertia),
                                    .position = {l1 / 2.0, 0.0, 0.0},
                                    .velocity = {0.0, data.crank_speed * l1 / 2.0, 0.0},
                                    .spin = {0.0, 0.0, data.crank_speed}});
  const BodyRef rod = m.add_body({.name = "rod",
                                  .mass = data.rod_mass,
                                  .inertia = inertia(data.rod_inertia),
                                  .position = {l1 + l2 / 2.0, 0.0, 0.0},
                                  .velocity = {0.0, rod_start, 0.0},
                                  .spin = {spatial ? data.tumbling : 0.0, 0.0, data.rod_speed}});
  const BodyRef slider = m.add_body({.name = "slider",
                                     .mass = data.slider_mass,
                                     .inertia = inertia(data.slider_inertia),
                                     .position = {l1 + l2, 0.0, 0.0},
                                     .velocity = {0.0, rod_start + data.rod_speed * l2 / 2.0, 0.0}});
  m.add_joint({.name = "bearing", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = crank.at({-l1 / 2.0, 0, 0})});
  m.add_joint({.name = "wrist", .kind = "revolute", .a = rod.at({l2 / 2.0, 0, 0}), .b = slider.at({0, 0, 0})});
  m.add_clearance({.name = "pin",
                   .pin = rod.at({-l2 / 2.0, 0, 0}),
                   .bore = crank.at({l1 / 2.0, 0, 0}),
                   .pin_radius = data.pin_radius,
                   .bore_radius = data.pin_radius + data.play,
                   .pin_length = data.pin_length,
                   .depth = data.seen_depth,
                   .law = data.journal});
  if (spatial)
    m.add_clearance({.name = "guide",
                     .pin = slider.at({0, 0, 0}).with_axis(Vector3::UnitX()),
                     .bore = m.ground().at({0, 0, 0}).with_axis(Vector3::UnitX()),
                     .pin_radius = data.slider_radius,
                     .bore_radius = data.slider_radius + data.guide_play,
                     .pin_length = 2.0 * data.slider_half_length,
                     .law = data.guide});
  else
    m.add_guide({.name = "guide",
                 .guide = m.ground().at({0, 0, 0}),
                 .block = slider.at({0, 0, 0}),
                 .half_length = data.slider_half_length,
                 .half_height = data.slider_radius,
                 .clearance = data.guide_play,
                 .law = data.guide});
  return m.build();
}

}  // namespace carom::model
