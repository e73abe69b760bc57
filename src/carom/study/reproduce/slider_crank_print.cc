#include "carom/study/reproduce/slider_crank_print.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace carom::inline study::slider_crank_print {

namespace {

constexpr double l1 = 0.1530, l2 = 0.3060, m1 = 0.0380, m2 = 0.0380, m3 = 0.0760, J1 = 7.4e-5, J2 = 5.9e-4;
constexpr double gravity = 9.81, crank_rate = 150.0, rod_rate = -75.0;

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

// Free motion of crank and rod, state (angles, rates).
using FreeState = std::array<double, 4>;

struct Inertia {
  double M11, M12, M22;
  double determinant() const { return M11 * M22 - M12 * M12; }
};
Inertia inertia(const FreeState& s) {
  return {J1 + l1 * l1 * (m1 / 4.0 + m2 + m3), l1 * l2 * std::cos(s[0] - s[1]) * (m2 / 2.0 + m3),
          J2 + l2 * l2 * (m2 / 4.0 + m3)};
}

FreeState rate_of(const FreeState& s) {
  const Inertia m = inertia(s);
  const double coupling = l1 * l2 * std::sin(s[0] - s[1]) * (m2 / 2.0 + m3);
  const double h1 = -coupling * s[3] * s[3] - gravity * l1 * std::cos(s[0]) * (m1 / 2.0 + m2 + m3),
               h2 = coupling * s[2] * s[2] - gravity * l2 * std::cos(s[1]) * (m2 / 2.0 + m3);
  return {s[2], s[3], (m.M22 * h1 - m.M12 * h2) / m.determinant(), (m.M11 * h2 - m.M12 * h1) / m.determinant()};
}

FreeState moved(const FreeState& s, const FreeState& rate, double dt) {
  FreeState result = s;
  for (std::size_t i = 0; i < 4; ++i) result[i] += dt * rate[i];
  return result;
}

FreeState runge_step(const FreeState& s, double dt) {
  const FreeState a = rate_of(s), b = rate_of(moved(s, a, 0.5 * dt)), c = rate_of(moved(s, b, 0.5 * dt)),
                  d = rate_of(moved(s, c, dt));
  FreeState result = s;
  for (std::size_t i = 0; i < 4; ++i) result[i] += dt / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
  return result;
}

}  // namespace

FirstImpact first_impact(double restitution) {
  const double clearance = 0.0010;
  const auto gap = [&](const FreeState& s) { return clearance - l1 * std::sin(s[0]) - l2 * std::sin(s[1]); };
  const auto gap_rate = [&](const FreeState& s) { return -l1 * std::cos(s[0]) * s[2] - l2 * std::cos(s[1]) * s[3]; };
  FreeState s = {0.0, 0.0, crank_rate, rod_rate};
  double t = 0.0;
  for (double dt = 1e-6; gap(s) > 0.0 && t < 0.1; t += dt) s = runge_step(s, dt);
  for (int k = 0; k < 4; ++k) {  // Newton's iteration for the time of g = 0
    const double dt = -gap(s) / gap_rate(s);
    s = runge_step(s, dt);
    t += dt;
  }
  const Inertia m = inertia(s);
  const double w1 = l1 * std::cos(s[0]), w2 = l2 * std::cos(s[1]);
  const double G = (m.M22 * w1 * w1 - 2.0 * m.M12 * w1 * w2 + m.M11 * w2 * w2) / m.determinant(), gamma = gap_rate(s);
  return {t, -(1.0 + restitution) * gamma / G, 0.5 * (1.0 - restitution * restitution) * gamma * gamma / G};
}

double start_energy() { return 0.5 * reduced_inertia(0.0) * crank_rate * crank_rate; }

double ideal_crank_angle(double t) {
  // Runge's rule of fourth order; the mechanism turns by 1e-3 rad in a step.
  const int steps = static_cast<int>(std::ceil(t * crank_rate / 1e-3));
  const double dt = t / steps;
  double angle = 0.0;
  for (int k = 0; k < steps; ++k) {
    const double a = rate(angle), b = rate(angle + 0.5 * dt * a), c = rate(angle + 0.5 * dt * b),
                 d = rate(angle + dt * c);
    angle += dt / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return angle;
}

double convective_height(double crank, double rod, double crank_rate_now, double rod_rate_now) {
  return -l1 * std::sin(crank) * crank_rate_now * crank_rate_now - l2 * std::sin(rod) * rod_rate_now * rod_rate_now;
}

}  // namespace carom::inline study::slider_crank_print
