#include "scenario_arguments.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdio>

#include "carom/io/named_files.h"

namespace carom::cli {

void add_scenario_arguments(CLI::App& command, ScenarioArguments& arguments) {
  command.add_option("model", arguments.model, "Scenario file (TOML)")->required();
  command
      .add_option("--set", arguments.set,
                  "NAME=VALUE: a parameter of the file or of its model, or any key by its path, like "
                  "law.steel.tangential.friction=0.3")
      ->expected(1)
      ->take_all();
  command.add_option("--t-end", arguments.t_end, "End time, in s or with a unit");
  command.add_option("--step", arguments.step, "Time step, in s or with a unit");
  command.add_option("--scheme", arguments.scheme,
                     "Scheme (carom list schemes), with parameters as name:parameter=value");
  command.add_option("--solver", arguments.solver, "Contact solver (carom list solvers)");
  command.add_flag("--allow-outside", arguments.allow_outside,
                   "Let the model name files outside its own folder and the working directory");
}

namespace {

// A number alone is in seconds; "0.2 s" and formulas are as in the file.
std::string time_text(const std::string& text) {
  double x = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  return error == std::errc() && end == text.data() + text.size() && !text.empty() ? text + " s" : text;
}

}  // namespace

std::vector<Override> overrides(const ScenarioArguments& arguments) {
  std::vector<Override> list;
  for (const std::string& text : arguments.set) list.push_back(parse_override(text));
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) list.push_back({key, value});
  };
  add("simulation.t_end", time_text(arguments.t_end));
  add("simulation.step", time_text(arguments.step));
  // name:parameter=value:..., as where schemes are listed
  const std::size_t colon = arguments.scheme.find(':');
  add("simulation.scheme", arguments.scheme.substr(0, colon));
  for (std::size_t begin = colon; begin != std::string::npos;) {
    const std::size_t end = arguments.scheme.find(':', begin + 1);
    const Override parameter = parse_override(arguments.scheme.substr(begin + 1, end - begin - 1));
    list.push_back({"simulation." + arguments.scheme.substr(0, colon) + "." + parameter.key, parameter.value});
    begin = end;
  }
  add("simulation.contact.solver", arguments.solver);
  return list;
}

Scenario load(const ScenarioArguments& arguments) {
  Scenario scenario = read_scenario(arguments.model, overrides(arguments),
                                    arguments.allow_outside ? NamedFiles::anywhere : NamedFiles::inside);
  for (const InputProblem& warning : scenario.warnings) fmt::print(stderr, "{}\n", describe(warning));
  for (const std::string& choice : scenario.choices) fmt::print(stderr, "chosen: {}\n", choice);
  return scenario;
}

}  // namespace carom::cli
