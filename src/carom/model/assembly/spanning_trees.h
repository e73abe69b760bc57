// Chooses the joints that carry coordinates: a forest over bodies and ground, by the joints in the order given. A joint
// that would close a loop stays out.
#pragma once

#include <vector>

#include "carom/base/types.h"

namespace carom::model {

struct TreeEdge {
  Index a = -1, b = -1;  // bodies; -1: the ground
  bool usable = false;
};

struct TreeMember {
  Index body = -1, parent = -1;  // parent -1: the ground
  Index joint = -1;              // that leads to it; -1: it hangs on nothing
  bool backwards = false;        // the joint runs from the body to its parent
};

// Every tree is a list of its bodies, parents first. What hangs on the ground side by side is in different trees;
// bodies without a usable joint are in none.
std::vector<std::vector<TreeMember>> spanning_trees(Index bodies, const std::vector<TreeEdge>& joints);

}  // namespace carom::model
