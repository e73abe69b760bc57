// Problems in HDF5: FCLib's two layouts, and what carom adds to the local one.
#include <algorithm>
#include <cmath>
#include <functional>
#include <system_error>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/io/hdf5_file.h"
#include "carom/io/output_file.h"
#include "carom/io/problem_parts.h"
#include "carom/io/trial_read.h"

namespace carom::inline io {

namespace problem_parts {

namespace {

// The arrays of a problem by name; complains about a missing one.
class ProblemReader {
 public:
  explicit ProblemReader(const std::filesystem::path& path) : path_(path), file_(Hdf5File::open(path.string())) {}

  const std::filesystem::path& path() const { return path_; }
  bool has(const std::string& name) const { return file_.exists(name); }
  std::vector<double> numbers(const std::string& name) const { return file_.read(existing(name)); }
  std::vector<int> integers(const std::string& name) const { return file_.read_integers(existing(name)); }
  std::vector<std::string> words(const std::string& name) const { return file_.read_texts(existing(name)); }
  int integer(const std::string& name) const {
    const std::vector<int> values = integers(name);
    if (values.empty()) fail(path_, name + " is empty");
    return values[0];
  }

  // FCLib's matrices: nz >= 0 triplets (p columns), -1 compressed columns, -2 compressed rows.
  Sparse matrix(const std::string& name) const {
    const int m = integer(name + "/m"), n = integer(name + "/n"), nz = integer(name + "/nz");
    const std::vector<int> p = integers(name + "/p"), i = integers(name + "/i");
    const std::vector<double> x = numbers(name + "/x");
    if (m < 0 || n < 0) fail(path_, name + " has a negative size");
    // Empty rows and columns take memory too; a problem has no more of them than its vectors have entries, and those
    // are held to the size of the file when they are read.
    if (std::max(m, n) > most_rows()) fail(path_, name + " is larger than the file");
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
      if (nz < -2) fail(path_, name + "/nz names an unknown storage");
      if (p.size() != static_cast<std::size_t>(outer) + 1) fail(path_, name + "/p has the wrong length");
      if (!std::is_sorted(p.begin(), p.end())) fail(path_, name + "/p does not ascend");
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
  double most_rows() const { return std::max(1e6, 1100.0 * static_cast<double>(std::filesystem::file_size(path_))); }

  const std::string& existing(const std::string& name) const {
    if (!has(name)) fail(path_, "has no " + name);
    return name;
  }

  std::filesystem::path path_;
  Hdf5File file_;
};

StoredProblem read_local(const ProblemReader& in) {
  const std::vector<double> mu = in.numbers("fclib_local/vectors/mu");
  std::vector<Block> blocks;
  if (in.has("carom/law")) {
    const std::vector<std::string> words = in.words("carom/law");
    const std::vector<int> rows = in.integers("carom/rows");
    if (words.size() != rows.size() || words.size() != mu.size())
      fail(in.path(), "carom/law, carom/rows and mu must have one entry per block");
    for (std::size_t b = 0; b < words.size(); ++b) blocks.push_back({words[b], rows[b], mu[b]});
  } else {
    blocks = friction_blocks(in.integer("fclib_local/spacedim"), mu);
  }
  // What carom writes may be without symmetry; FCLib's W never is.
  const Sparse W = in.matrix("fclib_local/W");
  return assemble(in.path(), blocks, in.has("carom/law") ? W : with_both_triangles(W),
                  in.numbers("fclib_local/vectors/q"));
}

StoredProblem read_global(const ProblemReader& in) {
  GlobalProblem global;
  global.M = in.matrix("fclib_global/M");
  global.H = in.matrix("fclib_global/H");
  global.contacts = friction_blocks(in.integer("fclib_global/spacedim"), in.numbers("fclib_global/vectors/mu"));
  global.w = in.numbers("fclib_global/vectors/w");
  global.f = in.numbers("fclib_global/vectors/f");
  if (in.has("fclib_global/G")) {
    global.G = in.matrix("fclib_global/G");
    global.b = in.numbers("fclib_global/vectors/b");
  }
  return eliminate(in.path(), global);
}

StoredProblem read_either(const ProblemReader& in) {
  const bool local = in.has("fclib_local/W");
  if (!local && !in.has("fclib_global/M")) fail(in.path(), "holds neither fclib_local nor fclib_global");
  StoredProblem stored = local ? read_local(in) : read_global(in);
  if (in.has("carom/guess")) {
    const std::vector<double> guess = in.numbers("carom/guess");
    if (!std::all_of(guess.begin(), guess.end(), [](double x) { return std::isfinite(x); }))
      fail(in.path(), "carom/guess has an entry that is not a finite number");
    if (static_cast<Index>(guess.size()) == stored.guess.size())
      std::copy(guess.begin(), guess.end(), stored.guess.data());
  }
  return stored;
}

// Compressed columns.
Sparse by_columns(const Delassus& operator_G) {
  BlockSparseDelassus G;
  operator_G.to_block_sparse(G);
  Triplets triplets;
  for (Index b = 0; b < G.block_count(); ++b)
    for (const BlockSparseDelassus::Block& block : G.row(b)) {
      const RowRange to = G.block(b), from = G.block(block.column);
      for (Index c = 0; c < from.rows; ++c)
        for (Index r = 0; r < to.rows; ++r)
          triplets.emplace_back(to.row + r, from.row + c, G.entries(block)[r + c * to.rows]);
    }
  Sparse W(G.rows(), G.rows());
  W.setFromTriplets(triplets.begin(), triplets.end());
  W.makeCompressed();
  return W;
}

}  // namespace

StoredProblem read_hdf5(const std::filesystem::path& path) {
  if (!survives([&] { read_hdf5_untried(path); }))
    fail(path, "the file is damaged: the HDF5 library does not survive reading it");
  return read_hdf5_untried(path);
}

StoredProblem read_hdf5_untried(const std::filesystem::path& path) {
  try {
    return read_either(ProblemReader(path));
  } catch (const std::system_error& error) {  // a damaged file is bad input
    fail(path, error.what());
  }
}

}  // namespace problem_parts

namespace {

bool is_problem(const std::string& path) {
  try {
    return Hdf5File::open(path).exists("carom/law");
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

void write_problem(const std::filesystem::path& path, const InclusionProblem& problem, const Buffer& guess) {
  std::vector<std::string> words;
  std::vector<int> rows;
  std::vector<double> mu;
  for (const Law* law : problem.laws) {
    words.push_back(problem_parts::law_word(*law));
    rows.push_back(law->dim());
    mu.push_back(law->friction());
  }
  const problem_parts::Sparse W = problem_parts::by_columns(*problem.G);
  const int n = static_cast<int>(W.cols()), entries = static_cast<int>(W.nonZeros());

  check_replaceable(path.string(), Replace::ours, "contact problem", [&] { return is_problem(path.string()); });
  Hdf5File out = Hdf5File::create(path.string());
  // 0: blocks of different sizes, see carom/rows.
  const bool equal = std::adjacent_find(rows.begin(), rows.end(), std::not_equal_to<>()) == rows.end();
  out.write_integers("fclib_local/spacedim", {equal && !rows.empty() ? rows[0] : 0});
  out.write_integers("fclib_local/W/m", {n});
  out.write_integers("fclib_local/W/n", {n});
  out.write_integers("fclib_local/W/nz", {-1});
  out.write_integers("fclib_local/W/nzmax", {entries});
  out.write_integers("fclib_local/W/p", {W.outerIndexPtr(), W.outerIndexPtr() + n + 1});
  out.write_integers("fclib_local/W/i", {W.innerIndexPtr(), W.innerIndexPtr() + entries});
  out.write("fclib_local/W/x", W.valuePtr(), static_cast<std::size_t>(entries));
  out.write("fclib_local/vectors/q", problem.c.data(), static_cast<std::size_t>(n));
  out.write("fclib_local/vectors/mu", mu.data(), mu.size());
  out.write_texts("carom/law", words);
  out.write_integers("carom/rows", rows);
  out.write("carom/guess", guess.data(), static_cast<std::size_t>(guess.size()));
  out.commit();
}

}  // namespace carom::inline io
