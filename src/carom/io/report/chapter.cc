#include "carom/io/report/chapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBuckets = 400;

// Six digits, written as such: the number nearest to its own decimal text.
Json rounded(double x) {
  if (!std::isfinite(x)) return nullptr;
  return std::strtod(fmt::format("{:.6g}", x).c_str(), nullptr);
}

const char* to_word(CurveStyle style) {
  switch (style) {
    case CurveStyle::line: return "line";
    case CurveStyle::line_points: return "line_points";
    case CurveStyle::points: return "points";
    case CurveStyle::dots: return "dots";
    case CurveStyle::open_points: return "open_points";
    case CurveStyle::dashed: return "dashed";
    case CurveStyle::level: return "level";
    case CurveStyle::steps: return "steps";
    case CurveStyle::impulses: return "impulses";
  }
  return "line";
}

// Of points that would fall on one pixel the first: a diagram of many dots looks the same and is no longer than a
// screen.
Curve distinct_on_screen(const Curve& curve) {
  constexpr double kWidth = 1600.0, kHeight = 1000.0;
  const std::size_t n = std::min(curve.x.size(), curve.y.size());
  if (n == 0) return curve;
  const auto [x0, x1] = std::minmax_element(curve.x.begin(), curve.x.end());
  const auto [y0, y1] = std::minmax_element(curve.y.begin(), curve.y.end());
  const auto cell = [](double value, double low, double high, double cells) {
    return high > low ? static_cast<int>((value - low) / (high - low) * cells) : 0;
  };
  std::set<std::pair<int, int>> taken;
  Curve result{curve.label, {}, {}, curve.style, curve.color};
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(curve.x[i]) || !std::isfinite(curve.y[i])) continue;
    if (!taken.emplace(cell(curve.x[i], *x0, *x1, kWidth), cell(curve.y[i], *y0, *y1, kHeight)).second) continue;
    result.x.push_back(curve.x[i]);
    result.y.push_back(curve.y[i]);
  }
  return result;
}

Json to_json(const Curve& whole) {
  const Curve curve = whole.style == CurveStyle::dots ? distinct_on_screen(whole) : thinned(whole, kBuckets);
  Json x = Json::array(), y = Json::array(), jumps = Json::array();
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    x.push_back(rounded(curve.x[i]));
    y.push_back(rounded(curve.y[i]));
  }
  for (const std::size_t jump : curve.jumps) jumps.push_back(jump);
  return {{"label", curve.label}, {"style", to_word(curve.style)}, {"color", curve.color}, {"x", x}, {"y", y},
          {"jumps", jumps}};
}

Json to_json(const Panel& panel) {
  Json curves = Json::array();
  for (const Curve& curve : panel.curves) curves.push_back(to_json(curve));
  return {{"title", panel.title},         {"x", panel.x.label},           {"y", panel.y.label},
          {"log_x", panel.x.logarithmic}, {"log_y", panel.y.logarithmic}, {"curves", curves}};
}

Json to_json(const HeatMap& map) {
  const auto list = [](const std::vector<double>& numbers) {
    Json json = Json::array();
    for (const double number : numbers) json.push_back(rounded(number));
    return json;
  };
  return {{"title", map.title}, {"x_label", map.x_label}, {"y_label", map.y_label},
          {"x", list(map.x)},   {"y", list(map.y)},       {"values", list(map.values)}};
}

}  // namespace

nlohmann::ordered_json to_json(const Chapter& chapter) {
  Json tables = Json::array(), charts = Json::array(), maps = Json::array();
  for (const ChapterTable& table : chapter.tables)
    tables.push_back({{"title", table.title}, {"note", table.note}, {"columns", table.columns}, {"rows", table.rows}});
  for (const Panel& panel : chapter.picture.panels) charts.push_back(to_json(panel));
  for (const HeatMap& map : chapter.maps) maps.push_back(to_json(map));
  return {{"title", chapter.title}, {"text", chapter.text}, {"verdict", chapter.verdict},
          {"tables", tables},       {"charts", charts},     {"maps", maps}};
}

}  // namespace carom::inline io
