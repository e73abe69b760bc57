#include "carom/study/reproduction.h"

#include <algorithm>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "carom/study/reproduce/published_run.h"

namespace carom::inline study {

namespace reproduce_entries {
#define CAROM_REPRODUCTION(name) Reproduction name();
#include "carom/study/reproduce/reproductions.def"
#undef CAROM_REPRODUCTION
}  // namespace reproduce_entries

std::string_view to_text(RowVerdict verdict) {
  switch (verdict) {
    case RowVerdict::met: return "met";
    case RowVerdict::explained: return "explained";
    case RowVerdict::contradicted: return "contradicted";
    case RowVerdict::failed: return "failed";
  }
  return "";
}

std::string_view to_text(Source source) {
  switch (source) {
    case Source::printed_number: return "printed number";
    case Source::printed_statement: return "printed statement";
    case Source::independent_run: return "independent run";
    case Source::derived: return "derived";
    case Source::own_addition: return "own addition";
  }
  return "";
}

RowVerdict ReproductionReport::verdict() const {
  if (rows.empty()) return RowVerdict::failed;
  RowVerdict worst = RowVerdict::met;
  for (const ReproductionRow& row : rows) worst = std::max(worst, row.verdict);
  return worst;
}

void VerdictTotals::add(const ReproductionReport& report) {
  for (const ReproductionRow& row : report.rows) ++count_[index(row.source)][index(row.verdict)];
}

int VerdictTotals::count(Source source) const {
  int sum = 0;
  for (const int n : count_[index(source)]) sum += n;
  return sum;
}

int VerdictTotals::count(RowVerdict verdict) const {
  int sum = 0;
  for (const auto& of_source : count_) sum += of_source[index(verdict)];
  return sum;
}

const std::vector<Reproduction>& reproductions() {
  static const std::vector<Reproduction> all = {
#define CAROM_REPRODUCTION(name) reproduce_entries::name(),
#include "carom/study/reproduce/reproductions.def"
#undef CAROM_REPRODUCTION
  };
  return all;
}

const Reproduction& find_reproduction(std::string_view word) {
  std::vector<std::string> ids;
  for (const Reproduction& reproduction : reproductions()) {
    if (canonical_name(reproduction.id) == canonical_name(word)) return reproduction;
    ids.push_back(reproduction.id);
  }
  throw InputError(
      {"E0110", "unknown reproduction '" + std::string(word) + "'", "reproduce", suggestion(word, ids), {}, 0, 0, {}});
}

ReproductionReport reproduce(const Reproduction& reproduction) {
  try {
    return reproduction.run();
  } catch (const RunFailure& failure) {
    ReproductionReport report;
    report.rows.push_back({"run completed", Source::own_addition, "yes", 0.0, "1", RowVerdict::failed, failure.what()});
    return report;
  }
}

}  // namespace carom::inline study
