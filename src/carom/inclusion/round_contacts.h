// Contacts of spheres for sweeps: all levers point along the normal n, all inertias are multiples of the identity.
// Impulses are kept as vectors of the world, x = F' lambda, so that a contact needs neither its tangents nor its
// lever matrices:
//
//   xi = v_1 - v_2 + (s_1 omega_1 + s_2 omega_2) x n + c          s_i: levers along n
//   v_1 += dx / m_1,   v_2 -= dx / m_2,   omega_i += s_i / I_i  n x dx
//
// The exact solution of the one contact, T: y = x - xi_N n / a - xi_T / e with G_bb = diag(a, e, e); then 0 where
// y_N <= 0, or y_T shortened to mu y_N. A contact is 96 bytes with 64 of its impulses, a body 128.
#pragma once

#include "carom/inclusion/four_contacts.h"
#include "carom/inclusion/inclusion_problem.h"

namespace carom::inline inclusion {

struct RoundContact {
  static constexpr std::size_t rows = 3;
  // Lanes that are left over hold contacts of the ground with itself.
  struct Four {
    std::int32_t first[4], second[4];
    Lanes n[3], c[3];
    Lanes inverse_e, difference, mu;  // 1/e, 1/e - 1/a
    Lanes s[2];
  };
  static_assert(sizeof(Four) == 4 * 96);
  struct Body {
    Lanes velocity;  // three, and the inverse of the mass
    Lanes spin;      // three, and the inverse of the inertia
    Lanes later[2];
  };
  static_assert(sizeof(Body) == 128);
  struct Approach {
    Lanes y[3];
  };
  struct Impulse {
    Lanes force[4], moment[4];  // moment: n x force, still without its lever; the last of each: nothing
  };

  static void approach(const Four& four, const Lanes* point, const Body* bodies, Approach& out);
  static void solve(const Four& four, const Lanes* point, const Approach& approach, Lanes* y);
  static void act(const Four& four, const Lanes* x, Impulse& impulse);
  static void by_lane(Impulse& impulse);
  static void add_to_first(const Four& four, const Impulse& impulse, int lane, const Body& body, Lanes& velocity,
                           Lanes& spin);
  static void add_to_second(const Four& four, const Impulse& impulse, int lane, const Body& body, Lanes& velocity,
                            Lanes& spin);
  static void magnitudes(const Four& four, const Lanes* x, Lanes& linear, Lanes& first, Lanes& second);
  static void error(const Four& four, const Lanes* x, const Body* bodies, const ImpulseMagnitude* magnitudes,
                    Lanes* defect, Lanes& unit);
};

extern template class FourContacts<RoundContact>;  // round_contacts_sweep.cc

class RoundContacts : public FourContacts<RoundContact> {
 public:
  // False: a block of the problem is no such contact, up to the share `exactness` of its levers. The problem must
  // outlive this.
  bool build(const InclusionProblem& problem, double exactness);

 private:
  struct Contact {
    std::int32_t first, second;  // places of bodies; second: the ground where there is none
    double n[3], c[3];
    double inverse_a, inverse_e, mu;
    double s[2];
  };

  void from_lambda(std::size_t b, const double* lambda, double* x) const override;
  void to_lambda(std::size_t b, const double* x, double* lambda) const override;
  bool find_bodies(const InclusionProblem& problem);
  void place_bodies();
  bool read(const InclusionProblem& problem, std::size_t b, double exactness, Contact& contact);
  void put(std::size_t place, const Contact& contact);

  const ConstraintJacobian* W_ = nullptr;
  struct Inverses {
    double mass, inertia;
  };
  std::vector<Inverses> inverses_;  // of bodies before they got their places
};

}  // namespace carom::inline inclusion
