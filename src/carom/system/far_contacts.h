// What could touch in a system whose contacts come and go, near or far. Detection lists what may matter in a step;
// formulas and warnings ask about all.
#pragma once

#include <functional>
#include <string_view>

#include "carom/system/constraint.h"

namespace carom::inline system {

class FarContacts {
 public:
  virtual ~FarContacts() = default;

  // A partner is a surface: of a body, or fixed. -1 if none has this name.
  virtual Index partner(std::string_view name) const = 0;
  // Whether shapes, laws and joints allow it to touch anything.
  virtual bool can_touch(Index partner) const = 0;
  // Every contact that they allow, of one partner or (-1) of all, with its gap at q, until `visit` says false.
  virtual void visit(double t, const Vector& q, Index partner,
                     const std::function<bool(const Constraint&, double gap)>& visit) const = 0;
  // Of a contact that was listed before, near or far; where its features do not face each other any more, of the
  // nearest ones of its pair.
  virtual double gap(double t, const Vector& q, const Constraint& contact) const = 0;
};

}  // namespace carom::inline system
