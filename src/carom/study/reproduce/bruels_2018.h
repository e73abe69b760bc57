// What the reproductions of Bruels, Acary, Cardona 2018 share: its examples, its two methods, and runs seen on
// three levels.
#pragma once

#include <string>

#include "carom/study/reproduce/published_run.h"

namespace carom::inline study::bruels_2018 {

inline constexpr const char* kPublication =
    "O. Bruels, V. Acary, A. Cardona, On the constraints formulation in the nonsmooth generalized-alpha "
    "method, in: "
    "Advanced Topics in Nonsmooth Dynamics (2018)";

// Section 5: gravity towards positive y.
Model pendulum();
// Section 6.1. Restitution and direction of gravity are not printed: 0.8 and +y fit the printed axes.
Model bouncing_pendulum();
// Section 6.2, gravity 10 m/s^2 (not printed: the printed time of contact wants it).
Model flexible_pendulum(double elements = 4.0);
// Section 6.3.
Model horizontal_bar();

// The methods of section 6: "pva" or "pvv".
SchemeParameters method(const std::string& strategy, double spectral_radius, const std::string& inactive = "total",
                        double newton_tolerance = 1e-10);

// Step ends, the start left out. Of a joint's equations the largest component; of its multipliers the first row.
struct LevelTrace {
  using Series = std::vector<double>;
  Series t, energy;
  Series joint_gap, joint_rate, joint_acceleration;  // |g|, |W'v|, |W'a + zeta|
  Series smooth_multiplier, relative_impulse;        // lambda, Lambda / dt
  Series joint_force;                                // Lambda* / dt
  Series gap, gap_rate, gap_acceleration;            // of the contact
  Series force, smooth_force;                        // Lambda* / dt, lambda
  Series newton;                                     // iterations of the step
  SimulationSummary summary;

  double mean_newton() const;
};
LevelTrace trace_levels(const PublishedRun& run);

// |x_{i+1} - 2 x_i + x_{i-1}|, its largest while from <= t <= to: large for what jumps from step to step.
double largest_second_difference(const std::vector<double>& t, const std::vector<double>& x, double from, double to);

// Every `every`-th value.
std::vector<double> sparse(const std::vector<double>& x, std::size_t every);
// The part from <= t <= to of a curve.
struct Part {
  std::vector<double> t, x;
};
Part part(const std::vector<double>& t, const std::vector<double>& x, double from, double to);

}  // namespace carom::inline study::bruels_2018
