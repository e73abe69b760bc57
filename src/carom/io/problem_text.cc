// The text formats of Siconos. Both begin with the dimension, the number of contacts and a matrix: the kind of its
// storage, its sizes, its entries. Then
//
//   local    u = W r + q:                       q, mu; some files go on with a flag, and after it with a guess
//   global   M v = f + H r,  u = H'v + w:       the matrix H, f, w, mu
//
// The first matrix may have the same size in both: they are told apart by how much follows.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "carom/io/input_file.h"
#include "carom/io/problem_parts.h"

namespace carom::inline io::problem_parts {

namespace {

// Words of a text with their lines, one after the other.
class Words {
 public:
  Words(const std::filesystem::path& path, std::string text) : path_(path), text_(std::move(text)) { skip_space(); }

  bool at_end() const { return at_ >= text_.size(); }
  int line() const { return line_; }
  // Every number takes two characters: no more can follow.
  std::size_t most_numbers_left() const { return (text_.size() - std::min(at_, text_.size())) / 2 + 1; }

  std::string_view peek() const {
    if (at_end()) fail(path_, "the file ends too early", line_);
    return word_at(at_);
  }
  // The word after the next; empty at the end.
  std::string_view peek_second() const {
    std::size_t at = at_ + peek().size();
    while (at < text_.size() && is_space(text_[at])) ++at;
    return word_at(at);
  }
  std::string_view word() {
    const std::string_view result = peek();
    last_line_ = line_;
    at_ += result.size();
    skip_space();
    return result;
  }
  double number() {
    const std::string text(word());
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0') fail(path_, "'" + shown(text) + "' is not a number", last_line_);
    if (!std::isfinite(value)) fail(path_, "'" + shown(text) + "' is not a finite number", last_line_);
    return value;
  }
  Index integer() {
    const double value = number();
    if (!(std::abs(value) < 2e9) || value != std::floor(value))
      fail(path_, "a whole number is wanted here", last_line_);
    return static_cast<Index>(value);
  }
  Index size() {
    const Index value = integer();
    if (value < 0) fail(path_, "a size is negative", last_line_);
    return value;
  }
  // A size for which there must be at least as many numbers in the rest of the file.
  Index size_of_what_follows() {
    const Index value = size();
    if (static_cast<std::size_t>(value) > most_numbers_left())
      fail(path_, "a size is larger than the rest of the file", last_line_);
    return value;
  }
  std::vector<double> numbers(Index n) {
    std::vector<double> values;
    for (Index i = 0; i < n; ++i) values.push_back(number());
    return values;
  }
  std::vector<Index> sizes(Index n) {
    std::vector<Index> values;
    for (Index i = 0; i < n; ++i) values.push_back(size());
    return values;
  }
  // How many words follow.
  std::size_t words_left() const {
    std::size_t count = 0;
    for (std::size_t at = at_; at < text_.size(); ++count) {
      at += word_at(at).size();
      while (at < text_.size() && is_space(text_[at])) ++at;
    }
    return count;
  }
  void skip_line() {
    const int line = line_;
    while (!at_end() && line_ == line) word();
  }

 private:
  static bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) || c == '\0'; }
  static std::string shown(const std::string& text) {
    return fmt::format("{:.40}{}", text, text.size() > 40 ? "..." : "");
  }
  std::string_view word_at(std::size_t begin) const {
    std::size_t end = begin;
    while (end < text_.size() && !is_space(text_[end])) ++end;
    return std::string_view(text_).substr(std::min(begin, text_.size()), end - begin);
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
  }

  std::filesystem::path path_;
  std::string text_;
  std::size_t at_ = 0;
  int line_ = 1, last_line_ = 1;  // of the next word, of the one before
};

// Storage 0: both sizes, then all entries column after column.
void read_dense(Words& in, Triplets& W) {
  const Index rows = in.size_of_what_follows(), columns = in.size_of_what_follows();
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) W.emplace_back(i, j, in.number());
}

// Storage 1: block CSR; each block column-major, after its number in some files.
void read_blocks(Words& in, const std::filesystem::path& path, Triplets& W) {
  const Index count = in.size_of_what_follows(), block_rows = in.size_of_what_follows(),
              block_columns = in.size_of_what_follows();
  const std::vector<Index> row_end = in.sizes(block_rows), column_end = in.sizes(block_columns);
  const Index starts = in.size_of_what_follows(), indices = in.size_of_what_follows();
  const std::vector<Index> row_begin = in.sizes(starts), column_of = in.sizes(indices);
  const auto ascends = [](const std::vector<Index>& list) { return std::is_sorted(list.begin(), list.end()); };
  if (starts != block_rows + 1 || indices != count || row_begin.front() != 0 || row_begin.back() != count ||
      !ascends(row_begin) || !ascends(row_end) || !ascends(column_end))
    fail(path, "the block index arrays do not fit together", in.line());
  const auto range = [](const std::vector<Index>& ends, Index b) {
    const Index begin = b == 0 ? 0 : ends[static_cast<std::size_t>(b - 1)];
    return RowRange{begin, ends[static_cast<std::size_t>(b)] - begin};
  };
  bool numbered = false;
  for (Index b = 0, k = 0; b < block_rows; ++b)
    for (; k < row_begin[static_cast<std::size_t>(b + 1)]; ++k) {
      const Index j = column_of[static_cast<std::size_t>(k)];
      if (j >= block_columns) fail(path, "a block index is out of range", in.line());
      const RowRange to = range(row_end, b), from = range(column_end, j);
      // A number has no decimal point; entries are written with one.
      if (k == 0) numbered = in.peek() == "0" && in.peek_second().find('.') != std::string_view::npos;
      if (numbered && in.integer() != k) fail(path, "the blocks are not numbered in order", in.line());
      for (Index c = 0; c < from.rows; ++c)
        for (Index r = 0; r < to.rows; ++r) W.emplace_back(to.row + r, from.row + c, in.number());
    }
}

// Storage 2: "col 3 : locations 6 to 7" followed by "row : value" lines.
void read_columns(Words& in, const std::filesystem::path& path, Triplets& W) {
  in.integer();    // how the matrix was stored in memory
  in.skip_line();  // who printed it
  in.skip_line();  // sizes once more
  while (!in.at_end() && in.peek() == "col") {
    in.word();
    const Index column = in.size();
    in.word();  // ":"
    in.word();  // "locations"
    const Index first = in.size();
    in.word();  // "to"
    const Index last = in.integer();
    for (Index k = first; k <= last; ++k) {
      const Index row = in.size();
      if (in.word() != ":") fail(path, "expected 'row : value'", in.line());
      W.emplace_back(row, column, in.number());
    }
  }
}

Sparse read_matrix(Words& in, const std::filesystem::path& path) {
  const Index storage = in.integer();
  const int line = in.line();
  const Index rows = in.size_of_what_follows(), columns = in.size_of_what_follows();
  Triplets triplets;
  if (storage == 0)
    read_dense(in, triplets);
  else if (storage == 1)
    read_blocks(in, path, triplets);
  else if (storage == 2)
    read_columns(in, path, triplets);
  else
    fail(path, "unknown matrix storage " + std::to_string(storage), line);
  for (const auto& entry : triplets)
    if (entry.row() >= rows || entry.col() >= columns) fail(path, "a matrix entry is out of range");
  Sparse matrix(rows, columns);
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  return matrix;
}

}  // namespace

StoredProblem parse_text(const std::filesystem::path& path, std::string text) {
  Words in(path, std::move(text));
  const Index dimension = in.size(), contacts = in.size_of_what_follows();
  if (dimension != 2 && dimension != 3) fail(path, "the dimension must be 2 or 3", 1);
  const Sparse first = read_matrix(in, path);
  const std::int64_t rows = std::int64_t{dimension} * contacts;
  if (first.rows() != first.cols()) fail(path, "the matrix does not fit the contacts", 4);
  const std::size_t left = in.words_left(), vectors = static_cast<std::size_t>(rows + contacts);
  const auto n = static_cast<std::size_t>(rows);
  const bool fits = first.rows() == rows;
  if (fits && (left == vectors || left == vectors + 1 || left == vectors + 1 + n || left == vectors + 1 + 2 * n)) {
    const std::vector<double> q = in.numbers(static_cast<Index>(rows));
    const std::vector<double> mu = in.numbers(contacts);
    while (!in.at_end()) in.number();
    return assemble(path, friction_blocks(dimension, mu), with_both_triangles(first), q);
  }
  if (left < vectors)
    fail(path, fits ? "the file ends too early" : "the matrix does not fit the contacts", fits ? in.line() : 4);
  GlobalProblem global;
  global.M = first;
  global.H = read_matrix(in, path);
  if (global.H.rows() != first.rows() || global.H.cols() != rows)
    fail(path, "neither a local nor a global problem: what follows the first matrix fits no other", in.line());
  global.f = in.numbers(first.rows());
  global.w = in.numbers(static_cast<Index>(rows));
  global.contacts = friction_blocks(dimension, in.numbers(contacts));
  if (!in.at_end()) fail(path, "the global problem goes on after its friction coefficients", in.line());
  return eliminate(path, global);
}

StoredProblem read_text(const std::filesystem::path& path) {
  return parse_text(path, read_input_file(path.string(), data_bytes, "is it yours to read?"));
}

}  // namespace carom::inline io::problem_parts
