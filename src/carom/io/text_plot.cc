#include "carom/io/text_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::inline io {

namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void open() {
    if (!(low <= high)) low = 0.0, high = 1.0;
    if (low == high) low -= 0.5 * (std::abs(low) + 1e-300), high += 0.5 * (std::abs(high) + 1e-300);
  }
  double part(double x) const { return (x - low) / (high - low); }
};

class Dots {
 public:
  Dots(int columns, int rows) : columns_(columns), rows_(rows), bits_(static_cast<std::size_t>(columns * rows), 0) {}
  int width() const { return 2 * columns_; }
  int height() const { return 4 * rows_; }

  void set(int x, int y) {  // y upwards
    if (x < 0 || y < 0 || x >= width() || y >= height()) return;
    const int down = height() - 1 - y;
    static constexpr unsigned bit[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    bits_[static_cast<std::size_t>((down / 4) * columns_ + x / 2)] |= bit[down % 4][x % 2];
  }
  void line(int x0, int y0, int x1, int y1) {
    const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
    for (int k = 0; k <= steps; ++k) set(x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps);
  }
  std::string row(int r) const {
    std::string text;
    for (int c = 0; c < columns_; ++c) {
      const unsigned code = 0x2800u + bits_[static_cast<std::size_t>(r * columns_ + c)];
      text += static_cast<char>(0xE0u | code >> 12);
      text += static_cast<char>(0x80u | (code >> 6 & 0x3Fu));
      text += static_cast<char>(0x80u | (code & 0x3Fu));
    }
    return text;
  }

 private:
  int columns_, rows_;
  std::vector<unsigned> bits_;
};

}  // namespace

std::string text_plot(const Panel& panel, int columns, int rows) {
  Range x, y;
  for (const Curve& curve : panel.curves)
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i)
      if (std::isfinite(curve.y[i])) x.add(curve.x[i]), y.add(curve.y[i]);
  x.open();
  y.open();
  Dots dots(columns, rows);
  for (const Curve& curve : panel.curves) {
    const bool joined =
        curve.style != CurveStyle::dots && curve.style != CurveStyle::points && curve.style != CurveStyle::open_points;
    bool pen = false;
    int px = 0, py = 0;
    for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
      if (!std::isfinite(curve.y[i])) {
        pen = false;
        continue;
      }
      const int at = static_cast<int>(std::lround(x.part(curve.x[i]) * (dots.width() - 1)));
      const int up = static_cast<int>(std::lround(y.part(curve.y[i]) * (dots.height() - 1)));
      if (pen && joined)
        dots.line(px, py, at, up);
      else
        dots.set(at, up);
      pen = true;
      px = at;
      py = up;
    }
  }
  std::string text = panel.title.empty() ? "" : panel.title + "\n";
  for (int r = 0; r < rows; ++r) {
    const std::string mark = r == 0 ? fmt::format("{:.4g}", y.high) : r == rows - 1 ? fmt::format("{:.4g}", y.low) : "";
    text += fmt::format("{:>11} |{}\n", mark, dots.row(r));
  }
  const std::string low = fmt::format("{:.4g}", x.low), high = fmt::format("{:.4g}", x.high);
  const int room = std::max(1, columns - static_cast<int>(low.size()) - static_cast<int>(high.size()));
  text += fmt::format("{:>11} +{:-<{}}\n{:>13}{}{:^{}}{}\n", "", "", columns, "", low, panel.x.label, room, high);
  return text;
}

}  // namespace carom::inline io
