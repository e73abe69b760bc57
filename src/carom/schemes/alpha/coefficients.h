// The generalized-alpha recursions. The acceleration a(t) of the smooth motion is not integrated itself but a
// filtered copy a_bar of it,
//
//   (1 - alpha_m) a_bar_1 + alpha_m a_bar_0 = (1 - alpha_f) a_1 + alpha_f a_0
//   position part   dt^2 (1/2 - beta) a_bar_0 + dt^2 beta a_bar_1
//   velocity part   dt (1 - gamma) a_bar_0 + dt gamma a_bar_1
//
// with the coefficients of Chung and Hulbert (1993) for the spectral radius rho at infinite frequency:
//
//   alpha_m = (2 rho - 1)/(rho + 1),  alpha_f = rho/(rho + 1),  gamma = 1/2 + alpha_f - alpha_m,
//   beta = (gamma + 1/2)^2 / 4
//
// The smooth multipliers lambda have a filtered copy eta by the same rule. (Bruels, Acary, Cardona 2018 print
// 1 - beta for 1/2 - beta in some places; a constant acceleration must give dt^2/2.)
#pragma once

#include "carom/base/types.h"

namespace carom::inline schemes::alpha {

struct Coefficients {
  double dt, alpha_m, alpha_f, gamma, beta;
  double c_a, c_q, c_v;  // derivatives of a_bar_1, position and velocity by a_1
  double c_0, c_bar;     // and of a_bar_1 by a_0 and a_bar_0

  Coefficients(double spectral_radius, double step) {
    const double rho = spectral_radius;
    dt = step;
    alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    alpha_f = rho / (rho + 1.0);
    gamma = 0.5 + alpha_f - alpha_m;
    beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    c_a = (1.0 - alpha_f) / (1.0 - alpha_m);
    c_0 = alpha_f / (1.0 - alpha_m);
    c_bar = -alpha_m / (1.0 - alpha_m);
    c_q = dt * dt * beta * c_a;
    c_v = dt * gamma * c_a;
  }

  // The filter: x_bar_1 of values x_0, x_1.
  double filtered(double x_bar_0, double x_0, double x_1) const { return c_a * x_1 + c_0 * x_0 + c_bar * x_bar_0; }
  double once(double x_bar_0, double x_bar_1) const {  // integrated over the step
    return dt * ((1.0 - gamma) * x_bar_0 + gamma * x_bar_1);
  }
  double twice(double x_bar_0, double x_bar_1) const { return dt * dt * ((0.5 - beta) * x_bar_0 + beta * x_bar_1); }
};

}  // namespace carom::inline schemes::alpha
