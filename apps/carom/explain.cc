// carom explain: what the code of a message means and what to do about it; what a key of the model file means.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "carom/base/errors.h"
#include "carom/base/messages.h"
#include "carom/base/names.h"
#include "carom/io/fields.h"
#include "command.h"

namespace carom::cli {
namespace {

ExitCode run_explain(std::string code) {
  if (const std::string text = explain_field(code); !text.empty()) {
    fmt::print("{}", text);
    return ExitCode::fine;
  }
  std::transform(code.begin(), code.end(), code.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::vector<std::string> known;
  for (const MessageEntry& entry : messages()) {
    if (entry.code == code) {
      fmt::print("{}: {}\n  {}\n", entry.code, entry.title, entry.explanation);
      return ExitCode::fine;
    }
    known.emplace_back(entry.code);
  }
  const std::string near = nearest_name(code, known);
  throw InputError(
      {"E0110",
       fmt::format("carom explain: no message has the code '{}'", code),
       "explain",
       near.empty() ? "docs/messages.md lists them" : fmt::format("did you mean {}? docs/messages.md lists them", near),
       {},
       0,
       0,
       {}});
}

}  // namespace

void add_explain(CLI::App& app, ExitCode& code) {
  auto what = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("explain", "What the code of a message, or a key of the model file, means");
  command->add_option("code", *what, "E0102, W0304, joint.revolute, simulation.step, ...")->required();
  command->footer(R"(
Examples:
  carom explain E0124                 a message
  carom explain joint.revolute        a table of the model file
  carom explain simulation.step       one of its keys)");
  command->callback([what, &code] { code = run_explain(*what); });
}

}  // namespace carom::cli
