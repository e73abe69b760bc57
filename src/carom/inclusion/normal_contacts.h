// Contacts without friction between bodies of any shape for sweeps: one row each, 0 <= xi _|_ lambda >= 0, or an
// equality xi = 0. Position corrections of piles are such problems.
//
//   xi = n (v_1 - v_2) + l_1 omega_1 + l_2 omega_2 + c
//   v_1 += n dx / m_1,   v_2 -= n dx / m_2,   omega_i += I_i^-1 l_i dx
//
// The exact solution of the one contact: x - xi / a with a = G_bb, and 0 where that is less, but for equalities.
// A contact is 152 bytes with 48 of its impulses.
#pragma once

#include "carom/inclusion/contacts_of_shapes.h"

namespace carom::inline inclusion {

struct NormalContact : ContactOfShapes {
  static constexpr std::size_t rows = 1;
  // Lanes that are left over hold contacts of the ground with itself.
  struct Four {
    std::int32_t first[4], second[4];
    Lanes n[3], l[2][3], c, inverse_a;
    Lanes least;  // of lambda: 0, or none for equalities
  };
  static_assert(sizeof(Four) == 4 * 104);
  struct Approach {
    Lanes xi;
  };

  static void approach(const Four& four, const Lanes* point, const Body* bodies, Approach& out);
  static void solve(const Four& four, const Lanes* point, const Approach& approach, Lanes* y);
  static void act(const Four& four, const Lanes* x, Impulse& impulse);
  static void magnitudes(const Four& four, const Lanes* x, Lanes& linear, Lanes& first, Lanes& second);
  static void error(const Four& four, const Lanes* x, const Body* bodies, const ImpulseMagnitude* magnitudes,
                    Lanes* defect, Lanes& unit);
};

extern template class FourContacts<NormalContact>;  // normal_contacts_sweep.cc

class NormalContacts : public ContactsOfShapes<NormalContact> {
 public:
  // False: a block of the problem is no such contact. The problem must outlive this.
  bool build(const InclusionProblem& problem);

 private:
  void from_lambda(std::size_t b, const double* lambda, double* x) const override;
  void to_lambda(std::size_t b, const double* x, double* lambda) const override;
  bool read(const InclusionProblem& problem, std::size_t b);
};

}  // namespace carom::inline inclusion
