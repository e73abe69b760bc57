// Programs of the same build, in the same folder.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace carom::cli {

// This process becomes that program, with the same command line. Returns only if it is not there.
void become_sibling(const std::string& name);

// A command that another program has: it stands in the help, and says which program is missing.
void add_command_of_sibling(CLI::App& app, const std::string& name, const std::string& text,
                            const std::string& program);

}  // namespace carom::cli
