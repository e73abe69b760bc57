// Contacts between rigid bodies as the sweeps want them: a frame, two levers and the inverse of the block's own matrix,
// 288 bytes a contact.
//
//   xi_b = F (v_1 - v_2) + L_1 omega_1 + L_2 omega_2 + c_b      F: rows N, T1, T2; L: their moments about the bodies
//   v_1 += F' dlambda / m_1,   v_2 -= F' dlambda / m_2,   omega_i += I_i^-1 L_i' dlambda
//
// The exact solution of the one contact begins with y = lambda - G_bb^-1 xi_b, which removes xi_b:
//
//   stick   y                                     if it lies in the cone
//   else    0 where y_N <= 0, or (y_N, mu y_N y_T/|y_T|) where G_bb = diag(a, e, e), a sphere's contact;
//           the law's own solution otherwise
//
// For problems with other constraints too: velocities are the running vector of MatrixFreeDelassus, so that these go on
// with its products. Problems of contacts alone are swept four contacts at a time (shaped_contacts.h).
#pragma once

#include <cstdint>
#include <vector>

#include "carom/inclusion/inclusion_problem.h"
#include "carom/inclusion/sliding_contact.h"

namespace carom::inline inclusion {

class BodyContacts {
 public:
  // Finds the contacts it can take: Coulomb's law in space between bodies of six velocities, of which the first three
  // are a translation. The problem must outlive this, or the next build.
  void build(const InclusionProblem& problem);
  bool has(Index b) const { return place_[static_cast<std::size_t>(b)] >= 0; }
  // Solves one contact, keeps its impulse and the velocities up to date; returns |dlambda_b|^2.
  double update(Index b, double omega, double* velocity, double* lambda_b) const;

 private:
  struct Contact {
    std::int32_t first, second;  // bodies; -1: none
    double F[9];                 // by rows
    double L[2][9];
    double inverse[6];  // of G_bb, by its upper triangle: NN, NT1, NT2, T1T1, T1T2, T2T2; where a body turns G_bb is
                        // not quite symmetric, and y only nearly removes xi: it stays where xi is none
    double mu;
    double sphere;  // 1: G_bb = diag(a, e, e), else 0
  };
  static_assert(sizeof(Contact) == 288);
  struct Body {
    double inverse_mass;
    double inverse_inertia[9];  // by columns; of a body that turns it is not symmetric
  };

  // y: the exact solution of one contact.
  void image(const Contact& contact, Index b, const double* c, const double* v_1, const double* v_2,
             const double* lambda, double* y) const;
  bool by_law(Index b, const double* xi, const double* lambda, double* y) const;
  void add_impulse(const Contact& contact, const double* impulse, double* v_1, double* v_2) const;

  const InclusionProblem* problem_ = nullptr;
  std::vector<Index> place_;  // of a block among the contacts, -1: none
  std::vector<Contact> contacts_;
  std::vector<SlidingContact> sliding_;  // of the same
  std::vector<Index> rows_;
  std::vector<Body> bodies_;
};

}  // namespace carom::inline inclusion
