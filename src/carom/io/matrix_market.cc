#include "carom/io/matrix_market.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>
#include <vector>

#include "carom/base/errors.h"
#include "carom/base/types.h"
#include "carom/io/input_file.h"

namespace carom::inline io {

namespace {

constexpr const char* kHeader = "%%MatrixMarket matrix coordinate real symmetric";

class MatrixMarketReader {
 public:
  MatrixMarketReader(const std::string& file, const std::string& text)
      : file_(file), stream_(text), bytes_(text.size()) {}

  Eigen::SparseMatrix<double> read() {
    read_header();
    read_size();
    if (coordinate_)
      read_coordinates();
    else
      read_array();
    if (next_line()) refuse("there is more in the file than its size line says", "correct the size line");
    Eigen::SparseMatrix<double> A(rows_, columns_);
    A.setFromTriplets(entries_.begin(), entries_.end());
    return A;
  }

 private:
  [[noreturn]] void refuse(std::string message, std::string hint) const {
    throw InputError({"E0152", std::move(message), {}, std::move(hint), file_, number_, 0, line_});
  }

  // The next line that is neither empty nor a comment.
  bool next_line() {
    while (std::getline(stream_, line_)) {
      ++number_;
      if (!line_.empty() && line_.back() == '\r') line_.pop_back();
      const std::size_t first = line_.find_first_not_of(" \t");
      if (first == std::string::npos || line_[first] == '%') continue;
      return true;
    }
    line_.clear();
    return false;
  }

  void read_header() {
    std::getline(stream_, line_);
    ++number_;
    std::istringstream words(line_);
    std::string banner, object, format, field, symmetry;
    words >> banner >> object >> format >> field >> symmetry;
    for (std::string* word : {&object, &format, &field, &symmetry})
      std::transform(word->begin(), word->end(), word->begin(), [](unsigned char c) { return std::tolower(c); });
    const std::string hint = fmt::format("begin the file with '{}'", kHeader);
    if (banner != "%%MatrixMarket" || object != "matrix") refuse("this is no Matrix Market file of a matrix", hint);
    if (format != "coordinate" && format != "array") refuse(fmt::format("unknown format '{}'", format), hint);
    if (field != "real" && field != "integer" && field != "double")
      refuse(fmt::format("entries of kind '{}' are not read here", field), "real or integer");
    if (symmetry != "general" && symmetry != "symmetric" && symmetry != "skew-symmetric")
      refuse(fmt::format("unknown symmetry '{}'", symmetry), "general, symmetric or skew-symmetric");
    coordinate_ = format == "coordinate";
    mirror_ = symmetry == "symmetric" ? 1 : symmetry == "general" ? 0 : -1;
  }

  // The numbers of the current line, as many as asked for.
  void numbers(double* out, int count) const {
    const char* at = line_.data();
    const char* end = at + line_.size();
    const auto skip = [&] {
      while (at != end && (*at == ' ' || *at == '\t')) ++at;
    };
    for (int i = 0; i < count; ++i) {
      skip();
      if (at != end && *at == '+') ++at;
      const auto [rest, problem] = std::from_chars(at, end, out[i]);
      if (problem != std::errc() || rest == at || !std::isfinite(out[i]))
        refuse(fmt::format("expected {} number{} on this line", count, count == 1 ? "" : "s"), "");
      at = rest;
    }
    skip();
    if (at != end)
      refuse(fmt::format("expected {} number{} on this line and nothing more", count, count == 1 ? "" : "s"), "");
  }

  void read_size() {
    if (!next_line()) refuse("the line with the size of the matrix is missing", "rows columns entries");
    double size[3] = {0.0, 0.0, 0.0};
    numbers(size, coordinate_ ? 3 : 2);
    for (const double x : size)
      if (x < 0.0 || x != std::floor(x) || x > 2e9) refuse("sizes are whole numbers", "rows columns entries");
    rows_ = static_cast<Index>(size[0]);
    columns_ = static_cast<Index>(size[1]);
    count_ = size[2];
    if (rows_ < 1 || columns_ < 1) refuse("a matrix without entries", "at least one row and column");
    // Empty columns take memory too, though little; the promised entries take most.
    if (std::max(size[0], size[1]) > std::max(1e6, static_cast<double>(bytes_)))
      refuse(fmt::format("{} rows and {} columns in a file of {} bytes", rows_, columns_, bytes_),
             "correct the size line");
    const double lines = coordinate_ ? size[2] : size[0] * size[1] / (mirror_ == 0 ? 1.0 : 2.0);
    if (2.0 * lines > static_cast<double>(bytes_) + 2.0)
      refuse(fmt::format("the size line promises {:.0f} entries, the file has {} bytes", lines, bytes_),
             "correct the size line");
    if (mirror_ != 0 && rows_ != columns_) refuse("a symmetric matrix must be square", "or write 'general'");
  }

  void add(Index i, Index j, double value) {
    entries_.emplace_back(i, j, value);
    if (mirror_ != 0 && i != j) entries_.emplace_back(j, i, mirror_ * value);
  }

  void read_coordinates() {
    for (double k = 0; k < count_; ++k) {
      if (!next_line()) refuse(fmt::format("the file ends after {} of {} entries", k, count_), "correct the size line");
      double entry[3];
      numbers(entry, 3);
      if (entry[0] != std::floor(entry[0]) || entry[1] != std::floor(entry[1]) || entry[0] < 1 || entry[1] < 1 ||
          entry[0] > rows_ || entry[1] > columns_)
        refuse(fmt::format("row {} column {} is outside a {} x {} matrix", entry[0], entry[1], rows_, columns_),
               "rows and columns count from 1");
      if (mirror_ != 0 && entry[1] > entry[0])
        refuse("a symmetric file holds the lower triangle only", "swap row and column, or write 'general'");
      add(static_cast<Index>(entry[0]) - 1, static_cast<Index>(entry[1]) - 1, entry[2]);
    }
  }

  void read_array() {
    for (Index j = 0; j < columns_; ++j)
      for (Index i = mirror_ == 0 ? 0 : mirror_ == 1 ? j : j + 1; i < rows_; ++i) {
        if (!next_line()) refuse("the file ends before the matrix is complete", "one entry a line, column by column");
        double value;
        numbers(&value, 1);
        if (value != 0.0) add(i, j, value);
      }
  }

  const std::string& file_;
  std::istringstream stream_;
  std::size_t bytes_;
  std::string line_;
  int number_ = 0;
  bool coordinate_ = true;
  int mirror_ = 0;
  Index rows_ = 0, columns_ = 0;
  double count_ = 0.0;
  std::vector<Eigen::Triplet<double>> entries_;
};

}  // namespace

Eigen::SparseMatrix<double> parse_matrix_market(const std::string& file, const std::string& text) {
  return MatrixMarketReader(file, text).read();
}

Eigen::SparseMatrix<double> read_matrix_market(const std::string& file) {
  return parse_matrix_market(file, read_input_file(file, data_bytes, "paths are relative to the scenario file"));
}

}  // namespace carom::inline io
