// A reference whose events are located: the motion at any time to the tolerances of an event-driven scheme.
//
// The run is stored on a grid. Between two stored points without an event lies the cubic with their positions and
// velocities; where events lie between, the motion is computed anew from the first of the two, so that no jump is
// smoothed over.
#pragma once

#include <atomic>
#include <string>

#include "carom/study/converge_reference.h"

namespace carom::inline study {

// From the time of `start` to t_end; `spacing` of the stored points.
StudyReference located_reference(const Scenario& scenario, const State& start, const std::string& scheme,
                                 double spacing, double t_end, const Vector& weights,
                                 const std::atomic<bool>* interrupt);

// Points a located reference is stored at by default: the cubics of a motion with a hundred turns are right to 1e-9.
inline constexpr double located_points = 20000;

}  // namespace carom::inline study
