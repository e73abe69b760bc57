#include "batteries/shipped_scenarios.h"

namespace carom::batteries {
namespace {

TEST(ShippedScenarios, KeepTheirWord) {
  const auto names = shipped_scenarios(false);
  EXPECT_GT(names.size(), 15u);
  for (const std::string& name : names) keeps_its_word(name);
}

}  // namespace
}  // namespace carom::batteries
