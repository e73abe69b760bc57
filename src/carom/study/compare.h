// The same scenario run with several schemes, side by side.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "carom/io/channel_recorder.h"
#include "carom/io/scenario.h"

namespace carom::inline study {

struct CompareRow {
  std::string scheme;
  std::string untreated;              // what of the model this scheme cannot treat; empty if it can run it
  SimulationSummary summary;          // of its run, if it can
  std::vector<Measurement> measures;  // [measure] of the scenario
  std::string file;                   // its result, if they are recorded
};

struct CompareReport {
  double dt = 0, t_end = 0;
  std::vector<std::string> measures;  // their names
  std::vector<CompareRow> rows;
  std::string interrupted;  // the scheme whose run was ended from outside: neither it nor what would follow has a row
};

// The words of --schemes: names (hyphens count as underscores), with parameters after colons as in
// scheme_word.h, or "all". InputError for unknown ones.
std::vector<std::string> scheme_names(const std::vector<std::string>& words);

// Runs with the scenario's step, end, solver and the parameters it gives to each scheme.
// `before_run` is told each scheme before its run; once `interrupt` is set, what is finished is returned. With
// `record_in`, a folder, every run leaves its result file there.
CompareReport compare(const Scenario& scenario, const std::vector<std::string>& schemes,
                      const std::function<void(const std::string& scheme)>& before_run = nullptr,
                      const std::atomic<bool>* interrupt = nullptr, const std::string& record_in = {});

// What speaks against a row's run, by words: "penetration, scheme_energy"; "sound" if nothing does.
std::string judged(const CompareRow& row);

// Comma-separated, one line per scheme.
std::string to_csv(const CompareReport& report);

}  // namespace carom::inline study
