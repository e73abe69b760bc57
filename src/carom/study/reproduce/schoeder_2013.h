// What the figures of Schoeder, Ulbrich, Schindler share: the model without friction, the schemes as they were run.
#pragma once

#include <string>

#include "carom/study/reproduce/published_run.h"

namespace carom::inline study::schoeder_2013 {

inline constexpr const char* kPublication =
    "S. Schoeder, H. Ulbrich, T. Schindler, Discussion of the Gear-Gupta-Leimkuhler method for impacting mechanical "
    "systems, Multibody Syst. Dyn. 31 (2013)";

inline constexpr double kClearance = 1e-3;
inline constexpr double kStep = 1e-5;   // figures 3, 4, 8, 9, 10
inline constexpr double kShort = 0.15;  // figures 3, 4, 8, 9
inline constexpr double kLong = 4.0;    // figure 10
// Four values were shown; 0.1 and 0.9 are known, the two between are taken.
inline constexpr double kRestitutions[] = {0.1, 0.4, 0.7, 0.9};

Model slider_crank(double restitution);

// As printed: Euclidean metric, gaps expanded about the middle of the step, contacts by the forecast of their gap
// there.
SchemeParameters unified();
SchemeParameters reference_line();  // the same without the position constraint
SchemeParameters decoupled();

// Height of the slider's centre, from the gaps of corners 1 and 3 of a slider that does not turn.
std::vector<double> slider_height(const Trace& trace);

}  // namespace carom::inline study::schoeder_2013
