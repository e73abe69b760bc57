// Runs a scenario as its file says: simulates, writes the result file, measures, judges the expectations.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "carom/io/channel_recorder.h"
#include "carom/io/output_file.h"
#include "carom/io/scenario.h"
#include "carom/io/verdict.h"

namespace carom::inline io {

struct Progress {
  double t = 0.0, t_end = 0.0;
  long step = 0;
  std::size_t active_contacts = 0;
};

struct RunOptions {
  std::string out;                  // result file; empty: as the scenario says
  Replace replace = Replace::ours;  // what may be where the file is to be
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const Progress&)> progress = nullptr;  // after every step
  Recorder* also = nullptr;  // is shown the run too; not what was before, of a run that is gone on with
};

struct RunReport {
  SimulationSummary summary;
  std::vector<Measurement> measures;
  std::vector<Verdict> verdicts;
  std::string file;
  std::uintmax_t file_bytes = 0;
  // If the run failed on a contact problem: this problem, beside the result file, or why it could not be kept.
  std::string problem_file, problem_trouble;
  double wall_seconds = 0.0;
};

RunReport run_scenario(const Scenario& scenario, const RunOptions& options = {});

// Goes on with a run of the same scenario from the newest checkpoint of its result file, into that file: as if it had
// never been interrupted, bit for bit. Its end may be later. InputError if the file was made with another model.
RunReport resume_scenario(const Scenario& scenario, const std::string& path, const RunOptions& options = {});

}  // namespace carom::inline io
