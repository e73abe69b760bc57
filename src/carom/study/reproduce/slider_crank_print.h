// The slider-crank as both publications print it in their table 1 (Schindler et al. 2015, Schoeder et al. 2013), typed
// in from the print: numbers that follow from it on paper, without the models and schemes they are held against.
#pragma once

namespace carom::inline study::slider_crank_print {

double start_energy();  // J, zero where crank and rod lie

// Angle of the crank after a time t if the guide is ideal: one coordinate, integrated from conservation of energy,
// crank' = sqrt(2 (E - V) / J).
double ideal_crank_angle(double t);

// Convective acceleration of the height of the slider, (d^2 height / dq^2) v v; the gap of an upper corner has the
// other sign.
double convective_height(double crank, double rod, double crank_rate, double rod_rate);

// The first flight ends at the upper wall (clearance 1 mm), both corners at once and without friction: free motion of
// crank and rod, then Newton's law.
struct FirstImpact {
  double time, impulse, loss;  // s, N s, J
};
FirstImpact first_impact(double restitution);

}  // namespace carom::inline study::slider_crank_print
