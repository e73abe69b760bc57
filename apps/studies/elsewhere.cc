// The program without studies: it becomes the other one.
#include "command.h"
#include "sibling_program.h"
#include "study_commands.h"

namespace carom::cli {

void become_studying_program(std::string_view command) {
  for (const char* name : {"diff", "compare", "converge", "sweep", "solve", "import", "export"})
    if (command == name) become_sibling("carom-study");
}

namespace {

void add_elsewhere(CLI::App& app, const char* name, const char* text) {
  add_command_of_sibling(app, name, text, "carom-study");
}

}  // namespace

void add_diff(CLI::App& app, ExitCode&) { add_elsewhere(app, "diff", diff_text); }
void add_compare(CLI::App& app, ExitCode&) { add_elsewhere(app, "compare", compare_text); }
void add_converge(CLI::App& app, ExitCode&) { add_elsewhere(app, "converge", converge_text); }
void add_sweep(CLI::App& app, ExitCode&) { add_elsewhere(app, "sweep", sweep_text); }
void add_import(CLI::App& app, ExitCode&) { add_elsewhere(app, "import", import_text); }
void add_export(CLI::App& app, ExitCode&) { add_elsewhere(app, "export", export_text); }
void add_solve(CLI::App& app, ExitCode&) { add_elsewhere(app, "solve", solve_text); }

}  // namespace carom::cli
