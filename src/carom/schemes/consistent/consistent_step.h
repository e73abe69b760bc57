// One step of the energy-consistent family in coordinates, q' = Q(q)^-1 v: all its members are this step
// with something switched off.
//
//   impact (q_0 held):   M (v_C - v_0) = W(q_0) Lambda,    -( W'v_C + e W'v_0 ) in N_C(Lambda)
//
//   motion, unknown d = q_1 - q_0, v_1, impulses S and kappa of the joints, P of the closed contacts:
//     Q' M (v_1 - v_C) + H d + dt DV - dt f - Dg_S' S - Dgamma_S' kappa - B P = 0
//     M Q d = dt/2 M (v_C + v_1) - W_S(q_0) kappa
//     g_S(q_1) = 0,     gamma_S(v_1, q_1) = W_S(q_1)' v_1 = 0
//     -( g_N(q_1) - g_N(q_0) ) in N_C(P_N),   -( B_T' d ) in N_C(P_T)     on contacts closed at q_0
//
// DV, Dg, Dgamma are discrete gradients between q_0 and q_1 (discrete_gradient.h), Dgamma at fixed v_1;
// f are forces without potential at the midpoint and the mean velocity d/dt; B holds the discrete gradients of
// the gaps (direction: start takes their gradients at q_0, and g_N(q_1) - g_N(q_0) then reads B_N'd) and
// the tangential directions at q_0. Q and H = H(v, q) are taken at the midpoint, or at q_0 and v_C.
//
// Multiplied with d' and (v_1 - v_C)' the two rows add up to the energy balance
//
//     E_1 - E_C = dt f'd/dt + P'B'd <= 0        (= 0 without friction and damping)
//
// whatever dt is: H is skew, d'DV = V_1 - V_0, d'Dg = 0, and kappa's two appearances cancel because
// gamma(v_1,q_1) - gamma(v_1,q_0) + gamma(v_1,q_0) - gamma(v_C,q_0) = 0. A closed gap never shrinks.
//
// Coordinate-dependent inertia M(q), v = q', has M(q_0) for M, Q = I, and for H d the terms
//     G(v_C, q_0) d + dt DT(v_1; q_0, q_1),      G = d(Mv)/dq - (d(Mv)/dq)'.
//
// Solved by linearising the smooth rows around the iterate: d is then affine in P, what is left is an
// inclusion for the solver, and the passes repeat until d stands still (nonlinear: nested). The reference takes one
// projection of P after each Newton step of the smooth rows instead (nonlinear: simultaneous): it converges linearly
// where it converges, and the nested passes take over where it does not. Where inertia, gradients and forces are linear
// in the state one pass is the solution: one inclusion a step, its matrix factored once for all steps of a length.
// Above 48 velocities J keeps the structure of M and the forces (bars, beams), and joints are eliminated; decomposed
// and coordinate-dependent inertia are dense: for mechanisms, not for piles.
//
// Reference: M. Moeller, Consistent integrators for non-smooth dynamical systems, ETH Zurich (2011).
#pragma once

#include "carom/schemes/scheme.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

struct ConsistentOptions {
  bool velocity_level = true;                         // kappa and gamma_S = 0
  bool impact_step = true;                            // without it contacts are elastic
  bool variable_inertia = false;                      // M(q), v = q'
  bool inertia_at_midpoint = true;                    // Q and H
  bool discrete_directions = true;                    // of contact normals
  bool simultaneous = false;                          // one projection a pass in place of a solved inclusion
  double activation_tolerance = rounding_activation;  // up to which gaps are closed, in lengths of the contact
};

// Parameters the family shares.
ParameterSpec contact_direction_spec();  // "direction": discrete_gradient, start
ParameterSpec inertia_at_spec();         // "inertia_at": midpoint, start
ParameterSpec nonlinear_spec();          // "nonlinear": nested, simultaneous

// Second order; first with Q and H of the step's start.
Orders consistent_orders(const Parameters& p);

std::unique_ptr<Scheme> make_consistent_scheme(const ConsistentOptions& options);

}  // namespace carom::inline schemes
