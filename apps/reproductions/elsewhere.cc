// The program without published figures: it becomes the other one.
#include "command.h"
#include "reproductions.h"
#include "sibling_program.h"

namespace carom::cli {

void become_reproducing_program(std::string_view command) {
  if (command == "reproduce" || command == "completion") become_sibling("carom-reproduce");
}

std::vector<std::string> reproduction_ids() { return {"all"}; }

void add_reproduce(CLI::App& app, ExitCode&) {
  add_command_of_sibling(app, "reproduce", reproduce_text, "carom-reproduce");
}

}  // namespace carom::cli
