// Contacts between bodies of any shape for sweeps: a frame and two levers, masses and inverse inertias with the bodies.
//
//   xi = F (v_1 - v_2) + L_1 omega_1 + L_2 omega_2 + c            F: rows N, T1, T2; L: their moments about the bodies
//   v_1 += F' dx / m_1,   v_2 -= F' dx / m_2,   omega_i += I_i^-1 L_i' dx
//
// The tangents are those of principal_tangents.h, with beta = b / a and t_i = 1 / s_i. The exact solution of the one
// contact begins with y = x - G_bb^-1 xi, which removes xi:
//
//   stick    y                                       if it lies in the cone
//   open     0                                       if p = y_N + beta'y_T <= 0
//   slide    x_T(kappa)_i = y_i / (1 + kappa t_i),   u = x_T / |x_T|,   with the root of
//            psi(kappa) = mu p / |x_T| - mu beta'u - 1,   x_N = p / (1 + mu beta'u),   x_T = mu x_N u
//
// (laws/spatial_coulomb_law.cc has the derivation.) Newton's method for psi begins at the kappa of x and xi themselves,
// -xi_T'x_T / |x_T|^2: a sweep asks for the same contact hundreds of times, each time a little changed. At a fixed
// point of the sweep that is the root, whatever is left out of G_bb. Where it does not find one the law's own solution
// is taken.
//
// A contact is 296 bytes with 80 of its impulses, a body 224.
#pragma once

#include "carom/inclusion/contacts_of_shapes.h"
#include "carom/inclusion/principal_tangents.h"

namespace carom::inline inclusion {

struct ShapedContact : ContactOfShapes {
  static constexpr std::size_t rows = 3;
  // Lanes that are left over hold contacts of the ground with itself.
  struct Four {
    std::int32_t first[4], second[4];
    Lanes F[3][3], L[2][3][3], c[3];  // rows N, T1, T2
    Lanes inverse_a, beta[2], t[2], mu;
  };
  static_assert(sizeof(Four) == 4 * 296);
  struct Approach {
    Lanes xi[3];
  };

  static void approach(const Four& four, const Lanes* point, const Body* bodies, Approach& out);
  static void solve(const Four& four, const Lanes* point, const Approach& approach, Lanes* y);
  static void act(const Four& four, const Lanes* x, Impulse& impulse);
  static void magnitudes(const Four& four, const Lanes* x, Lanes& linear, Lanes& first, Lanes& second);
  static void error(const Four& four, const Lanes* x, const Body* bodies, const ImpulseMagnitude* magnitudes,
                    Lanes* defect, Lanes& unit);
};

extern template class FourContacts<ShapedContact>;  // shaped_contacts_sweep.cc

class ShapedContacts : public ContactsOfShapes<ShapedContact> {
 public:
  // False: a block of the problem is no such contact. The problem must outlive this.
  bool build(const InclusionProblem& problem);

 private:
  void from_lambda(std::size_t b, const double* lambda, double* x) const override;
  void to_lambda(std::size_t b, const double* x, double* lambda) const override;
  bool read(const InclusionProblem& problem, std::size_t b);

  std::vector<TangentTurn> turns_;  // of blocks
};

}  // namespace carom::inline inclusion
