// Crank and rod of the slider-crank, with the slider's mass at the end of the rod: what its descriptions
// by angles share. Formulas: see slider_crank.cc.
#pragma once

#include <cmath>

#include "carom/base/types.h"
#include "carom/model/analytic/slider_crank_data.h"

namespace carom::analytic {

struct SliderCrankArms {
  SliderCrankData data;
  double M11, M22, coupling, weight1, weight2;

  explicit SliderCrankArms(const SliderCrankData& d)
      : data(d),
        M11(d.J1 + d.l1 * d.l1 * (d.m1 / 4 + d.m2 + d.m3)),
        M22(d.J2 + d.l2 * d.l2 * (d.m2 / 4 + d.m3)),
        coupling((d.m2 / 2 + d.m3) * d.l1 * d.l2),
        weight1(d.gravity * d.l1 * (d.m1 / 2 + d.m2 + d.m3)),
        weight2(d.gravity * d.l2 * (d.m2 / 2 + d.m3)) {}

  double length_scale() const { return data.l1; }

  struct Arms {
    double s1, c1, s2, c2;
  };
  static Arms arms(const double* q) { return {std::sin(q[0]), std::cos(q[0]), std::sin(q[1]), std::cos(q[1])}; }

  double coupling_cosine(const Arms& k) const { return coupling * (k.c1 * k.c2 + k.s1 * k.s2); }
  double coupling_sine(const Arms& k) const { return coupling * (k.s1 * k.c2 - k.c1 * k.s2); }

  // h1, h2.
  void arm_force(const Arms& k, const double* v, double* h) const {
    const double sine = coupling_sine(k);
    h[0] = -sine * v[1] * v[1] - weight1 * k.c1;
    h[1] = sine * v[0] * v[0] - weight2 * k.c2;
  }

  // The upper left 2 x 2 of matrices with n rows.
  void arm_force_jacobian(const Arms& k, const double* v, Index n, double* dh_dq, double* dh_dv) const {
    const double cosine = coupling_cosine(k), sine = coupling_sine(k);
    const double k1 = cosine * v[0] * v[0], k2 = cosine * v[1] * v[1];
    dh_dq[0] = -k2 + weight1 * k.s1;
    dh_dq[1] = k1;
    dh_dq[n] = k2;
    dh_dq[n + 1] = -k1 + weight2 * k.s2;
    dh_dv[0] = 0.0;
    dh_dv[1] = 2.0 * sine * v[0];
    dh_dv[n] = -2.0 * sine * v[1];
    dh_dv[n + 1] = 0.0;
  }

  // d(M x)/dq likewise: only the coupling depends on the angles.
  void arm_inertia_jacobian(const Arms& k, const double* x, Index n, double* D) const {
    const double sine = coupling_sine(k);
    D[0] = -sine * x[1];
    D[1] = -sine * x[0];
    D[n] = sine * x[1];
    D[n + 1] = sine * x[0];
  }

  // From the velocities of the three centres, independent of M.
  double arm_kinetic_energy(const double* q, const double* v) const {
    const double l1 = data.l1, l2 = data.l2;
    const double px = -l1 * std::sin(q[0]) * v[0], py = l1 * std::cos(q[0]) * v[0];  // crank pin
    const double rx = -l2 * std::sin(q[1]) * v[1], ry = l2 * std::cos(q[1]) * v[1];  // along the rod
    const auto square = [](double x, double y) { return x * x + y * y; };
    return 0.5 * (data.m1 * square(0.5 * px, 0.5 * py) + data.m2 * square(px + 0.5 * rx, py + 0.5 * ry) +
                  data.m3 * square(px + rx, py + ry) + data.J1 * v[0] * v[0] + data.J2 * v[1] * v[1]);
  }
  double arm_potential_energy(const double* q) const {
    const double pin = data.l1 * std::sin(q[0]), end = pin + data.l2 * std::sin(q[1]);
    return data.gravity * (data.m1 * 0.5 * pin + data.m2 * 0.5 * (pin + end) + data.m3 * end);
  }
};

}  // namespace carom::analytic
