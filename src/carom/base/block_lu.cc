#include "carom/base/block_lu.h"

#include <algorithm>
#include <cmath>

#include "carom/base/at.h"

namespace carom::inline base {

namespace {

// C -= A B with A m x k, B k x n, all column-major; sizes known to the compiler where positive.
template <int M, int K, int N>
void subtract_product(Index m_, Index k_, Index n_, const double* A, const double* B, double* C) {
  const Index m = M > 0 ? M : m_, k = K > 0 ? K : k_, n = N > 0 ? N : n_;
  for (Index j = 0; j < n; ++j)
    for (Index l = 0; l < k; ++l) {
      const double b = B[l + j * k];
      for (Index i = 0; i < m; ++i) C[i + j * m] -= A[i + l * m] * b;
    }
}

void subtract_product(Index m, Index k, Index n, const double* A, const double* B, double* C) {
  if (m == k && k == n) {
    switch (m) {
      case 1: C[0] -= A[0] * B[0]; return;
      case 2: return subtract_product<2, 2, 2>(m, k, n, A, B, C);
      case 3: return subtract_product<3, 3, 3>(m, k, n, A, B, C);
      case 5: return subtract_product<5, 5, 5>(m, k, n, A, B, C);
      case 6: return subtract_product<6, 6, 6>(m, k, n, A, B, C);
      default: break;
    }
  }
  subtract_product<0, 0, 0>(m, k, n, A, B, C);
}

// A := A B with B n x n.
void multiply_from_right(Index m, Index n, const double* B, double* A) {
  double row[BlockLu::largest_block];
  for (Index i = 0; i < m; ++i) {
    for (Index l = 0; l < n; ++l) row[l] = A[i + l * m];
    for (Index j = 0; j < n; ++j) {
      double sum = 0.0;
      for (Index l = 0; l < n; ++l) sum += row[l] * B[l + j * n];
      A[i + j * m] = sum;
    }
  }
}

// A := its inverse on the span of its pivots above `least`, by elimination with full pivoting. Returns how many are
// not.
Index invert(Index n, double least, double* A) {
  constexpr Index most = BlockLu::largest_block;
  if (n == 1) {
    const bool regular = std::abs(A[0]) > least;
    A[0] = regular ? 1.0 / A[0] : 0.0;
    return regular ? 0 : 1;
  }
  Index rows[most], columns[most];  // where pivot k was found
  double work[most * most];         // becomes the inverse in place (Gauss-Jordan)
  std::copy_n(A, n * n, work);
  Index rank = 0;
  for (; rank < n; ++rank) {
    const Index k = rank;
    Index r = k, c = k;
    double largest = -1.0;
    for (Index j = k; j < n; ++j)
      for (Index i = k; i < n; ++i)
        if (std::abs(work[i + j * n]) > largest) {
          largest = std::abs(work[i + j * n]);
          r = i;
          c = j;
        }
    if (!(largest > least)) break;
    rows[k] = r;
    columns[k] = c;
    if (r != k)
      for (Index j = 0; j < n; ++j) std::swap(work[k + j * n], work[r + j * n]);
    if (c != k)
      for (Index i = 0; i < n; ++i) std::swap(work[i + k * n], work[i + c * n]);
    const double inverse = 1.0 / work[k + k * n];
    work[k + k * n] = 1.0;
    for (Index j = 0; j < n; ++j) work[k + j * n] *= inverse;
    for (Index i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = work[i + k * n];
      work[i + k * n] = 0.0;
      for (Index j = 0; j < n; ++j) work[i + j * n] -= factor * work[k + j * n];
    }
  }
  // What has no pivot drops out.
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      if (i >= rank || j >= rank) work[i + j * n] = 0.0;
  for (Index l = rank - 1; l >= 0; --l) {
    if (columns[l] != l)
      for (Index j = 0; j < n; ++j) std::swap(work[l + j * n], work[columns[l] + j * n]);
    if (rows[l] != l)
      for (Index i = 0; i < n; ++i) std::swap(work[i + l * n], work[i + rows[l] * n]);
  }
  std::copy_n(work, n * n, A);
  return n - rank;
}

}  // namespace

bool BlockLu::same_pattern(std::span<const Index> sizes, std::span<const std::size_t> begin,
                           std::span<const Index> columns) const {
  return std::equal(sizes.begin(), sizes.end(), sizes_.begin(), sizes_.end()) &&
         std::equal(begin.begin(), begin.end(), begin_.begin(), begin_.end()) &&
         std::equal(columns.begin(), columns.end(), columns_.begin(), columns_.end());
}

void BlockLu::set_pattern(std::span<const Index> sizes, std::span<const std::size_t> begin,
                          std::span<const Index> columns) {
  if (analyses_ > 0 && same_pattern(sizes, begin, columns)) return;
  ++analyses_;
  sizes_.assign(sizes.begin(), sizes.end());
  begin_.assign(begin.begin(), begin.end());
  columns_.assign(columns.begin(), columns.end());
  order();
  lay_out();
}

// Minimum degree on the graph of blocks: who is eliminated makes its neighbours a clique.
void BlockLu::order() {
  const std::size_t n = sizes_.size();
  if (graph_.size() < n) graph_.resize(n);
  if (buckets_.size() < n + 1) buckets_.resize(n + 1);
  for (std::size_t b = 0; b < n; ++b) graph_[b].clear();
  for (std::size_t d = 0; d <= n; ++d) buckets_[d].clear();
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t k = begin_[b]; k < begin_[b + 1]; ++k)
      if (at(columns_[k]) != b) {
        graph_[b].push_back(columns_[k]);
        graph_[at(columns_[k])].push_back(static_cast<Index>(b));
      }
  degree_.resize(n);
  mark_.assign(n, -1);
  gone_.assign(n, 0);
  for (std::size_t b = 0; b < n; ++b) {
    std::sort(graph_[b].begin(), graph_[b].end());
    graph_[b].erase(std::unique(graph_[b].begin(), graph_[b].end()), graph_[b].end());
    degree_[b] = static_cast<Index>(graph_[b].size());
  }
  for (std::size_t b = n; b-- > 0;) buckets_[at(degree_[b])].push_back(static_cast<Index>(b));

  number_.clear();
  position_.resize(n);
  Index stamp = 0;
  std::size_t lowest = 0;
  while (number_.size() < n) {
    while (buckets_[lowest].empty()) ++lowest;
    const Index p = buckets_[lowest].back();
    buckets_[lowest].pop_back();
    if (gone_[at(p)] || at(degree_[at(p)]) != lowest) continue;  // it has moved to another bucket
    gone_[at(p)] = 1;
    position_[at(p)] = static_cast<Index>(number_.size());
    number_.push_back(p);
    const std::vector<Index>& neighbours = graph_[at(p)];
    for (const Index u : neighbours) {
      std::vector<Index>& list = graph_[at(u)];
      mark_[at(u)] = stamp;
      std::size_t kept = 0;
      for (const Index w : list)
        if (w != p) {
          mark_[at(w)] = stamp;
          list[kept++] = w;
        }
      list.resize(kept);
      for (const Index w : neighbours)
        if (mark_[at(w)] != stamp) list.push_back(w);
      ++stamp;
      degree_[at(u)] = static_cast<Index>(list.size());
      buckets_[list.size()].push_back(u);
      lowest = std::min(lowest, list.size());
    }
  }
}

// After the ordering graph_[b] holds the later neighbours of block b.
void BlockLu::lay_out() {
  const std::size_t n = sizes_.size();
  size_.resize(n);
  row_.resize(n);
  diagonal_.resize(n);
  link_begin_.resize(n + 1);
  links_.clear();
  rows_ = 0;
  for (std::size_t b = 0; b < n; ++b) {
    row_[at(position_[b])] = rows_;
    rows_ += sizes_[b];
  }
  std::size_t used = 0;
  factor_work_ = 0.0;
  for (std::size_t p = 0; p < n; ++p) {
    const Index b = number_[p], size = sizes_[at(b)];
    size_[p] = size;
    diagonal_[p] = used;
    used += at(size * size);
    link_begin_[p] = links_.size();
    std::vector<Index>& later = graph_[at(b)];
    for (Index& u : later) u = position_[at(u)];
    std::sort(later.begin(), later.end());
    double behind = 0.0;
    for (const Index to : later) behind += sizes_[at(number_[at(to)])];
    factor_work_ += behind * behind * size;
    for (const Index to : later) {
      const std::size_t entries = at(size * sizes_[at(number_[at(to)])]);
      links_.push_back({to, used, used + entries});
      used += 2 * entries;
    }
  }
  link_begin_[n] = links_.size();
  entries_ = static_cast<Index>(used);

  places_.resize(columns_.size());
  for (std::size_t b = 0; b < n; ++b)
    for (std::size_t k = begin_[b]; k < begin_[b + 1]; ++k) {
      const Index p = position_[b], q = position_[at(columns_[k])];
      if (p == q) {
        places_[k] = diagonal_[at(p)];
        continue;
      }
      const Index first = std::min(p, q), second = std::max(p, q);
      const auto begin = links_.begin() + static_cast<std::ptrdiff_t>(link_begin_[at(first)]);
      const auto end = links_.begin() + static_cast<std::ptrdiff_t>(link_begin_[at(first) + 1]);
      const auto link = std::lower_bound(begin, end, second, [](const Link& l, Index to) { return l.to < to; });
      places_[k] = p < q ? link->upper : link->lower;
    }
}

void BlockLu::set_zero() { values_.assign(entries_, 0.0); }

Index BlockLu::factor(double rank_tolerance) {
  double* values = values_.data();
  const std::size_t n = size_.size();
  scale_.resize(static_cast<Index>(n));
  for (std::size_t p = 0; p < n; ++p) {
    double largest = 0.0;
    for (Index i = 0; i < size_[p] * size_[p]; ++i) largest = std::max(largest, std::abs(values[diagonal_[p] + at(i)]));
    scale_[static_cast<Index>(p)] = largest;
  }
  Index missing = 0;
  for (std::size_t p = 0; p < n; ++p) {
    const Index size = size_[p];
    double* inverse = values + diagonal_[p];
    missing += invert(size, rank_tolerance * scale_[static_cast<Index>(p)], inverse);
    const Link* begin = links_.data() + link_begin_[p];
    const Link* end = links_.data() + link_begin_[p + 1];
    for (const Link* s = begin; s != end; ++s) {
      const Index rows = size_[at(s->to)];
      multiply_from_right(rows, size, inverse, values + s->lower);
      subtract_product(rows, size, rows, values + s->lower, values + s->upper, values + diagonal_[at(s->to)]);
    }
    for (const Link* s = begin; s != end; ++s) {
      const Index rows = size_[at(s->to)];
      const Link* target = links_.data() + link_begin_[at(s->to)];
      for (const Link* t = s + 1; t != end; ++t) {
        while (target->to != t->to) ++target;
        const Index columns = size_[at(t->to)];
        subtract_product(rows, size, columns, values + s->lower, values + t->upper, values + target->upper);
        subtract_product(columns, size, rows, values + t->lower, values + s->upper, values + target->lower);
      }
    }
  }
  return missing;
}

void BlockLu::solve(double* x) {
  const double* values = values_.data();
  const std::size_t n = size_.size();
  for (std::size_t p = 0; p < n; ++p) {
    const double* from = x + row_[p];
    for (std::size_t l = link_begin_[p]; l < link_begin_[p + 1]; ++l) {
      const Link& link = links_[l];
      const Index rows = size_[at(link.to)];
      const double* L = values + link.lower;
      double* to = x + row_[at(link.to)];
      for (Index j = 0; j < size_[p]; ++j)
        for (Index i = 0; i < rows; ++i) to[i] -= L[i + j * rows] * from[j];
    }
  }
  for (std::size_t p = n; p-- > 0;) {
    const Index size = size_[p];
    double* own = x + row_[p];
    for (std::size_t l = link_begin_[p]; l < link_begin_[p + 1]; ++l) {
      const Link& link = links_[l];
      const double* U = values + link.upper;
      const double* from = x + row_[at(link.to)];
      for (Index j = 0; j < size_[at(link.to)]; ++j)
        for (Index i = 0; i < size; ++i) own[i] -= U[i + j * size] * from[j];
    }
    double sum[largest_block] = {};
    const double* inverse = values + diagonal_[p];
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i < size; ++i) sum[i] += inverse[i + j * size] * own[j];
    std::copy_n(sum, size, own);
  }
}

std::size_t BlockLu::bytes() const {
  return static_cast<std::size_t>(values_.size()) * sizeof(double) + links_.size() * sizeof(Link) +
         (columns_.size() + 6 * sizes_.size()) * sizeof(Index) +
         (places_.size() + 3 * sizes_.size()) * sizeof(std::size_t);
}

}  // namespace carom::inline base
