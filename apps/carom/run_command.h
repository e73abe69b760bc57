// What `carom run` prints of a run, for every command that makes one.
#pragma once

#include <functional>

#include "carom/io/run_scenario.h"
#include "command.h"

namespace carom::cli {

struct RunPrinting {
  bool strict = false, quiet = false, json = false;
};

// Announces the run, makes it with a progress line and Ctrl-C in order, and reports it.
ExitCode run_and_print(const Scenario& scenario, const RunPrinting& printing,
                       const std::function<RunReport(const RunOptions& options)>& run);

// --strict, --quiet, --json.
void add_run_printing(CLI::App& command, RunPrinting& printing);

}  // namespace carom::cli
