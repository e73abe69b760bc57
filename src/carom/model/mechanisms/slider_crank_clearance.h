// The slider-crank with play in the pin between crank and rod, and in the guide of the slider; crank and ground, rod
// and slider are held by ideal hinges about z. Motion in the plane x-y, gravity along -y.
//
// In space the pin is a cylinder in a bore (edges against the wall, so that it can tilt) and the slider a cylinder in a
// round guide. In the plane both are discs and corners: started in the plane, the two models move alike.
#pragma once

#include <cmath>

#include "carom/laws/contact_law.h"
#include "carom/model/model.h"

namespace carom::model {

struct SliderCrankClearance {
  Space space = Space::spatial;
  double play = 5e-4;         // r: radius of the bore less that of the pin
  double pin_radius = 6e-3;   // on the rod
  double pin_length = 20e-3;  // of the part inside the bore, along z
  double crank_length = 0.153, rod_length = 0.306;
  double slider_half_length = 0.05, slider_radius = 0.025, guide_play = 0.001;
  double crank_mass = 0.038, rod_mass = 0.038, slider_mass = 0.076;
  double crank_inertia = 7.4e-5, rod_inertia = 5.9e-4, slider_inertia = 2.7e-6;  // about z, and in space about y
  double axial_inertia = 1e-5;  // in space, about the axis x of each body
  double crank_speed = 150.0, rod_speed = -75.0;
  double tumbling = 0.0;         // of the rod about its axis at the start: out of the plane; in space only
  double seen_depth = INFINITY;  // of contacts of the pin: deeper ones are not seen any more
  double gravity = 9.81;
  ContactParameters journal = {.restitution = 0.0, .friction = 0.01};
  ContactParameters guide = {.restitution = 0.4, .friction = 0.01};
};

// Bodies crank, rod, slider; contacts "pin..." and "guide...".
Model slider_crank_clearance(const SliderCrankClearance& data);

}  // namespace carom::model
