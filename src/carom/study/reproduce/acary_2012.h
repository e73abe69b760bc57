// What the reproductions of Acary 2012 share: its examples, and its two projected schemes as they were run
// there.
#pragma once

#include <string>

#include "carom/study/reproduce/published_run.h"

namespace carom::inline study::acary_2012 {

inline constexpr const char* kPublication =
    "V. Acary, Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with "
    "unilateral contact and Coulomb's friction, INRIA RR-8029 (2012)";

// Example 1: v' = -2 + lambda, q = 1 and v = 0 at the start.
// It lands at t = 1 exactly, at the end of a step that divides 1: there the gap is zero up to rounding, and
// rounding would decide what the step does. `height` may be given to be on one side of that.
Model bouncing_ball(double restitution, double height = 1.0);
inline constexpr double kRaised = 1.0 + 1e-9;
// Example 2, with data of our own: the publication prints none.
Model impact_oscillator();
// Section 6.4, J2 = 5.9e-4 (8.9e-4 is printed; Flores, Leine, Glocker 2010, its source, has 5.9e-4).
inline constexpr double kRodInertia = 5.9e-4;
Model slider_crank(double rod_inertia = kRodInertia);
inline constexpr double kSliderCrankTime = 0.2;

// Algorithm 1 with the explicit forecast g_0 + activation_gamma dt gamma_0, with the rules that make it usable:
// two-sided stop of the projection, gaps below 1e-10 of the length scale closed.
SchemeParameters direct_explicit(double activation_gamma, double theta = 0.5);
// Algorithm 1 with the free forecast.
SchemeParameters direct_free(double theta = 0.5);
SchemeParameters combined(double theta = 0.5);
// Moreau-Jean with the forecast g_0.
SchemeParameters moreau_jean(double theta = 0.5);

// The projected schemes on the slider-crank as in table 3: projection after the velocities, in the
// Euclidean metric, until no gap is below -1e-10 m.
struct Table3Settings {
  double newton_tolerance = 1e-10;     // N s, absolute; printed
  double activation_tolerance = 1e-6;  // m, algorithm 1 only
  std::string coupling = "post";       // or in_loop, as the algorithms are printed
};
// Newton's loop as printed: from q_0, v_0 with the matrix of each iterate.
SchemeParameters table_3_moreau_jean(double newton_tolerance = 1e-10);
SchemeParameters table_3_direct(const Table3Settings& settings);
SchemeParameters table_3_combined(const Table3Settings& settings);

}  // namespace carom::inline study::acary_2012
