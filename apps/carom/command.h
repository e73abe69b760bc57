// The convention of subcommands. A subcommand `name` is one file name.cc with
//
//     void add_name(CLI::App& app, ExitCode& code);
//
// and one line CAROM_COMMAND(name) in commands.def. The function declares the subcommand and its options and
// gives it a callback that does the work and assigns `code`:
//
//     void add_name(CLI::App& app, ExitCode& code) {
//       auto options = std::make_shared<Options>();
//       CLI::App* command = app.add_subcommand("name", "One line for carom --help");
//       command->add_option("model", options->model, "Scenario file")->required();
//       command->callback([options, &code] { code = run_name(*options); });
//     }
//
// Bad input is thrown as InputError, a file that cannot be written as std::system_error: main() prints
// both and chooses the exit code.
#pragma once

#include <CLI/CLI.hpp>

namespace carom::cli {

enum class ExitCode {
  fine = 0,
  expectation_failed = 1,  // ran, but an expectation, a verdict or --strict failed
  bad_input = 2,
  numerical_failure = 3,  // the result is written up to there
  environment = 4,        // a file cannot be written, a part is missing
  interrupted = 130,      // the result is written up to there
  lost_reader = 141       // the same, because nobody reads the output any more
};

#define CAROM_COMMAND(name) void add_##name(CLI::App& app, ExitCode& code);
#include "commands.def"
#undef CAROM_COMMAND

}  // namespace carom::cli
