// What a user may write for a parameter, and what the answer says when it is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "carom/base/parameters.h"
#include "carom/base/registry.h"

namespace carom {
namespace {

std::vector<ParameterSpec> specs() {
  ParameterSpec mass{"mass", 1.0, "kg"};
  mass.min = 0.0;
  mass.exclusive_min = true;
  ParameterSpec theta{"theta", 0.5, ""};
  theta.min = 0.0;
  theta.max = 1.0;
  ParameterSpec metric{"metric", std::string("kinetic"), ""};
  metric.words = {"kinetic", "euclidean"};
  return {mass, theta, metric, {"strict", false, ""}, {"point", std::vector<double>{0.0, 0.0}, ""}};
}

std::vector<InputProblem> problems(const std::map<std::string, ParameterValue>& given) {
  try {
    Parameters(specs(), given, "model test");
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

TEST(Parameters, TakeDefaultsAndGivenValues) {
  const Parameters p(specs(), {{"mass", 2.5}, {"metric", std::string("euclidean")}}, "model test");
  EXPECT_EQ(p.number("mass"), 2.5);
  EXPECT_EQ(p.number("theta"), 0.5);
  EXPECT_EQ(p.word("metric"), "euclidean");
  EXPECT_FALSE(p.flag("strict"));
  EXPECT_EQ(p.list("point").size(), 2u);
  EXPECT_THROW(p.number("metric"), LogicError);
  EXPECT_THROW(p.number("unheard_of"), LogicError);
}

TEST(Parameters, RangesAreExact) {
  EXPECT_TRUE(problems({{"theta", 0.0}}).empty());
  EXPECT_TRUE(problems({{"theta", 1.0}}).empty());
  EXPECT_EQ(problems({{"theta", 1.0001}}).size(), 1u);
  EXPECT_EQ(problems({{"mass", 0.0}}).size(), 1u);
  EXPECT_EQ(problems({{"mass", -1.0}}).size(), 1u);
  EXPECT_TRUE(problems({{"mass", 1e-300}}).empty());
  EXPECT_EQ(problems({{"mass", std::nan("")}}).size(), 1u);
}

TEST(Parameters, EveryProblemIsReportedWithItsKeyAndRemedy) {
  const auto found = problems({{"mas", 1.0}, {"theta", std::string("half")}, {"metric", std::string("euclidian")}});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].key, "mas");
  EXPECT_NE(found[0].hint.find("mass"), std::string::npos);
  EXPECT_EQ(found[1].key, "theta");
  EXPECT_EQ(found[2].key, "metric");
  EXPECT_NE(found[2].hint.find("euclidean"), std::string::npos);
}

TEST(Names, HyphensCountAsUnderscores) {
  EXPECT_EQ(canonical_name("moreau-jean"), "moreau_jean");
  const Parameters p({{"some_number", 1.0, ""}}, {{"some-number", 3.0}}, "x");
  EXPECT_EQ(p.number("some_number"), 3.0);
}

TEST(Names, FindNeighboursAndOnlyNeighbours) {
  const std::vector<std::string> known = {"moreau_jean", "moreau_midpoint", "schatzman_paoli"};
  EXPECT_EQ(nearest_name("moreu_jean", known), "moreau_jean");
  EXPECT_EQ(nearest_name("moreau-jaen", known), "moreau_jean");
  EXPECT_EQ(nearest_name("shatzman_paoli", known), "schatzman_paoli");
  EXPECT_EQ(nearest_name("xyz", known), "");
}

// Words that other programs use, and parts of our own, lead to ours where that is known; misspelt ones as before.
TEST(Names, WordsOfOthersFindOurs) {
  const std::vector<std::string> joints = {"fixed", "revolute", "prismatic", "spherical"};
  const std::vector<std::string> shapes = {"box", "sphere", "disc", "half_plane"};
  const std::vector<std::string> keys = {"stiffness", "free_length", "between"};
  EXPECT_THAT(suggestion("hinge", joints), ::testing::HasSubstr("'revolute'"));
  EXPECT_THAT(suggestion("ball", joints), ::testing::HasSubstr("'spherical'"));
  EXPECT_THAT(suggestion("ball", shapes), ::testing::HasSubstr("'sphere'"));
  EXPECT_THAT(suggestion("length", keys), ::testing::HasSubstr("'free_length'"));
  EXPECT_THAT(suggestion("k", keys), ::testing::HasSubstr("'stiffness'"));
  EXPECT_THAT(suggestion("revolut", joints), ::testing::HasSubstr("'revolute'"));
  EXPECT_THAT(suggestion("hinge", shapes), ::testing::Not(::testing::HasSubstr("did you mean")));
}

TEST(Registry, FindsByWordAndSuggests) {
  struct Entry {
    std::string name;
  };
  const Entry a{"moreau_jean"}, b{"schatzman_paoli"};
  const Registry<Entry> registry("scheme", {&a, &b});
  EXPECT_EQ(&registry.find("moreau-jean"), &a);
  try {
    registry.find("moreau_jan");
    FAIL() << "found something unknown";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 1u);
    EXPECT_NE(error.problems()[0].message.find("scheme"), std::string::npos);
    EXPECT_NE(error.problems()[0].hint.find("moreau_jean"), std::string::npos);
  }
}

}  // namespace
}  // namespace carom
