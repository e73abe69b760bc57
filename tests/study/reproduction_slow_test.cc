// The tables and figures of Acary 2012 that take seconds.
#include <gtest/gtest.h>

#include "carom/study/reproduction.h"
#include "study/judged_rows.h"

namespace carom {
namespace {

TEST(Acary2012, FiguresAreMet) {
  for (const char* id : {"acary-2012-fig-2", "acary-2012-fig-3", "acary-2012-fig-23", "acary-2012-fig-24"})
    expect_judged(id);
}

// With the printed tolerances Newton's counts of the projected schemes are not the printed ones: one other setting
// gives the whole rows of algorithm 2 at the two smaller steps, nothing those of algorithm 1, which are counted alike
// by an independent program.
TEST(Acary2012, TableThree) {
  const std::string direct = "algorithm 1 (direct), dt ", together = "algorithm 2 (combined), dt ";
  Contradicted contradicted = {
      "Moreau-Jean, dt 1e-04: Newton average", "Newton average, algorithm 1 over Moreau-Jean, dt 1e-05",
      together + "1e-04: Newton average",      together + "1e-04: Newton largest",
      together + "1e-04: projection average",  together + "1e-04: index sets average",
      direct + "1e-04: Newton largest",        direct + "1e-05: Newton largest"};
  Explained explained = {"Moreau-Jean, dt 1e-04: violation [m]", "Moreau-Jean, dt 1e-06: violation [m]",
                         "projection average, direct less combined, dt 1e-05",
                         "projection average, direct less combined, dt 1e-06"};
  for (const char* dt : {"1e-04", "1e-05", "1e-06"})
    for (const char* column : {": Newton average", ": projection average"}) contradicted.insert(direct + dt + column);
  for (const char* dt : {"1e-05", "1e-06"})
    for (const char* column : {": Newton average", ": Newton largest"}) explained.insert(together + dt + column);
  const ReproductionReport report = expect_judged("acary-2012-table-3", contradicted, explained);
  VerdictTotals totals;
  totals.add(report);
  EXPECT_EQ(totals.count(Source::printed_number), 39);
}

}  // namespace
}  // namespace carom
