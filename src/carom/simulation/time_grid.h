// The times at which steps end: t = origin + k dt, made by one multiplication, never by adding up.
//
// The next step follows from the present time alone, so a run continued from a copied State takes the
// same steps, bit for bit, as the run that was not interrupted. A time between two grid points (after
// a halved step, or from a scheme that shortens a step itself) is followed by the next grid point. The
// last step is shortened to end at t_end, unless t_end is a grid point but for rounding.
#pragma once

#include <cmath>

namespace carom::inline simulation {

struct TimeGrid {
  double origin = 0.0;
  double dt = 1e-3;
  double t_end = 1.0;

  struct Step {
    double dt;  // exactly the grid's dt for a full step
    double t_next;
  };

  // What counts as rounding, in steps. Halved steps are never this short.
  static constexpr double tolerance = 1e-6;

  bool reached(double t) const { return t >= t_end - tolerance * dt; }

  Step next(double t) const {
    const double k = (t - origin) / dt;
    const double nearest = std::round(k);
    const bool on_grid = std::abs(k - nearest) <= tolerance;
    const double t_next = origin + ((on_grid ? nearest : std::floor(k)) + 1.0) * dt;
    if (t_next > t_end + tolerance * dt) return {t_end - t, t_end};
    return {on_grid ? dt : t_next - t, t_next};
  }
};

}  // namespace carom::inline simulation
