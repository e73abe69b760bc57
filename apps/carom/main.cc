// The program `carom`: reads the command line, runs one subcommand, turns errors into messages and exit
// codes.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string_view>
#include <system_error>
#include <vector>

#include "carom/base/errors.h"
#include "carom/base/large_blocks.h"
#include "carom/base/names.h"
#include "carom/base/version.h"
#include "command.h"
#include "interrupt.h"
#include "json_line.h"
#include "reproductions.h"
#include "safe_output.h"
#include "study_commands.h"

namespace carom::cli {
namespace {

constexpr const char* kFooter = R"(
A first run:   carom run scenarios/slider_crank.toml
Any command:   carom CAROM_COMMAND --help

Exit codes: 0 fine, 1 an expectation failed, 2 bad input, 3 numerical failure (result written up to
there), 4 environment, 130 interrupted, 141 nobody reads the output (result written up to there).)";

std::string version_text() {
  const BuildInfo& info = build_info();
  return fmt::format("carom {} ({}, {}, {})", info.version, info.commit, info.compiler, info.build_type);
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The option nearest in spelling, and all there are.
std::string option_hint(const CLI::App& command, const std::string& given) {
  std::vector<std::string> words, shown;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) {
      words.push_back(canonical_name(name));
      shown.push_back("--" + name);
    }
  const std::string known = fmt::format("known here: {}", fmt::join(shown, ", "));
  const std::size_t begin = given.find_first_not_of('-');
  if (begin == std::string::npos) return known;
  const std::string word = given.substr(begin, given.find('=', begin) - begin);
  const std::string nearest = nearest_name(word, words);
  const auto at = std::find(words.begin(), words.end(), nearest);
  if (at == words.end()) return known;
  return fmt::format("did you mean '{}'? ({})", shown[static_cast<std::size_t>(at - words.begin())], known);
}

// Whether --json stands on the command line, whichever command it is and whatever else is wrong with it.
bool json_wanted = false;

// For scripts: the same problems as objects, one a line.
void print_json(const std::vector<InputProblem>& problems) {
  for (const InputProblem& problem : problems) {
    nlohmann::ordered_json line = {{"event", "error"}};
    line.update(problem_json(problem));
    print_json_line(line);
  }
}

// A person reads stderr, a script that asked for it finds the same on stdout.
ExitCode complain(const std::vector<InputProblem>& problems, ExitCode code) {
  for (const InputProblem& problem : problems)
    fmt::print(stderr, "{}{}\n", &problem == &problems.front() ? "" : "\n", describe(problem));
  if (json_wanted) print_json(problems);
  return code;
}

ExitCode complain(const std::string& message, const std::string& hint) {
  return complain({{"E0001", message, {}, hint, {}, 0, 0, {}}}, ExitCode::bad_input);
}

ExitCode complain_of_environment(const std::string& code, const std::string& message, const std::string& hint = {}) {
  return complain({{code, message, {}, hint, {}, 0, 0, {}}}, ExitCode::environment);
}

// What CLI11 found wrong with the command line, in our words where a nearer name helps.
ExitCode complain(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& command = chosen.empty() ? app : *chosen.front();
  const std::string name = chosen.empty() ? "carom" : "carom " + command.get_name();
  const auto extras = command.remaining();
  if (!extras.empty() && extras.front().starts_with("--") && extras.front().size() > 2)
    return complain(fmt::format("{}: unknown option '{}'", name, extras.front()), option_hint(command, extras.front()));
  return complain(fmt::format("{}: {}", name, error.what()), fmt::format("see: {} --help", name));
}

ExitCode run(int argc, char** argv) {
  json_wanted = std::any_of(argv, argv + argc, [](const char* word) { return std::string_view(word) == "--json"; });
  CLI::App app{"Carom simulates nonsmooth mechanics: contact, impact, friction.", "carom"};
  app.footer(kFooter);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(32);

  ExitCode code = ExitCode::fine;
#define CAROM_COMMAND(name) add_##name(app, code);
#include "commands.def"
#undef CAROM_COMMAND

  const std::string first = argc > 1 ? argv[1] : "";
  const auto commands = command_names(app);
  if (!first.empty() && first[0] != '-' && std::find(commands.begin(), commands.end(), first) == commands.end())
    return complain(fmt::format("unknown command '{}'", first), suggestion(first, commands));
  try {
    app.parse(argc, argv);
    if (argc == 1) fmt::print("{}", app.help());
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    fmt::print("{}", chosen.empty() ? app.help() : chosen.front()->help());
  } catch (const CLI::CallForVersion&) {
    fmt::print("{}\n", version_text());
  } catch (const CLI::ParseError& error) {
    return complain(app, error);
  } catch (const InputError& error) {
    return complain(error.problems(), ExitCode::bad_input);
  } catch (const std::system_error& error) {
    return complain_of_environment("E0701", error.what());
  } catch (const std::bad_alloc&) {
    return complain_of_environment("E0702", "there is not enough memory for this");
  } catch (const std::exception& error) {  // nothing ends in a crash: a defect is told as one
    return complain_of_environment("E0799", error.what(),
                                   "this should not happen; what was typed and this line make a good report");
  }
  return code;
}

// What was printed must have arrived (on a full disk it does not).
ExitCode all_printed(ExitCode code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return code;
  if (interrupt_flag()) return interrupted_exit();
  complain_of_environment("E0701", "the output could not be printed");
  return code == ExitCode::fine ? ExitCode::environment : code;
}

}  // namespace
}  // namespace carom::cli

int main(int argc, char** argv) {
  carom::give_large_blocks_back();
  if (argc > 1) {
    carom::cli::become_studying_program(argv[1]);
    carom::cli::become_reproducing_program(argv[1]);
  }
  carom::cli::escape_control_characters();
  carom::cli::watch_signals();
  const carom::cli::ExitCode code = carom::cli::run(argc, argv);
  return static_cast<int>(carom::cli::all_printed(code));
}
