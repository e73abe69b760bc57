// The slider-crank as it is drawn, from whichever coordinates: crank and rod from their pins along x, the slider by its
// middle.
#pragma once

#include "carom/model/analytic/sketch.h"
#include "carom/model/analytic/slider_crank_data.h"

namespace carom::analytic {

// Frames: crank, rod, slider.
Scene slider_crank_scene(const SliderCrankData& data);
// By the three angles.
void place_slider_crank(const SliderCrankData& data, double crank, double rod, double slider, Pose* frames);
// Corner k = 0 ... 3: left and right above, left and right below.
SketchedContact slider_corner(const SliderCrankData& data, const Pose& slider, Index k);

}  // namespace carom::analytic
