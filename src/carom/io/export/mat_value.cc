#include "carom/io/export/mat_value.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

namespace carom::inline io {

namespace {

// Of the format's description: types of data, and classes of arrays.
enum Type : std::uint32_t {
  int8_data = 1,
  uint16_data = 4,
  int32_data = 5,
  uint32_data = 6,
  double_data = 9,
  matrix_data = 14
};
enum Class : std::uint32_t { cell_class = 1, struct_class = 2, char_class = 4, number_class = 6 };
constexpr std::size_t kNameLength = 64;  // of fields, with the zero behind it

void append_word(std::string& bytes, std::uint32_t word) {
  bytes.append(reinterpret_cast<const char*>(&word), sizeof word);
}

std::uint32_t size_of(std::size_t bytes) {
  if (bytes >= (std::size_t{1} << 31)) throw std::system_error(EFBIG, std::generic_category(), "a MAT file");
  return static_cast<std::uint32_t>(bytes);
}

// Every element begins at a multiple of eight bytes.
void append_element(std::string& bytes, Type type, const void* data, std::size_t size) {
  append_word(bytes, type);
  append_word(bytes, size_of(size));
  bytes.append(static_cast<const char*>(data), size);
  bytes.append((8 - size % 8) % 8, '\0');
}

void append_head(std::string& bytes, Class kind, std::size_t rows, std::size_t columns, const std::string& name) {
  const std::uint32_t flags[2] = {kind, 0};
  append_element(bytes, uint32_data, flags, sizeof flags);
  const std::uint32_t extents[2] = {size_of(rows), size_of(columns)};
  append_element(bytes, int32_data, extents, sizeof extents);
  append_element(bytes, int8_data, name.data(), name.size());
}

void close_matrix(std::string& bytes, std::size_t begin) {
  const std::uint32_t size = size_of(bytes.size() - begin - 8);
  std::memcpy(bytes.data() + begin + 4, &size, sizeof size);
}

std::size_t open_matrix(std::string& bytes) {
  const std::size_t begin = bytes.size();
  append_word(bytes, matrix_data);
  append_word(bytes, 0);
  return begin;
}

// Two bytes a character; what is beyond ASCII is written byte by byte.
void append_text(std::string& bytes, const std::string& text, const std::string& name) {
  const std::size_t begin = open_matrix(bytes);
  append_head(bytes, char_class, text.empty() ? 0 : 1, text.size(), name);
  std::vector<std::uint16_t> wide;
  for (const char c : text) wide.push_back(static_cast<unsigned char>(c));
  append_element(bytes, uint16_data, wide.data(), wide.size() * sizeof(std::uint16_t));
  close_matrix(bytes, begin);
}

}  // namespace

std::string mat_name(const std::string& name) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (result.empty() || !std::isalpha(static_cast<unsigned char>(result[0]))) result = "x" + result;
  return result.substr(0, kNameLength - 1);
}

MatValue MatValue::numbers(std::vector<double> by_column, std::size_t rows) {
  MatValue value;
  value.kind_ = Kind::numbers;
  value.rows_ = rows;
  value.numbers_ = std::move(by_column);
  return value;
}

MatValue MatValue::text(std::string words) {
  MatValue value;
  value.kind_ = Kind::text;
  value.texts_ = {std::move(words)};
  return value;
}

MatValue MatValue::texts(std::vector<std::string> list) {
  MatValue value;
  value.kind_ = Kind::texts;
  value.texts_ = std::move(list);
  return value;
}

MatValue* MatValue::struct_of(const std::string& name) {
  for (auto& [known, value] : fields_)
    if (known == name && value.kind_ == Kind::structure) return &value;
  return nullptr;
}

void MatValue::put(const std::vector<std::string>& path, MatValue value) {
  MatValue* at = this;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const bool last = k + 1 == path.size();
    std::string name = mat_name(path[k]);
    MatValue* inner = last ? nullptr : at->struct_of(name);
    if (!inner) {
      const auto taken = [&] {
        return std::any_of(at->fields_.begin(), at->fields_.end(),
                           [&](const auto& field) { return field.first == name; });
      };
      while (taken()) name = name.substr(0, kNameLength - 2) + "_";
      at->fields_.emplace_back(name, last ? std::move(value) : MatValue());
      inner = &at->fields_.back().second;
    }
    at = inner;
  }
}

void MatValue::append_to(std::string& bytes, const std::string& name) const {
  if (kind_ == Kind::text) return append_text(bytes, texts_[0], name);
  const std::size_t begin = open_matrix(bytes);
  switch (kind_) {
    case Kind::numbers:
      append_head(bytes, number_class, rows_, rows_ > 0 ? numbers_.size() / rows_ : 0, name);
      append_element(bytes, double_data, numbers_.data(), numbers_.size() * sizeof(double));
      break;
    case Kind::texts:
      append_head(bytes, cell_class, texts_.size(), 1, name);
      for (const std::string& text : texts_) append_text(bytes, text, {});
      break;
    default: {
      append_head(bytes, struct_class, 1, 1, name);
      append_word(bytes, int32_data | 4u << 16);  // a short element: its size stands beside its type
      append_word(bytes, kNameLength);
      std::string names(fields_.size() * kNameLength, '\0');
      for (std::size_t i = 0; i < fields_.size(); ++i)
        std::memcpy(names.data() + i * kNameLength, fields_[i].first.data(), fields_[i].first.size());
      append_element(bytes, int8_data, names.data(), names.size());
      for (const auto& [field, value] : fields_) value.append_to(bytes, {});
    }
  }
  close_matrix(bytes, begin);
}

std::string mat_file(const MatValue& variables) {
  std::string bytes = "MATLAB 5.0 MAT-file, written by carom";
  bytes.resize(124, ' ');
  const std::uint16_t version = 0x0100, order = 'M' << 8 | 'I';
  bytes.append(reinterpret_cast<const char*>(&version), 2);
  bytes.append(reinterpret_cast<const char*>(&order), 2);
  for (const auto& [name, value] : variables.fields()) value.append_to(bytes, name);
  return bytes;
}

}  // namespace carom::inline io
