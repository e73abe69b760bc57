#include "carom/base/errors.h"

#include <fmt/format.h>

#include <utility>

#include "carom/base/one_line.h"

namespace carom::inline base {

namespace {

std::string describe_all(const std::vector<InputProblem>& problems) {
  std::string text;
  for (const InputProblem& problem : problems) {
    if (!text.empty()) text += "\n\n";
    text += describe(problem);
  }
  return text;
}

// A message may quote what was written, but not all of it.
std::string shortened(std::string text) {
  constexpr std::size_t most = 1500, begin = 800, end = 200;
  if (text.size() > most) text.replace(begin, text.size() - begin - end, " ... ");
  return text;
}

std::vector<InputProblem> shortened(std::vector<InputProblem> problems) {
  for (InputProblem& problem : problems) {
    problem.message = shortened(std::move(problem.message));
    problem.key = shortened(std::move(problem.key));
  }
  return problems;
}

}  // namespace

std::string describe(const InputProblem& problem) {
  const char* kind = problem.code.starts_with('W') ? "warning" : "error";
  std::string text = fmt::format("{}[{}]: {}", kind, problem.code, one_line(problem.message));
  if (!problem.file.empty()) {
    text += fmt::format("\n  --> {}", one_line(problem.file));
    if (problem.line > 0) text += fmt::format(":{}:{}", problem.line, problem.column);
  }
  if (!problem.source_line.empty() && problem.line > 0) {
    const std::string number = std::to_string(problem.line);
    text += fmt::format("\n{} | {}\n{} | {}^ {}", number, problem.source_line, std::string(number.size(), ' '),
                        std::string(problem.column > 0 ? problem.column - 1 : 0, ' '), one_line(problem.hint));
  } else if (!problem.hint.empty()) {
    text += fmt::format("\n  {}", one_line(problem.hint));
  }
  return text;
}

InputError::InputError(InputProblem problem) : InputError(std::vector<InputProblem>{std::move(problem)}) {}

InputError::InputError(std::vector<InputProblem> problems)
    : std::runtime_error(describe_all(shortened(problems))), problems_(shortened(std::move(problems))) {}

}  // namespace carom::inline base
