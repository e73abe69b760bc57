// The figures of the elastic bar that take a tenth of a second each: everything is met.
#include <gtest/gtest.h>

#include "carom/study/reproduction.h"
#include "study/printed_words.h"

namespace carom {
namespace {

void expect_met(const char* id) {
  for (const ReproductionRow& row : reproduce(find_reproduction(id)).rows)
    EXPECT_EQ(row.verdict, Verdict::met)
        << id << ": " << row.quantity << " = " << row.computed << ", accepted " << row.accepted;
}

// The step that the caption of figure 12 prints is too long for the printed force, and one printed violation cannot be.
TEST(Bar, FiguresOfAcary2012) {
  const std::map<std::string, Verdict> known = {{"dt 5e-5 s: contact time [s]", Verdict::explained},
                                                {"dt 5e-5 s: mean contact force [N]", Verdict::explained},
                                                {"dt 5e-05 s: violation [m]", Verdict::contradicted}};
  for (const char* id : {"acary-2012-fig-11", "acary-2012-fig-12", "acary-2012-fig-13", "acary-2012-fig-15",
                         "acary-2012-fig-16"})
    expect_verdicts(id, reproduce(find_reproduction(id)), known);
}

TEST(Bar, FiguresOfSchindler2015AreMet) {
  for (const char* id : {"schindler-2015-fig-13", "schindler-2015-fig-14", "schindler-2015-fig-15"}) expect_met(id);
}

}  // namespace
}  // namespace carom
