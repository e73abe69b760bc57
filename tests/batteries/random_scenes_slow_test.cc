// 560 random scenes by every scheme that takes them: no wrong answer without a mark, no failure
// but where friction and restitution contradict each other (a jam), which the run says.
#include "batteries/every_scheme_on_scenes.h"

namespace carom::batteries {
namespace {

void many(SceneKind kind, std::uint64_t seed) {
  std::map<std::string, SceneTally> tally;
  hold_to_their_word(kind, seed, 140, tally);
  print(tally);
}

TEST(ManyRandomScenes, Columns) { many(SceneKind::column, 1001); }
TEST(ManyRandomScenes, Clouds) { many(SceneKind::cloud, 1002); }
TEST(ManyRandomScenes, Boxes) { many(SceneKind::boxes, 1003); }
TEST(ManyRandomScenes, Chains) { many(SceneKind::chain, 1004); }

}  // namespace
}  // namespace carom::batteries
