// A picture of curves as a value, and the writer that draws it through gnuplot: panels in a grid, each with
// linear or logarithmic axes, lines and points. Sizes are those of print: a panel is 4 inches wide, its text 8 points
// high, the PNG has 300 dots an inch, SVG and PDF are vectors.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "carom/io/csv.h"

namespace carom::inline io {

enum class CurveStyle {
  line,
  line_points,
  points,
  dots,         // very many points: sections, clouds
  open_points,  // somebody else's values beside the curve of the same colour
  dashed,       // a reference beside the measured curves
  level,        // a thin line for one number: a published value, a wall
  steps,        // the value of a step holds from the end of the last one: mean forces
  impulses      // a bar from zero at each point that is not zero: impulses
};

struct Curve {
  std::string label;  // empty: not in the key
  std::vector<double> x, y;
  CurveStyle style = CurveStyle::line;
  int color = -1;  // number in the palette; -1: the next one of the panel
  // Points whose value was reached by a jump since the point before. The line ends and begins again there, and a thin
  // dotted vertical shows what belongs together.
  std::vector<std::size_t> jumps = {};
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

struct Picture {
  std::string title;
  std::vector<Panel> panels;
  int columns = 1;  // panels side by side
};

// Number of black in the palette, for walls, levels and what belongs to no curve.
inline constexpr int kBlack = 6;

// Printed values as marks, in the colour of the curve they belong to; and one printed number as a level line.
Curve published_points(std::string label, std::vector<double> x, std::vector<double> y, int color);
Curve published_level(std::string label, double value, double from, double to, int color = kBlack);

// Points at which `flag` is not zero: the steps a scheme took as impacts.
std::vector<std::size_t> jumps_where(const std::vector<double>& flag);
// Points that lie further from the one before than `share` of the whole range and than ten times the ordinary change
// (the third quartile of all): where no scheme says what was an impact.
std::vector<std::size_t> abrupt_changes(const std::vector<double>& y, double share = 0.02);

// A panel that holds nothing but the key of all others: for many curves with long names. The others' labels are taken
// away.
Panel take_key(std::vector<Panel>& panels);

// At most about 2 `buckets` points that look the same: the smallest and the largest y of each stretch of x. Ends of
// jumps stay; of more than `buckets` jumps the largest are kept as jumps.
Curve thinned(const Curve& curve, std::size_t buckets);

// Every number the picture shows, before thinning: for each curve its x (once if the next curves share it) and y.
CsvTable curves_table(const Picture& picture);

// The text gnuplot reads: draws into `stem`.png, .svg and .pdf.
std::string gnuplot_script(const Picture& picture, const std::filesystem::path& stem);

struct PictureResult {
  std::vector<std::filesystem::path> files;
  std::string trouble;  // why there is no picture; empty if there is one
};

// Never throws for a missing gnuplot: a study without pictures is still a study.
PictureResult write_picture(const Picture& picture, const std::filesystem::path& stem);

}  // namespace carom::inline io
