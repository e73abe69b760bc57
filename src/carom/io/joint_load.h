// What a joint or a prescribed motion does, as formulas name it: the means of a step, from its impulses Lambda over h.
//
//   bearing.force    of the joint on the later of its two bodies in the file, in the world: its size, or force_x, ...
//   bearing.torque   the same of torques about the point of the joint; in the plane about z, with its sign
//   bearing.power    Lambda / h times W'v: what a prescribed motion gives to the model
//
// In joint coordinates most joints are no rows: TreeReactions finds what they bring.
//
// Row r of W' has a part for the velocity of a body and a part for its spin. Rows that have the first act at the point
// of the joint; rows that have not are torques.
#pragma once

#include <optional>
#include <string>

#include "carom/io/tree_reactions.h"
#include "carom/simulation/simulate.h"
#include "carom/system/layout.h"

namespace carom::inline io {

class JointLoad {
 public:
  // The quantity a last word means; none if it means none.
  static std::optional<int> quantity(const std::string& word);

  // Of the bilateral constraint with this name; none if the system lists no such constraint, or none of its bodies is
  // rigid.
  static std::optional<JointLoad> find(const System& system, const State& start, const ContactSet& constraints,
                                       const std::string& name, int quantity);

  // After a step: `contacts` are those found at its end.
  double measure(const System& system, const ContactSet& contacts, const State& end, const StepResult& step);
  // The same of a constraint of the twin of a model in joint coordinates.
  double measure(const TreeReactions& reactions);

 private:
  bool evaluate(const System& system, const ContactSet& contacts, const State& state);
  double part(const State& end) const;

  int quantity_ = 0;
  ConstraintId id_;
  std::optional<StateFrame> body_ = {};
  // Scratch.
  ActiveSet one_ = {};
  Evaluation at_ = {};
  Vector force_ = {}, rate_ = {};  // by rows
};

}  // namespace carom::inline io
