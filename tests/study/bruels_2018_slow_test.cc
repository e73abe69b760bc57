// The figures of Bruels, Acary, Cardona 2018: what is not met is known, and why.
#include <gtest/gtest.h>

#include "carom/study/reproduction.h"
#include "study/printed_words.h"

namespace carom {
namespace {

TEST(Bruels2018, EveryRowHasItsVerdict) {
  const std::map<std::string, Verdict> known = {
      {"V: ratio of the first oscillations, step halved", Verdict::contradicted},
      {"PV: ratio of the first oscillations, step halved", Verdict::contradicted},
      {"pvv: end of the first contact phase [s]", Verdict::contradicted},
      {"pva: end of the first contact phase [s]", Verdict::contradicted},
      {"pvv: largest rise of the energy in a step [J]", Verdict::contradicted},
      {"pva: largest rise of the energy in a step [J]", Verdict::contradicted},
      {"pva: mean Newton iterations", Verdict::explained},
      {"pvv: mean Newton iterations", Verdict::explained},
      {"pvv: iterations a step in contact", Verdict::explained}};
  int seen = 0;
  for (const Reproduction& reproduction : reproductions()) {
    if (!reproduction.id.starts_with("bruels-2018")) continue;
    ++seen;
    auto expected = known;
    if (reproduction.id == "bruels-2018-fig-10")  // there they are "very close to one", and met
      for (const char* strategy : {"pva", "pvv"}) expected.erase(strategy + std::string(": mean Newton iterations"));
    expect_verdicts(reproduction.id, reproduce(reproduction), expected);
  }
  EXPECT_EQ(seen, 13);
}

}  // namespace
}  // namespace carom
