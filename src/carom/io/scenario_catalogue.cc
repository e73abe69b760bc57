#include "carom/io/scenario_catalogue.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>

namespace carom::inline io {

std::vector<ScenarioFile> find_scenarios(const std::string& directory) {
  std::vector<ScenarioFile> files;
  if (!std::filesystem::is_directory(directory)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".toml") continue;
    std::string title;
    try {
      title = toml::parse_file(entry.path().string())["title"].value_or(std::string());
    } catch (const toml::parse_error& error) {
      title = "cannot be read: " + std::string(error.description());
    }
    files.push_back({entry.path().generic_string(), std::move(title)});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

}  // namespace carom::inline io
