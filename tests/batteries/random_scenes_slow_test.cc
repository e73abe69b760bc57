// 560 random scenes by every scheme that takes them: no wrong answer without a mark, no failure without a reason.
#include "batteries/every_scheme_on_scenes.h"

namespace carom::batteries {
namespace {

class ManyScenes : public ::testing::TestWithParam<SceneKind> {};

TEST_P(ManyScenes, SayWhatIsWrongWithThem) {
  std::map<std::string, SceneTally> tally;
  hold_to_their_word(GetParam(), 1000 + static_cast<std::uint64_t>(GetParam()), 140, tally);
  print(tally);
}

INSTANTIATE_TEST_SUITE_P(Kinds, ManyScenes,
                         ::testing::Values(SceneKind::column, SceneKind::cloud, SceneKind::boxes, SceneKind::chain),
                         [](const auto& info) { return std::array{"column", "cloud", "boxes", "chain"}[static_cast<std::size_t>(info.param)]; });

}  // namespace
}  // namespace carom::batteries
