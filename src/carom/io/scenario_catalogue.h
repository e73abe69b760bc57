// The scenario files that come with Carom.
#pragma once

#include <string>
#include <vector>

namespace carom::inline io {

struct ScenarioFile {
  std::string path;   // as given to `carom run`
  std::string title;  // the title inside, or why it cannot be read
};

// Sorted by path. Looks in `directory`; where that does not exist the list is empty.
std::vector<ScenarioFile> find_scenarios(const std::string& directory = "scenarios");

}  // namespace carom::inline io
