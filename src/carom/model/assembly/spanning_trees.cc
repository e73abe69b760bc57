#include "carom/model/assembly/spanning_trees.h"

#include <numeric>

namespace carom::model {

std::vector<std::vector<TreeMember>> spanning_trees(Index bodies, const std::vector<TreeEdge>& joints) {
  const auto node = [&](Index body) { return static_cast<std::size_t>(body < 0 ? bodies : body); };
  std::vector<std::size_t> above(static_cast<std::size_t>(bodies) + 1);
  std::iota(above.begin(), above.end(), 0u);
  const auto top = [&](std::size_t n) {
    while (above[n] != n) n = above[n] = above[above[n]];
    return n;
  };
  std::vector<std::vector<Index>> joints_of(above.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].usable) continue;
    const std::size_t a = node(joints[j].a), b = node(joints[j].b);
    if (top(a) == top(b)) continue;
    above[top(a)] = top(b);
    joints_of[a].push_back(static_cast<Index>(j));
    joints_of[b].push_back(static_cast<Index>(j));
  }

  std::vector<std::vector<TreeMember>> trees;
  const auto grow = [&](const TreeMember& root) {
    std::vector<TreeMember> tree = {root};
    for (std::size_t next = 0; next < tree.size(); ++next) {
      const TreeMember from = tree[next];
      for (const Index j : joints_of[node(from.body)]) {
        if (j == from.joint) continue;
        const TreeEdge& edge = joints[static_cast<std::size_t>(j)];
        const bool backwards = edge.b == from.body;
        tree.push_back({backwards ? edge.a : edge.b, from.body, j, backwards});
      }
    }
    trees.push_back(std::move(tree));
  };
  for (const Index j : joints_of[node(-1)]) {
    const TreeEdge& edge = joints[static_cast<std::size_t>(j)];
    const bool backwards = edge.b < 0;
    grow({backwards ? edge.a : edge.b, -1, j, backwards});
  }
  for (Index body = 0; body < bodies; ++body) {
    if (joints_of[node(body)].empty() || top(node(body)) == top(node(-1))) continue;
    bool reached = false;
    for (const auto& tree : trees)
      for (const TreeMember& member : tree) reached = reached || member.body == body;
    if (!reached) grow({body, -1, -1, false});
  }
  return trees;
}

}  // namespace carom::model
