#include "safe_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace carom::cli {

namespace {

// C0 and C1 but for the ends of lines and tabs, and what turns the direction of writing around.
bool commands_the_terminal(char32_t c) {
  if (c == '\n' || c == '\t') return false;
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

// Bytes of the character that starts with this one; 0 if none does.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return 2;
  if (first >= 0xe0 && first < 0xf0) return 3;
  if (first >= 0xf0 && first < 0xf5) return 4;
  return 0;
}

// The character of these bytes; none if they are no UTF-8.
bool decode(std::string_view bytes, char32_t& c) {
  constexpr unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  c = static_cast<unsigned char>(bytes[0]) & masks[bytes.size()];
  for (std::size_t i = 1; i < bytes.size(); ++i) {
    const auto next = static_cast<unsigned char>(bytes[i]);
    if ((next & 0xc0) != 0x80) return false;
    c = c << 6 | (next & 0x3f);
  }
  return c >= least[bytes.size()] && c < 0x110000 && !(c >= 0xd800 && c < 0xe000);
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// One of the two streams.
struct Filter {
  int descriptor;
  std::string rest = {};
};

ssize_t write_through(void* cookie, const char* data, std::size_t size) {
  auto& filter = *static_cast<Filter*>(cookie);
  return write_all(filter.descriptor, escaped({data, size}, filter.rest)) ? static_cast<ssize_t>(size) : 0;
}

FILE* filtered(Filter& filter, int buffering) {
  FILE* stream = fopencookie(&filter, "w", {nullptr, write_through, nullptr, nullptr});
  if (stream) std::setvbuf(stream, nullptr, buffering, BUFSIZ);
  return stream;
}

}  // namespace

std::string escaped(std::string_view text, std::string& rest) {
  const std::string whole = rest + std::string(text);
  rest.clear();
  std::string out;
  out.reserve(whole.size());
  for (std::size_t i = 0; i < whole.size();) {
    const std::size_t length = length_of(static_cast<unsigned char>(whole[i]));
    if (length > whole.size() - i) {
      rest = whole.substr(i);
      break;
    }
    char32_t c = 0;
    if (length == 0 || !decode(std::string_view(whole).substr(i, length), c)) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(whole[i]));
      i += 1;
      continue;
    }
    if (commands_the_terminal(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out.append(whole, i, length);
    i += length;
  }
  return out;
}

void escape_control_characters() {
  static Filter out{STDOUT_FILENO}, error{STDERR_FILENO};
  if (FILE* stream = filtered(out, isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF)) stdout = stream;
  if (FILE* stream = filtered(error, _IOLBF)) stderr = stream;
}

void to_terminal(int descriptor, std::string_view text) {
  std::fflush(descriptor == STDERR_FILENO ? stderr : stdout);
  write_all(descriptor, text);
}

}  // namespace carom::cli
