#include "carom/io/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace carom::inline io {

namespace {

// Positions in `curve` that look like all points from `begin` to `end`: both ends, and the lowest and highest of each
// of `buckets`.
void keep_shape(const Curve& curve, std::size_t begin, std::size_t end, std::size_t buckets,
                std::vector<std::size_t>& kept) {
  const std::size_t n = end - begin;
  if (n <= 2 * buckets) {
    for (std::size_t i = begin; i < end; ++i) kept.push_back(i);
    return;
  }
  const std::size_t first = kept.size();
  kept.push_back(begin);
  for (std::size_t b = 0; b < buckets; ++b) {
    const auto from = curve.y.begin() + static_cast<std::ptrdiff_t>(begin + b * n / buckets),
               to = curve.y.begin() + static_cast<std::ptrdiff_t>(begin + (b + 1) * n / buckets);
    const auto [low, high] = std::minmax_element(from, to);
    kept.push_back(static_cast<std::size_t>(std::min(low, high) - curve.y.begin()));
    kept.push_back(static_cast<std::size_t>(std::max(low, high) - curve.y.begin()));
  }
  kept.push_back(end - 1);
  kept.erase(std::unique(kept.begin() + static_cast<std::ptrdiff_t>(first), kept.end()), kept.end());
}

// The largest `count` jumps, in order.
std::vector<std::size_t> largest_jumps(const Curve& curve, std::size_t points, std::size_t count) {
  std::vector<std::size_t> jumps;
  for (const std::size_t i : curve.jumps)
    if (i > 0 && i < points) jumps.push_back(i);
  if (jumps.size() > count) {
    const auto height = [&](std::size_t i) { return std::abs(curve.y[i] - curve.y[i - 1]); };
    std::nth_element(jumps.begin(), jumps.begin() + static_cast<std::ptrdiff_t>(count), jumps.end(),
                     [&](std::size_t a, std::size_t b) { return height(a) > height(b); });
    jumps.resize(count);
    std::sort(jumps.begin(), jumps.end());
  }
  return jumps;
}

}  // namespace

Curve published_points(std::string label, std::vector<double> x, std::vector<double> y, int color) {
  return {std::move(label), std::move(x), std::move(y), CurveStyle::open_points, color};
}

Curve published_level(std::string label, double value, double from, double to, int color) {
  return {std::move(label), {from, to}, {value, value}, CurveStyle::level, color};
}

std::vector<std::size_t> jumps_where(const std::vector<double>& flag) {
  std::vector<std::size_t> jumps;
  for (std::size_t i = 1; i < flag.size(); ++i)
    if (flag[i] != 0.0) jumps.push_back(i);
  return jumps;
}

std::vector<std::size_t> abrupt_changes(const std::vector<double>& y, double share) {
  std::vector<double> changes;
  for (std::size_t i = 1; i < y.size(); ++i) changes.push_back(std::abs(y[i] - y[i - 1]));
  if (changes.empty()) return {};
  std::vector<double> sorted = changes;
  const auto quartile = sorted.begin() + static_cast<std::ptrdiff_t>(3 * sorted.size() / 4);
  std::nth_element(sorted.begin(), quartile, sorted.end());
  const auto [low, high] = std::minmax_element(y.begin(), y.end());
  const double limit = std::max(share * (*high - *low), 10.0 * *quartile);
  std::vector<std::size_t> jumps;
  for (std::size_t i = 0; i < changes.size(); ++i)
    if (changes[i] > limit) jumps.push_back(i + 1);
  return jumps;
}

Panel take_key(std::vector<Panel>& panels) {
  Panel key;
  for (Panel& panel : panels) {
    int automatic = 0;
    for (Curve& curve : panel.curves) {
      if (curve.color < 0) curve.color = automatic;
      ++automatic;
      const auto same = [&](const Curve& other) { return other.label == curve.label; };
      if (!curve.label.empty() && std::none_of(key.curves.begin(), key.curves.end(), same))
        key.curves.push_back({curve.label, {}, {}, curve.style, curve.color});
      curve.label.clear();
    }
  }
  return key;
}

Curve thinned(const Curve& curve, std::size_t buckets) {
  const std::size_t n = std::min(curve.x.size(), curve.y.size());
  if (buckets == 0 || n <= 2 * buckets) return curve;
  const std::vector<std::size_t> jumps = largest_jumps(curve, n, buckets);
  Curve result{curve.label, {}, {}, curve.style, curve.color};
  std::vector<std::size_t> kept;
  std::size_t begin = 0;
  for (std::size_t j = 0; j <= jumps.size(); ++j) {
    const std::size_t end = j < jumps.size() ? jumps[j] : n;
    if (j > 0) result.jumps.push_back(kept.size());
    const std::size_t share = buckets * (end - begin) / n;  // one of them goes to the two ends
    keep_shape(curve, begin, end, share > 1 ? share - 1 : 1, kept);
    begin = end;
  }
  for (const std::size_t i : kept) {
    result.x.push_back(curve.x[i]);
    result.y.push_back(curve.y[i]);
  }
  return result;
}

CsvTable curves_table(const Picture& picture) {
  CsvTable table{"curves", {}};
  for (const Panel& panel : picture.panels) {
    const std::vector<double>* shared = nullptr;
    for (const Curve& curve : panel.curves) {
      if (curve.x.empty()) continue;
      std::string name = panel.title;
      if (!curve.label.empty()) name += (name.empty() ? "" : ", ") + curve.label;
      if (!name.empty()) name += ": ";
      if (!shared || *shared != curve.x) table.columns.push_back({name + panel.x.label, curve.x});
      table.columns.push_back({name + panel.y.label, curve.y});
      shared = &curve.x;
    }
  }
  return table;
}

}  // namespace carom::inline io
