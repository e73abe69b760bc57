// Every row of a reproduction shows no words as printed that are not, has the verdict that is known for it,
// and the picture comes with its numbers.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "carom/study/reproduction.h"
#include "study/printed_words.h"

namespace carom {

using Contradicted = std::set<std::string>;  // quantities
using Explained = std::set<std::string>;

inline ReproductionReport expect_judged(const std::string& id, const Contradicted& contradicted = {},
                                        const Explained& explained = {}) {
  ReproductionReport report = reproduce(find_reproduction(id));
  EXPECT_FALSE(report.picture.panels.empty()) << id;
  EXPECT_FALSE(curves_table(report.picture).columns.empty()) << id;
  expect_printed(id, report);
  std::size_t seen = 0;
  for (const ReproductionRow& row : report.rows) {
    const bool contradicts = contradicted.contains(row.quantity), is_explained = explained.contains(row.quantity);
    seen += contradicts || is_explained;
    EXPECT_EQ(row.verdict, contradicts    ? RowVerdict::contradicted
                           : is_explained ? RowVerdict::explained
                                          : RowVerdict::met)
        << id << ": " << row.quantity << " = " << row.computed << ", accepted " << row.accepted << ". "
        << row.explanation;
  }
  EXPECT_EQ(seen, contradicted.size() + explained.size()) << id << ": a known row is gone";
  return report;
}

}  // namespace carom
