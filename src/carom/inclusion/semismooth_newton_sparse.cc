// The Newton step of semismooth_newton.cc for large problems: J_bj = (I - D_b) delta_bj +
// D_b G_bj / sqrt(rho_b rho_j) has the block pattern of G and is factored sparse, the analysis of the
// pattern being kept from step to step. Redundant contacts make J singular; then J + delta I is factored
// with the smallest delta that works: a step close to the minimum-norm one.
#include <Eigen/SparseLU>
#include <cmath>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/inclusion/semismooth_newton.h"

namespace carom {

struct SparseNewtonMemory {
  BlockSparseDelassus G;
  Eigen::SparseMatrix<double> J;
  Eigen::SparseLU<Eigen::SparseMatrix<double>> lu;
  std::vector<int> positions;  // of every entry of every block of G in the values of J
  Vector right_side, solution;
};

namespace {

// J with the pattern of G and full diagonal blocks, also where G has none; where each entry of G's blocks goes.
void make_pattern(const BlockSparseDelassus& G, SparseNewtonMemory& m) {
  std::vector<Eigen::Triplet<double>> entries;
  for (Index b = 0; b < G.block_count(); ++b) {
    for (Index i = 0; i < G.block(b).rows; ++i)
      for (Index c = 0; c < G.block(b).rows; ++c)
        entries.emplace_back(G.block(b).row + i, G.block(b).row + c, 1.0);
    for (const BlockSparseDelassus::Block& block : G.row(b))
      for (Index c = 0; c < G.block(block.column).rows; ++c)
        for (Index r = 0; r < G.block(b).rows; ++r)
          entries.emplace_back(G.block(b).row + r, G.block(block.column).row + c, 1.0);
  }
  m.J.resize(G.rows(), G.rows());
  m.J.setFromTriplets(entries.begin(), entries.end());
  m.positions.clear();
  for (Index b = 0; b < G.block_count(); ++b)
    for (const BlockSparseDelassus::Block& block : G.row(b))
      for (Index c = 0; c < G.block(block.column).rows; ++c) {
        const Index column = G.block(block.column).row + c;
        const int* begin = m.J.innerIndexPtr() + m.J.outerIndexPtr()[column];
        const int* end = m.J.innerIndexPtr() + m.J.outerIndexPtr()[column + 1];
        // Rows of one block column are neighbours in the sorted column.
        const int* at = std::lower_bound(begin, end, G.block(b).row);
        m.positions.push_back(static_cast<int>(at - m.J.innerIndexPtr()));
      }
  m.lu.analyzePattern(m.J);
}

double& diagonal(Eigen::SparseMatrix<double>& J, Index i) { return J.coeffRef(i, i); }

}  // namespace

void begin_sparse_newton(const InclusionProblem& problem, SolverWorkspace& w) {
  if (!w.sparse) w.sparse = std::make_shared<SparseNewtonMemory>();
  problem.G->to_block_sparse(w.sparse->G);
  make_pattern(w.sparse->G, *w.sparse);
}

void sparse_newton_step(const InclusionProblem& problem, const Buffer& lambda, const Buffer& xi,
                        SolverWorkspace& w) {
  SparseNewtonMemory& m = *w.sparse;
  const BlockSparseDelassus& G = m.G;
  const Buffer& F = w.residual.defect;
  const Index rows = G.rows();
  std::fill_n(m.J.valuePtr(), m.J.nonZeros(), 0.0);
  m.right_side.resize(rows);
  std::size_t position = 0;
  for (Index b = 0; b < G.block_count(); ++b) {
    const RowRange& to = G.block(b);
    const double rho = G.rho(b);
    double D[Law::max_dim * Law::max_dim] = {};
    const double root = rho > 0.0 ? std::sqrt(rho) : 1.0;
    if (rho > 0.0) {
      double x[Law::max_dim];
      for (Index i = 0; i < to.rows; ++i) x[i] = lambda[to.row + i] - xi[to.row + i] / rho;
      problem.laws[static_cast<std::size_t>(b)]->project_derivative(x, D);
    }
    for (const BlockSparseDelassus::Block& block : G.row(b)) {
      const RowRange& from = G.block(block.column);
      const double rho_j = G.rho(block.column);
      const double scale = rho_j > 0.0 ? 1.0 / (root * std::sqrt(rho_j)) : 0.0;
      const double* entries = G.entries(block);
      for (Index c = 0; c < from.rows; ++c, entries += to.rows) {
        double* out = m.J.valuePtr() + m.positions[position++];
        for (Index i = 0; i < to.rows; ++i)
          for (Index k = 0; k < to.rows; ++k) out[i] += scale * D[i + k * to.rows] * entries[k];
      }
    }
    for (Index i = 0; i < to.rows; ++i) {
      m.right_side[to.row + i] = -root * F[to.row + i];
      for (Index c = 0; c < to.rows; ++c)
        m.J.coeffRef(to.row + i, to.row + c) += (i == c ? 1.0 : 0.0) - D[i + c * to.rows];
    }
  }

  double added = 0.0;
  for (double delta = 0.0; delta < 1e-2; delta = delta == 0.0 ? 1e-12 : 100.0 * delta) {
    if (delta > added)
      for (Index i = 0; i < rows; ++i) diagonal(m.J, i) += delta - added;
    added = delta;
    m.lu.factorize(m.J);
    if (m.lu.info() != Eigen::Success) continue;
    m.solution = m.lu.solve(m.right_side);
    if (!m.solution.allFinite()) continue;
    // A nearly singular factorisation shows by a residual that rounding cannot explain.
    if ((m.J * m.solution - m.right_side).norm() <= 1e-6 * m.right_side.norm()) break;
  }
  w.direction.resize(rows);
  for (Index b = 0; b < G.block_count(); ++b) {
    const double root = G.rho(b) > 0.0 ? std::sqrt(G.rho(b)) : 1.0;
    for (Index i = 0; i < G.block(b).rows; ++i)
      w.direction[G.block(b).row + i] = m.solution[G.block(b).row + i] / root;
  }
}

}  // namespace carom
