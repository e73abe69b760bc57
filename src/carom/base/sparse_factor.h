// The factored sum A = sum_k c_k A_k of sparse matrices, the sparse case of IterationMatrix.
//
// What was done once is not done again:
//   constant matrices (ConstantMatrix) with the same factors c_k   nothing: the factors stand
//   the same patterns with other values                            values are summed in place and factored
//                                                                  with the known pattern
//   other patterns                                                 everything anew
//
// What falls apart is factored by components (component_factor.h), unless it is constant. A narrow band is factored by
// BandFactor, without allocation; other patterns by Eigen's simplicial LDL' with minimum-degree ordering (symmetric) or
// its supernodal LU.
#pragma once

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <memory>
#include <span>
#include <vector>

#include "carom/base/band_factor.h"
#include "carom/base/constant_matrix.h"

namespace carom::inline base {

// factor times a matrix, compressed.
struct SparseTerm {
  double factor;
  const Eigen::SparseMatrix<double>* matrix;
  std::shared_ptr<const ConstantMatrix> constant;  // holds `matrix`, or null
};

class SparseFactor {
 public:
  using Sparse = Eigen::SparseMatrix<double>;
  using Term = SparseTerm;

  // `whole`: it is known to be one component.
  explicit SparseFactor(bool whole = false);
  ~SparseFactor();

  // False if the sum is singular (or not a number).
  bool factor(std::span<const Term> terms, Index n);

  bool symmetric() const { return symmetric_; }
  bool banded() const { return banded_; }
  // Null: all is one component.
  const class ComponentFactor* components() const { return apart_ ? components_.get() : nullptr; }
  // Different for every factorisation ever made in this process; 0 before the first, after a failure, and for
  // components.
  std::uint64_t stamp() const { return stamp_; }
  // How often this object summed a new pattern, and factored: tests count the work that was saved.
  long patterns() const { return patterns_; }
  long factorisations() const { return factorisations_; }

  // x := A^-1 x
  void solve(double* x, Index columns) const;

 private:
  struct Known {
    double factor = 0.0;
    std::shared_ptr<const ConstantMatrix> constant;
    std::vector<int> outer, inner;  // the pattern
    std::vector<Index> places;      // where each entry stands in A
  };

  bool factor_components(std::span<const Term> terms, Index n);
  bool same_constants(std::span<const Term> terms) const;
  bool same_patterns(std::span<const Term> terms) const;
  void learn_patterns(std::span<const Term> terms, Index n);
  void sum(std::span<const Term> terms);
  bool values_symmetric() const;
  bool factor_sum();

  bool whole_, apart_ = false;
  std::unique_ptr<class ComponentFactor> components_;
  std::vector<Known> known_;
  Sparse A_;
  std::vector<Index> mirror_;  // the place of A(j, i) for the entry A(i, j); -1: not in the pattern
  Bandwidth band_;
  bool banded_ = false;
  bool symmetric_ = true;
  bool analysed_ldlt_ = false, analysed_lu_ = false;
  std::uint64_t stamp_ = 0;
  long patterns_ = 0, factorisations_ = 0;
  BandFactor band_factor_;
  Eigen::SimplicialLDLT<Sparse> ldlt_;
  Eigen::SparseLU<Sparse> lu_;
  bool use_ldlt_ = false;
  mutable Vector permuted_;  // of solve: one object serves one thread
};

}  // namespace carom::inline base
