// The elastic bar with small steps.
#include <gtest/gtest.h>

#include "study/judged_rows.h"

namespace carom {
namespace {

TEST(Bar, FiguresOfAcary2012WithSmallSteps) {
  for (const char* id : {"acary-2012-fig-14", "acary-2012-fig-17", "acary-2012-fig-18"}) expect_judged(id);
}

}  // namespace
}  // namespace carom
