// Two of the three error channels: programmer mistakes and bad input. (The third, numerical trouble,
// is a status inside a result, never an exception.)
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace carom::inline base {

// A broken promise between two pieces of code.
class LogicError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

// One thing wrong with what the user wrote. Lower layers fill what they know (message, key, hint);
// io adds the place in the file.
struct InputProblem {
  std::string code;     // "E0102"
  std::string message;  // what is wrong
  std::string key;      // "law.steel.restitution"
  std::string hint;     // what to do about it
  std::string file;
  int line = 0;
  int column = 0;
  std::string source_line;  // the text of that line, for display
};

// Bad input. Holds every problem that was found, so that one run shows them all.
class InputError : public std::runtime_error {
 public:
  explicit InputError(InputProblem problem);
  explicit InputError(std::vector<InputProblem> problems);

  const std::vector<InputProblem>& problems() const { return problems_; }

 private:
  std::vector<InputProblem> problems_;
};

// A problem laid out for a reader: code, message, place, line, hint.
std::string describe(const InputProblem& problem);

}  // namespace carom::inline base
