#include "carom/base/component_factor.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/at.h"
#include "carom/base/small_lu.h"

namespace carom::inline base {

namespace {

constexpr Index side = 3;
using Sparse = SparseFactor::Sparse;

// Sets of blocks that become one by one the same.
class Union {
 public:
  explicit Union(Index n) : parent_(at(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  Index root(Index i) {
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }
  void join(Index i, Index j) {  // the smaller number stays
    i = root(i);
    j = root(j);
    parent_[at(std::max(i, j))] = std::min(i, j);
  }

 private:
  std::vector<Index> parent_;
};

bool nearly_symmetric(const double* A, Index n) {
  double largest = 0.0;
  for (Index i = 0; i < n * n; ++i) largest = std::max(largest, std::abs(A[i]));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < j; ++i)
      if (!(std::abs(A[i + j * n] - A[j + i * n]) <= 1e-15 * largest)) return false;
  return true;
}

}  // namespace

bool ComponentFactor::same_patterns(std::span<const SparseTerm> terms, Index n) const {
  if (n != size_ || terms.size() != known_.size()) return false;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Sparse& matrix = *terms[k].matrix;
    const Known& known = known_[k];
    if (at(static_cast<Index>(matrix.nonZeros())) != known.inner.size() ||
        !std::equal(known.outer.begin(), known.outer.end(), matrix.outerIndexPtr()) ||
        !std::equal(known.inner.begin(), known.inner.end(), matrix.innerIndexPtr()))
      return false;
  }
  return true;
}

void ComponentFactor::learn(std::span<const SparseTerm> terms, Index n) {
  ++analyses_;
  size_ = n;
  const Index blocks = (n + side - 1) / side;
  Union sets(blocks);
  for (const SparseTerm& term : terms)
    for (Index j = 0; j < n; ++j)
      for (Sparse::InnerIterator entry(*term.matrix, j); entry; ++entry)
        sets.join(static_cast<Index>(entry.row()) / side, j / side);

  std::vector<Index> members(at(blocks), 0);
  for (Index b = 0; b < blocks; ++b) ++members[at(sets.root(b))];
  const bool rest = n % side != 0;  // the last block is no 3x3 block: always a component
  component_.assign(at(blocks), -1);
  number_.assign(at(n), -1);
  coupled_.clear();
  for (Index b = 0; b < blocks; ++b) {
    const Index root = sets.root(b);
    if (members[at(root)] == 1 && !(rest && b == blocks - 1)) continue;
    if (component_[at(root)] < 0) {
      component_[at(root)] = static_cast<Index>(coupled_.size());
      coupled_.emplace_back();
    }
    component_[at(b)] = component_[at(root)];
    Component& component = coupled_[at(component_[at(b)])];
    for (Index v = side * b; v < std::min(n, side * (b + 1)); ++v) {
      number_[at(v)] = component.size();
      component.velocities_.push_back(v);
    }
  }
  falls_apart_ = coupled_.size() != 1 || coupled_.front().size() < n;
  known_.resize(terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Sparse& matrix = *terms[k].matrix;
    known_[k].outer.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + n + 1);
    known_[k].inner.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    known_[k].places.clear();
  }
  if (!falls_apart_) return;

  // Room for the values: 3x3 blocks, then dense components in full and sparse ones by their patterns.
  Index used = side * side * (n / side);
  std::vector<std::vector<Eigen::Triplet<double>>> patterns(coupled_.size());
  for (const SparseTerm& term : terms)
    for (Index j = 0; j < n; ++j) {
      const Index c = component_[at(j / side)];
      if (c < 0 || coupled_[at(c)].size() <= dense_limit) continue;
      for (Sparse::InnerIterator entry(*term.matrix, j); entry; ++entry)
        patterns[at(c)].emplace_back(number_[at(static_cast<Index>(entry.row()))], number_[at(j)], 0.0);
    }
  for (std::size_t c = 0; c < coupled_.size(); ++c) {
    Component& component = coupled_[c];
    component.data_ = used;
    if (component.size() <= dense_limit) {
      used += component.size() * component.size();
      continue;
    }
    component.matrix_.resize(component.size(), component.size());
    component.matrix_.setFromTriplets(patterns[c].begin(), patterns[c].end());
    component.matrix_.makeCompressed();
    component.sparse_ = std::make_unique<SparseFactor>(true);
    used += static_cast<Index>(component.matrix_.nonZeros());
  }
  values_.resize(used);
  inverse_blocks_.assign(at(n / side), Matrix3::Zero());

  for (std::size_t k = 0; k < terms.size(); ++k)
    for (Index j = 0; j < n; ++j)
      for (Sparse::InnerIterator entry(*terms[k].matrix, j); entry; ++entry) {
        const Index i = static_cast<Index>(entry.row()), c = component_[at(j / side)];
        if (c < 0) {
          known_[k].places.push_back(side * side * (j / side) + side * (j % side) + i % side);
          continue;
        }
        const Component& component = coupled_[at(c)];
        const Index row = number_[at(i)], column = number_[at(j)];
        if (component.size() <= dense_limit) {
          known_[k].places.push_back(component.data_ + row + column * component.size());
          continue;
        }
        const int* begin = component.matrix_.innerIndexPtr() + component.matrix_.outerIndexPtr()[column];
        const int* end = component.matrix_.innerIndexPtr() + component.matrix_.outerIndexPtr()[column + 1];
        const auto offset = std::lower_bound(begin, end, row) - component.matrix_.innerIndexPtr();
        known_[k].places.push_back(component.data_ + static_cast<Index>(offset));
      }
}

bool ComponentFactor::factor(std::span<const SparseTerm> terms, Index n) {
  if (!same_patterns(terms, n)) learn(terms, n);
  if (!falls_apart_) return false;
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const double factor = terms[k].factor;
    const double* values = terms[k].matrix->valuePtr();
    const std::vector<Index>& places = known_[k].places;
    for (std::size_t p = 0; p < places.size(); ++p) values_[places[p]] += factor * values[p];
  }
  regular_ = symmetric_ = true;
  for (Index b = 0; b < n / side; ++b) {
    if (component_[at(b)] >= 0) continue;
    const Eigen::Map<const Matrix3> block(values_.data() + side * side * b);
    symmetric_ = symmetric_ && nearly_symmetric(block.data(), side);
    inverse_blocks_[at(b)] = block.inverse();
    regular_ = regular_ && std::isfinite(inverse_blocks_[at(b)].sum());
  }
  for (Component& component : coupled_) regular_ = component.factor(values_.data(), symmetric_) && regular_;
  return true;
}

bool ComponentFactor::Component::factor(const double* values, bool& symmetric) {
  const Index n = size();
  values += data_;
  if (sparse_) {
    std::copy_n(values, matrix_.nonZeros(), matrix_.valuePtr());
    const SparseTerm term{1.0, &matrix_, nullptr};
    const bool regular = sparse_->factor({&term, 1}, n);
    symmetric = symmetric && sparse_->symmetric();
    return regular;
  }
  symmetric = symmetric && nearly_symmetric(values, n);
  lu_.resize(n * n);
  std::copy_n(values, n * n, lu_.data());
  pivots_.resize(at(n));
  return lu_factor(lu_.data(), pivots_.data(), n);
}

void ComponentFactor::Component::solve(double* x) const {
  if (sparse_)
    sparse_->solve(x, 1);
  else
    lu_solve(lu_.data(), pivots_.data(), size(), x, 1);
}

void ComponentFactor::solve(double* x, Index columns) const {
  for (Index k = 0; k < columns; ++k, x += size_) {
    for (const Component& component : coupled_) {
      scratch_.resize(component.size());
      for (Index i = 0; i < component.size(); ++i) scratch_[i] = x[component.velocities_[at(i)]];
      component.solve(scratch_.data());
      for (Index i = 0; i < component.size(); ++i) x[component.velocities_[at(i)]] = scratch_[i];
    }
    for (Index b = 0; b < size_ / side; ++b) {
      if (component_[at(b)] >= 0) continue;
      Eigen::Map<Vector3> part(x + side * b);
      part = (inverse_blocks_[at(b)] * part).eval();
    }
  }
}

std::size_t ComponentFactor::bytes() const {
  std::size_t sum = at(values_.size()) * sizeof(double) + inverse_blocks_.size() * sizeof(Matrix3) +
                    (component_.size() + number_.size()) * sizeof(Index);
  for (const Known& known : known_)
    sum += (known.outer.size() + known.inner.size()) * sizeof(int) + known.places.size() * sizeof(Index);
  for (const Component& component : coupled_)
    sum += at(component.lu_.size()) * sizeof(double) + component.velocities_.size() * sizeof(Index) +
           static_cast<std::size_t>(component.matrix_.nonZeros()) * (sizeof(double) + sizeof(int));
  return sum;
}

}  // namespace carom::inline base
