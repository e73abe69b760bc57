// Comparing schemes on one scenario.
#include "carom/study/compare.h"

#include <gtest/gtest.h>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"

namespace carom {
namespace {

Scenario sliding_mass(double friction) {
  Scenario scenario;
  scenario.name = "sliding_mass";
  scenario.model = make_analytic_model("sliding_mass", {}, {.friction = friction});
  scenario.simulation.t_end = 1.0;
  scenario.simulation.step = 1e-2;
  return scenario;
}

TEST(Compare, RunsEverySchemeAndSaysWhichCannot) {
  const CompareReport report = compare(sliding_mass(0.3), scheme_names({"all"}));
  ASSERT_EQ(report.rows.size(), scheme_registry().entries().size());
  for (const CompareRow& row : report.rows) {
    SCOPED_TRACE(row.scheme);
    EXPECT_EQ(row.untreated.empty(), scheme_registry().find(row.scheme).treats.contains(Feature::friction));
    if (!row.untreated.empty()) {
      EXPECT_TRUE(row.untreated == "friction" || row.untreated == "contacts") << row.untreated;
      continue;
    }
    EXPECT_EQ(row.summary.outcome, Outcome::finished);
    EXPECT_EQ(row.summary.steps, 100);
    const SchemeEntry& entry = scheme_registry().find(row.scheme);
    if (entry.promises.sinks || entry.promises.alternates)
      continue;  // what is left of the motion is of the order of the step
    // m = 1 kg pressed on by 9.81 N for 1 s; all of m v0^2 / 2 = 2 J is lost.
    EXPECT_NEAR(row.summary.audit.normal_impulse, 9.81, 1e-9);
    EXPECT_NEAR(row.summary.audit.end_energy, 0.0, 1e-12);
    EXPECT_NEAR(row.summary.audit.friction_loss, 2.0, 1e-9);
  }
}

TEST(Compare, TakesHyphensAndRefusesUnknownNames) {
  EXPECT_EQ(scheme_names({"moreau-jean"}), std::vector<std::string>{"moreau_jean"});
  EXPECT_THROW(scheme_names({"moreau_jaen"}), InputError);
}

TEST(Compare, GivesASchemeItsParametersOfTheScenario) {
  Scenario scenario = sliding_mass(0.3);
  scenario.model = make_analytic_model("impact_oscillator", {{"damping", 0.0}}, {.restitution = 1.0});
  const double kept = compare(scenario, {"moreau_jean"}).rows[0].summary.audit.end_energy;
  scenario.simulation.scheme_parameters["moreau_jean"] = {{"theta", 1.0}};
  const CompareReport damped = compare(scenario, {"moreau_jean"});
  EXPECT_NEAR(kept, damped.rows[0].summary.audit.start_energy, 1e-9 * kept);
  EXPECT_LT(damped.rows[0].summary.audit.end_energy, 0.999 * kept);
}

TEST(Compare, ShowsWhatTheScenarioMeasures) {
  Scenario scenario = sliding_mass(0.3);
  // It slides for v0 / (mu g) = 2 / (0.3 * 9.81) s.
  scenario.measures = {{"sliding", Expression("sum(if(abs(mass.velocity) > 1e-9, stats.dt, 0))")},
                       {"never", Expression("mass.position(7)")}};
  const CompareReport report = compare(scenario, {"moreau_jean", "consistent_elastic"});
  EXPECT_EQ(report.measures, (std::vector<std::string>{"sliding", "never"}));
  ASSERT_EQ(report.rows[0].measures.size(), 2u);
  EXPECT_NEAR(report.rows[0].measures[0].value.value(), 2.0 / (0.3 * 9.81), 0.02);
  EXPECT_FALSE(report.rows[0].measures[1].value);
  EXPECT_FALSE(report.rows[0].measures[1].trouble.empty()) << "7 s is after the end";
  EXPECT_TRUE(report.rows[1].measures.empty()) << "it cannot run this";
}

TEST(Compare, CsvHasOneLineForEachSchemeWithAllColumns) {
  Scenario scenario = sliding_mass(0.3);
  scenario.measures = {{"lost", Expression("last(energy.friction_loss)")}};
  const std::string csv = to_csv(compare(scenario, scheme_names({"all"})));
  std::vector<long> commas;
  std::size_t begin = 0;
  for (std::size_t end; (end = csv.find('\n', begin)) != std::string::npos; begin = end + 1)
    commas.push_back(std::count(csv.begin() + static_cast<long>(begin), csv.begin() + static_cast<long>(end), ','));
  ASSERT_EQ(commas.size(), 1 + scheme_registry().entries().size());
  for (const long n : commas) EXPECT_EQ(n, commas[0]);
}

// What a scheme finds out only when it has started does not take the others' results away.
TEST(Compare, OptionsThatCannotTreatTheModelAreRefusals) {
  const CompareReport report = compare(sliding_mass(0.3), {"nonsmooth_generalized_alpha:strategy=pvv", "moreau_jean"});
  EXPECT_EQ(report.rows[0].untreated, "friction");
  EXPECT_EQ(report.rows[1].untreated, "");
  EXPECT_EQ(report.rows[1].summary.outcome, Outcome::finished);
}

}  // namespace
}  // namespace carom
