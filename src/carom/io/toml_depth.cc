#include "carom/io/toml_depth.h"

#include <algorithm>

namespace carom::inline io {

namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::optional<TextPlace> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#')
        skip_to_line_end();
      else if (c == '"' || c == '\'')
        skip_string(c);
      else
        count(c);
      if (brackets_ > toml_depth_limit || dots_ > toml_depth_limit) return place();
    }
    return std::nullopt;
  }

 private:
  void count(char c) {
    if (c == '.') ++dots_;
    if (c == '[' || c == '{') ++brackets_;
    if (c == ']' || c == '}') brackets_ = std::max(0, brackets_ - 1);
    // A key ends here. A header's brackets close within its line, so a broken one does not add up.
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') dots_ = 0;
    ++at_;
  }
  void skip_to_line_end() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }
  bool starts(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  void skip_string(char quote) {
    const char three[] = {quote, quote, quote};
    const std::string_view triple(three, 3);
    const bool several_lines = starts(triple);
    at_ += several_lines ? 3 : 1;
    while (at_ < text_.size()) {
      if (quote == '"' && text_[at_] == '\\') {
        at_ += 2;
      } else if (several_lines ? starts(triple) : text_[at_] == quote) {
        at_ += several_lines ? 3 : 1;
        return;
      } else if (!several_lines && text_[at_] == '\n') {
        return;  // not closed: the parser will say so
      } else {
        ++at_;
      }
    }
    at_ = text_.size();
  }
  TextPlace place() const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
    return {1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
            1 + static_cast<int>(before.size() - line_begin)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int brackets_ = 0, dots_ = 0;
};

}  // namespace

std::optional<TextPlace> too_deep_toml(std::string_view text) { return Scanner(text).run(); }

}  // namespace carom::inline io
