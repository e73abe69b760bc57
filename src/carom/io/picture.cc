#include "carom/io/picture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace carom {

namespace {

// Okabe and Ito's colours: told apart by everyone, in print too.
constexpr const char* kPalette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                    "#E69F00", "#56B4E9", "#000000", "#999999"};
constexpr int kPointTypes[] = {7, 5, 9, 13, 11, 4, 6, 8};
constexpr std::size_t kDrawnBuckets = 1500;
constexpr int kPanelWidth = 640, kPanelHeight = 450, kTitleHeight = 40, kKeyLineHeight = 18;

// Inside single quotes gnuplot knows no escapes but the doubled quote.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += c;
    result += c;
  }
  result += '\'';
  return result;
}

void append_data(std::string& script, const std::string& block, const Curve& curve) {
  script += block + " << END_OF_DATA\n";
  for (std::size_t i = 0; i < std::min(curve.x.size(), curve.y.size()); ++i) {
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
      fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n", curve.x[i], curve.y[i]);
    else
      script += "\n";  // a gap in the line
  }
  script += "END_OF_DATA\n";
}

std::string look(const Curve& curve, int automatic) {
  const auto n = static_cast<int>(std::size(kPalette));
  const int number = curve.color >= 0 ? curve.color : automatic;
  const int color = number % n, round = number / n;  // the second round of colours is dotted, with other points
  switch (curve.style) {
    case CurveStyle::line: return fmt::format("with lines lw 1.6 lc rgb '{}'", kPalette[color]);
    case CurveStyle::line_points:
      return fmt::format("with linespoints pt {} ps 0.7 lw 1.4 dt {} lc rgb '{}'", kPointTypes[(color + 3 * round) % n],
                         round + 1, kPalette[color]);
    case CurveStyle::open_points: return fmt::format("with points pt 6 ps 1.6 lw 1.6 lc rgb '{}'", kPalette[color]);
    case CurveStyle::dashed: return fmt::format("with lines dt 2 lw 1.6 lc rgb '{}'", kPalette[color]);
  }
  return "";
}

std::string axis_commands(const char* name, const Axis& axis) {
  std::string text = fmt::format("set {}label {}\n", name, quoted(axis.label));
  text += axis.logarithmic ? fmt::format("set logscale {0}\nset format {0} '%.0e'\n", name)
                           : fmt::format("unset logscale {0}\nset format {0} '%g'\n", name);
  text += axis.low < axis.high ? fmt::format("set {}range [{:.9g}:{:.9g}]\n", name, axis.low, axis.high)
                               : fmt::format("set {}range [*:*]{}\n", name, axis.logarithmic ? " noextend" : "");
  return text;
}

bool is_key(const Panel& panel) {
  return !panel.curves.empty() && std::all_of(panel.curves.begin(), panel.curves.end(),
                                              [](const Curve& curve) { return curve.x.empty(); });
}

std::string key_panel(const Panel& panel) {
  std::string text = "unset border\nunset tics\nunset xlabel\nunset ylabel\nunset logscale\n"
                     "set key inside center center vertical Left reverse samplen 3\nplot [0:1][0:1] NaN notitle";
  int automatic = 0;
  for (const Curve& curve : panel.curves)
    text += fmt::format(", keyentry {} title {}", look(curve, automatic++), quoted(curve.label));
  return text + "\nset border 3\nset tics nomirror\nunset key\nset key noreverse Right\n";
}

std::string drawing(const Picture& picture, int rows) {
  // A letter is about 0.6 of its size wide: long titles are set smaller.
  const int columns = std::max(1, picture.columns);
  const double fitting = kPanelWidth * columns / (0.72 * static_cast<double>(std::max<std::size_t>(1, picture.title.size())));
  std::string text = fmt::format("set multiplot layout {},{} title {} font ',{:.0f}'\n", rows, columns,
                                 quoted(picture.title), std::clamp(fitting, 8.0, 15.0));
  for (std::size_t p = 0; p < picture.panels.size(); ++p) {
    const Panel& panel = picture.panels[p];
    if (is_key(panel)) {
      text += "unset title\n" + key_panel(panel);
      continue;
    }
    text += fmt::format("set title {} font ',12'\n", quoted(panel.title));
    text += axis_commands("x", panel.x) + axis_commands("y", panel.y);
    text += panel.key.empty() ? "set key bmargin center horizontal samplen 2 width 1\n"
                              : fmt::format("set key inside {} vertical opaque samplen 2\n", panel.key);
    std::string plot;
    int automatic = 0;
    for (std::size_t c = 0; c < panel.curves.size(); ++c) {
      const Curve& curve = panel.curves[c];
      if (curve.x.empty()) continue;
      plot += fmt::format("{}$p{}c{} using 1:2 {} {}", plot.empty() ? "plot " : ", ", p, c,
                          look(curve, automatic++),
                          curve.label.empty() ? "notitle" : "title " + quoted(curve.label));
    }
    text += plot.empty() ? "set multiplot next\n" : plot + "\n";
  }
  return text + "unset multiplot\n";
}

// Lines of the longest key below a panel; gnuplot sets two entries side by side.
int key_lines(const Picture& picture) {
  std::size_t longest = 0;
  for (const Panel& panel : picture.panels) {
    if (!panel.key.empty() || is_key(panel)) continue;
    std::size_t labels = 0;
    for (const Curve& curve : panel.curves)
      if (!curve.label.empty()) ++labels;
    longest = std::max(longest, labels);
  }
  return static_cast<int>((longest + 1) / 2);
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
  Curve result{curve.label, {}, {}, curve.style, curve.color};
  const auto keep = [&](std::size_t i) {
    result.x.push_back(curve.x[i]);
    result.y.push_back(curve.y[i]);
  };
  for (std::size_t b = 0; b < buckets; ++b) {
    const std::size_t begin = b * n / buckets, end = (b + 1) * n / buckets;
    const auto [low, high] = std::minmax_element(curve.y.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 curve.y.begin() + static_cast<std::ptrdiff_t>(end));
    const auto i = static_cast<std::size_t>(low - curve.y.begin());
    const auto j = static_cast<std::size_t>(high - curve.y.begin());
    keep(std::min(i, j));
    if (i != j) keep(std::max(i, j));
  }
  return result;
}

std::string gnuplot_script(const Picture& picture, const std::filesystem::path& stem) {
  std::string script;
  for (std::size_t p = 0; p < picture.panels.size(); ++p)
    for (std::size_t c = 0; c < picture.panels[p].curves.size(); ++c)
      append_data(script, fmt::format("$p{}c{}", p, c), thinned(picture.panels[p].curves[c], kDrawnBuckets));
  const int columns = std::max(1, picture.columns);
  const int rows = (static_cast<int>(picture.panels.size()) + columns - 1) / columns;
  const int key = key_lines(picture), width = kPanelWidth * columns,
            height = (kPanelHeight + kKeyLineHeight * std::max(0, key - 2)) * rows + kTitleHeight;
  script += "set grid lt 1 lw 0.6 lc rgb '#d0d0d0'\nset tics nomirror\nset border 3\n";
  script += fmt::format("set bmargin {}\nset lmargin 11\nset rmargin 3\n",
                        4.0 + 1.2 * key);
  const auto output = [&](const char* terminal, const char* ending) {
    script += fmt::format("set terminal {} size {},{} font 'DejaVu Sans,11' noenhanced background rgb 'white'\n",
                          terminal, width, height);
    script += fmt::format("set output {}\n", quoted(stem.string() + ending)) + drawing(picture, rows) +
              "set output\n";
  };
  output("pngcairo", ".png");
  output("svg dynamic", ".svg");
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
  for (const char* ending : {".png", ".svg"}) result.files.push_back(stem.string() + ending);
  return result;
}

}  // namespace carom
