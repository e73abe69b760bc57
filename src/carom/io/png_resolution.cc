#include "carom/io/png_resolution.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace carom::inline io {

namespace {

constexpr std::string_view kSignature = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kHeaderEnd = 8 + 4 + 4 + 13 + 4;  // signature; length, name, data and check sum of IHDR

// The check sum of PNG: CRC-32, bit by bit; the chunk is 13 bytes long.
std::uint32_t check_sum(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char byte : bytes) {
    crc ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1u) ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

void append(std::string& bytes, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>((number >> shift) & 0xffu);
}

}  // namespace

void declare_png_resolution(const std::filesystem::path& path, int dots_per_inch) {
  std::ifstream in(path, std::ios::binary);
  std::string png{std::istreambuf_iterator<char>(in), {}};
  if (!png.starts_with(kSignature) || png.size() < kHeaderEnd) return;
  if (png.substr(0, 4096).find("pHYs") != std::string::npos) return;
  const auto dots_per_metre = static_cast<std::uint32_t>(std::lround(dots_per_inch / 0.0254));
  std::string body = "pHYs";
  append(body, dots_per_metre);
  append(body, dots_per_metre);
  body += '\x01';  // the unit is the metre
  std::string chunk;
  append(chunk, 9);  // bytes of data
  chunk += body;
  append(chunk, check_sum(body));
  png.insert(kHeaderEnd, chunk);
  std::ofstream(path, std::ios::binary) << png;
}

}  // namespace carom::inline io
