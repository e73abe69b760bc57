// Smaller steps of the elastic bar, and the rotor: nothing failed.
#include <gtest/gtest.h>

#include "carom/study/reproduction.h"

namespace carom {
namespace {

TEST(Bar, FiguresWithSmallStepsAndTheRotorDoNotFail) {
  for (const char* id : {"acary-2012-fig-14", "acary-2012-fig-17", "acary-2012-fig-18", "schindler-2015-rotor"})
    for (const ReproductionRow& row : reproduce(find_reproduction(id)).rows)
      EXPECT_NE(row.verdict, Verdict::failed)
          << id << ": " << row.quantity << " = " << row.computed << ", accepted " << row.accepted;
}

}  // namespace
}  // namespace carom
