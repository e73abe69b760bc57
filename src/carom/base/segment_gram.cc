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

double dot_3(const double* w, const double* u) { return w[0] * u[0] + w[1] * u[1] + w[2] * u[2]; }

// Two rows on each side, three velocities: joints and contacts of planar bodies.
void add_planar_product(const double* w, const double* u, double* G, Index ld) {
  const double a = dot_3(w, u), b = dot_3(w + 3, u), c = dot_3(w, u + 3), d = dot_3(w + 3, u + 3);
  G[0] += a;
  G[1] += b;
  G[ld] += c;
  G[ld + 1] += d;
}

void add_product(const double* w, Index rows_c, const double* u, Index rows_f, Index width, double* G, Index ld) {
  if (width == 3 && rows_c == 2 && rows_f == 2) return add_planar_product(w, u, G, ld);
  switch (width) {
    case 3: return add_product<3>(w, rows_c, u, rows_f, 3, G, ld);
    case 6: return add_product<6>(w, rows_c, u, rows_f, 6, G, ld);
    default: return add_product<0>(w, rows_c, u, rows_f, width, G, ld);
  }
}

}  // namespace

bool segment_gram(const ConstraintJacobian& Wc, const Matrix3* inverse_blocks, const ConstraintJacobian& Wf, Buffer& U,
                  double* G) {
  const Index rows = Wc.rows(), blocks_c = Wc.block_count(), blocks_f = Wf.block_count();
  std::fill_n(G, rows * Wf.rows(), 0.0);
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
