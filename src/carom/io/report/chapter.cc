#include "carom/io/report/chapter.h"

#include <cmath>

namespace carom {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBuckets = 400;

Json rounded(double x) {
  if (!std::isfinite(x)) return nullptr;
  if (x == 0.0) return 0;
  const double scale = std::pow(10.0, 5.0 - std::floor(std::log10(std::abs(x))));
  const double result = std::isfinite(scale) && scale > 0.0 ? std::round(x * scale) / scale : x;
  return std::isfinite(result) ? Json(static_cast<float>(result)) : Json(nullptr);
}

const char* to_word(CurveStyle style) {
  switch (style) {
    case CurveStyle::line: return "line";
    case CurveStyle::line_points: return "line_points";
    case CurveStyle::points:
    case CurveStyle::dots: return "points";
    case CurveStyle::open_points: return "open_points";
    case CurveStyle::dashed: return "dashed";
    case CurveStyle::level: return "level";
    case CurveStyle::steps: return "steps";
    case CurveStyle::impulses: return "impulses";
  }
  return "line";
}

Json to_json(const Curve& whole) {
  const Curve curve = thinned(whole, kBuckets);
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

}  // namespace

nlohmann::ordered_json to_json(const Chapter& chapter) {
  Json tables = Json::array(), charts = Json::array();
  for (const ChapterTable& table : chapter.tables)
    tables.push_back({{"title", table.title}, {"note", table.note}, {"columns", table.columns}, {"rows", table.rows}});
  for (const Panel& panel : chapter.picture.panels) charts.push_back(to_json(panel));
  return {{"title", chapter.title},
          {"text", chapter.text},
          {"verdict", chapter.verdict},
          {"tables", tables},
          {"charts", charts}};
}

}  // namespace carom
