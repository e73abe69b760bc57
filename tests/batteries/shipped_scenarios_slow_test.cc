#include "batteries/shipped_scenarios.h"

namespace carom::batteries {
namespace {

TEST(ShippedScenarios, LongOnesKeepTheirWord) {
  const auto names = shipped_scenarios(true);
  EXPECT_GE(names.size(), 8u);
  for (const std::string& name : names) keeps_its_word(name);
}

}  // namespace
}  // namespace carom::batteries
