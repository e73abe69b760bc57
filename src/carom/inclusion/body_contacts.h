// Contacts between rigid bodies as the sweeps want them: a frame, two levers and the block's own matrix, 336 bytes a
// contact; masses and inverse inertias stand with the bodies.
//
//   xi_b = F (v_1 - v_2) + L_1 omega_1 + L_2 omega_2 + c_b      F: rows N, T1, T2; L: their moments about the bodies
//   v_1 += F' dlambda / m_1,   v_2 -= F' dlambda / m_2,   omega_i += I_i^-1 L_i' dlambda
//
// The exact solution of the one contact has three cases, tried from the cheapest:
//
//   stick   lambda - G_bb^-1 xi_b      if it lies in the cone
//   open    0                          if d_N >= 0,  d = xi_b - G_bb lambda_b
//   slip   (-d_N/a, -mu (-d_N/a) d_T/|d_T|) where G_bb = diag(a, e, e), a sphere's contact; else the law's own solution
//
// Velocities are the running vector of MatrixFreeDelassus, so that all other constraints go on with its products.
#pragma once

#include <vector>

#include "carom/inclusion/inclusion_problem.h"

namespace carom {

class BodyContacts {
 public:
  // Finds the contacts it can take: Coulomb's law in space between bodies of six velocities, of which the first three
  // are a translation. The problem must outlive this, or the next build.
  void build(const InclusionProblem& problem);
  bool has(Index b) const { return place_[static_cast<std::size_t>(b)] >= 0; }
  Index count() const { return static_cast<Index>(contacts_.size()); }

  // One exact solution; keeps velocities and lambda_b up to date and returns |dlambda_b|^2.
  double update(Index b, double omega, double* velocity, double* lambda_b);

  // velocity = A^-1 W lambda of these contacts.
  void add_velocity(const double* lambda, double* velocity) const;

  std::size_t bytes() const {
    return contacts_.size() * sizeof(Contact) + bodies_.size() * sizeof(Body) + place_.size() * sizeof(Index);
  }

 private:
  struct Contact {
    Index first, second;  // bodies; -1: none
    double F[9];          // by rows
    double L[2][9];
    double inverse[6], G[6];  // of G_bb: NN, NT1, NT2, T1T1, T1T2, T2T2
    double mu;
    double normal_over;  // 1/a where slip is in closed form, else 0
  };
  struct Body {
    double inverse_mass;
    double inverse_inertia[6];
  };

  bool slip(const Contact& contact, Index b, const double* xi, const double* lambda, double* y) const;
  void add_impulse(const Contact& contact, const double* impulse, double* velocity) const;

  const InclusionProblem* problem_ = nullptr;
  std::vector<Index> place_;  // of a block among the contacts, -1: none
  std::vector<Contact> contacts_;
  std::vector<Index> rows_;
  std::vector<Body> bodies_;
};

}  // namespace carom
