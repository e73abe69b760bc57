// A contact between body a and body b (or the fixed world), however their shapes meet:
//
//   v_rel = (x_a' + omega_a x rho_a) - (x_b' + omega_b x rho_b)     gamma_d = d . v_rel,  d = n,
//   t1, t2
//
// rho are the levers from the centres of mass to the touching material points, n points from b to
// a. With omega = R Omega the rows of W' and the convective terms are
//
//   d gamma_d / d v_a = ( d , R_a' (rho_a x d) )          (for b with a minus)
//   zeta_d = d' . v_rel + d . (omega_a x rho_a' - omega_b x rho_b')
//
// where ' on vectors is the rate at constant velocities (omega' = R Omega' adds nothing more). The
// tangents are a function of n alone, so their rates follow from that of n.
#pragma once

#include "carom/base/constraint_jacobian.h"
#include "carom/model/bodies/rigid_body.h"

namespace carom {

struct ContactPoint {
  double gap = 0.0;
  Vector3 normal = Vector3::UnitZ();
  Vector3 lever_a = Vector3::Zero(), lever_b = Vector3::Zero();
  bool central = false;  // the normal passes through both centres: it turns neither body
  double spin_radius = 0.0;  // of laws with four rows: gamma_spin = spin_radius n . (omega_a - omega_b)
};

struct ContactRates {
  Vector3 normal = Vector3::Zero(), lever_a = Vector3::Zero(), lever_b = Vector3::Zero();
};

// Appends the block of `rows` (1: normal only, 3: with tangents, 4: with spin) to W. b may be ground.
void add_contact_block(const ContactPoint& contact, Index rows, Index a, const Matrix3& R_a,
                       Index b, const Matrix3& R_b, ConstraintJacobian& W);

// gamma of the normal. The spins of bodies met centrally do not matter.
double contact_gap_rate(const ContactPoint& contact, const Twist& twist_a, const Twist& twist_b);

// zeta of the same rows.
void contact_convective(const ContactPoint& contact, const ContactRates& rates, Index rows,
                        const Twist& twist_a, const Twist& twist_b, double* zeta);

}  // namespace carom
