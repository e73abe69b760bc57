// Published figures take long to compile and are seldom asked for: the program carom is not linked with them. Its
// objects and apps/reproductions make carom-reproduce, which `carom reproduce` becomes; the launcher builds it when it
// is first asked for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::cli {

inline constexpr const char* reproduce_text = "Published tables and figures: published, computed, verdict";

// For a command that wants them; returns where this is the program that has them, or where that is not there.
void become_reproducing_program(std::string_view command);

// What `carom reproduce` takes; "all" alone in the program without them.
std::vector<std::string> reproduction_ids();

}  // namespace carom::cli
