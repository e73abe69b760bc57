// Contacts between rigid bodies as the sweeps want them: a frame, two levers and the inverse of the block's own matrix,
// 288 bytes a contact; velocities, masses and inverse inertias stand with the bodies, 128 bytes each.
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
// Where all blocks of the problem are such contacts the velocities are kept here, packed by body. Otherwise they are
// the running vector of MatrixFreeDelassus, so that all other constraints go on with its products.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/inclusion/inclusion_problem.h"
#include "carom/inclusion/near_errors.h"
#include "carom/inclusion/sliding_contact.h"
#include "carom/inclusion/sweep_way.h"

namespace carom::inline inclusion {

class BodyContacts {
 public:
  // Finds the contacts it can take: Coulomb's law in space between bodies of six velocities, of which the first three
  // are a translation. The problem must outlive this, or the next build.
  void build(const InclusionProblem& problem);
  bool has(Index b) const { return place_[static_cast<std::size_t>(b)] >= 0; }
  Index count() const { return static_cast<Index>(contacts_.size()); }
  bool all() const { return count() > 0 && contacts_.size() == place_.size(); }

  // Where all() holds: velocities of lambda, and one sweep from the first contact to the last or back that keeps them
  // and lambda up to date. Returns the largest |dlambda_b|^2 weight_b.
  void begin(const double* lambda);
  double sweep(bool forward, double omega, const double* weight, double* lambda);
  // The same from points x to their images T, one vector each, in the order of the blocks. With momentum (ages
  // beside, never limited) the next points lie beyond the images, as their velocities before the next sweep; otherwise
  // points become images.
  double sweep_points(SweepWay way, const double* weight, double* points, double* images, double* ages);
  // From now on these sweeps go over contacts of bodies near those with error[b] above `limit` (near_errors.h), or over
  // all where that is more than the share `most`. Returns the share.
  double focus(const double* error, double limit, int depth, double most);
  void sweep_all();
  // Contacts that are swept.
  const std::vector<Index>& swept() const { return swept_; }
  bool is_near(Index b) const;

  // One contact with the velocities elsewhere; returns |dlambda_b|^2.
  double update(Index b, double omega, double* velocity, double* lambda_b) const;

  // What a sweep reads and writes.
  std::size_t bytes() const {
    return contacts_.size() * (sizeof(Contact) + sizeof(SlidingContact)) + bodies_.size() * sizeof(Body);
  }

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
    double velocity[6];
    double inverse_mass;
    double inverse_inertia[9];  // by columns; of a body that turns it is not symmetric
  };
  static_assert(sizeof(Body) == 128);

  // y: the exact solution of one contact.
  void image(const Contact& contact, Index b, const double* c, const double* v_1, const double* v_2,
             const double* lambda, double* y) const;
  double update(const Contact& contact, Index b, const double* c, double omega, double* v_1, double* v_2,
                double* lambda) const;
  bool by_law(Index b, const double* xi, const double* lambda, double* y) const;
  void add_impulse(const Contact& contact, const double* impulse, double* v_1, double* v_2) const;

  const InclusionProblem* problem_ = nullptr;
  std::vector<Index> place_;  // of a block among the contacts, -1: none
  std::vector<Contact> contacts_;
  std::vector<SlidingContact> sliding_;  // of the same
  std::vector<Index> rows_;
  std::vector<Body> bodies_;
  std::vector<Index> swept_;
  NearErrors near_;
  std::vector<double> later_;  // what momentum adds to the velocities before the next sweep, six by body
};

}  // namespace carom::inline inclusion
