// Programs of the same build, in the same folder.
#pragma once

#include <string>

namespace carom::cli {

// This process becomes that program, with the same command line. Returns only if it is not there.
void become_sibling(const std::string& name);

}  // namespace carom::cli
