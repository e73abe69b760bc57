// Every scenario that is shipped runs to its end, is judged sound, meets its own expectations, and ends with the bits
// it always ends with.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "batteries/end_states.h"
#include "carom/base/names.h"
#include "carom/io/run_scenario.h"
#include "carom/schemes/scheme.h"

namespace carom::batteries {

// Those that take seconds.
inline bool takes_long(const std::string& name) {
  for (const char* slow :
       {"flexible_pendulum", "overbalanced_wheel", "rod_hits_stop", "rotor", "slider_crank_maximal", "spheres_in_box",
        "pendulum_chain", "woodpecker", "woodpecker_bodies", "overbalanced_wheel_bodies"})
    if (name == slow) return true;
  return false;
}

inline std::vector<std::string> shipped_scenarios(bool long_ones) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("scenarios"))
    if (entry.path().extension() == ".toml" && takes_long(entry.path().stem().string()) == long_ones)
      names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

inline void keeps_its_word(const std::string& name) {
  SCOPED_TRACE(name);
  const auto directory = std::filesystem::temp_directory_path() / ("carom_scenario_" + name);
  std::filesystem::remove_all(directory);
  std::filesystem::create_directory(directory);
  const Scenario scenario = read_scenario("scenarios/" + name + ".toml");
  EXPECT_FALSE(scenario.expectations.empty()) << "a shipped scenario says what to expect";
  RunOptions options;
  options.out = (directory / "result.h5").string();
  const RunReport report = run_scenario(scenario, options);
  std::filesystem::remove_all(directory);
  EXPECT_EQ(report.summary.outcome, Outcome::finished) << report.summary.advice;
  for (const Verdict& verdict : report.verdicts)
    EXPECT_EQ(verdict.kind, Verdict::Kind::ok)
        << verdict.name << ": " << verdict.formula << "  (" << verdict.why << ")";
  for (const Finding& finding : report.summary.judgement.findings) ADD_FAILURE() << to_text(finding);
  EndStates().compare(name, report.summary.last);
}

}  // namespace carom::batteries
