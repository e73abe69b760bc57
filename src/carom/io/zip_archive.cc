#include "carom/io/zip_archive.h"

#include <zlib.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace carom::inline io {

namespace {

// Numbers of the format stand with the lowest byte first.
void put(std::string& out, std::uint32_t value, int bytes) {
  for (int k = 0; k < bytes; ++k) out.push_back(static_cast<char>(value >> (8 * k) & 0xff));
}
void put16(std::string& out, std::uint32_t value) { put(out, value, 2); }
void put32(std::string& out, std::uint32_t value) { put(out, value, 4); }

std::uint32_t length(std::size_t n) {
  if (n > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("a zip archive holds at most 4 GB");
  return static_cast<std::uint32_t>(n);
}

// Without the header of zlib: what a zip archive wants.
std::string deflated(const std::string& bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::string out(deflateBound(&stream, length(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = length(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = length(out.size());
  deflate(&stream, Z_FINISH);  // the bound is enough: it ends in one go
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr std::uint32_t version = 20;           // 2.0: deflate
constexpr std::uint32_t made_on_unix = 3 << 8;  // so that permissions count
constexpr std::uint32_t names_are_utf8 = 1 << 11;
constexpr std::uint32_t method_deflate = 8;
constexpr std::uint32_t midnight = 0, first_of_1980 = (1 << 5) | 1;

// What the head of an entry and its line in the directory have in common.
std::string description(std::uint32_t crc, std::size_t packed, const ZipEntry& entry) {
  std::string out;
  put16(out, version);
  put16(out, names_are_utf8);
  put16(out, method_deflate);
  put16(out, midnight);
  put16(out, first_of_1980);
  put32(out, crc);
  put32(out, length(packed));
  put32(out, length(entry.bytes.size()));
  put16(out, length(entry.name.size()));
  put16(out, 0);  // no extra field
  return out;
}

}  // namespace

std::string zip_archive(const std::vector<ZipEntry>& entries) {
  if (entries.size() > 0xffff) throw std::length_error("a zip archive holds at most 65,535 files");
  std::string out, directory;
  for (const ZipEntry& entry : entries) {
    const auto* bytes = reinterpret_cast<const Bytef*>(entry.bytes.data());
    const auto crc = static_cast<std::uint32_t>(crc32(crc32(0, nullptr, 0), bytes, length(entry.bytes.size())));
    const std::string packed = deflated(entry.bytes);
    const std::string shared = description(crc, packed.size(), entry);
    const std::uint32_t place = length(out.size());
    out += "PK\3\4" + shared + entry.name + packed;
    directory += "PK\1\2";
    put16(directory, made_on_unix | version);
    directory += shared;
    put16(directory, 0);  // no comment
    put16(directory, 0);  // first disk
    put16(directory, 0);
    put32(directory, (entry.executable ? 0100755u : 0100644u) << 16);
    put32(directory, place);
    directory += entry.name;
  }
  const std::uint32_t begin = length(out.size());
  out += directory + "PK\5\6";
  put32(out, 0);  // one disk
  put16(out, static_cast<std::uint32_t>(entries.size()));
  put16(out, static_cast<std::uint32_t>(entries.size()));
  put32(out, length(directory.size()));
  put32(out, begin);
  put16(out, 0);  // no comment
  return out;
}

}  // namespace carom::inline io
