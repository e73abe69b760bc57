// Published tables and figures, computed again: what was printed, what comes out here, and whether the
// two agree. A verdict is always the comparison of numbers:
//
//   met        the computed number lies where the publication says
//   explained  it does not, but a measurement shows why the published one cannot be expected: the reason
//              and the numbers of that measurement are part of the row
//   failed     neither
//
// A publication's words ("chatters", "comes to rest") become numbers with a limit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "carom/io/csv.h"
#include "carom/io/picture.h"

namespace carom {

enum class Verdict { met, explained, failed };
std::string_view to_text(Verdict verdict);

struct ReproductionRow {
  std::string quantity;   // what is compared
  std::string published;  // number or statement
  double computed = 0.0;
  std::string accepted;   // where `computed` must lie
  Verdict verdict = Verdict::failed;
  std::string explanation;  // reason and measurement; empty unless the verdict is explained
};

struct ReproductionReport {
  std::vector<ReproductionRow> rows;
  std::vector<std::string> settings;  // data the publication leaves open, and what was taken
  std::vector<std::string> notes;     // measured and shown but not judged: computing times
  std::vector<CsvTable> tables;
  Picture picture;

  Verdict verdict() const;  // the worst of the rows; failed if there are none
};

struct Reproduction {
  std::string id;  // "acary-2012-table-3"
  std::string title;
  std::string publication;
  ReproductionReport (*run)();
};

const std::vector<Reproduction>& reproductions();
const Reproduction& find_reproduction(std::string_view word);

// Runs it. A simulation that fails makes a failed row, not an exception.
ReproductionReport reproduce(const Reproduction& reproduction);

}  // namespace carom
