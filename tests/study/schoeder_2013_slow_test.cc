// The figures of Schoeder, Ulbrich, Schindler 2013 that take seconds. Contradicted: which way the acceleration level drifts, that
// gaps are never negative, and that the decoupled scheme's energy has no decreasing trend.
#include "study/judged_rows.h"

namespace carom {
namespace {

TEST(Schoeder2013, FiguresThatTakeSeconds) {
  expect_judged("schoeder-2013-fig-3");
  expect_judged("schoeder-2013-fig-6", {"acceleration level: y at 0.2 s [m], its sign"});
  expect_judged("schoeder-2013-fig-8",
                {"e 0.1: smallest gap [m]", "e 0.4: smallest gap [m]", "e 0.7: smallest gap [m]", "e 0.9: smallest gap [m]"});
  expect_judged("schoeder-2013-fig-10", {"decoupled: energy after 4 s over the start"});
}

}  // namespace
}  // namespace carom
