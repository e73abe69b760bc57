// Does a reproduction notice a deliberate error?
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "carom/study/reproduction.h"
#include "mutants/injection.h"

namespace carom {

// Without any error; computed once in a program.
inline const ReproductionReport& faithful_report(const std::string& id) {
  static std::map<std::string, ReproductionReport> reports;
  const auto found = reports.find(id);
  if (found != reports.end()) return found->second;
  return reports.emplace(id, reproduce(find_reproduction(id))).first->second;
}

// Some row fails that does not fail without the mutant.
inline void expect_noticed(const std::string& id, const Mutant& mutant) {
  std::map<std::string, RowVerdict> faithful;
  for (const ReproductionRow& row : faithful_report(id).rows) faithful[row.quantity] = row.verdict;
  const Injected injected(mutant);
  std::string seen;
  for (const ReproductionRow& row : reproduce(find_reproduction(id)).rows) {
    const auto without = faithful.find(row.quantity);
    if (row.verdict == RowVerdict::failed && (without == faithful.end() || without->second != RowVerdict::failed))
      seen += "  " + row.quantity + "\n";
  }
  EXPECT_FALSE(seen.empty()) << id << " does not notice: " << mutant.name;
  if (!seen.empty()) std::printf("%s notices %s:\n%s", id.c_str(), mutant.name.c_str(), seen.c_str());
}

}  // namespace carom
