// What the reproductions of the elastic bar share: one run, seen from the node that hits the wall.
#pragma once

#include <string>
#include <vector>

#include "carom/model/flexible/rod.h"
#include "carom/study/reproduce/published_run.h"

namespace carom::inline study {

// A bar that flies against a wall, and how it is stepped.
struct BarCase {
  RodData rod;
  double gap, speed;
  std::string scheme;
  SchemeParameters parameters;
  double dt, t_end;
  double restitution = 0.0;
};

struct BarTrace {
  using Series = std::vector<double>;
  // Step ends, the start included; the force is the impulse of the step that ended here over its length.
  Series t, gap, velocity, force, energy;
  Series kinetic, potential;
  Series tip_displacement, tip_velocity, middle_velocity;  // of the free end and of the middle node
  double first = 0, last = 0;  // start of the first and end of the last step with an impulse; 0: none
  long closings = 0;           // contact steps that follow a step without contact
  double first_impulse = 0, total_impulse = 0;
  double energy_lost_at_first = 0;  // in the step of the first impulse

  double duration() const { return last - first; }  // of the impulses
  double closed_time() const;                       // from the first to the last step end with g <= 0
  double violation() const;                         // largest penetration

  // Forces of the steps that end within this part of the contact time of the continuous bar, 0 to 1 from its touch.
  struct Forces {
    double mean = 0, deviation = 0, smallest = 0, largest = 0;  // deviation: standard
  };
  Forces forces(double from, double to) const;
  // max - min of the gap and largest |velocity| in the same stretch.
  double gap_variation(double from, double to) const;
  double largest_velocity(double from, double to) const;
  double mean_speed(double from, double to) const;

  double touch = 0, contact_time = 0, contact_force = 0;  // of the continuous bar
};

// Throws RunFailure.
BarTrace run_bar(const BarCase& bar);

}  // namespace carom::inline study
