// The figures of Schoeder, Ulbrich, Schindler 2013 that take no time: every row is met.
#include <gtest/gtest.h>

#include "carom/study/reproduction.h"

namespace carom {
namespace {

TEST(Schoeder2013, GapsDriftWithMoreauAndNotWithTheUnifiedScheme) {
  for (const char* id : {"schoeder-2013-fig-4", "schoeder-2013-fig-9"}) {
    const ReproductionReport report = reproduce(find_reproduction(id));
    EXPECT_FALSE(report.picture.panels.empty()) << id;
    EXPECT_FALSE(report.tables.empty()) << id;
    for (const ReproductionRow& row : report.rows)
      EXPECT_EQ(row.verdict, Verdict::met)
          << id << ": " << row.quantity << " = " << row.computed << ", accepted " << row.accepted;
  }
}

}  // namespace
}  // namespace carom
