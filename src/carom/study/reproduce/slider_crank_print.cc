#include "carom/study/reproduce/slider_crank_print.h"

#include <cmath>

namespace carom::slider_crank_print {

namespace {

constexpr double l1 = 0.1530, l2 = 0.3060, m1 = 0.0380, m2 = 0.0380, m3 = 0.0760, J1 = 7.4e-5, J2 = 5.9e-4;
constexpr double gravity = 9.81, crank_rate = 150.0;

// Inertia of the whole mechanism about the crank: the rod turns at -(l1 cos crank) / (l2 cos rod) of its rate.
double reduced_inertia(double crank) {
  const double rod = -std::asin(l1 * std::sin(crank) / l2);
  const double ratio = -l1 * std::cos(crank) / (l2 * std::cos(rod));
  const double M11 = J1 + l1 * l1 * (m1 / 4.0 + m2 + m3), M22 = J2 + l2 * l2 * (m2 / 4.0 + m3),
               M12 = l1 * l2 * std::cos(crank - rod) * (m2 / 2.0 + m3);
  return M11 + 2.0 * M12 * ratio + M22 * ratio * ratio;
}

// The slider stays at its height; the centres of crank and rod go up and down with half the crank's pin.
double potential(double crank) { return gravity * 0.5 * (m1 + m2) * l1 * std::sin(crank); }

double rate(double crank) { return std::sqrt(2.0 * (start_energy() - potential(crank)) / reduced_inertia(crank)); }

}  // namespace

double start_energy() { return 0.5 * reduced_inertia(0.0) * crank_rate * crank_rate; }

double ideal_crank_angle(double t) {
  // Runge's rule of fourth order; the mechanism turns by 1e-3 rad in a step.
  const int steps = static_cast<int>(std::ceil(t * crank_rate / 1e-3));
  const double dt = t / steps;
  double angle = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double a = rate(angle), b = rate(angle + 0.5 * dt * a), c = rate(angle + 0.5 * dt * b), d = rate(angle + dt * c);
    angle += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return angle;
}

double convective_height(double crank, double rod, double crank_rate_now, double rod_rate) {
  return -l1 * std::sin(crank) * crank_rate_now * crank_rate_now - l2 * std::sin(rod) * rod_rate * rod_rate;
}

}  // namespace carom::slider_crank_print
