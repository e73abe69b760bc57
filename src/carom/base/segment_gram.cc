#include "carom/base/segment_gram.h"

#include <algorithm>

#include "carom/base/scalar_code.h"

namespace carom::inline base {

namespace {

using Block = ConstraintJacobian::Block;
using Segment = ConstraintJacobian::Segment;

enum class Meeting { none, same, partly };
Meeting meeting(const Segment& a, const Segment& b) {
  if (a.offset == b.offset && a.size == b.size) return Meeting::same;
  return a.offset < b.offset + b.size && b.offset < a.offset + a.size ? Meeting::partly : Meeting::none;
}

bool of_bodies(const ConstraintJacobian& W, const Block& block) {
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const Segment& segment = W.segment(s);
    if (segment.offset % 3 != 0 || segment.size % 3 != 0) return false;
    for (Index t = block.segment_begin; t < s; ++t)
      if (meeting(segment, W.segment(t)) != Meeting::none) return false;
  }
  return true;
}

void respond(const Matrix3& inverse, const double* w, double* u) {
  const double* a = inverse.data();
  const double x = w[0], y = w[1], z = w[2];
  u[0] = a[0] * x + a[3] * y + a[6] * z;
  u[1] = a[1] * x + a[4] * y + a[7] * z;
  u[2] = a[2] * x + a[5] * y + a[8] * z;
}

// G += Wc_s' U_t of two segments of the same velocities. N > 0: their width is known to the compiler.
template <int N>
[[gnu::noinline]] CAROM_SCALAR_CODE void add_product(const double* Wc, Index rows_c, const double* u, Index rows_f,
                                                     Index width, double* G, Index ld) {
  const Index n = N > 0 ? N : width;
  for (Index r = 0; r < rows_f; ++r, u += n, G += ld) {
    const double* w = Wc;
    for (Index i = 0; i < rows_c; ++i, w += n) {
      double sum = 0.0;
      for (Index k = 0; k < n; ++k) sum += w[k] * u[k];
      G[i] += sum;
    }
  }
}

void add_product(const double* w, Index rows_c, const double* u, Index rows_f, Index width, double* G, Index ld) {
  switch (width) {
    case 3: return add_product<3>(w, rows_c, u, rows_f, 3, G, ld);
    case 6: return add_product<6>(w, rows_c, u, rows_f, 6, G, ld);
    default: return add_product<0>(w, rows_c, u, rows_f, width, G, ld);
  }
}

// A segment with what it belongs to.
struct Piece {
  const double* w;
  Index offset, row, rows;
};
constexpr int most_pieces = 64;

// The segments of W one after the other, if they are all of planar bodies. Their number, or -1.
int planar_pieces(const ConstraintJacobian& W, Piece* pieces) {
  int count = 0;
  for (Index b = 0; b < W.block_count(); ++b) {
    const Block& block = W.block(b);
    if (count + block.segment_end - block.segment_begin > most_pieces) return -1;
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const Segment& segment = W.segment(s);
      if (segment.size != 3 || segment.offset % 3 != 0) return -1;
      for (int k = count - static_cast<int>(s - block.segment_begin); k < count; ++k)
        if (pieces[k].offset == segment.offset) return -1;
      pieces[count++] = {W.entries(segment), segment.offset, block.row, block.rows};
    }
  }
  return count;
}

// Planar bodies: segments of three velocities, which meet where they begin at the same one. Of a symmetric G the lower
// half is computed, and copied. False where there are others.
CAROM_SCALAR_CODE bool planar_gram(const ConstraintJacobian& Wc, const Matrix3* inverse_blocks,
                                   const ConstraintJacobian& Wf, bool symmetric, double* G) {
  Piece pieces_f[most_pieces], pieces_c[most_pieces];
  const bool same = &Wc == &Wf;
  const int count_f = planar_pieces(Wf, pieces_f),
            count_c = same || count_f < 0 ? count_f : planar_pieces(Wc, pieces_c);
  if (count_c < 0) return false;
  const Index rows = Wc.rows();
  const Piece *begin_c = same ? pieces_f : pieces_c, *end_c = begin_c + count_c;
  for (const Piece *f = pieces_f, *end_f = f + count_f; f < end_f; ++f) {
    const double* inverse = inverse_blocks[f->offset / 3].data();
    const Index first_row = symmetric ? f->row : 0;
    for (Index r = 0; r < f->rows; ++r) {
      const double x = f->w[3 * r], y = f->w[3 * r + 1], z = f->w[3 * r + 2];
      const double u = inverse[0] * x + inverse[3] * y + inverse[6] * z;
      const double v = inverse[1] * x + inverse[4] * y + inverse[7] * z;
      const double w = inverse[2] * x + inverse[5] * y + inverse[8] * z;
      double* column = G + (f->row + r) * rows;
      for (const Piece* c = begin_c; c < end_c; ++c) {
        if (c->offset != f->offset || c->row < first_row) continue;
        const double* row = c->w;
        double* out = column + c->row;
        out[0] += row[0] * u + row[1] * v + row[2] * w;
        for (Index i = 1; i < c->rows; ++i) {
          row += 3;
          out[i] += row[0] * u + row[1] * v + row[2] * w;
        }
      }
    }
  }
  for (Index j = 1; symmetric && j < rows; ++j)
    for (Index i = 0; i < j; ++i) G[i + j * rows] = G[j + i * rows];
  return true;
}

}  // namespace

bool segment_gram(const ConstraintJacobian& Wc, const Matrix3* inverse_blocks, const ConstraintJacobian& Wf,
                  bool symmetric, Buffer& U, double* G) {
  const Index rows = Wc.rows(), blocks_c = Wc.block_count(), blocks_f = Wf.block_count();
  std::fill_n(G, rows * Wf.rows(), 0.0);
  if (planar_gram(Wc, inverse_blocks, Wf, symmetric && &Wc == &Wf, G)) return true;
  for (Index f = 0; f < blocks_f; ++f) {
    const Block& from = Wf.block(f);
    if (!of_bodies(Wf, from)) return false;
    for (Index t = from.segment_begin; t < from.segment_end; ++t) {
      const Segment& segment = Wf.segment(t);
      const Index count = from.rows * segment.size;
      if (U.size() < count) U.resize(count);
      double* u = U.data();
      const double* w = Wf.entries(segment);
      for (Index i = 0, k = 0; i < count; i += 3) {
        respond(inverse_blocks[segment.offset / 3 + k], w + i, u + i);
        if (3 * ++k == segment.size) k = 0;
      }
      // What the segment does to those that touch its velocities.
      double* columns = G + from.row * rows;
      for (Index c = 0; c < blocks_c; ++c) {
        const Block& to = Wc.block(c);
        for (Index s = to.segment_begin; s < to.segment_end; ++s) {
          const Segment& at = Wc.segment(s);
          const Meeting met = meeting(at, segment);
          if (met == Meeting::none) continue;
          if (met == Meeting::partly) return false;
          add_product(Wc.entries(at), to.rows, u, from.rows, at.size, columns + to.row, rows);
        }
      }
    }
  }
  return true;
}

}  // namespace carom::inline base
