// The figures of Schoeder, Ulbrich, Schindler 2013 that take no time.
#include "study/judged_rows.h"

namespace carom {
namespace {

TEST(Schoeder2013, GapsDriftWithMoreau) { expect_judged("schoeder-2013-fig-4"); }

// The printed active set looks half a step ahead: a first touch in the second half of a step is not seen.
TEST(Schoeder2013, GapsOfTheUnifiedSchemeAreNegativeForAStep) { expect_judged("schoeder-2013-fig-9", {"smallest gap [m]"}); }

}  // namespace
}  // namespace carom
