#include "carom/geometry/pair_finder.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "carom/base/make_room.h"

namespace carom::geometry {

Bounds swept_bounds(const Shape& shape, const Pose& pose, const Vector3& v, const Vector3& omega, double dt,
                    double margin) {
  Bounds box = shape.bounds(pose);
  if (!shape.bounded()) return box;
  const Vector3 path = dt * v;
  box.add(Bounds{box.lower + path, box.upper + path});
  // A point at the distance r from the origin of the frame is turned by at most r |omega| dt, and never further than to
  // the other side.
  const double turn = std::min(std::abs(dt) * omega.norm(), 2.0) * shape.radius();
  return box.grown(margin + turn);
}

ExcludedPairs::ExcludedPairs(std::vector<IndexPair> bodies) : sorted_(std::move(bodies)) {
  for (IndexPair& pair : sorted_)
    if (pair.first > pair.second) std::swap(pair.first, pair.second);
  std::sort(sorted_.begin(), sorted_.end(), [](const IndexPair& a, const IndexPair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

bool ExcludedPairs::contains(Index a, Index b) const {
  if (a > b) std::swap(a, b);
  const IndexPair wanted{a, b};
  const auto place =
      std::lower_bound(sorted_.begin(), sorted_.end(), wanted, [](const IndexPair& x, const IndexPair& y) {
        return x.first != y.first ? x.first < y.first : x.second < y.second;
      });
  return place != sorted_.end() && *place == wanted;
}

namespace {

constexpr std::int32_t no_level = INT32_MIN;
constexpr int lowest_level = -40, highest_level = 60;

double width(std::int32_t level) { return std::ldexp(1.0, level); }

// Beyond the outermost cell everything counts as inside it.
std::int32_t cell_number(double x, double w) {
  constexpr double last = 1e9;
  return static_cast<std::int32_t>(std::clamp(std::floor(x / w), -last, last));
}

// The smallest power of two at least as long as the longest side; no_level without bounds or for what is not a number.
std::int32_t level_of(const Bounds& box) {
  const double longest = (box.upper - box.lower).maxCoeff();
  if (!std::isfinite(longest) || !(longest >= 0.0) || !box.lower.allFinite()) return no_level;
  int exponent = 0;
  const double mantissa = std::frexp(longest, &exponent);
  if (mantissa == 0.5) --exponent;
  return longest == 0.0 ? lowest_level : std::clamp(exponent, lowest_level, highest_level);
}

}  // namespace

std::size_t PairFinder::bucket(const Cell& cell) const {
  std::uint64_t hash = static_cast<std::uint32_t>(cell.x) * 0x9E3779B97F4A7C15ull;
  hash ^= static_cast<std::uint32_t>(cell.y) * 0xC2B2AE3D27D4EB4Full;
  hash ^= static_cast<std::uint32_t>(cell.z) * 0x165667B19E3779F9ull;
  hash ^= static_cast<std::uint32_t>(cell.level) * 0x27D4EB2F165667C5ull;
  hash ^= hash >> 32;
  return static_cast<std::size_t>(hash) & bucket_mask_;
}

void PairFinder::fill_table(std::span<const FinderItem> items) {
  const std::size_t n = items.size();
  cells_.resize(n);
  unbounded_.clear();
  levels_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const Bounds& box = items[i].bounds;
    const std::int32_t level = level_of(box);
    if (level == no_level) {
      unbounded_.push_back(static_cast<Index>(i));
      cells_[i] = {no_level, 0, 0, 0};
      continue;
    }
    const double w = width(level);
    cells_[i] = {level, cell_number(box.lower.x(), w), cell_number(box.lower.y(), w), cell_number(box.lower.z(), w)};
    const auto place = std::lower_bound(levels_.begin(), levels_.end(), level);
    if (place == levels_.end() || *place != level) levels_.insert(place, level);
  }
  // Counting sort by bucket; begin_[b + 1] ends up as the beginning of bucket b.
  const std::size_t buckets = std::bit_ceil(n) * 2;
  bucket_mask_ = buckets - 1;
  begin_.assign(buckets + 2, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (cells_[i].level != no_level) ++begin_[bucket(cells_[i]) + 1];
  for (std::size_t b = 1; b < begin_.size(); ++b) begin_[b] += begin_[b - 1];
  members_.resize(n);
  for (std::size_t i = n; i-- > 0;)
    if (cells_[i].level != no_level)
      members_[static_cast<std::size_t>(--begin_[bucket(cells_[i]) + 1])] = static_cast<Index>(i);
}

void PairFinder::consider(std::span<const FinderItem> items, const ExcludedPairs& excluded, std::size_t i,
                          std::size_t j) {
  const FinderItem &a = items[i], &b = items[j];
  ++overlap_tests_;
  if (!a.bounds.meets(b.bounds)) return;
  if ((a.fixed && b.fixed) || !(a.groups & b.meets) || !(b.groups & a.meets)) return;
  if (a.body >= 0 && (a.body == b.body || (b.body >= 0 && excluded.contains(a.body, b.body)))) return;
  make_room_behind(found_);
  found_.push_back({static_cast<Index>(std::min(i, j)), static_cast<Index>(std::max(i, j))});
}

void PairFinder::find(std::span<const FinderItem> items, const ExcludedPairs& excluded, std::vector<IndexPair>& pairs) {
  pairs.clear();
  found_.clear();
  overlap_tests_ = 0;
  if (items.size() < 2) return;
  fill_table(items);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Cell& home = cells_[i];
    for (const Index u : unbounded_) {
      const auto j = static_cast<std::size_t>(u);
      if (home.level != no_level || j > i) consider(items, excluded, i, j);
    }
    if (home.level == no_level) continue;
    const Bounds& box = items[i].bounds;
    for (const std::int32_t level : levels_) {
      if (level < home.level) continue;  // smaller ones look for this one
      const double w = width(level);
      // Boxes of this level begin at most one width before their cell's end, and are at most one width long.
      Cell low, high;
      low = {level, cell_number(box.lower.x() - w, w), cell_number(box.lower.y() - w, w),
             cell_number(box.lower.z() - w, w)};
      high = {level, cell_number(box.upper.x(), w), cell_number(box.upper.y(), w), cell_number(box.upper.z(), w)};
      // Of two cells with boxes of one size the later one is looked at from the earlier one.
      const bool own = level == home.level;
      Cell cell{level, 0, 0, 0};
      for (cell.z = own ? home.z : low.z; cell.z <= high.z; ++cell.z)
        for (cell.y = own && cell.z == home.z ? home.y : low.y; cell.y <= high.y; ++cell.y) {
          const bool own_row = own && cell.z == home.z && cell.y == home.y;
          for (cell.x = own_row ? home.x : low.x; cell.x <= high.x; ++cell.x) {
            const bool at_home = own_row && cell.x == home.x;
            const std::size_t b = bucket(cell);
            for (Index m = begin_[b + 1]; m < begin_[b + 2]; ++m) {
              const auto j = static_cast<std::size_t>(members_[static_cast<std::size_t>(m)]);
              if (!(cells_[j] == cell)) continue;  // different cells may share a bucket
              if (!at_home || j > i) consider(items, excluded, i, j);
            }
          }
        }
    }
  }
  sort_into(pairs, items.size());
}

// By the first index by counting, by the second within the few that share it.
void PairFinder::sort_into(std::vector<IndexPair>& pairs, std::size_t count) {
  row_begin_.assign(count + 1, 0);
  for (const IndexPair& pair : found_) ++row_begin_[static_cast<std::size_t>(pair.first) + 1];
  for (std::size_t i = 1; i <= count; ++i) row_begin_[i] += row_begin_[i - 1];
  make_room(pairs, found_.size());
  pairs.resize(found_.size());
  for (std::size_t k = found_.size(); k-- > 0;) {
    // Fill every row from its end: row_begin_[i + 1] runs down to the beginning of row i.
    const IndexPair& pair = found_[k];
    pairs[static_cast<std::size_t>(--row_begin_[static_cast<std::size_t>(pair.first) + 1])] = pair;
  }
  std::size_t start = 0;
  while (start < pairs.size()) {
    std::size_t end = start + 1;
    while (end < pairs.size() && pairs[end].first == pairs[start].first) ++end;
    std::sort(pairs.begin() + static_cast<std::ptrdiff_t>(start), pairs.begin() + static_cast<std::ptrdiff_t>(end),
              [](const IndexPair& a, const IndexPair& b) { return a.second < b.second; });
    start = end;
  }
}

}  // namespace carom::geometry
