// The figures of the elastic bar that take a tenth of a second each.
#include <gtest/gtest.h>

#include "study/judged_rows.h"

namespace carom {
namespace {

// The step that the caption of figure 12 prints is too long for the printed force, and one printed violation cannot be.
TEST(Bar, FiguresOfAcary2012) {
  for (const char* id : {"acary-2012-fig-11", "acary-2012-fig-13", "acary-2012-fig-15", "acary-2012-fig-16"})
    expect_judged(id);
  expect_judged("acary-2012-fig-12", Contradicted{"dt 5e-05 s: violation [m]"},
                Explained{"dt 5e-5 s: contact time [s]", "dt 5e-5 s: mean contact force [N]"});
}

}  // namespace
}  // namespace carom
