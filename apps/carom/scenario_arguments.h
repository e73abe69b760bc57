// The options of every subcommand that reads a scenario.
#pragma once

#include <string>
#include <vector>

#include "carom/io/scenario.h"
#include "command.h"

namespace carom::cli {

struct ScenarioArguments {
  std::string model;
  std::vector<std::string> set;
  std::string t_end, step, scheme, solver;
  bool allow_outside = false;
};

// model, --set, --t-end, --step, --scheme, --solver, --allow-outside.
void add_scenario_arguments(CLI::App& command, ScenarioArguments& arguments);

// The overrides these options stand for, --set first.
std::vector<Override> overrides(const ScenarioArguments& arguments);

Scenario load(const ScenarioArguments& arguments);

}  // namespace carom::cli
