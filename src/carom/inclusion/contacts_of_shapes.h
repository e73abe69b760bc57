// What contacts between bodies of any shape have in common, with friction (shaped_contacts.h) and without
// (normal_contacts.h): their bodies, and what impulses do to these.
#pragma once

#include "carom/base/make_room.h"
#include "carom/inclusion/four_contacts.h"
#include "carom/inclusion/inclusion_problem.h"
#include "carom/inclusion/shaped_bodies.h"

namespace carom::inline inclusion {

struct ShapedImpulse;  // shaped_body_lanes.h

// To be inherited by a Kind of contact.
struct ContactOfShapes {
  using Body = ShapedBody;
  using Impulse = ShapedImpulse;

  static void by_lane(Impulse& impulse);
  template <class Four>
  static void add_to_first(const Four& four, const Impulse& impulse, int lane, const Body& body, Lanes& velocity,
                           Lanes& spin);
  template <class Four>
  static void add_to_second(const Four& four, const Impulse& impulse, int lane, const Body& body, Lanes& velocity,
                            Lanes& spin);
};

template <class Kind>
class ContactsOfShapes : public FourContacts<Kind> {
 protected:
  // Order and bodies, with room for the contacts. False: a block has other rows, or bodies, or a law that is not taken.
  template <class Takes>
  bool begin(const InclusionProblem& problem, const Takes& takes) {
    const DelassusFactors* factors = problem.G->factors();
    if (factors == nullptr || factors->velocities % ShapedBody::velocities != 0) return false;
    const auto bodies = static_cast<std::size_t>(factors->velocities / ShapedBody::velocities);
    std::vector<ContactOrder::Pair>& pairs = order_.begin(static_cast<std::size_t>(problem.block_count()));
    for (std::size_t b = 0; b < pairs.size(); ++b) {
      const auto block = static_cast<Index>(b);
      if (problem.G->block(block).rows != static_cast<Index>(Kind::rows) || !(problem.G->rho(block) > 0.0) ||
          !takes(*problem.laws[b]) || !find_shaped_bodies(*factors, block, static_cast<std::int32_t>(bodies), pairs[b]))
        return false;
    }
    order_.find(bodies);
    make_room(bodies_, bodies + 1);
    bodies_.assign(bodies + 1, ShapedBody{});
    for (std::size_t k = 0; k < bodies; ++k)
      bodies_[k] = shaped_body(*factors, order_.places_bodies() ? order_.body_at(k) : k);
    this->make_fours();
    return true;
  }

  using FourContacts<Kind>::order_;
  using FourContacts<Kind>::bodies_;
};

}  // namespace carom::inline inclusion
