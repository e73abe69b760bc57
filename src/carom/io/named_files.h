// Where the files may lie that a scenario names. A file a stranger wrote must not choose what is read or overwritten on
// this machine: matrices lie in its own folder or below, results there or below the working directory.
#pragma once

#include "carom/io/scenario.h"

namespace carom::inline io {

enum class NamedFiles { inside, anywhere };

// read_scenario() of scenario.h is this with NamedFiles::inside.
Scenario read_scenario(const std::string& file, const std::vector<Override>& overrides, NamedFiles files);

}  // namespace carom::inline io
