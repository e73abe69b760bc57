// Reactions of joints where the model has the coordinates of its joints, and most joints are no rows. The same model in
// maximal coordinates, its twin, has a row for everything: its bodies are put where those of the model are. Over a step
// h each body lacks
//
//   r = M (v_end - v_start) - h (f_start + f_end)/2 - W Lambda        Lambda: contacts, drives, joints that close loops
//
// which the joints of the tree must bring. What goes through one of them is the sum of r over all bodies outboard of
// it, and this is W of the joint times its own Lambda. At rest that is exact; in motion its error is of order h.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "carom/model/model.h"
#include "carom/simulation/simulate.h"
#include "carom/system/layout.h"

namespace carom::inline io {

class TreeReactions {
 public:
  // Both models of one mechanism, where they start.
  TreeReactions(const System& system, const State& start, std::shared_ptr<const Model> twin);

  const System& twin() const { return *twin_->system; }
  const State& start() const { return start_; }
  const ContactSet& start_contacts() const { return start_contacts_; }

  // After a step; asking again after the same step costs nothing.
  void look(const State& before, const StepResult& step);
  const ContactSet& contacts() const { return contacts_; }
  const State& end() const { return end_; }
  // Mean forces in the rows of a constraint of the twin. Not a number if a contact of the step is none of the twin's.
  void row_forces(ConstraintId id, Vector& force) const;

 private:
  // A rigid body of the twin and the frame of the model that moves with it.
  struct Body {
    StateFrame twin, here;
    Vector turning = {};  // in the plane: by how much it turns with each velocity
  };
  struct Edge {  // a joint that the model has no rows for
    ConstraintId id;
    std::vector<std::size_t> bodies;  // one or two
  };

  void find_bodies(const State& start);
  void find_edges();
  void follow(const State& state, State& out) const;
  void take_known(const StepResult& step, Vector& known) const;
  Index find_twin(const Constraint& constraint) const;
  std::vector<char> outboard(const Edge& edge, std::size_t body) const;
  Vector wrench(const std::vector<char>& members, std::size_t body) const;

  const System& system_;
  std::shared_ptr<const Model> twin_;
  State origin_, start_;  // of the model, of the twin
  std::vector<Body> bodies_;
  std::vector<Edge> edges_;
  std::vector<std::pair<Index, Index>> same_q_, same_v_;  // here, twin: what has one name in both
  std::vector<Index> coordinate_of_;                      // the entry of q that a velocity moves
  ContactSet start_contacts_;
  std::unordered_map<std::string, ConstraintId> by_name_;  // joints of the twin

  // Of the last step.
  const StepResult* seen_ = nullptr;
  double seen_t_ = 0.0, dt_ = 0.0;
  State begin_, end_;
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation at_begin_, at_end_;
  Vector known_, residual_;
};

}  // namespace carom::inline io
