#include "carom/io/problem_file.h"

#include <hdf5.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <system_error>
#include <tuple>

#include "carom/base/errors.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/laws/bilateral_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& message, int line = 0) {
  throw InputError({"E0601", message, {}, "expected an FCLib or carom problem (HDF5), or a .dat text problem",
                    path.string(), line, 0, {}});
}

// ---- Laws by word ---------------------------------------------------------------------------------

std::string law_word(const Law& law) {
  switch (law.kind()) {
    case LawKind::bilateral: return "bilateral";
    case LawKind::unilateral: return "unilateral";
    case LawKind::planar_coulomb: return "planar_coulomb";
    case LawKind::other: break;
  }
  if (law.is_contact() && law.dim() == 3) return "spatial_coulomb";
  throw InputError({"E0602", "a law of this kind cannot be written to a problem file", {}, {}, {}, 0, 0, {}});
}

// Laws with the same word and friction are shared.
class LawTable {
 public:
  // Null for an unknown word.
  std::shared_ptr<const Law> find(const std::string& word, Index rows, double mu) {
    auto& law = laws_[{word, rows, mu}];
    if (!law) law = make(word, rows, mu);
    return law;
  }

 private:
  static std::shared_ptr<const Law> make(const std::string& word, Index rows, double mu) {
    if (word == "bilateral" && rows >= 1 && rows <= Law::max_dim) return std::make_shared<BilateralLaw>(rows);
    if (word == "unilateral" && rows == 1) return std::make_shared<UnilateralLaw>(0.0);
    // A contact with mu = 0 keeps its tangential rows here.
    if (word == "planar_coulomb" && rows == 2) return std::make_shared<PlanarCoulombLaw>(0.0, mu);
    if (word == "spatial_coulomb" && rows == 3) return std::make_shared<SpatialCoulombLaw>(0.0, mu);
    return nullptr;
  }

  std::map<std::tuple<std::string, Index, double>, std::shared_ptr<const Law>> laws_;
};

// ---- From the parts of a file to a problem -----------------------------------------------------------

struct BlockDescription {
  std::string law;
  Index rows;
  double mu;
};

bool is_symmetric(const Sparse& W) {
  const Sparse transposed = W.transpose();
  return (W - transposed).norm() <= 1e-12 * W.norm();
}

void assign_block_sparse(const Sparse& W, const std::vector<RowRange>& partition, BlockSparseDelassus& out) {
  std::vector<Index> block_of_row;
  for (std::size_t b = 0; b < partition.size(); ++b)
    block_of_row.insert(block_of_row.end(), static_cast<std::size_t>(partition[b].rows), static_cast<Index>(b));
  const Eigen::SparseMatrix<double, Eigen::RowMajor> by_rows = W;
  using RowIterator = Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator;
  out.begin(partition, is_symmetric(W));
  for (std::size_t b = 0; b < partition.size(); ++b) {
    const RowRange& range = partition[b];
    std::map<Index, std::vector<double>> blocks;
    for (Index i = 0; i < range.rows; ++i)
      for (RowIterator entry(by_rows, range.row + i); entry; ++entry) {
        const Index j = block_of_row[static_cast<std::size_t>(entry.col())];
        const RowRange& from = partition[static_cast<std::size_t>(j)];
        auto& values = blocks[j];
        values.resize(static_cast<std::size_t>(range.rows * from.rows), 0.0);
        values[static_cast<std::size_t>(i + (entry.col() - from.row) * range.rows)] += entry.value();
      }
    for (const auto& [j, values] : blocks) {
      double* entries = out.add_block(static_cast<Index>(b), j);
      std::copy(values.begin(), values.end(), entries);
    }
  }
  out.finish();
}

StoredProblem assemble(const std::filesystem::path& path, const std::vector<BlockDescription>& blocks,
                       const Sparse& W, const std::vector<double>& q) {
  StoredProblem stored;
  LawTable table;
  std::vector<RowRange> partition;
  Index rows = 0;
  for (const BlockDescription& block : blocks) {
    if (!(block.mu >= 0.0)) fail(path, "a friction coefficient is negative or not a number");
    const auto law = table.find(block.law, block.rows, block.mu);
    if (!law) fail(path, "unknown law '" + block.law + "' with " + std::to_string(block.rows) + " rows");
    stored.laws.push_back(law);
    stored.problem.laws.push_back(law.get());
    partition.push_back({rows, block.rows});
    rows += block.rows;
  }
  if (W.rows() != rows || W.cols() != rows || q.size() != static_cast<std::size_t>(rows))
    fail(path, "the sizes of matrix, vector and blocks do not agree");
  stored.problem.c.resize(rows);
  std::copy(q.begin(), q.end(), stored.problem.c.data());
  stored.guess.assign(rows, 0.0);
  if (rows <= DelassusFactory::dense_limit) {
    auto G = std::make_unique<DenseDelassus>();
    const Matrix dense = W;
    G->assign(rows, partition, dense.data(), is_symmetric(W));
    stored.G = std::move(G);
  } else {
    auto G = std::make_unique<BlockSparseDelassus>();
    assign_block_sparse(W, partition, *G);
    stored.G = std::move(G);
  }
  stored.problem.G = stored.G.get();
  return stored;
}

std::vector<BlockDescription> friction_blocks(Index dimension, const std::vector<double>& mu) {
  std::vector<BlockDescription> blocks;
  for (const double m : mu)
    blocks.push_back({dimension == 3 ? "spatial_coulomb" : "planar_coulomb", dimension, m});
  return blocks;
}

// ---- Text ---------------------------------------------------------------------------------------------

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

using Triplets = std::vector<Eigen::Triplet<double>>;

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

// ---- HDF5 -----------------------------------------------------------------------------------------------

class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// While alive, the library does not print its own error stack.
class Quiet {
 public:
  Quiet() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Quiet() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

class ProblemReader {
 public:
  explicit ProblemReader(const std::filesystem::path& path)
      : path_(path), file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {
    if (!file_.valid()) fail(path, "cannot be opened");
  }

  bool has(const std::string& name) const {
    for (std::size_t slash = name.find('/'); slash != std::string::npos; slash = name.find('/', slash + 1))
      if (H5Lexists(file_, name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0;
  }
  std::vector<double> numbers(const std::string& name) const {
    return read<double>(name, H5T_NATIVE_DOUBLE);
  }
  std::vector<int> integers(const std::string& name) const { return read<int>(name, H5T_NATIVE_INT); }
  int integer(const std::string& name) const {
    const std::vector<int> values = integers(name);
    if (values.empty()) fail(path_, name + " is empty");
    return values[0];
  }
  std::vector<std::string> words(const std::string& name) const {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.valid()) fail(path_, "has no " + name);
    const Handle type(H5Dget_type(set), H5Tclose);
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0) fail(path_, name + " holds no words");
    const std::size_t length = H5Tget_size(type);
    std::string text(length * count(set), '\0');
    if (!text.empty() && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0)
      fail(path_, "cannot read " + name);
    std::vector<std::string> result;
    for (std::size_t at = 0; at < text.size(); at += length) {
      std::string word = text.substr(at, length);
      result.push_back(word.substr(0, word.find('\0')));
    }
    return result;
  }

  // FCLib's matrices: nz >= 0 triplets (p columns), -1 compressed columns, -2 compressed rows.
  Sparse matrix(const std::string& name) const {
    const int m = integer(name + "/m"), n = integer(name + "/n"), nz = integer(name + "/nz");
    const std::vector<int> p = integers(name + "/p"), i = integers(name + "/i");
    const std::vector<double> x = numbers(name + "/x");
    Triplets triplets;
    const auto add = [&](int row, int column, std::size_t k) {
      if (row < 0 || row >= m || column < 0 || column >= n || k >= x.size())
        fail(path_, name + " has an entry out of range");
      triplets.emplace_back(row, column, x[k]);
    };
    if (nz >= 0) {
      if (p.size() < static_cast<std::size_t>(nz) || i.size() < static_cast<std::size_t>(nz))
        fail(path_, name + " ends too early");
      for (std::size_t k = 0; k < static_cast<std::size_t>(nz); ++k) add(i[k], p[k], k);
    } else {
      const int outer = nz == -1 ? n : m;
      if (p.size() != static_cast<std::size_t>(outer) + 1) fail(path_, name + "/p has the wrong length");
      for (int o = 0; o < outer; ++o)
        for (int k = p[static_cast<std::size_t>(o)]; k < p[static_cast<std::size_t>(o) + 1]; ++k) {
          const auto at = static_cast<std::size_t>(k);
          if (k < 0 || at >= i.size()) fail(path_, name + " has an entry out of range");
          nz == -1 ? add(i[at], o, at) : add(o, i[at], at);
        }
    }
    Sparse result(m, n);
    result.setFromTriplets(triplets.begin(), triplets.end());
    return result;
  }

 private:
  static std::size_t count(hid_t set) {
    const Handle space(H5Dget_space(set), H5Sclose);
    return static_cast<std::size_t>(H5Sget_simple_extent_npoints(space));
  }
  template <class T>
  std::vector<T> read(const std::string& name, hid_t type) const {
    const Handle set(H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.valid()) fail(path_, "has no " + name);
    std::vector<T> values(count(set));
    if (!values.empty() && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
      fail(path_, "cannot read " + name);
    return values;
  }

  std::filesystem::path path_;
  Handle file_;
};

StoredProblem read_local(const ProblemReader& in, const std::filesystem::path& path) {
  const std::vector<double> mu = in.numbers("fclib_local/vectors/mu");
  std::vector<BlockDescription> blocks;
  if (in.has("carom/law")) {
    const std::vector<std::string> words = in.words("carom/law");
    const std::vector<int> rows = in.integers("carom/rows");
    if (words.size() != rows.size() || words.size() != mu.size())
      fail(path, "carom/law, carom/rows and mu must have one entry per block");
    for (std::size_t b = 0; b < words.size(); ++b) blocks.push_back({words[b], rows[b], mu[b]});
  } else {
    blocks = friction_blocks(in.integer("fclib_local/spacedim"), mu);
  }
  return assemble(path, blocks, in.matrix("fclib_local/W"), in.numbers("fclib_local/vectors/q"));
}

// M v = f + H r + G s,  u = H'v + w,  0 = G'v + b: velocities eliminated, s become bilateral blocks.
StoredProblem read_global(const ProblemReader& in, const std::filesystem::path& path) {
  const Sparse M = in.matrix("fclib_global/M"), H = in.matrix("fclib_global/H");
  std::vector<BlockDescription> blocks =
      friction_blocks(in.integer("fclib_global/spacedim"), in.numbers("fclib_global/vectors/mu"));
  std::vector<double> shift = in.numbers("fclib_global/vectors/w");
  const std::vector<double> f = in.numbers("fclib_global/vectors/f");
  Sparse directions = H;
  if (in.has("fclib_global/G")) {
    const Sparse G = in.matrix("fclib_global/G");
    Triplets triplets;
    for (const Sparse* part : {&H, &G})
      for (int j = 0; j < part->outerSize(); ++j)
        for (Sparse::InnerIterator entry(*part, j); entry; ++entry)
          triplets.emplace_back(entry.row(), entry.col() + (part == &G ? H.cols() : 0), entry.value());
    directions.resize(H.rows(), H.cols() + G.cols());
    directions.setFromTriplets(triplets.begin(), triplets.end());
    const std::vector<double> b = in.numbers("fclib_global/vectors/b");
    shift.insert(shift.end(), b.begin(), b.end());
    for (int j = 0; j < G.cols(); ++j) blocks.push_back({"bilateral", 1, 0.0});
  }
  if (M.rows() != M.cols() || M.rows() != directions.rows() || f.size() != static_cast<std::size_t>(M.rows()) ||
      shift.size() != static_cast<std::size_t>(directions.cols()))
    fail(path, "the sizes of M, H, f and w do not agree");
  const Eigen::SimplicialLDLT<Sparse> inverse(M);
  if (inverse.info() != Eigen::Success) fail(path, "the mass matrix is singular");
  const Sparse transposed = directions.transpose();
  const Sparse velocities = inverse.solve(directions);
  const Sparse W = transposed * velocities;
  const Vector free_velocity = inverse.solve(ConstVectorMap(f.data(), static_cast<Index>(f.size())));
  const Vector c = transposed * free_velocity;
  for (std::size_t i = 0; i < shift.size(); ++i) shift[i] += c[static_cast<Index>(i)];
  return assemble(path, blocks, W, shift);
}

StoredProblem read_hdf5(const std::filesystem::path& path) {
  const Quiet quiet;
  const ProblemReader in(path);
  const bool local = in.has("fclib_local/W");
  if (!local && !in.has("fclib_global/M")) fail(path, "holds neither fclib_local nor fclib_global");
  StoredProblem stored = local ? read_local(in, path) : read_global(in, path);
  if (in.has("carom/guess")) {
    const std::vector<double> guess = in.numbers("carom/guess");
    if (static_cast<Index>(guess.size()) == stored.guess.size())
      std::copy(guess.begin(), guess.end(), stored.guess.data());
  }
  return stored;
}

class ProblemWriter {
 public:
  explicit ProblemWriter(const std::filesystem::path& path)
      : path_(path), file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose) {
    check(file_);
  }

  void group(const std::string& name) {
    const Handle made(H5Gcreate2(file_, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    check(made);
  }
  void numbers(const std::string& name, const double* values, std::size_t n) {
    write(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, n);
  }
  void integers(const std::string& name, const std::vector<int>& values) {
    write(name, H5T_STD_I32LE, H5T_NATIVE_INT, values.data(), values.size());
  }
  void words(const std::string& name, const std::vector<std::string>& values) {
    std::size_t length = 1;
    for (const std::string& value : values) length = std::max(length, value.size() + 1);
    std::string text;
    for (std::string value : values) {
      value.resize(length, '\0');
      text += value;
    }
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type, length);
    write(name, type, type, text.data(), values.size());
  }

 private:
  void check(hid_t id) const {
    if (id < 0) throw std::system_error(std::make_error_code(std::errc::io_error), path_.string());
  }
  void write(const std::string& name, hid_t file_type, hid_t type, const void* values, std::size_t n) {
    const hsize_t size = n;
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file_, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose);
    check(set);
    if (n > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
  }

  std::filesystem::path path_;
  Handle file_;
};

}  // namespace

Index StoredProblem::contacts() const {
  return static_cast<Index>(
      std::count_if(laws.begin(), laws.end(), [](const auto& law) { return law->is_contact(); }));
}

StoredProblem read_problem(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, "cannot be opened");
  char start[4] = {};
  in.read(start, sizeof(start));
  const bool hdf5 = std::string_view(start, 4) == "\x89HDF";
  return hdf5 ? read_hdf5(path) : read_text(path);
}

void write_problem(const std::filesystem::path& path, const InclusionProblem& problem, const Buffer& guess) {
  std::vector<std::string> words;
  std::vector<int> rows;
  std::vector<double> mu;
  for (const Law* law : problem.laws) {
    words.push_back(law_word(*law));
    rows.push_back(law->dim());
    mu.push_back(law->friction());
  }
  BlockSparseDelassus G;
  problem.G->to_block_sparse(G);
  Triplets triplets;
  for (Index b = 0; b < G.block_count(); ++b)
    for (const BlockSparseDelassus::Block& block : G.row(b))
      for (Index c = 0; c < G.block(block.column).rows; ++c)
        for (Index r = 0; r < G.block(b).rows; ++r)
          triplets.emplace_back(G.block(b).row + r, G.block(block.column).row + c,
                                G.entries(block)[r + c * G.block(b).rows]);
  Sparse W(G.rows(), G.rows());
  W.setFromTriplets(triplets.begin(), triplets.end());
  W.makeCompressed();
  const int n = G.rows(), entries = static_cast<int>(W.nonZeros());

  const Quiet quiet;
  ProblemWriter out(path);
  out.group("fclib_local");
  // 0: blocks of different sizes, see carom/rows.
  const bool equal = std::adjacent_find(rows.begin(), rows.end(), std::not_equal_to<>()) == rows.end();
  out.integers("fclib_local/spacedim", {equal && !rows.empty() ? rows[0] : 0});
  out.group("fclib_local/W");
  out.integers("fclib_local/W/m", {n});
  out.integers("fclib_local/W/n", {n});
  out.integers("fclib_local/W/nz", {-1});
  out.integers("fclib_local/W/nzmax", {entries});
  out.integers("fclib_local/W/p", {W.outerIndexPtr(), W.outerIndexPtr() + n + 1});
  out.integers("fclib_local/W/i", {W.innerIndexPtr(), W.innerIndexPtr() + entries});
  out.numbers("fclib_local/W/x", W.valuePtr(), static_cast<std::size_t>(entries));
  out.group("fclib_local/vectors");
  out.numbers("fclib_local/vectors/q", problem.c.data(), static_cast<std::size_t>(n));
  out.numbers("fclib_local/vectors/mu", mu.data(), mu.size());
  out.group("carom");
  out.words("carom/law", words);
  out.integers("carom/rows", rows);
  out.numbers("carom/guess", guess.data(), static_cast<std::size_t>(guess.size()));
}

}  // namespace carom
