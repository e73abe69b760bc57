#include "carom/base/sparse_factor.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "carom/base/component_factor.h"

namespace carom::inline base {

namespace {

// A band pays as long as it holds at most this many places per entry of the matrix.
constexpr double widest_band = 4.0;
// Values count as symmetric up to rounding: of the largest entry, or of their own size.
constexpr double rounding_of_largest = 1e-15, rounding_of_entry = 1e-12;

std::uint64_t next_stamp() {
  static std::atomic<std::uint64_t> made{0};
  return ++made;
}

}  // namespace

SparseFactor::SparseFactor(bool whole) : whole_(whole) {}
SparseFactor::~SparseFactor() = default;

bool SparseFactor::factor_components(std::span<const Term> terms, Index n) {
  if (whole_ || std::any_of(terms.begin(), terms.end(), [](const Term& term) { return term.constant != nullptr; }))
    return false;
  if (!components_) components_ = std::make_unique<ComponentFactor>();
  if (!components_->factor(terms, n)) return false;
  stamp_ = 0;
  symmetric_ = components_->symmetric();
  return true;
}

bool SparseFactor::factor(std::span<const Term> terms, Index n) {
  apart_ = factor_components(terms, n);
  if (apart_) return components_->regular();
  if (stamp_ != 0 && A_.rows() == n && same_constants(terms)) return true;
  if (A_.rows() != n || !same_patterns(terms)) learn_patterns(terms, n);
  sum(terms);
  symmetric_ = values_symmetric();
  ++factorisations_;
  stamp_ = factor_sum() ? next_stamp() : 0;
  return stamp_ != 0;
}

bool SparseFactor::same_constants(std::span<const Term> terms) const {
  if (terms.size() != known_.size()) return false;
  for (std::size_t k = 0; k < terms.size(); ++k)
    if (!terms[k].constant || terms[k].constant != known_[k].constant || terms[k].factor != known_[k].factor)
      return false;
  return true;
}

bool SparseFactor::same_patterns(std::span<const Term> terms) const {
  if (terms.size() != known_.size()) return false;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Known& known = known_[k];
    if (terms[k].constant && terms[k].constant == known.constant) continue;
    const Sparse& matrix = *terms[k].matrix;
    if (static_cast<std::size_t>(matrix.nonZeros()) != known.inner.size()) return false;
    if (!std::equal(known.outer.begin(), known.outer.end(), matrix.outerIndexPtr()) ||
        !std::equal(known.inner.begin(), known.inner.end(), matrix.innerIndexPtr()))
      return false;
  }
  return true;
}

void SparseFactor::learn_patterns(std::span<const Term> terms, Index n) {
  ++patterns_;
  std::vector<Eigen::Triplet<double>> entries;
  for (const Term& term : terms)
    for (Index j = 0; j < n; ++j)
      for (Sparse::InnerIterator entry(*term.matrix, j); entry; ++entry)
        entries.emplace_back(static_cast<Index>(entry.row()), j, 0.0);
  A_.resize(n, n);
  A_.setFromTriplets(entries.begin(), entries.end());

  const auto place = [this](Index i, Index j) -> Index {
    const int* begin = A_.innerIndexPtr() + A_.outerIndexPtr()[j];
    const int* end = A_.innerIndexPtr() + A_.outerIndexPtr()[j + 1];
    const int* found = std::lower_bound(begin, end, i);
    return found != end && *found == i ? static_cast<Index>(found - A_.innerIndexPtr()) : -1;
  };
  known_.resize(terms.size());
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Sparse& matrix = *terms[k].matrix;
    Known& known = known_[k];
    known.outer.assign(matrix.outerIndexPtr(), matrix.outerIndexPtr() + n + 1);
    known.inner.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    known.places.clear();
    for (Index j = 0; j < n; ++j)
      for (Sparse::InnerIterator entry(matrix, j); entry; ++entry)
        known.places.push_back(place(static_cast<Index>(entry.row()), j));
  }
  mirror_.clear();
  for (Index j = 0; j < n; ++j)
    for (Sparse::InnerIterator entry(A_, j); entry; ++entry)
      mirror_.push_back(place(j, static_cast<Index>(entry.row())));

  band_ = bandwidth(A_);
  banded_ = static_cast<double>(band_.lower + band_.upper + 1) * n <= widest_band * static_cast<double>(A_.nonZeros());
  analysed_ldlt_ = analysed_lu_ = false;
}

void SparseFactor::sum(std::span<const Term> terms) {
  double* A = A_.valuePtr();
  std::fill_n(A, A_.nonZeros(), 0.0);
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const double factor = terms[k].factor;
    const double* values = terms[k].matrix->valuePtr();
    const std::vector<Index>& places = known_[k].places;
    for (std::size_t p = 0; p < places.size(); ++p) A[places[p]] += factor * values[p];
    known_[k].factor = factor;
    known_[k].constant = terms[k].constant;
  }
}

bool SparseFactor::values_symmetric() const {
  const double* A = A_.valuePtr();
  double largest = 0.0;
  for (std::size_t p = 0; p < mirror_.size(); ++p) largest = std::max(largest, std::abs(A[p]));
  for (std::size_t p = 0; p < mirror_.size(); ++p) {
    const double difference = std::abs(A[p] - (mirror_[p] < 0 ? 0.0 : A[mirror_[p]]));
    if (difference > std::max(rounding_of_largest * largest, rounding_of_entry * std::abs(A[p]))) return false;
  }
  return true;
}

bool SparseFactor::factor_sum() {
  if (banded_) return band_factor_.factor(A_, band_, symmetric_);
  use_ldlt_ = symmetric_;
  if (use_ldlt_) {
    if (!analysed_ldlt_) ldlt_.analyzePattern(A_);
    analysed_ldlt_ = true;
    ldlt_.factorize(A_);
    if (ldlt_.info() == Eigen::Success && ldlt_.vectorD().allFinite()) return true;
    use_ldlt_ = false;  // a pivot vanished: exchange rows
  }
  if (!analysed_lu_) lu_.analyzePattern(A_);
  analysed_lu_ = true;
  lu_.factorize(A_);
  return lu_.info() == Eigen::Success;
}

void SparseFactor::solve(double* x, Index columns) const {
  if (apart_) return components_->solve(x, columns);
  const Index n = static_cast<Index>(A_.rows());
  for (Index c = 0; c < columns; ++c, x += n) {
    VectorMap X(x, n);
    if (banded_) {
      band_factor_.solve(x);
    } else if (use_ldlt_) {  // by hand: Eigen's own solve allocates
      permuted_.resize(n);
      permuted_.noalias() = ldlt_.permutationP() * X;
      ldlt_.matrixL().solveInPlace(permuted_);
      permuted_.array() /= ldlt_.vectorD().array();
      ldlt_.matrixU().solveInPlace(permuted_);
      X.noalias() = ldlt_.permutationPinv() * permuted_;
    } else {
      X = lu_.solve(X).eval();
    }
  }
}

}  // namespace carom::inline base
