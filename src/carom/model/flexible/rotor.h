// A rotor test rig: an elastic axle (axle.h) along x, z upwards, a fly-wheel fixed to it, a journal at its left end
// that runs with clearance and friction in a bearing on a spring-damper mount, and a drive at its right end on another.
//
//     q = (coordinates of the axle's nodes, y_B, z_B)
//
//     fly-wheel, condensed with the shape functions N at x_F:
//       M += m_F (N_v N_v' + N_w N_w') + J_t (N_thz N_thz' + N_thy N_thy') + J_F N_phi N_phi'
//       h -= Omega J_F (N_thy N_thz' - N_thz N_thy') v,     Omega = N_phi' v        (gyroscopic: without power)
//
//     journal in its bearing, at x_J:   e = (N_v' q - y_B, N_w' q - z_B),   n = e/|e|,   t = (-n_z, n_y)
//       g     = (r_B - r_J) - |e|             gamma_N = -n . e'        zeta_N = -(t . e')^2 / |e|
//       slip  = t . e' + r_J phi_0'                                    zeta_T = -(n . e')(t . e') / |e|
//     n = (0, -1) where the axle is centred.
//
// A torque acts about the axis for some time, another about z all the time.
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), section 6.2. The number of elements, the transverse inertia of
// the fly-wheel, restitution and end time are not printed there; see scenarios/rotor.toml.
#pragma once

#include <array>

#include "carom/laws/contact_law.h"
#include "carom/model/flexible/axle.h"
#include "carom/model/flexible/linear_dynamics.h"
#include "carom/system/system.h"

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

class Rotor final : public System, public Energetics {
 public:
  Rotor(const RotorData& data, const ContactParameters& contact);

  const LinearDynamics& dynamics() const { return dynamics_; }
  // The journal's centre seen from the bearing's, (y, z).
  std::array<double, 2> eccentricity(const Vector& q) const;

  Index nq() const override { return dynamics_.size(); }
  Index nv() const override { return dynamics_.size(); }
  Constancy constancy() const override { return {.inertia = true, .contacts = true}; }
  FeatureSet features() const override { return features_; }
  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override;
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override;

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double t, const Vector& q, const Vector& v) const override;
  double potential_energy(double t, const Vector& q) const override;
  double other_power(double t, const Vector& q, const Vector& v) const override;
  void potential_gradient(double, const Vector& q, Vector& out) const override { dynamics_.potential_gradient(q, out); }

  std::string constraint_name(const Constraint& constraint) const override;
  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;
  std::string velocity_name(Index i) const override;

 private:
  struct Journal;  // where it is and how it moves

  LinearDynamics make_dynamics() const;
  Journal journal(const Vector& q, const Vector& v) const;
  double drive(double t) const { return t < data_.drive_time ? data_.drive_torque : 0.0; }
  void add_gyroscopic_force(const Vector& v, Vector& h) const;
  void evaluate_force_jacobian(const Vector& v, Evaluation& out) const;
  void evaluate_rows(const Journal& journal, ConstraintJacobian& W) const;

  RotorData data_;
  Axle axle_;
  Axle::Row wheel_theta_z_, wheel_theta_y_, wheel_phi_, journal_y_, journal_z_;
  LinearDynamics dynamics_;
  Eigen::SparseMatrix<double> dh_dv_at_rest_;  // -C, with room for the gyroscopic terms
  FeatureSet features_;
  std::shared_ptr<const Law> law_;
  Constraint contact_;
};

}  // namespace carom
