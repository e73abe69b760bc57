// What the constraints do to the coupled components of A (springs between bodies, beams): A_c^-1 W_bc of every
// constraint b and every component c it touches. Small components, and large ones with few constraints, keep the
// columns; the others solve when asked. So memory grows with the contacts, never with their square.
#pragma once

#include <span>
#include <vector>

#include "carom/base/buffer.h"
#include "carom/base/component_factor.h"
#include "carom/base/constraint_jacobian.h"

namespace carom::inline base {

class ComponentColumns {
 public:
  // Columns of larger components are kept up to this many rows.
  static constexpr Index kept_rows = 64;

  struct Part {
    Index component;
    Index data;  // of its columns, size of the component x rows of the constraint; -1: they are not kept
  };

  // The operands must outlive this. `keep_all`: all columns are wanted.
  void build(const ConstraintJacobian& W, const ComponentFactor& A, bool keep_all = false);
  void clear() {
    part_begin_.clear();
    A_ = nullptr;
  }

  // The components constraint b touches; for most constraints none.
  std::span<const Part> parts(Index b) const {
    if (part_begin_.empty()) return {};
    const auto k = static_cast<std::size_t>(b);
    return {parts_.data() + part_begin_[k], parts_.data() + part_begin_[k + 1]};
  }
  const double* columns(const Part& part) const { return columns_.data() + part.data; }
  // A_c^-1 W_bc lambda_b in the component's own numbers; good until the next call.
  const double* response(Index b, const Part& part, const double* lambda) const;
  // velocity += A_c^-1 W_bc lambda_b
  void add_response(Index b, const Part& part, const double* lambda, double* velocity) const;

  std::size_t bytes() const;

 private:
  const ConstraintJacobian* W_ = nullptr;
  const ComponentFactor* A_ = nullptr;
  std::vector<std::size_t> part_begin_;
  std::vector<Part> parts_;
  std::vector<Index> rows_;  // by component
  Buffer columns_;
  mutable Buffer scratch_;
};

// G_bj through a component: W_bc' u with u the response of constraint j in the component's own numbers, rows_j columns.
void add_component_product(const ConstraintJacobian& W, Index b, const ComponentFactor& A, Index component,
                           const double* u, Index columns, double* G);

}  // namespace carom::inline base
