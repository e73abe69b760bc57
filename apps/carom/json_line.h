// One JSON object a line, for scripts. Names and paths come from outside: bytes that are no UTF-8 are replaced, never a
// reason to fail.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "carom/base/errors.h"

namespace carom::cli {

inline nlohmann::ordered_json problem_json(const InputProblem& problem) {
  return {{"code", problem.code}, {"message", problem.message}, {"key", problem.key},      {"hint", problem.hint},
          {"file", problem.file}, {"line", problem.line},       {"column", problem.column}};
}

inline void print_json_line(const nlohmann::ordered_json& json) {
  using Handler = nlohmann::ordered_json::error_handler_t;
  fmt::print("{}\n", json.dump(-1, ' ', false, Handler::replace));
  std::fflush(stdout);
}

}  // namespace carom::cli
