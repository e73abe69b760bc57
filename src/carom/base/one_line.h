// Text from outside (names, titles, paths) within one line of a message: what would end the line or command a terminal
// is written as \u000a. Otherwise a name could forge lines of a report.
#pragma once

#include <string>
#include <string_view>

namespace carom::inline base {

std::string one_line(std::string_view text);

}  // namespace carom::inline base
