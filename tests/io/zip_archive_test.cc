// Archives are taken apart by a reader of the format that shares nothing with the writer but zlib.
#include "carom/io/zip_archive.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <random>
#include <stdexcept>

namespace carom {
namespace {

struct Found {
  std::string name, bytes;
  std::uint32_t mode = 0;
};

std::uint32_t number(const std::string& text, std::size_t at, int bytes) {
  std::uint32_t value = 0;
  for (int k = 0; k < bytes; ++k)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text.at(at + static_cast<std::size_t>(k)))) << 8 * k;
  return value;
}

std::string inflated(const std::string& packed, std::size_t size) {
  std::string out(size + 1, '\0');  // room for one too many
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  std::string in = packed;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

// From the end of the directory to its lines, from these to the files, as unpackers do.
std::vector<Found> unpacked(const std::string& archive) {
  std::vector<Found> files;
  const std::size_t end = archive.size() - 22;  // no comment behind it
  EXPECT_EQ(archive.substr(end, 4), "PK\5\6");
  const std::uint32_t count = number(archive, end + 10, 2), size = number(archive, end + 12, 4);
  std::size_t line = number(archive, end + 16, 4);
  EXPECT_EQ(line + size, end);
  for (std::uint32_t i = 0; i < count; ++i) {
    EXPECT_EQ(archive.substr(line, 4), "PK\1\2");
    const std::uint32_t crc = number(archive, line + 16, 4), packed = number(archive, line + 20, 4),
                        bytes = number(archive, line + 24, 4), name = number(archive, line + 28, 2);
    const std::size_t place = number(archive, line + 42, 4);
    Found file{archive.substr(line + 46, name), {}, number(archive, line + 38, 4) >> 16};
    EXPECT_EQ(archive.substr(place, 4), "PK\3\4");
    EXPECT_EQ(archive.substr(place + 4, 26), archive.substr(line + 6, 26)) << "both descriptions are the same";
    EXPECT_EQ(archive.substr(place + 30, name), file.name);
    file.bytes = inflated(archive.substr(place + 30 + name, packed), bytes);
    EXPECT_EQ(file.bytes.size(), bytes);
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(file.bytes.data()), static_cast<uInt>(file.bytes.size())), crc);
    files.push_back(std::move(file));
    line += 46 + name;
  }
  EXPECT_EQ(line, end);
  return files;
}

TEST(ZipArchive, what_goes_in_comes_out) {
  std::mt19937 random(1);
  std::string noise(100000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  const std::vector<ZipEntry> entries = {{"model.toml", "schema = 1\n"},
                                         {"binaries/linux64/a.so", noise, true},
                                         {"empty", ""},
                                         {"zeros", std::string(1 << 20, '\0')},
                                         {"gr\xc3\xb6\xc3\x9f"
                                          "e.txt",
                                          "x"}};
  const std::string archive = zip_archive(entries);
  const auto files = unpacked(archive);
  ASSERT_EQ(files.size(), entries.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_EQ(files[i].name, entries[i].name);
    EXPECT_EQ(files[i].bytes, entries[i].bytes) << entries[i].name;
    EXPECT_EQ(files[i].mode, entries[i].executable ? 0100755u : 0100644u);
  }
  EXPECT_LT(archive.size(), noise.size() + 10000) << "zeros are deflated";
  EXPECT_EQ(archive, zip_archive(entries)) << "the same files make the same archive";
}

TEST(ZipArchive, empty_and_too_large) {
  EXPECT_TRUE(unpacked(zip_archive({})).empty());
  EXPECT_THROW(zip_archive(std::vector<ZipEntry>(65536, ZipEntry{"a", ""})), std::length_error);
}

}  // namespace
}  // namespace carom
