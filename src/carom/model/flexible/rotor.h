// A rotor test rig: an elastic axle (axle.h) along x, z upwards, a fly-wheel fixed to it, a journal at its left end
// that runs with clearance and friction in a bearing on a spring-damper mount, and a drive at its right end on another.
// A model of parts: the axle and the bearing on its mount are linear bodies, the wheel's spinning is a gyroscopic disc
// (forces/gyroscopic_discs.h), the journal a disc in a bore, the drive a torque. In the world the axle lies along z,
// and the contact in the x-y plane: (x, y, z)_world = (y, z, x).
//
//     q = (coordinates of the axle's nodes, y_B, z_B)
//
//     fly-wheel, condensed with the shape functions N at x_F:
//       M += m_F (N_v N_v' + N_w N_w') + J_t (N_thz N_thz' + N_thy N_thy') + J_F N_phi N_phi'
//       h -= Omega J_F (N_thy N_thz' - N_thz N_thy') v,     Omega = N_phi' v        (gyroscopic: without power)
//
//     journal in its bearing, at x_J:   e = (N_v' q - y_B, N_w' q - z_B),   n = e/|e|,   t = (-n_z, n_y)
//       g     = (r_B - r_J) - |e|             gamma_N = -n . e'        zeta_N = -(t . e')^2 / |e|
//       slip  = t . e' + r_J phi_0'                                    zeta_T = -(n . e')(t . e') / |e|      (up to
//       sign)
//     n = (0, -1) where the axle is centred. The slip is that of the undeformed axle, as it is printed.
//
// A torque acts about the axis for some time, another about z all the time.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), section 6.2. The number of elements, the transverse inertia of
// the fly-wheel, restitution and end time are not printed there; see scenarios/rotor.toml.
#pragma once

#include <array>

#include "carom/laws/contact_law.h"
#include "carom/model/flexible/axle.h"
#include "carom/model/model.h"

namespace carom {

struct RotorData {
  AxleData axle;
  double wheel_mass = 4.98, wheel_polar_inertia = 0.01, wheel_transverse_inertia = 3e-3, wheel_position = 0.18;
  double journal_radius = 1e-2, journal_position = 9.5e-3, journal_mass = 1e-3, journal_inertia = 1e-6;
  double bearing_radius = 1.01e-2, bearing_mass = 2.3, bearing_stiffness = 1e6, bearing_damping = 10.0;
  double drive_stiffness = 6e6, drive_damping = 10.0;
  double drive_torque = 100.0, drive_time = 0.05, vertical_torque = 10.0;
  double gravity = 9.81;
};

Model make_rotor(const RotorData& data, const ContactParameters& contact);

// The journal's centre seen from the bearing's, (y, z); at velocities its rate.
std::array<double, 2> eccentricity(const RotorData& data, const Vector& q);

}  // namespace carom
