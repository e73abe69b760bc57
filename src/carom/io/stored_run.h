// The run a result file tells of: the model it was made with, word for word, and how far it came.
#pragma once

#include <string>
#include <vector>

#include "carom/io/scenario.h"

namespace carom::inline io {

struct StoredRun {
  std::string file;                 // the result
  std::string model_file;           // as it was named then
  std::string source;               // its text then
  std::vector<Override> overrides;  // --set
  std::string resolved;             // everything after defaults, JSON
  std::string outcome;              // "running": it was killed, or goes on
  double t = 0.0, t_end = 0.0;      // of the newest checkpoint, and where it was to end
};

// InputError E0612 if it holds no model text or no checkpoint, std::system_error if it cannot be read.
StoredRun read_stored_run(const std::string& path);

// Its scenario again, with more overrides. InputError E0610 if defaults have changed since, or the model file has,
// unless that is wanted.
Scenario stored_scenario(const StoredRun& run, const std::vector<Override>& more = {});

// What a branch begins with: the state of the newest checkpoint in a scenario that may differ in any number, or be that
// of the changed file
// (`text`, if not empty). The scheme begins afresh where its settings differ. InputError E0610 if it has other
// coordinates.
Scenario branched_scenario(const StoredRun& run, const std::vector<Override>& more, const std::string& text = {});

// The text of the model file today, if it is there and differs.
std::string changed_model(const StoredRun& run);

}  // namespace carom::inline io
