#include "carom/io/renamed_text.h"

#include <cctype>

namespace carom::inline io {

namespace {

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string renamed(const std::string& text,
                    const std::function<std::optional<std::string>(const std::string&)>& rename) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const bool starts = std::isalpha(static_cast<unsigned char>(text[i])) || text[i] == '_';
    const bool behind = i > 0 && (in_name(text[i - 1]) || text[i - 1] == '.');
    if (!starts || behind) {
      out += text[i++];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && in_name(text[end])) ++end;
    const std::string name = text.substr(i, end - i);
    out += rename(name).value_or(name);
    i = end;
  }
  return out;
}

}  // namespace carom::inline io
