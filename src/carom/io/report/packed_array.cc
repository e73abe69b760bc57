#include "carom/io/report/packed_array.h"

#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "carom/base/errors.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

template <class Number>
Json packed(const std::vector<Number>& values, const char* type, const std::vector<std::size_t>& shape) {
  const std::size_t n = values.size();
  std::string planes(n * sizeof(Number), '\0');
  const char* bytes = reinterpret_cast<const char*>(values.data());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t b = 0; b < sizeof(Number); ++b) planes[b * n + i] = bytes[i * sizeof(Number) + b];
  return {{"type", type}, {"shape", shape}, {"data", n == 0 ? std::string() : base64(deflated(planes))}};
}

// Rounded to the nearest number with so many bits.
float shortened(double value, int bits) {
  const float x = static_cast<float>(value);
  if (bits >= 23 || !std::isfinite(x)) return x;
  const std::uint32_t dropped = 23u - static_cast<std::uint32_t>(bits), half = 1u << (dropped - 1);
  const std::uint32_t word = std::bit_cast<std::uint32_t>(x);
  const float rounded = std::bit_cast<float>((word + half) & ~((1u << dropped) - 1u));
  return std::isfinite(rounded) ? rounded : x;
}

}  // namespace

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u;
    };
    const unsigned word = byte(0) << 16 | byte(1) << 8 | byte(2);
    text += digits[word >> 18];
    text += digits[word >> 12 & 63u];
    text += i + 1 < bytes.size() ? digits[word >> 6 & 63u] : '=';
    text += i + 2 < bytes.size() ? digits[word & 63u] : '=';
  }
  return text;
}

std::string deflated(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                static_cast<uLong>(bytes.size()), Z_BEST_COMPRESSION) != Z_OK)
    throw LogicError("zlib has no room in its own bound");
  out.resize(size);
  return out;
}

nlohmann::ordered_json packed_floats(const std::vector<double>& values, const std::vector<std::size_t>& shape,
                                     int bits) {
  std::vector<float> floats;
  floats.reserve(values.size());
  for (const double value : values) floats.push_back(shortened(value, bits));
  return packed(floats, "f4", shape);
}

nlohmann::ordered_json packed_doubles(const std::vector<double>& values) {
  return packed(values, "f8", {values.size()});
}

}  // namespace carom::inline io
