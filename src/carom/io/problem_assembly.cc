#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "carom/base/errors.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/io/problem_parts.h"
#include "carom/laws/bilateral_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom::inline io::problem_parts {

namespace {

constexpr Index most_rows = 300000000;  // so that sums of rows stay whole numbers

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

}  // namespace

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

std::vector<Block> friction_blocks(Index dimension, const std::vector<double>& mu) {
  std::vector<Block> blocks;
  for (const double m : mu) blocks.push_back({dimension == 3 ? "spatial_coulomb" : "planar_coulomb", dimension, m});
  return blocks;
}

Sparse with_both_triangles(const Sparse& matrix) {
  bool above = false, below = false;
  for (int j = 0; j < matrix.outerSize(); ++j)
    for (Sparse::InnerIterator entry(matrix, j); entry; ++entry) {
      above = above || (entry.row() < entry.col() && entry.value() != 0.0);
      below = below || (entry.row() > entry.col() && entry.value() != 0.0);
    }
  if (above == below || matrix.rows() != matrix.cols()) return matrix;
  const Sparse transposed = matrix.transpose();
  Sparse diagonal(matrix.rows(), matrix.cols());
  Triplets entries;
  for (int j = 0; j < matrix.cols(); ++j) entries.emplace_back(j, j, matrix.coeff(j, j));
  diagonal.setFromTriplets(entries.begin(), entries.end());
  return matrix + transposed - diagonal;
}

StoredProblem eliminate(const std::filesystem::path& path, const GlobalProblem& global) {
  const Sparse M = with_both_triangles(global.M);
  const Sparse& H = global.H;
  std::vector<Block> blocks = global.contacts;
  std::vector<double> shift = global.w;
  Sparse directions = H;
  if (global.G.cols() > 0) {
    if (global.G.rows() != H.rows()) fail(path, "the sizes of H and G do not agree");
    Triplets triplets;
    for (const Sparse* part : {&H, &global.G})
      for (int j = 0; j < part->outerSize(); ++j)
        for (Sparse::InnerIterator entry(*part, j); entry; ++entry)
          triplets.emplace_back(entry.row(), entry.col() + (part == &H ? 0 : H.cols()), entry.value());
    directions.resize(H.rows(), H.cols() + global.G.cols());
    directions.setFromTriplets(triplets.begin(), triplets.end());
    shift.insert(shift.end(), global.b.begin(), global.b.end());
    for (int j = 0; j < global.G.cols(); ++j) blocks.push_back({"bilateral", 1, 0.0});
  }
  if (M.rows() != M.cols() || M.rows() != directions.rows() || global.f.size() != static_cast<std::size_t>(M.rows()) ||
      shift.size() != static_cast<std::size_t>(directions.cols()))
    fail(path, "the sizes of M, H, f and w do not agree");
  if (M.rows() == 0 || directions.cols() == 0)
    fail(path, "the problem has no contacts");  // Eigen does not multiply nothing
  if (!is_symmetric(M)) fail(path, "the mass matrix is not symmetric");
  const Eigen::SimplicialLDLT<Sparse> inverse(M);
  if (inverse.info() != Eigen::Success) fail(path, "the mass matrix is singular");
  const Sparse transposed = directions.transpose();
  const Sparse velocities = inverse.solve(directions);
  const Sparse W = transposed * velocities;
  const Vector free_velocity = inverse.solve(ConstVectorMap(global.f.data(), static_cast<Index>(global.f.size())));
  const Vector c = transposed * free_velocity;
  for (std::size_t i = 0; i < shift.size(); ++i) shift[i] += c[static_cast<Index>(i)];
  return assemble(path, blocks, W, shift);
}

StoredProblem assemble(const std::filesystem::path& path, const std::vector<Block>& blocks, const Sparse& W,
                       const std::vector<double>& q) {
  // A law of infinite friction or a matrix with what is no number has no solution to find.
  const auto finite = [](double x) { return std::isfinite(x); };
  for (int column = 0; column < W.outerSize(); ++column)
    for (Sparse::InnerIterator entry(W, column); entry; ++entry)
      if (!finite(entry.value())) fail(path, "the matrix has an entry that is not a finite number");
  if (!std::all_of(q.begin(), q.end(), finite)) fail(path, "the vector has an entry that is not a finite number");
  StoredProblem stored;
  LawTable table;
  std::vector<RowRange> partition;
  Index rows = 0;
  if (blocks.size() > std::size_t{most_rows}) fail(path, "more contacts than are read here");
  for (const Block& block : blocks) {
    if (!(block.mu >= 0.0) || !finite(block.mu))
      fail(path, "a friction coefficient is negative or not a finite number");
    const auto law = table.find(block.law, block.rows, block.mu);
    if (!law) fail(path, "unknown law '" + block.law + "' with " + std::to_string(block.rows) + " rows");
    stored.laws.push_back(law);
    stored.problem.laws.push_back(law.get());
    partition.push_back({rows, block.rows});
    rows += block.rows;
  }
  if (rows == 0) fail(path, "the problem has no contacts");
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

}  // namespace carom::inline io::problem_parts
