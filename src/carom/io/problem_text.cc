// The text format of Siconos: dimension, contacts, storage of the matrix, its sizes; the matrix; q; mu.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "carom/io/problem_parts.h"

namespace carom::problem_parts {

namespace {

// Words of a text file with their lines.
class Words {
 public:
  explicit Words(const std::filesystem::path& path) : path_(path) {
    std::ifstream in(path);
    if (!in) fail(path, "cannot be opened");
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
      std::istringstream words(line);
      for (std::string word; words >> word;) {
        words_.push_back(word);
        lines_.push_back(number);
      }
    }
  }

  bool at_end() const { return next_ >= words_.size(); }
  const std::string& peek(std::size_t ahead = 0) const {
    if (next_ + ahead >= words_.size()) fail(path_, "the file ends too early", lines_.empty() ? 1 : lines_.back());
    return words_[next_ + ahead];
  }
  std::string word() {
    std::string result = peek();
    ++next_;
    return result;
  }
  double number() {
    const std::string text = word();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0') fail(path_, "'" + text + "' is not a number", lines_[next_ - 1]);
    return value;
  }
  Index integer() {
    const double value = number();
    if (!(std::abs(value) < 2e9) || value != std::floor(value))
      fail(path_, "'" + words_[next_ - 1] + "' is not a whole number", lines_[next_ - 1]);
    return static_cast<Index>(value);
  }
  Index size() {
    const Index value = integer();
    if (value < 0) fail(path_, "a size is negative", lines_[next_ - 1]);
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
  void skip_line() {
    const int line = lines_[next_];
    while (next_ < words_.size() && lines_[next_] == line) ++next_;
  }
  int line() const { return next_ < lines_.size() ? lines_[next_] : 0; }

 private:
  std::filesystem::path path_;
  std::vector<std::string> words_;
  std::vector<int> lines_;
  std::size_t next_ = 0;
};

// Storage 0: both sizes, then all entries column after column.
void read_dense(Words& in, Triplets& W) {
  const Index rows = in.size(), columns = in.size();
  for (Index j = 0; j < columns; ++j)
    for (Index i = 0; i < rows; ++i) W.emplace_back(i, j, in.number());
}

// Storage 1: block CSR; each block column-major, after its number in some files.
void read_blocks(Words& in, const std::filesystem::path& path, Triplets& W) {
  const Index count = in.size(), block_rows = in.size(), block_columns = in.size();
  const std::vector<Index> row_end = in.sizes(block_rows), column_end = in.sizes(block_columns);
  const Index starts = in.size(), indices = in.size();
  const std::vector<Index> row_begin = in.sizes(starts), column_of = in.sizes(indices);
  if (starts != block_rows + 1 || indices != count || row_begin.back() != count)
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
      if (k == 0) numbered = in.peek() == "0" && in.peek(1).find('.') != std::string::npos;
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

}  // namespace

StoredProblem read_text(const std::filesystem::path& path) {
  Words in(path);
  const Index dimension = in.size(), contacts = in.size(), storage = in.integer();
  if (dimension != 2 && dimension != 3) fail(path, "the dimension must be 2 or 3", 1);
  const Index rows = in.size(), columns = in.size();
  if (rows != dimension * contacts || columns != rows) fail(path, "the matrix does not fit the contacts", 4);
  Triplets triplets;
  if (storage == 0)
    read_dense(in, triplets);
  else if (storage == 1)
    read_blocks(in, path, triplets);
  else if (storage == 2)
    read_columns(in, path, triplets);
  else
    fail(path, "unknown matrix storage " + std::to_string(storage), 3);
  for (const auto& entry : triplets)
    if (entry.row() >= rows || entry.col() >= columns) fail(path, "a matrix entry is out of range");
  Sparse W(rows, rows);
  W.setFromTriplets(triplets.begin(), triplets.end());
  const std::vector<double> q = in.numbers(rows);
  return assemble(path, friction_blocks(dimension, in.numbers(contacts)), W, q);
}

}  // namespace carom::problem_parts
