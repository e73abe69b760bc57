// Numbers, texts, lists of texts and structs of them, as the bytes of a MAT file of level 5. Names become such that
// MATLAB takes them: letters, digits and underscores, at most 63, a letter first.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace carom::inline io {

class MatValue {
 public:
  MatValue() = default;  // a struct without fields
  static MatValue numbers(std::vector<double> by_column, std::size_t rows);
  static MatValue text(std::string words);
  static MatValue texts(std::vector<std::string> list);

  // Puts a value where a path of fields leads; the structs on the way are made. A name that is taken by a value gets an
  // underscore, and so does one that is there already.
  void put(const std::vector<std::string>& path, MatValue value);
  const std::vector<std::pair<std::string, MatValue>>& fields() const { return fields_; }

  // As an element of a file; std::system_error EFBIG if it needs 2 GB and more, which the format cannot tell.
  void append_to(std::string& bytes, const std::string& name) const;

 private:
  enum class Kind { structure, numbers, text, texts };
  MatValue* struct_of(const std::string& name);

  Kind kind_ = Kind::structure;
  std::size_t rows_ = 0;
  std::vector<double> numbers_;
  std::vector<std::string> texts_;
  std::vector<std::pair<std::string, MatValue>> fields_;
};

std::string mat_name(const std::string& name);
// A whole file: its fields are the variables.
std::string mat_file(const MatValue& variables);

}  // namespace carom::inline io
