// Files compiled into the program (cmake/embed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace carom::inline io {

struct EmbeddedFile {
  std::string_view name;  // "page.html", "templates/slider_crank.toml"
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

}  // namespace carom::inline io
