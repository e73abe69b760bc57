// The figures of Bruels, Acary, Cardona 2018: what is not met is known, and why.
#include <gtest/gtest.h>

#include "study/judged_rows.h"

namespace carom {
namespace {

TEST(Bruels2018, FiguresAreMet) {
  for (const char* id :
       {"bruels-2018-fig-3", "bruels-2018-fig-5", "bruels-2018-fig-6", "bruels-2018-fig-7", "bruels-2018-fig-8",
        "bruels-2018-fig-11", "bruels-2018-fig-14", "bruels-2018-fig-15", "bruels-2018-fig-16"})
    expect_judged(id);
}

TEST(Bruels2018, TheTransientIsOfFirstOrderWithThePrintedStart) {
  expect_judged("bruels-2018-fig-2", Contradicted{"V: ratio of the first oscillations, step halved",
                                                  "PV: ratio of the first oscillations, step halved"});
}

TEST(Bruels2018, TheFlexiblePendulumLeavesTheWallEarlier) {
  expect_judged("bruels-2018-fig-10",
                Contradicted{"pvv: end of the first contact phase [s]", "pva: end of the first contact phase [s]"});
}

TEST(Bruels2018, TheEnergyOfTheFlexiblePendulumRises) {
  expect_judged("bruels-2018-fig-12", Contradicted{"pvv: largest rise of the energy in a step [J]",
                                                   "pva: largest rise of the energy in a step [J]"});
}

TEST(Bruels2018, OneSettingGivesAllCountsOfTheBar) {
  expect_judged(
      "bruels-2018-iterations", {},
      Explained{"pva: mean Newton iterations", "pvv: mean Newton iterations", "pvv: iterations a step in contact"});
}

}  // namespace
}  // namespace carom
