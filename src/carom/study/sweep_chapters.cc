#include "carom/study/sweep_chapters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

namespace carom::inline study {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostLines = 8;  // colours of the palette
constexpr std::size_t kWorst = 5;

// A parameter as an axis: its numbers by runs, and the different ones in order. Words are counted 0, 1, 2, ...
struct ParameterAxis {
  std::string label;
  std::vector<double> of_run, levels;
  std::size_t level(std::size_t run) const {
    return static_cast<std::size_t>(std::lower_bound(levels.begin(), levels.end(), of_run[run]) - levels.begin());
  }
};

// What stands behind the number of "0.001 m".
std::string unit_of(const std::string& value) {
  char* end = nullptr;
  std::strtod(value.c_str(), &end);
  const std::string rest(end);
  const std::size_t begin = rest.find_first_not_of(' ');
  return begin == std::string::npos ? "" : rest.substr(begin);
}

ParameterAxis axis_of(const SweepTable& table, std::size_t k) {
  ParameterAxis axis{table.axes[k], column(table, table.axes[k]), {}};
  std::set<std::string> units;
  for (const auto& point : table.points) units.insert(unit_of(point[k]));
  const bool numbers =
      units.size() <= 1 && std::none_of(axis.of_run.begin(), axis.of_run.end(), [](double x) { return std::isnan(x); });
  if (numbers) {
    if (!units.empty() && !units.begin()->empty()) axis.label += " [" + *units.begin() + "]";
    for (std::size_t i = 0; i < table.points.size(); ++i)  // in the unit they are written in
      axis.of_run[i] = std::strtod(table.points[i][k].c_str(), nullptr);
  } else {  // words, or values in several units: in the order of the design
    std::vector<std::string> seen;
    for (std::size_t i = 0; i < table.points.size(); ++i) {
      auto at = std::find(seen.begin(), seen.end(), table.points[i][k]);
      if (at == seen.end()) at = seen.insert(seen.end(), table.points[i][k]);
      axis.of_run[i] = static_cast<double>(at - seen.begin());
    }
    axis.label += fmt::format(" ({})", fmt::join(seen, ", "));
  }
  const std::set<double> levels(axis.of_run.begin(), axis.of_run.end());
  axis.levels.assign(levels.begin(), levels.end());
  return axis;
}

std::vector<double> sorted_numbers(std::vector<double> x) {
  std::erase_if(x, [](double value) { return std::isnan(value); });
  std::sort(x.begin(), x.end());
  return x;
}

std::string words_of(const SweepTable& table, std::size_t run) {
  std::vector<std::string> words;
  for (std::size_t k = 0; k < table.axes.size(); ++k)
    words.push_back(fmt::format("{}={}", table.axes[k], table.points[run][k]));
  return fmt::format("{}", fmt::join(words, " "));
}

ChapterTable percentile_table(const SweepTable& table) {
  ChapterTable list{"Percentiles", "", {"measure", "least", "5 %", "25 %", "median", "75 %", "95 %", "largest"}, {}};
  for (const std::string& name : table.measures) {
    const std::vector<double> x = sorted_numbers(column(table, name));
    if (x.empty()) continue;
    std::vector<std::string> row = {name};
    for (const double p : {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0})
      row.push_back(fmt::format("{:.5g}", percentile(x, p)));
    list.rows.push_back(std::move(row));
  }
  return list;
}

ChapterTable troubles(const SweepTable& table) {
  ChapterTable list{
      "Runs without a result", "the same command with --retry does them again", {"outcome", "parameters", "why"}, {}};
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].outcome != SweepRow::Outcome::finished)
      list.rows.push_back({to_word(table.rows[i].outcome), words_of(table, i), table.rows[i].trouble});
  return list;
}

ChapterTable worst(const SweepTable& table, const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return std::isnan(values[i]); });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  ChapterTable list{"Largest", "run one by itself: carom run MODEL --set ...", {"value", "parameters", "judged"}, {}};
  for (std::size_t i = 0; i < std::min(kWorst, order.size()); ++i)
    list.rows.push_back({fmt::format("{:.6g}", values[order[i]]), words_of(table, order[i]),
                         table.rows[order[i]].sound ? "sound" : "not sound"});
  return list;
}

bool is_grid(const std::vector<ParameterAxis>& axes, std::size_t runs) {
  std::size_t product = 1;
  for (const ParameterAxis& axis : axes) product *= axis.levels.size();
  return product == runs;
}

HeatMap heat_map(const std::string& name, const ParameterAxis& x, const ParameterAxis& y,
                 const std::vector<double>& values) {
  HeatMap map{name, x.label, y.label, x.levels, y.levels, {}};
  map.values.assign(x.levels.size() * y.levels.size(), kNone);
  for (std::size_t i = 0; i < values.size(); ++i) map.values[x.level(i) + x.levels.size() * y.level(i)] = values[i];
  return map;
}

// The measure over one parameter; a curve for each value of the other one, if there is one.
Panel lines(const std::string& name, const ParameterAxis& x, const ParameterAxis* by,
            const std::vector<double>& values) {
  Panel panel{fmt::format("{} over {}", name, x.label), {x.label}, {name}, {}};
  std::map<double, std::map<double, double>> curves;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i])) curves[by ? by->of_run[i] : 0.0][x.of_run[i]] = values[i];
  for (const auto& [level, points] : curves) {
    Curve curve{by ? fmt::format("{} = {:.4g}", by->label, level) : "", {}, {}, CurveStyle::line_points};
    for (const auto& [at, value] : points) {
      curve.x.push_back(at);
      curve.y.push_back(value);
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

Panel cloud(const std::string& name, const ParameterAxis& x, const std::vector<double>& values) {
  return {fmt::format("{} over {}", name, x.label), {x.label}, {name}, {{"", x.of_run, values, CurveStyle::points}}};
}

// Which share of the runs lies below a value.
Panel distribution(const std::string& name, const std::vector<double>& sorted) {
  Curve curve{"", sorted, {}, CurveStyle::line};
  for (std::size_t i = 0; i < sorted.size(); ++i)
    curve.y.push_back(100.0 * static_cast<double>(i + 1) / static_cast<double>(sorted.size()));
  return {"Distribution of " + name, {name}, {"runs below [%]"}, {curve}};
}

Chapter chapter_of(const SweepTable& table, const std::vector<ParameterAxis>& axes, const std::string& name) {
  const std::vector<double> values = column(table, name);
  Chapter chapter{.title = name};
  const bool grid = is_grid(axes, table.rows.size());
  if (grid && axes.size() == 1) {
    chapter.picture.panels.push_back(lines(name, axes[0], nullptr, values));
  } else if (grid && axes.size() == 2) {
    chapter.maps.push_back(heat_map(name, axes[0], axes[1], values));
    const bool few_y = axes[1].levels.size() <= kMostLines, few_x = axes[0].levels.size() <= kMostLines;
    if (few_y) chapter.picture.panels.push_back(lines(name, axes[0], &axes[1], values));
    if (few_x && !few_y) chapter.picture.panels.push_back(lines(name, axes[1], &axes[0], values));
  } else {
    for (const ParameterAxis& axis : axes) chapter.picture.panels.push_back(cloud(name, axis, values));
  }
  if (const std::vector<double> x = sorted_numbers(values); x.size() > 2)
    chapter.picture.panels.push_back(distribution(name, x));
  chapter.tables.push_back(worst(table, values));
  return chapter;
}

}  // namespace

std::vector<Chapter> chapters_of(const SweepTable& table) {
  const std::size_t finished = table.count(SweepRow::Outcome::finished);
  const auto unsound = std::count_if(table.rows.begin(), table.rows.end(), [](const SweepRow& row) {
    return row.outcome == SweepRow::Outcome::finished && !row.sound;
  });
  Chapter whole{
      .title = "All runs",
      .text = fmt::format("{} runs over {}: {} finished, {} of them not sound, {} without a result.", table.rows.size(),
                          fmt::join(table.axes, ", "), finished, unsound, table.rows.size() - finished)};
  whole.tables.push_back(percentile_table(table));
  if (finished < table.rows.size()) whole.tables.push_back(troubles(table));
  std::vector<Chapter> chapters = {std::move(whole)};
  std::vector<ParameterAxis> axes;
  for (std::size_t k = 0; k < table.axes.size(); ++k) axes.push_back(axis_of(table, k));
  for (const std::string& name : table.measures) chapters.push_back(chapter_of(table, axes, name));
  return chapters;
}

std::vector<Chapter> chapters_of(const Section& section, const std::string& title) {
  std::map<int, std::size_t> periods;
  std::size_t points = 0, troubled = 0;
  for (const SectionRun& run : section.runs) {
    points += run.values.size();
    if (run.trouble.empty())
      ++periods[period_of(run, 1e-4)];
    else
      ++troubled;
  }
  Chapter chapter{.title = fmt::format("{} over {}", section.show, section.parameter),
                  .text = fmt::format("{} runs, {} points, {} failed.", section.runs.size(), points, troubled),
                  .picture = picture_of(section, title)};
  ChapterTable list{"Periods", "points of the section until a motion repeats itself", {"period", "runs"}, {}};
  for (const auto& [period, count] : periods)
    list.rows.push_back({period == 0 ? "none found" : std::to_string(period), std::to_string(count)});
  chapter.tables.push_back(std::move(list));
  std::vector<Chapter> chapters = {std::move(chapter)};
  constexpr std::size_t most = 9;
  if (std::vector<Panel> portraits = portraits_of(section, most); !portraits.empty())
    chapters.push_back({.title = fmt::format("Sections: {} over {}", section.show, section.against),
                        .text = fmt::format("Of {} values of {}.", portraits.size(), section.parameter),
                        .picture = {{}, std::move(portraits), 3}});
  return chapters;
}

}  // namespace carom::inline study
