// 560 random scenes by every scheme that takes them: no wrong answer without a mark, no failure
// but where friction and restitution contradict each other (a jam), which the run says.
//
// CAROM_SCENE_SEED draws other scenes (default 1000), CAROM_SCENES says how many of each kind.
#include <cstdlib>

#include "batteries/every_scheme_on_scenes.h"

namespace carom::batteries {
namespace {

long given(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}

void many(SceneKind kind, long number) {
  std::map<std::string, SceneTally> tally;
  const long seed = given("CAROM_SCENE_SEED", 1000) + number;
  hold_to_their_word(kind, static_cast<std::uint64_t>(seed), static_cast<int>(given("CAROM_SCENES", 140)), tally);
  print(tally);
}

TEST(ManyRandomScenes, Columns) { many(SceneKind::column, 1); }
TEST(ManyRandomScenes, Clouds) { many(SceneKind::cloud, 2); }
TEST(ManyRandomScenes, Boxes) { many(SceneKind::boxes, 3); }
TEST(ManyRandomScenes, Chains) { many(SceneKind::chain, 4); }

}  // namespace
}  // namespace carom::batteries
