#include "carom/geometry/broad_phase.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace carom {

namespace {

bool overlap(const Ball& a, const Ball& b) {
  const double reach = a.radius + b.radius;
  return (a.centre - b.centre).squaredNorm() <= reach * reach;
}

// Beyond the outermost cell everything counts as inside it; so does what is not a number.
std::int32_t cell_number(double x, double width) {
  constexpr double last = 1e9;
  const double number = std::floor(x / width);
  if (!(number > -last)) return static_cast<std::int32_t>(-last);
  if (!(number < last)) return static_cast<std::int32_t>(last);
  return static_cast<std::int32_t>(number);
}

}  // namespace

double BroadPhase::cell_width(std::span<const Ball> balls) {
  constexpr double usual = 4.0;  // balls up to this many times the median radius share the cells
  radii_.clear();
  for (const Ball& ball : balls) radii_.push_back(ball.radius);
  const auto middle = radii_.begin() + static_cast<std::ptrdiff_t>(radii_.size() / 2);
  std::nth_element(radii_.begin(), middle, radii_.end());
  const double median = *middle;
  const double largest = *std::max_element(middle, radii_.end());
  const double width = 2.0 * (median > 0.0 ? std::min(largest, usual * median) : largest);
  return width > 0.0 && std::isfinite(width) ? width : 1.0;
}

std::size_t BroadPhase::bucket(const Cell& cell) const {
  std::uint64_t hash = static_cast<std::uint32_t>(cell[0]) * 0x9E3779B97F4A7C15ull;
  hash ^= static_cast<std::uint32_t>(cell[1]) * 0xC2B2AE3D27D4EB4Full;
  hash ^= static_cast<std::uint32_t>(cell[2]) * 0x165667B19E3779F9ull;
  hash ^= hash >> 32;
  return static_cast<std::size_t>(hash) & bucket_mask_;
}

void BroadPhase::fill_table(std::span<const Ball> balls) {
  const std::size_t n = balls.size();
  width_ = cell_width(balls);
  large_.clear();
  is_large_.assign(n, 0);
  cells_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Ball& ball = balls[i];
    cells_[i] = {cell_number(ball.centre.x(), width_), cell_number(ball.centre.y(), width_),
                 cell_number(ball.centre.z(), width_)};
    if (!(2.0 * ball.radius <= width_)) {
      is_large_[i] = 1;
      large_.push_back(static_cast<Index>(i));
    }
  }

  // Counting sort of the small balls by bucket.
  const std::size_t buckets = std::bit_ceil(n) * 2;
  bucket_mask_ = buckets - 1;
  begin_.assign(buckets + 2, 0);
  for (std::size_t i = 0; i < n; ++i)
    if (!is_large_[i]) ++begin_[bucket(cells_[i]) + 1];
  for (std::size_t b = 1; b < begin_.size(); ++b) begin_[b] += begin_[b - 1];
  members_.resize(n);
  // Now begin_[b + 1] is the end of bucket b; filling from the back turns it into its beginning.
  for (std::size_t i = n; i-- > 0;)
    if (!is_large_[i])
      members_[static_cast<std::size_t>(--begin_[bucket(cells_[i]) + 1])] = static_cast<Index>(i);
}

void BroadPhase::gather_small(std::span<const Ball> balls, Index i) {
  const Ball& ball = balls[static_cast<std::size_t>(i)];
  const Cell& home = cells_[static_cast<std::size_t>(i)];
  for (std::int32_t dz = -1; dz <= 1; ++dz)
    for (std::int32_t dy = -1; dy <= 1; ++dy)
      for (std::int32_t dx = -1; dx <= 1; ++dx) {
        const Cell cell = {home[0] + dx, home[1] + dy, home[2] + dz};
        const std::size_t b = bucket(cell);
        for (Index m = begin_[b + 1]; m < begin_[b + 2]; ++m) {
          const Index j = members_[static_cast<std::size_t>(m)];
          // Different cells may share a bucket.
          if (j <= i || cells_[static_cast<std::size_t>(j)] != cell) continue;
          ++overlap_tests_;
          if (overlap(ball, balls[static_cast<std::size_t>(j)])) found_.push_back(j);
        }
      }
  for (const Index j : large_) {
    if (j <= i) continue;
    ++overlap_tests_;
    if (overlap(ball, balls[static_cast<std::size_t>(j)])) found_.push_back(j);
  }
}

void BroadPhase::gather_large(std::span<const Ball> balls, Index i) {
  overlap_tests_ += balls.size() - static_cast<std::size_t>(i) - 1;
  for (Index j = i + 1; j < static_cast<Index>(balls.size()); ++j)
    if (overlap(balls[static_cast<std::size_t>(i)], balls[static_cast<std::size_t>(j)]))
      found_.push_back(j);
}

void BroadPhase::find(std::span<const Ball> balls, std::vector<IndexPair>& pairs) {
  pairs.clear();
  overlap_tests_ = 0;
  if (balls.size() < 2) return;
  fill_table(balls);
  for (Index i = 0; i < static_cast<Index>(balls.size()); ++i) {
    found_.clear();
    if (is_large_[static_cast<std::size_t>(i)])
      gather_large(balls, i);
    else
      gather_small(balls, i);
    std::sort(found_.begin(), found_.end());
    for (const Index j : found_) pairs.push_back({i, j});
  }
}

}  // namespace carom
