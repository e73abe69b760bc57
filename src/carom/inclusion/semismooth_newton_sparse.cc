// The Newton step of semismooth_newton.cc for large problems: J_bj = (I - D_b) delta_bj + D_b G_bj / sqrt(rho_b rho_j)
// has the block pattern of G and is factored by blocks (base/block_lu.h), joints and contacts together: O(n) on chains
// and trees. The analysis of the pattern is kept while it stays. Redundant rows make J singular; the step is then that
// of least norm (base/least_norm_solve.h).
#include <cmath>

#include "carom/base/least_norm_solve.h"
#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/semismooth_newton.h"

namespace carom::inline inclusion {

struct SparseNewtonMemory {
  BlockSparseDelassus G;
  LeastNormSolve solve;
  std::vector<Index> sizes, columns;
  Buffer D;  // of the projections, block after block
  std::vector<Index> D_begin;
  Buffer root;  // sqrt(rho_b), 1 where nothing moves a block
  Buffer product;
};

namespace {

double* derivative(SparseNewtonMemory& m, Index b) { return m.D.data() + m.D_begin[static_cast<std::size_t>(b)]; }

void fill(const BlockSparseDelassus& G, double delta, SparseNewtonMemory& m) {
  m.solve.lu.set_zero();
  std::size_t k = 0;
  for (Index b = 0; b < G.block_count(); ++b) {
    const Index rows = G.block(b).rows;
    const double* D = derivative(m, b);
    for (const BlockSparseDelassus::Block& block : G.row(b)) {
      const double scale = 1.0 / (m.root[b] * m.root[block.column]);
      const double* entries = G.entries(block);
      double* out = m.solve.lu.block(k++);
      for (Index c = 0; c < G.block(block.column).rows; ++c, entries += rows, out += rows)
        for (Index l = 0; l < rows; ++l) {
          const double value = scale * entries[l];
          for (Index i = 0; i < rows; ++i) out[i] += D[i + l * rows] * value;
        }
    }
    double* diagonal = m.solve.lu.diagonal(b);
    for (Index i = 0; i < rows * rows; ++i) diagonal[i] -= D[i];
    for (Index i = 0; i < rows; ++i) diagonal[i + i * rows] += 1.0 + delta;
  }
}

// remainder = right_side - J solution; its norm.
double remaining(const BlockSparseDelassus& G, SparseNewtonMemory& m) {
  for (Index b = 0; b < G.block_count(); ++b)
    for (Index i = G.block(b).row; i < G.block(b).row + G.block(b).rows; ++i)
      m.solve.remainder[i] = m.solve.solution[i] / m.root[b];
  G.multiply(m.solve.remainder.data(), m.product.data());
  double square = 0.0;
  for (Index b = 0; b < G.block_count(); ++b) {
    const RowRange& range = G.block(b);
    const double* D = derivative(m, b);
    for (Index i = 0; i < range.rows; ++i) {
      double value = m.solve.right_side[range.row + i] - m.solve.solution[range.row + i];
      for (Index l = 0; l < range.rows; ++l)
        value += D[i + l * range.rows] * (m.solve.solution[range.row + l] - m.product[range.row + l] / m.root[b]);
      m.solve.remainder[range.row + i] = value;
      square += value * value;
    }
  }
  return std::sqrt(square);
}

}  // namespace

void begin_sparse_newton(const InclusionProblem& problem, SolverWorkspace& w) {
  if (!w.sparse) w.sparse = std::make_shared<SparseNewtonMemory>();
  SparseNewtonMemory& m = *w.sparse;
  problem.G->to_block_sparse(m.G);
  m.sizes.clear();
  m.columns.clear();
  for (Index b = 0; b < m.G.block_count(); ++b) {
    m.sizes.push_back(m.G.block(b).rows);
    for (const BlockSparseDelassus::Block& block : m.G.row(b)) m.columns.push_back(block.column);
  }
  m.solve.lu.set_pattern(m.sizes, m.G.row_begin(), m.columns);
  m.root.resize(m.G.block_count());
  for (Index b = 0; b < m.G.block_count(); ++b) m.root[b] = m.G.rho(b) > 0.0 ? std::sqrt(m.G.rho(b)) : 1.0;
  m.product.resize(m.G.rows());
}

void sparse_newton_step(const InclusionProblem& problem, const Buffer& lambda, const Buffer& xi, SolverWorkspace& w) {
  SparseNewtonMemory& m = *w.sparse;
  const BlockSparseDelassus& G = m.G;
  const Index rows = G.rows();
  m.D_begin.clear();
  Index entries = 0;
  for (Index b = 0; b < G.block_count(); ++b) {
    m.D_begin.push_back(entries);
    entries += G.block(b).rows * G.block(b).rows;
  }
  m.D.assign(entries, 0.0);
  m.solve.right_side.resize(rows);
  for (Index b = 0; b < G.block_count(); ++b) {
    const RowRange& range = G.block(b);
    if (G.rho(b) > 0.0) {
      double x[Law::max_dim];
      for (Index i = 0; i < range.rows; ++i) x[i] = lambda[range.row + i] - xi[range.row + i] / G.rho(b);
      problem.laws[static_cast<std::size_t>(b)]->project_derivative(x, derivative(m, b));
    }
    for (Index i = range.row; i < range.row + range.rows; ++i)
      m.solve.right_side[i] = -m.root[b] * w.residual.defect[i];
  }
  m.solve.solve([&](double delta) { fill(G, delta, m); }, [&] { return remaining(G, m); });
  w.direction.resize(rows);
  for (Index b = 0; b < G.block_count(); ++b)
    for (Index i = G.block(b).row; i < G.block(b).row + G.block(b).rows; ++i)
      w.direction[i] = m.solve.solution[i] / m.root[b];
}

}  // namespace carom::inline inclusion
