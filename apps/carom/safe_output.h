// What a file, a name or an argument contains reaches the terminal as letters, never as commands: everything printed on
// stdout and stderr goes through a filter that writes control characters as \u001b and broken UTF-8 as \x9b.
// (Inside JSON the first is the same character again; the second does not occur there.)
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "carom/base/one_line.h"

namespace carom::cli {

// As fmt::print, with every text among the arguments kept within its line: what has a name with a line break in it does
// not forge a line. For lines of the format's own only; text of several lines goes to fmt::print.
template <class... Args>
void say(std::FILE* stream, fmt::format_string<const Args&...> format, const Args&... args) {
  [[maybe_unused]] const auto within = [](const auto& arg) {
    if constexpr (std::is_convertible_v<decltype(arg), std::string_view>)
      return one_line(arg);
    else
      return arg;
  };
  fmt::vprint(stream, format, fmt::make_format_args(within(args)...));
}
template <class... Args>
void say(fmt::format_string<const Args&...> format, const Args&... args) {
  say<Args...>(stdout, format, args...);
}

// Before anything is printed.
void escape_control_characters();

// For the program's own commands to the terminal (a line that is overwritten), past the filter.
void to_terminal(int descriptor, std::string_view text);

// `text` as the filter writes it. What may be the beginning of a character stays in `rest` until more comes.
std::string escaped(std::string_view text, std::string& rest);

}  // namespace carom::cli
