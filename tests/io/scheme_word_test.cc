// Schemes with parameters in one word.
#include <gtest/gtest.h>

#include "carom/base/errors.h"
#include "carom/io/scheme_word.h"

namespace carom {
namespace {

std::string complaint(const std::string& word) {
  try {
    parse_scheme_word(word);
  } catch (const InputError& error) {
    const InputProblem& problem = error.problems().at(0);
    return problem.message + " | " + problem.hint;
  }
  return "";
}

TEST(SchemeWord, NamesParametersAndValues) {
  EXPECT_EQ(parse_scheme_word("moreau-jean").text, "moreau_jean");
  const SchemeWord word = parse_scheme_word("half-explicit-runge-kutta:tableau=hem3:activation-tolerance=1e-9");
  EXPECT_EQ(word.entry->name, "half_explicit_runge_kutta");
  EXPECT_EQ(word.text, "half_explicit_runge_kutta:tableau=hem3:activation_tolerance=1e-9");
  EXPECT_EQ(std::get<std::string>(word.parameters.at("tableau")), "hem3");
  EXPECT_EQ(std::get<double>(word.parameters.at("activation_tolerance")), 1e-9);
}

TEST(SchemeWord, MisspellingsFindTheirNeighbour) {
  EXPECT_NE(complaint("half_explicit_runge_kuta:tableau=hem3").find("half_explicit_runge_kutta"), std::string::npos);
  EXPECT_NE(complaint("half_explicit_runge_kutta:tablau=hem3").find("tableau"), std::string::npos);
  EXPECT_NE(complaint("half_explicit_runge_kutta:tableau=hem33").find("hem3"), std::string::npos);
  EXPECT_NE(complaint("half_explicit_runge_kutta:hem3").find("name=value"), std::string::npos);
  EXPECT_NE(complaint("half_explicit_extrapolated:order=five"), "");
  EXPECT_NE(complaint("half_explicit_extrapolated:order=2.5").find("whole"), std::string::npos);
  EXPECT_NE(complaint("half_explicit_extrapolated:order=9"), "");
}

TEST(SchemeWord, OrdersFollowTheParameters) {
  Scenario scenario;
  EXPECT_EQ(orders_of(scenario, parse_scheme_word("half_explicit_runge_kutta")).persistent, 4);
  EXPECT_EQ(orders_of(scenario, parse_scheme_word("half_explicit_runge_kutta:tableau=midpoint")).persistent, 2);
  EXPECT_EQ(orders_of(scenario, parse_scheme_word("half_explicit_extrapolated:order=3")).free_flight, 3);
  scenario.simulation.scheme_parameters["half_explicit_runge_kutta"] = {{"tableau", std::string("hem3")}};
  EXPECT_EQ(orders_of(scenario, parse_scheme_word("half_explicit_runge_kutta")).persistent, 3);
  EXPECT_EQ(orders_of(scenario, parse_scheme_word("half_explicit_runge_kutta:tableau=euler")).persistent, 1);
}

}  // namespace
}  // namespace carom
