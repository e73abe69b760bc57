// Pictures through gnuplot.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "carom/base/one_line.h"
#include "carom/io/picture.h"
#include "carom/io/png_resolution.h"

namespace carom::inline io {

namespace {

// Okabe and Ito's colours: told apart by everyone, in print too.
constexpr const char* kPalette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                    "#E69F00", "#56B4E9", "#000000", "#999999"};
constexpr int kPointTypes[] = {7, 5, 9, 13, 11, 4, 6, 8};
constexpr std::size_t kDrawnBuckets = 1500;
// Inches, points, and dots an inch. gnuplot's bitmaps have 96 dots an inch.
constexpr double kPanelWidth = 4.0, kPanelHeight = 2.9, kTitleHeight = 0.3, kKeyLineHeight = 0.14;
constexpr double kTextHeight = 8.0, kTitleText = 9.5;
constexpr int kDotsPerInch = 300;
constexpr double kGnuplotDotsPerInch = 96.0;

// Inside single quotes gnuplot knows no escapes but the doubled quote. A line break would end them, and what follows
// would be a command.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : one_line(text)) {
    if (c == '\'') result += c;
    result += c;
  }
  result += '\'';
  return result;
}

// The line, broken where it jumps: before a jump the last value is held to the jump's place.
void append_line(std::string& script, const std::string& block, const Curve& curve) {
  script += block + " << END_OF_DATA\n";
  std::size_t next = 0;
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (next < curve.jumps.size() && curve.jumps[next] == i) {
      ++next;
      fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n\n", curve.x[i], curve.y[i - 1]);
    }
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
      fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n", curve.x[i], curve.y[i]);
    else
      script += "\n";  // a gap in the line
  }
  script += "END_OF_DATA\n";
}

// Without zeros all but the first and the last go, which hold the range of x.
void append_points(std::string& script, const std::string& block, const Curve& curve, bool without_zeros) {
  script += block + " << END_OF_DATA\n";
  const std::size_t n = std::min(curve.x.size(), curve.y.size());
  for (std::size_t i = 0; i < n; ++i)
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]) &&
        !(without_zeros && curve.y[i] == 0.0 && i > 0 && i + 1 < n))
      fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n", curve.x[i], curve.y[i]);
  script += "END_OF_DATA\n";
}

// The verticals of the jumps, a block of their own.
void append_jumps(std::string& script, const std::string& block, const Curve& curve) {
  script += block + " << END_OF_DATA\n";
  for (const std::size_t i : curve.jumps)
    fmt::format_to(std::back_inserter(script), "{0:.9g} {1:.9g}\n{0:.9g} {2:.9g}\n\n", curve.x[i], curve.y[i - 1],
                   curve.y[i]);
  script += "END_OF_DATA\n";
}

bool has_points(CurveStyle style) {
  return style == CurveStyle::points || style == CurveStyle::dots || style == CurveStyle::open_points ||
         style == CurveStyle::impulses;
}

const char* color_of(const Curve& curve, int automatic) {
  return kPalette[static_cast<std::size_t>(curve.color >= 0 ? curve.color : automatic) % std::size(kPalette)];
}

std::string look(const Curve& curve, int automatic) {
  const auto n = static_cast<int>(std::size(kPalette));
  const int number = curve.color >= 0 ? curve.color : automatic;
  const int color = number % n, round = number / n;  // the second round of colours is dotted, with other points
  const int points = kPointTypes[(color + 3 * round) % n];
  switch (curve.style) {
    case CurveStyle::line: return fmt::format("with lines lw 1.2 lc rgb '{}'", kPalette[color]);
    case CurveStyle::line_points:
      return fmt::format("with linespoints pt {} ps 0.5 lw 1 dt {} lc rgb '{}'", points, round + 1, kPalette[color]);
    case CurveStyle::points: return fmt::format("with points pt {} ps 0.4 lc rgb '{}'", points, kPalette[color]);
    case CurveStyle::dots: return fmt::format("with points pt 7 ps 0.08 lc rgb '{}'", kPalette[color]);
    case CurveStyle::open_points: return fmt::format("with points pt 6 ps 1.1 lw 1.4 lc rgb '{}'", kPalette[color]);
    case CurveStyle::dashed: return fmt::format("with lines dt 2 lw 1.2 lc rgb '{}'", kPalette[color]);
    case CurveStyle::level: return fmt::format("with lines dt 4 lw 0.9 lc rgb '{}'", kPalette[color]);
    case CurveStyle::steps: return fmt::format("with fsteps lw 1 lc rgb '{}'", kPalette[color]);
    case CurveStyle::impulses: return fmt::format("with impulses lw 1 lc rgb '{}'", kPalette[color]);
  }
  return "";
}

// On a logarithmic axis the outermost points keep a distance from the frame; gnuplot would cut marks or add decades.
std::string logarithmic_range(const char* name, const Panel& panel, std::vector<double> Curve::*values) {
  double low = INFINITY, high = 0.0;
  for (const Curve& curve : panel.curves)
    for (const double value : curve.*values)
      if (value > 0.0 && std::isfinite(value)) {
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (high == 0.0) return fmt::format("set {}range [*:*]\n", name);
  const double room = std::max(1.15, std::pow(high / low, 0.04));
  return fmt::format("set {}range [{:.9g}:{:.9g}]\n", name, low / room, high * room);
}

std::string axis_commands(const char* name, const Axis& axis, const Panel& panel, std::vector<double> Curve::*values) {
  std::string text = fmt::format("set {}label {}\n", name, quoted(axis.label));
  text += axis.logarithmic ? fmt::format("set logscale {0}\nset format {0} '%.0e'\n", name)
                           : fmt::format("unset logscale {0}\nset format {0} '%g'\n", name);
  if (axis.low < axis.high) return text + fmt::format("set {}range [{:.9g}:{:.9g}]\n", name, axis.low, axis.high);
  return text + (axis.logarithmic ? logarithmic_range(name, panel, values)
                                  : fmt::format("set {}range [*:*]{}\n", name, name[0] == 'x' ? " noextend" : ""));
}

bool is_key(const Panel& panel) {
  return !panel.curves.empty() &&
         std::all_of(panel.curves.begin(), panel.curves.end(), [](const Curve& curve) { return curve.x.empty(); });
}

// Entries of the key side by side: three or two if the longest fits, a letter being about 0.6 of its size wide.
int key_columns(const Panel& panel) {
  std::size_t longest = 0;
  for (const Curve& curve : panel.curves) longest = std::max(longest, curve.label.size());
  const double entry = 0.6 * kTextHeight * (static_cast<double>(longest) + 6.0) / 72.0, room = 0.95 * kPanelWidth;
  return std::clamp(static_cast<int>(room / entry), 1, 3);
}

int key_lines(const Panel& panel) {
  if (!panel.key.empty() || is_key(panel)) return 0;
  int labels = 0;
  for (const Curve& curve : panel.curves) labels += !curve.label.empty();
  return (labels + key_columns(panel) - 1) / key_columns(panel);
}

// Of the longest key below a panel: all panels leave the same room, so that their frames stand in line.
int key_lines(const Picture& picture) {
  int longest = 0;
  for (const Panel& panel : picture.panels) longest = std::max(longest, key_lines(panel));
  return longest;
}

std::string key_panel(const Panel& panel) {
  std::string text =
      "unset border\nunset tics\nunset xlabel\nunset ylabel\nunset logscale\n"
      "set key inside center center vertical Left reverse samplen 3\nplot [0:1][0:1] NaN notitle";
  int automatic = 0;
  for (const Curve& curve : panel.curves)
    text += fmt::format(", keyentry {} title {}", look(curve, automatic++), quoted(curve.label));
  return text + "\nset border 3 lw 0.8\nset tics nomirror\nunset key\n";
}

std::string drawing(const Picture& picture, int rows) {
  // A letter is about 0.6 of its size wide: long titles are set smaller.
  const int columns = std::max(1, picture.columns);
  const double fitting =
      72.0 * kPanelWidth * columns / (0.62 * static_cast<double>(std::max<std::size_t>(1, picture.title.size())));
  std::string text = fmt::format("set multiplot layout {},{} title {} font ',{:.1f}'\n", rows, columns,
                                 quoted(picture.title), std::clamp(fitting, 6.0, kTitleText));
  for (std::size_t p = 0; p < picture.panels.size(); ++p) {
    const Panel& panel = picture.panels[p];
    if (is_key(panel)) {
      text += "unset title\n" + key_panel(panel);
      continue;
    }
    text += fmt::format("set title {}\n", quoted(panel.title));
    text += axis_commands("x", panel.x, panel, &Curve::x) + axis_commands("y", panel.y, panel, &Curve::y);
    text += panel.key.empty() ? fmt::format("set key bmargin center vertical Left reverse samplen 3 maxrows {}\n",
                                            std::max(1, key_lines(panel)))
                              : fmt::format("set key inside {} vertical Left reverse opaque samplen 3\n", panel.key);
    std::string plot;
    int automatic = 0;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const Curve& curve = panel.curves[c];
      if (curve.x.empty()) continue;
      if (!curve.jumps.empty())
        plot += fmt::format("{}$p{}c{}jumps using 1:2 with lines dt 3 lw 0.7 lc rgb '{}' notitle",
                            plot.empty() ? "plot " : ", ", p, c, color_of(curve, automatic));
      plot += fmt::format("{}$p{}c{} using 1:2 {} {}", plot.empty() ? "plot " : ", ", p, c, look(curve, automatic++),
                          curve.label.empty() ? "notitle" : "title " + quoted(curve.label));
    }
    text += plot.empty() ? "set multiplot next\n" : plot + "\n";
  }
  return text + "unset multiplot\n";
}

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path candidate = std::filesystem::path(folders.substr(begin, end - begin)) / program;
    if (access(candidate.c_str(), X_OK) == 0) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string gnuplot_script(const Picture& picture, const std::filesystem::path& stem) {
  std::string script;
  for (std::size_t p = 0; p < picture.panels.size(); ++p)
    for (std::size_t c = 0; c < picture.panels[p].curves.size(); ++c) {
      const Curve curve = thinned(picture.panels[p].curves[c], kDrawnBuckets);
      const std::string block = fmt::format("$p{}c{}", p, c);
      has_points(curve.style) ? append_points(script, block, curve, curve.style == CurveStyle::impulses)
                              : append_line(script, block, curve);
      if (!curve.jumps.empty()) append_jumps(script, block + "jumps", curve);
    }
  const int columns = std::max(1, picture.columns);
  const int rows = (static_cast<int>(picture.panels.size()) + columns - 1) / columns;
  const int key = key_lines(picture);
  const double width = kPanelWidth * columns,
               height = (kPanelHeight + kKeyLineHeight * std::max(0, key - 1)) * rows + kTitleHeight;
  script += "set grid lt 1 lw 0.4 lc rgb '#d0d0d0'\nset tics nomirror\nset border 3 lw 0.8\n";
  const bool titled = std::any_of(picture.panels.begin(), picture.panels.end(),
                                  [](const Panel& panel) { return !panel.title.empty(); });
  script += fmt::format("set bmargin {}\nset lmargin 11\nset rmargin 3\nset tmargin {}\n", 3.6 + 1.1 * key,
                        titled ? 3.0 : 1.5);
  const auto output = [&](const std::string& terminal, const char* ending) {
    script += fmt::format("set terminal {} font 'DejaVu Sans,{}' noenhanced\n", terminal, kTextHeight);
    script += fmt::format("set output {}\n", quoted(stem.string() + ending)) + drawing(picture, rows) + "set output\n";
  };
  const double zoom = kDotsPerInch / kGnuplotDotsPerInch;
  output(fmt::format("pngcairo size {:.0f},{:.0f} fontscale {:g} linewidth {:g} pointscale {:g} background rgb 'white'",
                     width * kDotsPerInch, height * kDotsPerInch, zoom, zoom, zoom),
         ".png");
  output(fmt::format("svg dynamic size {:.0f},{:.0f} fontscale {:.4f} background rgb 'white'",
                     width * kGnuplotDotsPerInch, height * kGnuplotDotsPerInch, kGnuplotDotsPerInch / 72.0),
         ".svg");
  output(fmt::format("pdfcairo size {:g}in,{:g}in fontscale 1", width, height), ".pdf");
  return script;
}

PictureResult write_picture(const Picture& picture, const std::filesystem::path& stem) {
  PictureResult result;
  if (!on_path("gnuplot")) {
    result.trouble = "gnuplot is not installed (Debian package gnuplot-nox): no picture";
    return result;
  }
  FILE* gnuplot = popen("gnuplot", "w");
  const std::string script = gnuplot_script(picture, stem);
  const bool sent = gnuplot && std::fwrite(script.data(), 1, script.size(), gnuplot) == script.size();
  const int status = gnuplot ? pclose(gnuplot) : -1;
  if (!sent || status != 0) {
    result.trouble = fmt::format("gnuplot could not draw {}", stem.string());
    return result;
  }
  declare_png_resolution(stem.string() + ".png", kDotsPerInch);
  for (const char* ending : {".png", ".svg", ".pdf"}) result.files.push_back(stem.string() + ending);
  return result;
}

}  // namespace carom::inline io
