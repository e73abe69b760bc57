#include "carom/inclusion/matrix_free_delassus.h"

#include <algorithm>
#include <cmath>

#include "carom/inclusion/block_sparse_delassus.h"
#include "carom/laws/law.h"

namespace carom::inline inclusion {

namespace {

using Segment = ConstraintJacobian::Segment;
constexpr Index size = StructuredMatrix::block_size;

// y += W' v of one segment.
void add_transpose_product(const double* w, Index rows, Index columns, const double* v, double* y) {
  for (Index r = 0; r < rows; ++r, w += columns) {
    double sum = 0.0;
    for (Index i = 0; i < columns; ++i) sum += w[i] * v[i];
    y[r] += sum;
  }
}

// force = W lambda over the three velocities starting at column k of a segment.
inline void force_on_block(const double* w, Index rows, Index columns, Index k, const double* lambda, double* force) {
  w += k;
  force[0] = force[1] = force[2] = 0.0;
  for (Index r = 0; r < rows; ++r, w += columns) {
    force[0] += w[0] * lambda[r];
    force[1] += w[1] * lambda[r];
    force[2] += w[2] * lambda[r];
  }
}

bool names_a_body_twice(const ConstraintJacobian& W, Index b) {
  const ConstraintJacobian::Block& at = W.block(b);
  for (Index s = at.segment_begin + 1; s < at.segment_end; ++s)
    for (Index other = at.segment_begin; other < s; ++other) {
      const Segment &one = W.segment(s), &two = W.segment(other);
      if (one.offset < two.offset + two.size && two.offset < one.offset + one.size) return true;
    }
  return false;
}

inline void add_inverse_product(const Matrix3& inverse, const double* force, double* velocity) {
  const double* a = inverse.data();
  for (int i = 0; i < 3; ++i) velocity[i] += a[i] * force[0] + a[i + 3] * force[1] + a[i + 6] * force[2];
}

inline double length(const double* w) { return std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]); }

}  // namespace

bool MatrixFreeDelassus::accepts(const ConstraintJacobian& W, const IterationMatrix& A) {
  const ComponentFactor* components = A.components();
  if (A.structure() != Structure::block_diagonal && components == nullptr) return false;
  for (Index b = 0; b < W.block_count(); ++b)
    for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s) {
      const Segment& segment = W.segment(s);
      if (segment.offset % size == 0 && segment.size % size == 0) continue;
      // Odd offsets and sizes are for coupled components.
      for (Index v = segment.offset; v < segment.offset + segment.size; ++v)
        if (components == nullptr || components->component_of(v) < 0) return false;
    }
  return true;
}

void MatrixFreeDelassus::build(const ConstraintJacobian& Wc, const IterationMatrix& A, const ConstraintJacobian& Wf) {
  Wc_ = &Wc;
  Wf_ = &Wf;
  A_ = &A;
  set_partition(Wc, diagonal_wanted_);
  symmetric_ = &Wc == &Wf && A.symmetric();
  const ComponentFactor* components = A.components();
  factors_ = {};
  if (&Wc == &Wf && components == nullptr) factors_ = {&Wc, A.inverse_blocks(), A.size()};
  if (components != nullptr)
    columns_.build(Wf, *components);
  else
    columns_.clear();
  const Index bodies = (A.size() + size - 1) / size;
  inverse_norm_.resize(bodies);
  for (Index k = 0; k < bodies; ++k) {
    if (components != nullptr && components->component_of(size * k) >= 0) {
      inverse_norm_[k] = 1.0;
      continue;
    }
    // |A|_2 <= sqrt(|A|_1 |A|_inf), sharp for multiples of the identity.
    const auto absolute = A.inverse_blocks()[k].cwiseAbs();
    inverse_norm_[k] = std::sqrt(absolute.colwise().sum().maxCoeff() * absolute.rowwise().sum().maxCoeff());
  }
  body_scale_.resize(bodies);
  each_diagonal_block([this](Index b, const double* G_bb) {
    set_rho(b, G_bb);
    if (diagonal_wanted_) std::copy_n(G_bb, block(b).rows * block(b).rows, diagonal_entries(b));
  });
}

// Nobody asks for them in piles of spheres; who has asked will ask again.
void MatrixFreeDelassus::find_diagonal() const {
  diagonal_wanted_ = true;
  clear_diagonal();
  each_diagonal_block(
      [this](Index b, const double* G_bb) { std::copy_n(G_bb, block(b).rows * block(b).rows, diagonal_entries(b)); });
}

// Three rows between bodies that are not coupled to others.
bool MatrixFreeDelassus::is_common_contact(const ConstraintJacobian& W, Index b) const {
  return W.block(b).rows == 3 && columns_.parts(b).empty();
}

// Column c of G_bb: the velocity made by a unit impulse, seen by block b.
void MatrixFreeDelassus::diagonal_of_common_contact(Index b, double* G_bb) const {
  const ConstraintJacobian::Block& at = Wf_->block(b);
  for (Index c = 0; c < 3; ++c, G_bb += 3) {
    double y0 = 0.0, y1 = 0.0, y2 = 0.0;
    for (Index s = at.segment_begin; s < at.segment_end; ++s) {
      const Segment& segment = Wf_->segment(s);
      const Index n = segment.size;
      const double* w = Wf_->entries(segment);
      for (Index k = 0; k < n; k += size, w += size) {
        double v[3] = {};
        add_inverse_product(A_->inverse_blocks()[(segment.offset + k) / size], w + c * n, v);
        for (Index i = 0; i < size; ++i) {
          y0 += w[i] * v[i];
          y1 += w[n + i] * v[i];
          y2 += w[2 * n + i] * v[i];
        }
      }
    }
    G_bb[0] = y0;
    G_bb[1] = y1;
    G_bb[2] = y2;
  }
}

// A block may name a body in two segments, and W_c may be another than W_f, so velocities are collected.
template <class Act>
void MatrixFreeDelassus::each_diagonal_block(Act act) const {
  velocity_.assign(A_->size(), 0.0);
  for (Index b = 0; b < block_count(); ++b) {
    const Index rows = block(b).rows;
    double G_bb[Law::max_dim * Law::max_dim], unit[Law::max_dim] = {};
    if (Wc_ == Wf_ && is_common_contact(*Wf_, b) && !names_a_body_twice(*Wf_, b)) {
      diagonal_of_common_contact(b, G_bb);
      act(b, G_bb);
      continue;
    }
    for (Index c = 0; c < rows; ++c) {
      unit[c] = 1.0;
      sweep_update(b, unit, velocity_);
      unit[c] = 0.0;
      sweep_product(b, velocity_, G_bb + c * rows);
      for (Index s = Wf_->block(b).segment_begin; s < Wf_->block(b).segment_end; ++s)
        std::fill_n(velocity_.data() + Wf_->segment(s).offset, Wf_->segment(s).size, 0.0);
      for (const ComponentColumns::Part& part : columns_.parts(b))
        for (const Index v : A_->components()->coupled()[static_cast<std::size_t>(part.component)].velocities())
          velocity_[v] = 0.0;
    }
    act(b, G_bb);
  }
}

void MatrixFreeDelassus::multiply(const double* lambda, double* y) const {
  sweep_begin(lambda, velocity_);
  Wc_->transpose_multiply(velocity_.data(), y);
}

void MatrixFreeDelassus::multiply_with_magnitude(const double* lambda, double* y, double* scale) const {
  std::fill(velocity_.begin(), velocity_.end(), 0.0);
  std::fill(body_scale_.begin(), body_scale_.end(), 0.0);
  for (Index b = 0; b < block_count(); ++b) {
    const ConstraintJacobian::Block& at = Wf_->block(b);
    if (!columns_.parts(b).empty()) {
      coupled_magnitude(b, lambda + at.row);
      continue;
    }
    for (Index s = at.segment_begin; s < at.segment_end; ++s) {
      const Segment& segment = Wf_->segment(s);
      for (Index k = 0; k < segment.size; k += size) {
        double force[3];
        force_on_block(Wf_->entries(segment), at.rows, segment.size, k, lambda + at.row, force);
        const Index body = (segment.offset + k) / size;
        add_inverse_product(A_->inverse_blocks()[body], force, velocity_.data() + segment.offset + k);
        body_scale_[body] += length(force);
      }
    }
  }
  for (Index k = 0; k < body_scale_.size(); ++k) body_scale_[k] *= inverse_norm_[k];
  Wc_->transpose_multiply(velocity_.data(), y);
  for (Index b = 0; b < block_count(); ++b) {
    const ConstraintJacobian::Block& at = Wc_->block(b);
    if (is_common_contact(*Wc_, b)) {
      double sums[3] = {};
      for (Index s = at.segment_begin; s < at.segment_end; ++s) {
        const Segment& segment = Wc_->segment(s);
        const Index n = segment.size;
        const double* w = Wc_->entries(segment);
        for (Index k = 0; k < n; k += size, w += size) {
          const double of_body = body_scale_[(segment.offset + k) / size];
          sums[0] += length(w) * of_body;
          sums[1] += length(w + n) * of_body;
          sums[2] += length(w + 2 * n) * of_body;
        }
      }
      scale[b] = std::sqrt(sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2]);
      continue;
    }
    double square = 0.0;
    for (Index r = 0; r < at.rows; ++r) {
      double sum = 0.0;
      for (Index s = at.segment_begin; s < at.segment_end; ++s) {
        const Segment& segment = Wc_->segment(s);
        const double* w = Wc_->entries(segment) + r * segment.size;
        if (segment.offset % size != 0 || segment.size % size != 0) {
          for (Index k = 0; k < segment.size; ++k) sum += std::abs(w[k]) * body_scale_[(segment.offset + k) / size];
          continue;
        }
        for (Index k = 0; k < segment.size; k += size, w += size)
          sum += length(w) * body_scale_[(segment.offset + k) / size];
      }
      square += sum * sum;
    }
    scale[b] = std::sqrt(square);
  }
}

template <class Act>
void MatrixFreeDelassus::each_free_block(const ConstraintJacobian::Block& block, Act act) const {
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const Segment& segment = Wf_->segment(s);
    for (Index v = segment.offset; v < segment.offset + segment.size; v = size * (v / size) + size)
      if (A_->components()->component_of(v) < 0) act(segment, v - segment.offset);
  }
}

// The same sums for a constraint that touches coupled components: there the velocities it makes are what they cancel
// from.
void MatrixFreeDelassus::coupled_magnitude(Index b, const double* lambda) const {
  const ConstraintJacobian::Block& at = Wf_->block(b);
  each_free_block(at, [&](const Segment& segment, Index k) {
    double force[3];
    force_on_block(Wf_->entries(segment), at.rows, segment.size, k, lambda, force);
    const Index body = (segment.offset + k) / size;
    add_inverse_product(A_->inverse_blocks()[body], force, velocity_.data() + segment.offset + k);
    body_scale_[body] += length(force);
  });
  for (const ComponentColumns::Part& part : columns_.parts(b)) {
    const double* u = columns_.response(b, part, lambda);
    const auto& velocities = A_->components()->coupled()[static_cast<std::size_t>(part.component)].velocities();
    for (std::size_t i = 0; i < velocities.size();) {
      const Index body = velocities[i] / size;
      double square = 0.0;
      for (; i < velocities.size() && velocities[i] / size == body; ++i) {
        velocity_[velocities[i]] += u[i];
        square += u[i] * u[i];
      }
      body_scale_[body] += std::sqrt(square);
    }
  }
}

// Column by column: the velocity that a unit of one row makes, seen by all.
void MatrixFreeDelassus::to_dense(double* G) const {
  for (Index b = 0; b < block_count(); ++b)
    for (Index r = 0; r < block(b).rows; ++r, G += rows_) {
      double unit[Law::max_dim] = {};
      unit[r] = 1.0;
      velocity_.assign(A_->size(), 0.0);
      sweep_update(b, unit, velocity_);
      Wc_->transpose_multiply(velocity_.data(), G);
    }
}

void MatrixFreeDelassus::to_block_sparse(BlockSparseDelassus& out) const { out.build(*Wc_, *A_, *Wf_); }

void MatrixFreeDelassus::sweep_begin(const double* lambda, Buffer& running) const {
  running.assign(A_->size(), 0.0);
  for (Index b = 0; b < block_count(); ++b) sweep_update(b, lambda + block(b).row, running);
}

void MatrixFreeDelassus::sweep_product(Index b, const Buffer& running, double* y_b) const {
  const ConstraintJacobian::Block& at = Wc_->block(b);
  if (is_common_contact(*Wc_, b)) {  // its rows in registers
    double y0 = 0.0, y1 = 0.0, y2 = 0.0;
    for (Index s = at.segment_begin; s < at.segment_end; ++s) {
      const Segment& segment = Wc_->segment(s);
      const Index n = segment.size;
      const double* w = Wc_->entries(segment);
      const double* v = running.data() + segment.offset;
      for (Index i = 0; i < n; i += size)
        for (Index k = i; k < i + size; ++k) {
          y0 += w[k] * v[k];
          y1 += w[n + k] * v[k];
          y2 += w[2 * n + k] * v[k];
        }
    }
    y_b[0] = y0;
    y_b[1] = y1;
    y_b[2] = y2;
    return;
  }
  for (Index r = 0; r < at.rows; ++r) y_b[r] = 0.0;
  for (Index s = at.segment_begin; s < at.segment_end; ++s) {
    const Segment& segment = Wc_->segment(s);
    add_transpose_product(Wc_->entries(segment), at.rows, segment.size, running.data() + segment.offset, y_b);
  }
}

void MatrixFreeDelassus::sweep_update(Index b, const double* change, Buffer& running) const {
  const ConstraintJacobian::Block& at = Wf_->block(b);
  if (const auto parts = columns_.parts(b); !parts.empty()) {
    each_free_block(at, [&](const Segment& segment, Index k) {
      double force[3];
      force_on_block(Wf_->entries(segment), at.rows, segment.size, k, change, force);
      add_inverse_product(A_->inverse_blocks()[(segment.offset + k) / size], force,
                          running.data() + segment.offset + k);
    });
    for (const ComponentColumns::Part& part : parts) columns_.add_response(b, part, change, running.data());
    return;
  }
  for (Index s = at.segment_begin; s < at.segment_end; ++s) {
    const Segment& segment = Wf_->segment(s);
    const double* w = Wf_->entries(segment);
    for (Index k = 0; k < segment.size; k += size) {
      double force[3];
      if (at.rows == 3)
        force_on_block(w, 3, segment.size, k, change, force);
      else
        force_on_block(w, at.rows, segment.size, k, change, force);
      add_inverse_product(A_->inverse_blocks()[(segment.offset + k) / size], force,
                          running.data() + segment.offset + k);
    }
  }
}

std::size_t MatrixFreeDelassus::bytes() const {
  return own_bytes() + columns_.bytes() +
         static_cast<std::size_t>(inverse_norm_.size() + velocity_.size() + body_scale_.size()) * sizeof(double);
}

}  // namespace carom::inline inclusion
