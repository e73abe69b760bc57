// A straight rod of n linear elements along its axis, node i at x_i = i l, l = L/n:
//
//     M_e = rho S l / 6 [2 1; 1 2]      K_e = E S / l [1 -1; -1 1]      C = alpha M + beta K
//
// and the closed form of its impact on a rigid wall. A stress-free rod arrives at the wall x = 0 with the
// speed v_0; a front runs through it with the wave speed c = sqrt(E/rho), leaves it at rest and compressed,
// returns from the free end, and the rod leaves with the speed v_0, without stress:
//
//     force S sqrt(E rho) v_0      for the time 2 L / c
#pragma once

#include "carom/base/types.h"
#include "carom/model/flexible/structure_matrices.h"

namespace carom {

struct RodData {
  Index elements = 100;
  double length = 1.0;             // L, m
  double section = 1e-4;           // S, m^2
  double density = 7800.0;         // rho, kg/m^3
  double youngs_modulus = 2.1e11;  // E, N/m^2
  double mass_damping = 0.0;       // alpha, 1/s
  double stiffness_damping = 0.0;  // beta, s
};

// The steel bar of 1 m and 1 cm radius of Acary 2012 and Schindler et al. 2015.
RodData steel_rod(Index elements = 100, double stiffness_damping = 0.0);

StructureMatrices rod_matrices(const RodData& rod);  // free ends, n + 1 nodes

double wave_speed(const RodData& rod);

// The continuous rod without damping, t from the moment of touch, x from the touching end.
struct RodImpact {
  RodImpact(const RodData& rod, double speed);

  double contact_time, contact_force;
  double displacement(double x, double t) const;  // away from the wall
  double velocity(double x, double t) const;

 private:
  double c_, length_, speed_;
};

}  // namespace carom
