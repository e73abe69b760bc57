// The program without published figures: it becomes the other one.
#include <cerrno>
#include <system_error>

#include "command.h"
#include "reproductions.h"
#include "sibling_program.h"

namespace carom::cli {

void become_reproducing_program(std::string_view command) {
  if (command == "reproduce" || command == "completion") become_sibling("carom-reproduce");
}

std::vector<std::string> reproduction_ids() { return {"all"}; }

void add_reproduce(CLI::App& app, ExitCode&) {
  CLI::App* command = app.add_subcommand("reproduce", reproduce_text);
  command->allow_extras();
  command->callback([] {
    throw std::system_error(ENOENT, std::generic_category(),
                            "carom-reproduce, the program with the published figures, is not beside this one "
                            "(./carom reproduce builds it)");
  });
}

}  // namespace carom::cli
