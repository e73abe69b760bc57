// Shows a file in whatever program the desktop has for it.
#pragma once

#include <string>

namespace carom::cli {

// False if there is no such program (xdg-open), or it could not be started.
bool open_page(const std::string& path);

}  // namespace carom::cli
