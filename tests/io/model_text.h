// Model files as texts: changed by words, read for their problems and warnings, run for one number.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "carom/base/errors.h"
#include "carom/io/channel_recorder.h"
#include "carom/io/scenario.h"

namespace carom::testing {

inline std::string text_of(const std::string& file) {
  std::ifstream in(file);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The first place of each word, which must be there, has another.
inline std::string with(std::string text, std::initializer_list<std::pair<std::string, std::string>> words) {
  for (const auto& [from, to] : words) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos)
      ADD_FAILURE() << "nothing to replace: " << from;
    else
      text.replace(at, from.size(), to);
  }
  return text;
}

// All problems of a text; empty if it can be read.
inline std::string problems(const std::string& text) {
  std::string all;
  try {
    parse_scenario("test.toml", text);
  } catch (const InputError& error) {
    for (const InputProblem& problem : error.problems()) all += describe(problem) + "\n";
  }
  return all;
}

// All warnings with their places: "W0307 12: ...".
inline std::string warnings(const std::string& text) {
  std::string all;
  for (const InputProblem& warning : parse_scenario("test.toml", text).warnings)
    all += warning.code + " " + std::to_string(warning.line) + ": " + warning.message + " | " + warning.hint + "\n";
  return all;
}

// Formulas of one run, as [measure] has them; not a number where there is none.
inline std::vector<double> values(const Scenario& scenario, const std::vector<NamedExpression>& list) {
  ChannelRecorder recorder(scenario);
  recorder.need(list);
  simulate(scenario, &recorder);
  std::vector<double> out;
  for (const Measurement& m : recorder.measure(list)) out.push_back(m.value.value_or(std::nan("")));
  return out;
}
inline double measured_value(const Scenario& scenario, const std::string& formula) {
  return values(scenario, {measured("x", formula)})[0];
}

}  // namespace carom::testing
