// Published tables and figures, computed again: what was printed, what comes out here, and whether the two agree.
//
// A row says where its expectation comes from (Source); a publication's words ("chatters", "comes to rest") become
// numbers with a limit. Its verdict is always the comparison of numbers (docs/reproductions.md):
//
//   met           the computed number lies where it is expected
//   explained     it does not, but one setting that the publication leaves open gives the whole published row, or the
//                 published number lies inside a range measured over what is left open
//   contradicted  it does not, and an independent method gives what is computed here, not what was published
//   failed        none of these
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "carom/io/csv.h"
#include "carom/io/picture.h"

namespace carom::inline study {

// In the order from good to bad.
enum class RowVerdict { met, explained, contradicted, failed };
inline constexpr int kVerdicts = 4;
std::string_view to_text(RowVerdict verdict);

// Where the expectation of a row comes from.
enum class Source {
  printed_number,     // stands in the publication
  printed_statement,  // its words; the number behind them is ours
  independent_run,    // another implementation, which shares no code with this one
  derived,            // follows on paper from the published data
  own_addition        // not in the publication at all
};
inline constexpr int kSources = 5;
std::string_view to_text(Source source);
inline bool is_printed(Source source) {
  return source == Source::printed_number || source == Source::printed_statement;
}

struct ReproductionRow {
  std::string quantity;  // what is compared
  Source source = Source::own_addition;
  std::string expected;  // number or statement; what stands in quotes are words of the publication
  double computed = 0.0;
  std::string accepted;  // where `computed` must lie
  RowVerdict verdict = RowVerdict::failed;
  std::string explanation;  // why the verdict is explained or contradicted, with the numbers; else empty
};

struct ReproductionReport {
  std::vector<ReproductionRow> rows;
  std::vector<std::string> settings;  // data the publication leaves open, and what was taken
  std::vector<std::string> notes;     // measured and shown but not judged: computing times
  std::vector<CsvTable> tables;
  Picture picture;

  RowVerdict verdict() const;  // the worst of the rows; failed if there are none
};

// How many rows of each source have each verdict.
class VerdictTotals {
 public:
  void add(const ReproductionReport& report);
  int count(Source source, RowVerdict verdict) const { return count_[index(source)][index(verdict)]; }
  int count(Source source) const;
  int count(RowVerdict verdict) const;

 private:
  template <class Enum>
  static std::size_t index(Enum value) {
    return static_cast<std::size_t>(value);
  }
  std::array<std::array<int, kVerdicts>, kSources> count_{};
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

}  // namespace carom::inline study
