// Smaller steps of the elastic bar, and the rotor: nothing failed.
#include <gtest/gtest.h>

#include "carom/study/reproduction.h"
#include "study/printed_words.h"

namespace carom {
namespace {

TEST(Bar, FiguresOfAcary2012WithSmallSteps) {
  for (const char* id : {"acary-2012-fig-14", "acary-2012-fig-17", "acary-2012-fig-18"})
    expect_verdicts(id, reproduce(find_reproduction(id)));
}

TEST(Bar, TheRotorDoesNotFail) {
  for (const char* id : {"schindler-2015-rotor"})
    for (const ReproductionRow& row : reproduce(find_reproduction(id)).rows)
      EXPECT_NE(row.verdict, Verdict::failed)
          << id << ": " << row.quantity << " = " << row.computed << ", accepted " << row.accepted;
}

}  // namespace
}  // namespace carom
