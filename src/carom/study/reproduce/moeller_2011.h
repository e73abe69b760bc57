// What the reproductions of Moeller 2011 share: its examples, and measurements of energy.
#pragma once

#include <string>

#include "carom/study/reproduce/published_run.h"
#include "carom/study/reproduce/series.h"

namespace carom::inline study::moeller_2011 {

inline constexpr const char* kPublication =
    "M. Moeller, Consistent integrators for non-smooth dynamical systems, Diss. ETH No. 19715 (2011)";

// Another implementation of the same schemes and examples, which shares no code with this one.
inline constexpr const char* kPrototype = "another implementation";

// The schemes as they were run there: Q and H at the start of the step.
inline SchemeParameters published_inertia() { return {{"inertia_at", std::string("start")}}; }

inline std::vector<double> total_energy(const Trace& trace) { return sum(trace.kinetic, trace.potential); }

// Largest rise of the energy from one kept step to the next.
inline double largest_rise(const Trace& trace) {
  const std::vector<double> energy = total_energy(trace);
  double rise = -INFINITY;
  for (std::size_t i = 1; i < energy.size(); ++i) rise = std::max(rise, energy[i] - energy[i - 1]);
  return rise;
}

inline double largest_deviation(const Trace& trace) {
  const std::vector<double> energy = total_energy(trace);
  double worst = 0.0;
  for (const double e : energy) worst = std::max(worst, std::abs(e - energy.front()));
  return worst;
}

// Largest shrinking of a gap that was closed at the start of its step: what weak unilateral consistency forbids.
inline double largest_sinking(const std::vector<double>& gap) {
  double worst = 0.0;
  for (std::size_t i = 1; i < gap.size(); ++i)
    if (gap[i - 1] <= 0.0) worst = std::max(worst, gap[i - 1] - gap[i]);
  return worst;
}

// The value at the kept step nearest to a time.
inline double value_at(const std::vector<double>& t, const std::vector<double>& x, double time) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (std::abs(t[i] - time) < std::abs(t[best] - time)) best = i;
  return x[best];
}

}  // namespace carom::inline study::moeller_2011
