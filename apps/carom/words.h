// Words that a command line can be completed with, told by the files that know them.
#pragma once

#include <string>
#include <vector>

namespace carom::cli {

std::vector<std::string> template_names();  // of carom new
std::vector<std::string> list_topics();     // of carom list

}  // namespace carom::cli
