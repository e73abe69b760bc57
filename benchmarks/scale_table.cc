// carom bench scale: what a run costs over the number of its contacts, up to 100,000 of them in one scene.
//
//   table_scale [--filter EXPRESSION] [--json] [--threads N] [--picture STEM]
//
// Ten layers of touching spheres fill a box (r = 0.05 m, 1000 kg/m3, friction 0.5) and land at 0.5 m/s: 20 steps of 1
// ms, all of them counted, moreau_jean, residual 1e-6, audit on. An easy pile: iterations do not grow with its size.
// Piles grow sideways, so that impulses have as far to go in all of them but for the width. Each pile runs in a process
// of its own. Bytes are the growth of the largest memory in use, the model included, with what a small pile takes
// subtracted: libraries and code that is touched first.
//
// Draws time and memory over contacts to STEM.png, .svg and .pdf (build/scale by default), lines of slope 1 beside
// them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "carom/base/large_blocks.h"
#include "carom/io/picture.h"
#include "carom/model/multibody_scenes.h"
#include "carom/simulation/measured_run.h"
#include "measured_alone.h"

namespace {

using namespace carom;
using Json = nlohmann::ordered_json;

constexpr double step = 1e-3, tolerance = 1e-6;
constexpr double steps = 20.0;
constexpr Index layers = 10;

struct Options {
  std::regex filter{""};
  bool json = false;
  int threads = 1;
  std::string picture = "build/scale";
};

Model landing_pile(Index width) {
  SphereLattice lattice = touching_spheres({width, width, layers});
  lattice.velocity = {0.0, 0.0, -0.5};
  return spheres_in_box(lattice).build();
}

NamedNumbers measure(Index width, int threads) {
  const double memory = peak_memory();
  const Model model = landing_pile(width);
  const auto scheme = make_scheme("moreau_jean", {{"newton_tolerance", tolerance}});
  const auto solver = make_solver("automatic", {{"tolerance", tolerance}, {"threads", static_cast<double>(threads)}});
  SimulationOptions options;
  options.dt = step;
  options.t_end = steps * step;
  MeasuredRun run(*model.system, *scheme, *solver, model.initial, options);
  double contacts = 0.0, most = 0.0;
  while (run.step()) {
    const auto active = static_cast<double>(run.stepper().last_step()->contacts.size());
    contacts += active;
    most = std::max(most, active);
  }
  const SimulationSummary& summary = run.stepper().so_far();
  const StepTimes& times = run.times();
  const double made = static_cast<double>(std::max(1L, summary.steps)), ms = 1e3 / made;
  return {{"spheres", static_cast<double>(width * width * layers)},
          {"contacts", most},
          {"step_ms", ms * times.total()},
          {"detection_ms", ms * times.detection},
          {"assembly_ms", ms * times.assembly},
          {"solve_ms", ms * times.solve},
          {"integration_ms", ms * times.integration},
          {"audit_ms", ms * times.audit},
          {"iterations", static_cast<double>(summary.solver_iterations) / made},
          {"ns_per_contact", 1e9 * times.total() / std::max(1.0, contacts)},
          {"worst_residual", summary.worst_solver_residual},
          {"failed_steps", static_cast<double>(summary.failed_steps)},
          {"finished", summary.outcome == Outcome::finished ? 1.0 : 0.0},
          {"megabytes", 1e-6 * (peak_memory() - memory)}};
}

double value(const NamedNumbers& row, const std::string& name) {
  for (const auto& [key, number] : row)
    if (key == name) return number;
  return std::nan("");
}

// A curve, and a line of slope 1 through its last point.
Panel panel_of(const std::string& title, const std::string& unit, const std::vector<NamedNumbers>& rows,
               const std::string& name) {
  Panel panel{title, {"contacts", true}, {unit, true}, {}};
  Curve measured{title, {}, {}, CurveStyle::line_points}, straight{"slope 1", {}, {}, CurveStyle::dashed, kBlack};
  const double last = value(rows.back(), name) / value(rows.back(), "contacts");
  for (const NamedNumbers& row : rows) {
    const double contacts = value(row, "contacts");
    measured.x.push_back(contacts);
    measured.y.push_back(value(row, name));
    straight.x.push_back(contacts);
    straight.y.push_back(last * contacts);
  }
  panel.curves = {measured, straight};
  return panel;
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k];
    const auto next = [&] { return std::string(k + 1 < argc ? argv[++k] : ""); };
    if (word == "--filter") options.filter = std::regex(next(), std::regex::extended);
    if (word == "--json") options.json = true;
    if (word == "--threads") options.threads = std::max(1, std::atoi(next().c_str()));
    if (word == "--picture") options.picture = next();
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  carom::give_large_blocks_back();  // as the program does
  const Options options = read_options(argc, argv);
  const double touched = value(measured_alone([&] { return measure(2, options.threads); }), "megabytes");
  std::vector<NamedNumbers> rows;
  if (!options.json)
    fmt::print("{:<12}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}{:>12}{:>12}{:>8}\n", "case", "spheres", "contacts", "ms/step",
               "solve", "iter", "ns/cont.", "megabytes", "bytes/cont.", "failed");
  for (const Index width : {6, 10, 18, 32, 58}) {
    const std::string name = fmt::format("pile_{}", width * width * layers);
    if (!std::regex_search(name, options.filter)) continue;
    NamedNumbers row = measured_alone([&] { return measure(width, options.threads); });
    if (row.empty()) {
      fmt::print(stderr, "{}: the run came to grief\n", name);
      continue;
    }
    for (auto& [key, number] : row)
      if (key == "megabytes") number -= touched;
    const double bytes = 1e6 * value(row, "megabytes") / value(row, "contacts");
    row.emplace_back("bytes_per_contact", bytes);
    if (options.json) {
      Json line = {{"case", name}};
      for (const auto& [key, number] : row) line[key] = number;
      fmt::print("{}\n", line.dump());
    } else {
      fmt::print("{:<12}{:>9}{:>10}{:>10.2f}{:>10.2f}{:>10.1f}{:>10.0f}{:>12.1f}{:>12.0f}{:>8}\n", name,
                 value(row, "spheres"), value(row, "contacts"), value(row, "step_ms"), value(row, "solve_ms"),
                 value(row, "iterations"), value(row, "ns_per_contact"), value(row, "megabytes"), bytes,
                 value(row, "failed_steps"));
    }
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2) return 0;
  const Picture picture{
      "Cost over contacts",
      {panel_of("time a step", "ms", rows, "step_ms"), panel_of("memory of the run", "MB", rows, "megabytes")},
      2};
  if (const auto folder = std::filesystem::path(options.picture).parent_path(); !folder.empty())
    std::filesystem::create_directories(folder);
  const PictureResult drawn = write_picture(picture, options.picture);
  for (const auto& file : drawn.files)
    if (!options.json) fmt::print("{}\n", file.string());
  if (!drawn.trouble.empty()) fmt::print(stderr, "no picture: {}\n", drawn.trouble);
  return 0;
}
