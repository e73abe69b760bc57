#include "bar.h"

#include <algorithm>

namespace carom::hand_written {

void Tridiagonal::factor(int n, double diagonal, double end, double beside) {
  lower.assign(n, 0.0);
  inverse_pivot.resize(n);
  double pivot = end;
  inverse_pivot[0] = 1.0 / pivot;
  for (int i = 1; i < n; ++i) {
    lower[i] = beside * inverse_pivot[i - 1];
    pivot = (i + 1 < n ? diagonal : end) - lower[i] * beside;
    inverse_pivot[i] = 1.0 / pivot;
  }
}

void Tridiagonal::solve(double* x) const {
  const int n = static_cast<int>(lower.size());
  for (int i = 1; i < n; ++i) x[i] -= lower[i] * x[i - 1];
  x[n - 1] *= inverse_pivot[n - 1];
  for (int i = n - 2; i >= 0; --i) x[i] = x[i] * inverse_pivot[i] - lower[i + 1] * x[i + 1];
}

Bar::Bar(const BarData& data)
    : n(data.elements + 1),
      gap(data.gap),
      speed(data.speed),
      stiffness(data.youngs_modulus * data.section / (data.length / data.elements)),
      mass(data.density * data.section * (data.length / data.elements) / 6.0) {
  restart();
}

void Bar::restart() {
  t = 0.0;
  q.assign(n, 0.0);
  v.assign(n, -speed);
}

void Bar::force(const double* x, double* y) const {
  y[0] = stiffness * (x[1] - x[0]);
  for (int i = 1; i < n - 1; ++i) y[i] = stiffness * (x[i - 1] - 2.0 * x[i] + x[i + 1]);
  y[n - 1] = stiffness * (x[n - 2] - x[n - 1]);
}

BarTrapezoid::BarTrapezoid(const BarData& data) : Bar(data), column_(n, 0.0), a0_(n), a1_(n), vs_(n) {
  M_.factor(n, 4.0 * mass, 2.0 * mass, mass);
  column_[0] = 1.0;
  M_.solve(column_.data());
}

void BarTrapezoid::step(double dt) {
  const bool closed_0 = gap + q[0] <= 0.0;
  force(q.data(), a0_.data());
  M_.solve(a0_.data());
  // Stage 1: the end of the step by Euler, held at the wall if it is there.
  double lambda = closed_0 ? std::max(0.0, -(v[0] + dt * a0_[0]) / column_[0]) : 0.0;
  impulse = 0.5 * lambda;
  for (int i = 0; i < n; ++i) {
    vs_[i] = v[i] + dt * a0_[i] + lambda * column_[i];
    q[i] += 0.5 * dt * (v[i] + vs_[i]);
  }
  const bool closed_1 = gap + q[0] <= 0.0, impact = closed_1 && !closed_0;
  force(q.data(), a1_.data());
  M_.solve(a1_.data());
  if (impact) impulse = 0.0;
  const double free = impact ? v[0] + 0.5 * dt * (a0_[0] + a1_[0]) : 0.5 * (v[0] + vs_[0]) + 0.5 * dt * a1_[0];
  lambda = closed_1 ? std::max(0.0, -free / column_[0]) : 0.0;
  impulse += lambda;
  if (impact)
    for (int i = 0; i < n; ++i) v[i] += 0.5 * dt * (a0_[i] + a1_[i]) + lambda * column_[i];
  else
    for (int i = 0; i < n; ++i) v[i] = 0.5 * (v[i] + vs_[i]) + 0.5 * dt * a1_[i] + lambda * column_[i];
  deepest_gap = std::min(deepest_gap, gap + q[0]);
  t += dt;
}

BarMoreauJean::BarMoreauJean(const BarData& data, double dt) : Bar(data), dt_(dt), column_(n, 0.0), mid_(n), dv_(n) {
  const double b = 0.25 * dt * dt * stiffness;
  A_.factor(n, 4.0 * mass + 2.0 * b, 2.0 * mass + b, mass - b);
  column_[0] = 1.0;
  A_.solve(column_.data());
}

void BarMoreauJean::step() {
  const double dt = dt_;
  const bool active = gap + q[0] + 0.5 * dt * v[0] <= 1e-12;
  for (int i = 0; i < n; ++i) mid_[i] = dt * (q[i] + 0.5 * dt * v[i]);
  force(mid_.data(), dv_.data());
  A_.solve(dv_.data());
  impulse = active ? std::max(0.0, -(v[0] + dv_[0]) / column_[0]) : 0.0;
  for (int i = 0; i < n; ++i) {
    const double change = dv_[i] + impulse * column_[i];
    q[i] += dt * (v[i] + 0.5 * change);
    v[i] += change;
  }
  deepest_gap = std::min(deepest_gap, gap + q[0]);
  t += dt;
}

BarKernels::BarKernels(const BarData& data, double dt) : Bar(data), x_(n), y_(n) {
  const double b = 0.25 * dt * dt * stiffness;
  A_.factor(n, 4.0 * mass + 2.0 * b, 2.0 * mass + b, mass - b);
}

void BarKernels::step() {
  force(q.data(), x_.data());
  A_.solve(x_.data());
  force(x_.data(), y_.data());
  q[0] = 1e-9 * y_[0];  // so that nothing can be left out
  t += 1.0;
}

}  // namespace carom::hand_written
