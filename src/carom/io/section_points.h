// Poincare sections of recorded motions: where (x, y) is at chosen moments, in place of all of them.
//
//   at impacts    the first sample at or behind the impact: velocities are those after it
//   every period  at t = k T, on straight lines between samples, but never across a jump
//
// viewer/src/section.ts does the same in a page.
#pragma once

#include <string>
#include <vector>

#include "carom/io/recording.h"

namespace carom::inline io {

struct SectionPoints {
  std::vector<double> t, x, y;
};

// Times rise, `moments` too. Moments that share a sample count once.
SectionPoints section_at(const std::vector<double>& times, const std::vector<double>& x, const std::vector<double>& y,
                         const std::vector<double>& moments);
// `jumps` rise: moments between which x and y may be taken to go on straight.
SectionPoints section_every(double period, const std::vector<double>& times, const std::vector<double>& x,
                            const std::vector<double>& y, const std::vector<double>& jumps);

// When contacts closed: those whose name is `contact` or begins with it and a dot; all of them if it is empty.
// InputError E0131 if there is no such contact.
std::vector<double> impact_times(const Recording& recording, const std::string& contact);

}  // namespace carom::inline io
