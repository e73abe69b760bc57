// A picture of curves as a value, and the writer that draws it through gnuplot: panels in a grid, each with
// linear or logarithmic axes, lines and points.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace carom {

enum class CurveStyle {
  line,
  line_points,
  open_points,  // somebody else's values beside the curve of the same colour
  dashed        // a reference beside the measured curves
};

struct Curve {
  std::string label;  // empty: not in the key
  std::vector<double> x, y;
  CurveStyle style = CurveStyle::line;
  int color = -1;  // number in the palette; -1: the next one of the panel
};

struct Axis {
  std::string label;  // with the unit
  bool logarithmic = false;
  double low = 0.0, high = 0.0;  // equal: chosen from the data
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Curve> curves;
  std::string key = {};  // empty: below the panel, where it hides nothing; or inside, as "top left"
};

// A panel that holds nothing but the key of all others: for many curves with long names. The others' labels are taken away.
Panel take_key(std::vector<Panel>& panels);

struct Picture {
  std::string title;
  std::vector<Panel> panels;
  int columns = 1;  // panels side by side
};

// At most about 2 `buckets` points that look the same: the smallest and the largest y of each stretch of x.
Curve thinned(const Curve& curve, std::size_t buckets);

// The text gnuplot reads: draws into `stem`.png and `stem`.svg.
std::string gnuplot_script(const Picture& picture, const std::filesystem::path& stem);

struct PictureResult {
  std::vector<std::filesystem::path> files;
  std::string trouble;  // why there is no picture; empty if there is one
};

// Never throws for a missing gnuplot: a study without pictures is still a study.
PictureResult write_picture(const Picture& picture, const std::filesystem::path& stem);

}  // namespace carom
