#include "carom/inclusion/contact_dampers.h"

#include <Eigen/LU>
#include <algorithm>

#include "carom/base/at.h"
#include "carom/base/constraint_jacobian.h"
#include "carom/laws/law.h"

namespace carom::inline inclusion {

namespace {

constexpr Index three = StructuredMatrix::block_size;

}  // namespace

void ContactDampers::begin(const Delassus& G) {
  G_ = &G;
  factors_ = G.factors();
  begin_.clear();
  size_ = 0;
  for (Index b = 0; b < G.block_count(); ++b) {
    begin_.push_back(size_);
    size_ += G.block(b).rows * G.block(b).rows;
  }
  B_.clear();
  if (factors_ != nullptr)
    begin_bodies(*factors_);
  else
    begin_contacts();
}

// A body is what the segments take together: two 3-blocks for a spatial one, where all segments agree; else every
// 3-block is a node.
void ContactDampers::find_nodes(const DelassusFactors& factors) {
  const ConstraintJacobian& W = *factors.W;
  const Index blocks = factors.velocities / three;
  node_of_.assign(at(blocks), -1);
  bool agree = true;
  for (Index b = 0; b < W.block_count() && agree; ++b)
    for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end && agree; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      const Index first = segment.offset / three, count = segment.size / three;
      agree = segment.size <= BlockLu::largest_block;
      for (Index k = first; k < first + count && agree; ++k) {
        if (node_of_[at(k)] < 0) node_of_[at(k)] = first + count * blocks;  // where its body begins, and how long it is
        agree = node_of_[at(k)] == first + count * blocks;
      }
    }
  sizes_.clear();
  node_velocity_.clear();
  for (Index k = 0; k < blocks; ++k) {
    const bool begins = !agree || node_of_[at(k)] < 0 || node_of_[at(k)] % blocks == k;
    if (begins) {
      node_velocity_.push_back(three * k);
      sizes_.push_back(0);
    }
    sizes_.back() += three;
  }
  for (std::size_t n = 0; n < sizes_.size(); ++n)
    for (Index v = 0; v < sizes_[n]; v += three) node_of_[at((node_velocity_[n] + v) / three)] = static_cast<Index>(n);
}

void ContactDampers::begin_bodies(const DelassusFactors& factors) {
  const ConstraintJacobian& W = *factors.W;
  find_nodes(factors);
  pieces_.clear();
  piece_begin_.assign(1, 0);
  for (Index b = 0; b < W.block_count(); ++b) {
    for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      for (Index v = segment.offset; v < segment.offset + segment.size;) {
        const Index node = node_of_[at(v / three)], column = v - node_velocity_[at(node)];
        const Index columns = std::min(sizes_[at(node)] - column, segment.offset + segment.size - v);
        pieces_.push_back({node, column, columns, segment.data + v - segment.offset, segment.size, v});
        v += columns;
      }
    }
    piece_begin_.push_back(pieces_.size());
  }
  if (neighbours_.size() < sizes_.size()) neighbours_.resize(sizes_.size());
  for (std::size_t n = 0; n < sizes_.size(); ++n) neighbours_[n].assign(1, static_cast<Index>(n));
  for (Index b = 0; b < W.block_count(); ++b)
    for (std::size_t p = piece_begin_[at(b)]; p < piece_begin_[at(b) + 1]; ++p)
      for (std::size_t q = piece_begin_[at(b)]; q < piece_begin_[at(b) + 1]; ++q)
        if (pieces_[p].node != pieces_[q].node) neighbours_[at(pieces_[p].node)].push_back(pieces_[q].node);
  row_begin_.assign(1, 0);
  columns_.clear();
  for (std::size_t n = 0; n < sizes_.size(); ++n) {
    std::vector<Index>& list = neighbours_[n];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    columns_.insert(columns_.end(), list.begin(), list.end());
    row_begin_.push_back(columns_.size());
  }
  lu_.set_pattern(sizes_, row_begin_, columns_);
  places_.clear();
  for (Index b = 0; b < W.block_count(); ++b)
    for (std::size_t p = piece_begin_[at(b)]; p < piece_begin_[at(b) + 1]; ++p)
      for (std::size_t q = piece_begin_[at(b)]; q < piece_begin_[at(b) + 1]; ++q) {
        const auto row = columns_.begin() + static_cast<std::ptrdiff_t>(row_begin_[at(pieces_[p].node)]);
        const auto end = columns_.begin() + static_cast<std::ptrdiff_t>(row_begin_[at(pieces_[p].node) + 1]);
        places_.push_back(static_cast<std::size_t>(std::lower_bound(row, end, pieces_[q].node) - columns_.begin()));
      }
  velocity_.resize(factors.velocities);
}

void ContactDampers::begin_contacts() {
  G_->to_block_sparse(blocks_);
  sizes_.clear();
  columns_.clear();
  for (Index b = 0; b < blocks_.block_count(); ++b) {
    sizes_.push_back(blocks_.block(b).rows);
    for (const BlockSparseDelassus::Block& block : blocks_.row(b)) columns_.push_back(block.column);
  }
  lu_.set_pattern(sizes_, blocks_.row_begin(), columns_);
}

void ContactDampers::factor() {
  for (Buffer* buffer : {&scratch_, &remainder_}) buffer->resize(G_->rows());
  lu_.set_zero();
  if (factors_ != nullptr)
    factor_bodies();
  else
    factor_contacts();
  lu_.factor(0.0);
}

void ContactDampers::factor_bodies() {
  const ConstraintJacobian& W = *factors_->W;
  for (std::size_t n = 0; n < sizes_.size(); ++n) {
    double* diagonal = lu_.diagonal(static_cast<Index>(n));
    for (Index k = 0; k < sizes_[n]; k += three) {
      const Matrix3 A = factors_->inverse_blocks[(node_velocity_[n] + k) / three].inverse();
      for (Index j = 0; j < three; ++j)
        for (Index i = 0; i < three; ++i) diagonal[k + i + (k + j) * sizes_[n]] += A(i, j);
    }
  }
  if (W.block_count() == 0 || pieces_.empty()) return;
  const double* entries = W.entries(ConstraintJacobian::Segment{0, 0, 0});
  std::size_t place = 0;
  for (Index b = 0; b < W.block_count(); ++b) {
    const Index rows = W.block(b).rows;
    const double* B = damper(b);
    const std::size_t begin = piece_begin_[at(b)], end = piece_begin_[at(b) + 1];
    const bool open = std::all_of(B, B + rows * rows, [](double x) { return x == 0.0; });
    if (open) {
      place += (end - begin) * (end - begin);
      continue;
    }
    // damped[q] = B W_q', rows x columns of the piece.
    constexpr Index most = Law::max_dim * BlockLu::largest_block;
    double damped[8][most];
    for (std::size_t p = begin; p < end; ++p)
      for (std::size_t q = begin; q < end; ++q, ++place) {
        const Piece &to = pieces_[p], &from = pieces_[q];
        double* product = damped[(q - begin) % 8];
        if (p == begin || end - begin > 8)
          for (Index c = 0; c < from.columns; ++c)
            for (Index i = 0; i < rows; ++i) {
              double sum = 0.0;
              for (Index k = 0; k < rows; ++k) sum += B[i + k * rows] * entries[from.entries + k * from.stride + c];
              product[i + c * rows] = sum;
            }
        double* out = lu_.block(places_[place]) + to.column + from.column * sizes_[at(to.node)];
        for (Index c = 0; c < from.columns; ++c, out += sizes_[at(to.node)])
          for (Index r = 0; r < rows; ++r) {
            const double* w = entries + to.entries + r * to.stride;
            const double factor = product[r + c * rows];
            for (Index i = 0; i < to.columns; ++i) out[i] += w[i] * factor;
          }
      }
  }
}

void ContactDampers::factor_contacts() {
  std::size_t k = 0;
  for (Index b = 0; b < blocks_.block_count(); ++b) {
    const Index rows = blocks_.block(b).rows;
    for (const BlockSparseDelassus::Block& block : blocks_.row(b)) {
      const Index inner = blocks_.block(block.column).rows;
      const double *G = blocks_.entries(block), *B = damper(block.column);
      double* out = lu_.block(k++);
      for (Index c = 0; c < inner; ++c, out += rows)
        for (Index l = 0; l < inner; ++l) {
          const double factor = B[l + c * inner];
          if (factor == 0.0) continue;
          for (Index i = 0; i < rows; ++i) out[i] += G[i + l * rows] * factor;
        }
    }
    double* diagonal = lu_.diagonal(b);
    for (Index i = 0; i < rows; ++i) diagonal[i + i * rows] += 1.0;
  }
}

double ContactDampers::product_work() const {
  if (factors_ == nullptr) return static_cast<double>(blocks_.bytes()) / sizeof(double);
  double work = 0.0;
  for (Index b = 0; b < G_->block_count(); ++b)
    for (std::size_t p = piece_begin_[at(b)]; p < piece_begin_[at(b) + 1]; ++p)
      work += 2.0 * G_->block(b).rows * pieces_[p].columns;
  return work;
}

void ContactDampers::apply(const double* x, double* y) const {
  for (Index b = 0; b < G_->block_count(); ++b) {
    const RowRange& range = G_->block(b);
    const double* B = B_.data() + begin_[at(b)];
    double sum[Law::max_dim] = {};
    for (Index j = 0; j < range.rows; ++j)
      for (Index i = 0; i < range.rows; ++i) sum[i] += B[i + j * range.rows] * x[range.row + j];
    std::copy_n(sum, range.rows, y + range.row);
  }
}

void ContactDampers::solve_once(const double* r, double* y) {
  if (factors_ == nullptr) {
    std::copy_n(r, G_->rows(), y);
    lu_.solve(y);
    return;
  }
  apply(r, scratch_.data());
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  factors_->W->multiply_add(scratch_.data(), velocity_.data());
  lu_.solve(velocity_.data());
  factors_->W->transpose_multiply(velocity_.data(), y);
  for (Index i = 0; i < G_->rows(); ++i) y[i] = r[i] - y[i];
}

void ContactDampers::solve(const double* r, double* y, int refinements) {
  solve_once(r, y);
  for (int k = 0; k < refinements; ++k) {
    // remainder = r - y - G B y
    apply(y, scratch_.data());
    G_->multiply(scratch_.data(), remainder_.data());
    for (Index i = 0; i < G_->rows(); ++i) remainder_[i] = r[i] - y[i] - remainder_[i];
    correction_.resize(G_->rows());
    solve_once(remainder_.data(), correction_.data());
    for (Index i = 0; i < G_->rows(); ++i) y[i] += correction_[i];
  }
}

}  // namespace carom::inline inclusion
