// One model run over and over with other parameters: measures over parameters as a table.
//
// A run is a pure function of the model's text, its overrides, what is measured, and the build: the hash of these names
// it. What was done is kept in a journal, one line a run, each written in one piece; a sweep that is begun again does
// only what is missing. The table is made from the journal in the order of the design: it is the same for any number of
// workers.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/scenario.h"
#include "carom/study/sweep_design.h"
#include "carom/study/workers.h"

namespace carom::inline study {

struct SweepRow {
  enum class Outcome {
    missing,
    finished,
    failed,
    refused
  } outcome = Outcome::missing;  // refused: bad input, with these values
  bool sound = false;
  long steps = 0;
  std::vector<std::optional<double>> measures;  // in the order of SweepTable::measures
  std::string trouble;
};
std::string to_word(SweepRow::Outcome outcome);

struct SweepTable {
  std::vector<std::string> axes, measures;
  std::vector<std::string> axis_units, measure_units;  // SI; empty where nobody knows
  std::vector<std::vector<std::string>> points;        // by runs, in the order of the design
  std::vector<SweepRow> rows;
  std::size_t found = 0;  // of the rows, those that were done before
  bool interrupted = false;
  std::size_t count(SweepRow::Outcome outcome) const;
};

struct SweepProgress {
  std::size_t done = 0, of = 0, failed = 0;
};

struct SweepOptions {
  std::vector<SweepAxis> axes;
  Design design = Design::grid;
  std::size_t samples = 0;
  std::uint64_t seed = 1;
  std::vector<NamedExpression> measures;  // besides those of the model
  std::string journal;                    // empty: nothing is kept
  bool retry = false;                     // runs that failed are done again
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const SweepProgress&)> progress = nullptr;
};

// Makes the scenario with these values put in; called by all workers at once.
using ScenarioMaker = std::function<Scenario(const std::vector<Override>&)>;

// If nothing is measured by name, the audit is: energy at the end, deepest penetration, sum and largest of normal
// impulses.
SweepTable sweep(const ScenarioMaker& make, const SweepOptions& options, Workers& workers);

// The first line names the columns; a run that has no value has an empty cell.
std::string to_csv(const SweepTable& table);
// Columns with their units, and the percentiles of every measure.
void write_hdf5(const SweepTable& table, const std::string& path);

// The numbers of a column in SI units, NaN where there is none: an axis whose values are numbers, or a measure.
std::vector<double> column(const SweepTable& table, const std::string& name);

// Value below which the share p of the sorted numbers lies: the nearest of them.
double percentile(const std::vector<double>& sorted, double p);
// The least, 5 %, median, 95 % and largest of a column over the runs that have a value, each the value of a run; empty
// if none has.
inline constexpr double percentile_levels[] = {0.0, 0.05, 0.5, 0.95, 1.0};
std::vector<double> percentiles(const SweepTable& table, const std::string& name);

}  // namespace carom::inline study
