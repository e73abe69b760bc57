// What a file, a name or an argument contains reaches the terminal as letters, never as commands: everything printed on
// stdout and stderr goes through a filter that writes control characters as \u001b and broken UTF-8 as \x9b.
// (Inside JSON the first is the same character again; the second does not occur there.)
#pragma once

#include <string>
#include <string_view>

namespace carom::cli {

// Before anything is printed.
void escape_control_characters();

// For the program's own commands to the terminal (a line that is overwritten), past the filter.
void to_terminal(int descriptor, std::string_view text);

// `text` as the filter writes it. What may be the beginning of a character stays in `rest` until more comes.
std::string escaped(std::string_view text, std::string& rest);

}  // namespace carom::cli
