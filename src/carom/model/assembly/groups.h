// What is attached to the frames of a model. A group holds all constraints of one kind, or all forces of one kind; the
// model calls it once an evaluation, and it loops over its members.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "carom/model/assembly/frames.h"
#include "carom/model/drawing.h"

namespace carom::model {

// One evaluation point.
struct At {
  double t;
  const double* q;
  const Placement& place;
  const Frames& frames;
  const double* v = nullptr;  // where velocities count
};

class ConstraintGroup {
 public:
  virtual ~ConstraintGroup() = default;

  // Appends what may act in a step from here of length dt, ascending by id. `number` is that of the group: the leading
  // part of its ids, and the element of its constraints.
  virtual void detect(const At& at, double dt, Index number, ContactSet& contacts) const = 0;
  // The members [begin, end) of the active set, whose rows start at `row`. Fills g, g_rate, chi, zeta at these rows and
  // appends blocks to W.
  virtual void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                        Evaluation& out) const = 0;
  virtual std::string name(const Constraint& constraint) const = 0;

  // Adds the features its members bring to the model; clears what of its constancy they spoil.
  virtual void describe(FeatureSet& features, Constancy& constancy) const = 0;

  // Of joints that can break (system/discrete_state.h).
  virtual void carried(const Constraint&, const double* /*impulse*/, double /*dt*/, double* /*q*/) const {}

  // Where a member acts and what its impulse is in the world (drawing.h). `contacts` lists it, unless its record is -1.
  virtual void act(const At&, const ContactSet& /*contacts*/, const Acting&, Action&) const {}

  // Of groups whose members come and go: what could touch, near or far (system/far_contacts.h).
  using VisitFar = std::function<bool(const Constraint&, double gap)>;
  virtual bool comes_and_goes() const { return false; }
  virtual Index partner(std::string_view) const { return -1; }
  virtual bool can_touch(const Frames&, Index) const { return false; }
  virtual void visit_far(const At&, Index /*number*/, Index /*partner*/, const VisitFar&) const {}
  virtual double far_gap(const At&, const Constraint&) const { return 0.0; }
};

class ForceGroup {
 public:
  virtual ~ForceGroup() = default;

  // The places of the derivatives. They must not depend on `at`.
  virtual void declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const = 0;
  virtual void add_force(const At& at, double* h) const = 0;
  virtual void force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const = 0;

  virtual double potential_energy(const At& at) const = 0;
  // Of what has no potential: dampers, drives.
  virtual double other_power(const At& at) const = 0;
  virtual bool conservative() const = 0;
  virtual bool autonomous() const = 0;
};

inline std::uint64_t pair_word(Index group, std::uint64_t rest) {
  return (static_cast<std::uint64_t>(group) << 56) | rest;
}

}  // namespace carom::model
