// What the reproductions of Schindler et al. 2015 share: their mechanism, and their measure of error.
#pragma once

#include <string>
#include <vector>

#include "carom/study/reproduce/published_run.h"

namespace carom::inline study::schindler_2015 {

inline constexpr const char* kPublication =
    "T. Schindler, S. Rezaei, J. Kursawe, V. Acary, Half-explicit timestepping schemes on velocity level based on "
    "time-discontinuous Galerkin methods, Comput. Methods Appl. Mech. Engrg. 290 (2015)";

// Section 5.1; the guide's clearance in m.
Model slider_crank(double restitution = 0.4, double friction = 0.01, double clearance = 0.001);
// Of tables 2 and 3; not printed, see docs/theory/half_explicit.md.
inline constexpr double kTableTime = 0.1;

// Angles at step ends, one row a step, the start first.
struct Angles {
  double dt = 0;
  Matrix rows;
  std::vector<double> impacts = {};  // ends of the steps taken as impacts
  double end_energy = 0;
};
// At multiples of `every` steps, whatever shorter ones the scheme takes between.
Angles angles(const Model& model, const std::string& scheme, double dt, double t_end = kTableTime, long every = 1,
              const SchemeParameters& parameters = {});
// The solution of the slider-crank in an ideal guide at the same times; the slider does not turn.
Angles ideal_guide(double dt, double t_end = kTableTime);

// The publication's error: the spectral norm of the matrix of differences, one row a step and one column an
// angle, not divided by anything. A finer run has more rows, so that order p shows as dt^(p - 1/2). The steps of
// `reference` must divide those of `run`.
double error(const Angles& run, const Angles& reference);

// Largest minus smallest gap within a stretch of time longer than `shortest` in which a contact is closed and pushes:
// how far closed contacts drift. Over all contacts of the trace.
double closed_gap_variation(const Trace& trace, double shortest = 2e-3);

// Largest rise of the energy above its smallest value so far.
double largest_energy_rise(const Trace& trace);

}  // namespace carom::inline study::schindler_2015
