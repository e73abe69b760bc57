// The figures of Bruels, Acary, Cardona 2018: nothing fails, and only the rows that are known not to be reproducible
// are explained.
#include <gtest/gtest.h>

#include <set>

#include "carom/study/reproduction.h"

namespace carom {
namespace {

TEST(Bruels2018, NothingFails) {
  const std::set<std::string> explained = {"V: ratio of the first oscillations, step halved",
                                           "PV: ratio of the first oscillations, step halved",
                                           "pvv: end of the first contact phase [s]",
                                           "pva: end of the first contact phase [s]",
                                           "pvv: largest rise of the energy in a step [J]",
                                           "pva: largest rise of the energy in a step [J]",
                                           "energy of pvv less that of pva at 1 s, largest of two steps [J]"};
  int seen = 0;
  for (const Reproduction& reproduction : reproductions()) {
    if (!reproduction.id.starts_with("bruels-2018")) continue;
    ++seen;
    for (const ReproductionRow& row : reproduce(reproduction).rows)
      EXPECT_EQ(row.verdict, explained.contains(row.quantity) ? Verdict::explained : Verdict::met)
          << reproduction.id << ": " << row.quantity << " = " << row.computed << ", accepted " << row.accepted;
  }
  EXPECT_EQ(seen, 13);
}

}  // namespace
}  // namespace carom
