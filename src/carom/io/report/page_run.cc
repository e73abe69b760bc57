// A result file into the JSON of the viewer (viewer/src/data.ts): attributes as they are; every sampled dataset,
// whatever it is, as a field; statistics, contacts and events column by column.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "carom/base/errors.h"
#include "carom/base/version.h"
#include "carom/io/recording.h"
#include "carom/io/report/packed_array.h"
#include "carom/io/report/page.h"
#include "carom/io/scene_json.h"
#include "carom/system/layout.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::ordered_json;

// More numbers than these are thinned: a page should open in a second.
constexpr std::size_t kMostSampled = 6'000'000, kMostContactRows = 300'000, kMostSteps = 300'000;
constexpr int kCurveBits = 15;  // of curves: four and a half digits

std::string text_or(const Hdf5File& file, const std::string& object, const std::string& name) {
  try {
    return file.text_attribute(object, name);
  } catch (const std::system_error&) {
    return {};
  }
}
Json number_or(const Hdf5File& file, const std::string& object, const std::string& name) {
  try {
    return file.number_attribute(object, name);
  } catch (const std::system_error&) {
    return nullptr;
  }
}

std::vector<std::string> texts_or(const Hdf5File& file, const std::string& path) {
  return file.exists(path) ? file.read_texts(path) : std::vector<std::string>();
}

Json about(const Hdf5File& file) {
  Json json = Json::object();
  for (const char* name : {"title", "model", "outcome", "advice", "carom", "commit", "created"})
    json[name] = text_or(file, "/", name);
  for (const char* name : {"steps", "failed_steps", "halvings", "proceeded_steps", "wall_seconds"})
    json[name] = number_or(file, "/", name);
  for (const char* name : {"scheme", "solver"}) json[name] = text_or(file, "/options", name);
  for (const char* name : {"step", "t_end"}) json[name] = number_or(file, "/options", name);
  return json;
}

void add_judgement(const Hdf5File& file, Json& run) {
  const Json sound = number_or(file, "/judgement", "sound");
  run["sound"] = sound.is_null() ? Json(nullptr) : Json(sound.get<double>() != 0.0);
  run["findings"] = Json::array();
  const auto flaws = texts_or(file, "/judgement/flaw"), names = texts_or(file, "/judgement/name"),
             texts = texts_or(file, "/judgement/text");
  const auto t = flaws.empty() ? std::vector<double>() : file.read("/judgement/t");
  for (std::size_t i = 0; i < flaws.size(); ++i)
    run["findings"].push_back({{"flaw", flaws[i]}, {"name", names[i]}, {"text", texts[i]}, {"t", t[i]}});
}

void add_outcomes(const Hdf5File& file, Json& run) {
  run["expectations"] = run["measures"] = Json::array();
  const auto names = texts_or(file, "/expectation/name"), formulas = texts_or(file, "/expectation/formula"),
             verdicts = texts_or(file, "/expectation/verdict"), why = texts_or(file, "/expectation/why");
  for (std::size_t i = 0; i < names.size(); ++i)
    run["expectations"].push_back(
        {{"name", names[i]}, {"formula", formulas[i]}, {"verdict", verdicts[i]}, {"why", why[i]}});
  const auto measures = texts_or(file, "/measure/name");
  const auto values = measures.empty() ? std::vector<double>() : file.read("/measure/value");
  for (std::size_t i = 0; i < measures.size(); ++i)
    run["measures"].push_back(
        {{"name", measures[i]}, {"value", std::isfinite(values[i]) ? Json(values[i]) : Json(nullptr)}});
  run["warnings"] = texts_or(file, "/model/warnings");
}

void add_model(const Hdf5File& file, Json& run) {
  const auto one = [&](const char* path) {
    const auto texts = texts_or(file, path);
    return texts.empty() ? std::string() : texts.front();
  };
  const auto parsed = [&](const char* path) {
    const std::string text = one(path);
    return text.empty() ? Json(nullptr) : Json::parse(text, nullptr, false);
  };
  run["resolved"] = parsed("/model/resolved");
  run["scene"] = parsed("/model/scene");
  const std::string source = one("/model/source");
  run["source"] = source.empty() ? Json(nullptr) : Json(source);
}

struct Sampled {
  std::string path;
  std::vector<std::size_t> shape;
  std::size_t size() const {
    std::size_t n = 1;
    for (const std::size_t extent : shape) n *= extent;
    return n;
  }
};

// All datasets with one row a sample; names of the rows of their groups on the way.
std::vector<Sampled> find_sampled(const Hdf5File& file, std::size_t samples, Json& names) {
  static const std::set<std::string> others = {"model", "options", "judgement", "checkpoint",  "stats", "contact",
                                               "event", "measure", "measured",  "expectation", "time"};
  std::vector<Sampled> found;
  for (const std::string& group : file.members("/")) {
    if (others.contains(group)) continue;
    for (const std::string& member : file.members("/" + group)) {
      const std::string path = "/" + group + "/" + member;
      if (member == "names") {
        names["/" + group] = file.read_texts(path);
        continue;
      }
      const auto shape = file.extents(path);
      if (!shape.empty() && shape[0] == samples) found.push_back({path, shape});
    }
  }
  return found;
}

void add_fields(const Hdf5File& file, Json& run) {
  const std::vector<double> time = file.read("/time");
  const auto sampled = find_sampled(file, time.size(), run["names"]);
  std::size_t numbers = 0;
  for (const Sampled& field : sampled) numbers += field.size();
  const std::size_t stride = std::max<std::size_t>(1, (numbers + kMostSampled - 1) / kMostSampled);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < time.size(); i += stride) kept.push_back(i);
  if (!kept.empty() && kept.back() + 1 != time.size()) kept.push_back(time.size() - 1);
  if (stride > 1)
    run["notes"].push_back(fmt::format("of {} samples every {}th is here: {} numbers are too many for a page",
                                       time.size(), stride, numbers));
  std::vector<double> times;
  for (const std::size_t i : kept) times.push_back(time[i]);
  run["fields"]["/time"] = packed_doubles(times);
  run["fields"]["/time"].update({{"unit", "s"}, {"meaning", "time"}});
  for (const Sampled& field : sampled) {
    const std::vector<double> all = file.read(field.path);
    const std::size_t width = time.empty() ? 0 : all.size() / time.size();
    std::vector<double> values;
    values.reserve(kept.size() * width);
    for (const std::size_t i : kept)
      values.insert(values.end(), all.begin() + static_cast<std::ptrdiff_t>(i * width),
                    all.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
    auto shape = field.shape;
    shape[0] = kept.size();
    // Runs are told apart by differences of these, which need their digits.
    const bool pose = field.path.ends_with("/position") || field.path.ends_with("/orientation") ||
                      field.path.ends_with("/angle") || field.path.starts_with("/coordinate/");
    Json json = packed_floats(values, shape, pose ? 23 : kCurveBits);
    json["unit"] = text_or(file, field.path, "unit");
    json["meaning"] = text_or(file, field.path, "long_name");
    run["fields"][field.path] = std::move(json);
  }
}

void add_stats(const Hdf5File& file, Json& run) {
  run["stats"] = Json::object();
  if (!file.exists("/stats")) return;
  std::size_t stride = 1;
  for (const std::string& name : file.members("/stats")) {
    std::vector<double> all = file.read("/stats/" + name), values;
    stride = std::max<std::size_t>(1, (all.size() + kMostSteps - 1) / kMostSteps);
    for (std::size_t i = 0; i < all.size(); i += stride) values.push_back(all[i]);
    run["stats"][name] = name == "t" ? packed_doubles(values) : packed_floats(values, {values.size()}, kCurveBits);
  }
  if (stride > 1) run["notes"].push_back(fmt::format("of the solver's work every {}th step is here", stride));
}

void add_contacts(const Hdf5File& file, Json& run) {
  run["contacts"] = run["events"] = Json::object();
  if (file.exists("/event/table"))
    for (const char* name : {"t", "kind", "contact", "value"}) {
      const auto values = file.read_column("/event/table", name);
      run["events"][name] = std::string(name) == "t" ? packed_doubles(values) : packed_floats(values, {values.size()});
    }
  run["names"]["/contact"] = texts_or(file, "/contact/names");
  if (!file.exists("/contact/table")) return;
  const std::vector<double> step = file.read_column("/contact/table", "step"),
                            t = file.read_column("/contact/table", "t");
  // Steps with an event stay whatever else goes: no impulse is lost.
  const std::size_t stride = std::max<std::size_t>(1, (step.size() + kMostContactRows - 1) / kMostContactRows);
  std::set<double> loud;
  if (stride > 1) {
    const auto times = file.read_column("/event/table", "t");
    loud.insert(times.begin(), times.end());
    run["notes"].push_back(fmt::format(
        "of {} rows of contacts those of every {}th step are here, and of all steps in which a contact closed",
        step.size(), stride));
  }
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < step.size(); ++i)
    if (stride == 1 || static_cast<std::size_t>(step[i]) % stride == 0 || loud.contains(t[i])) kept.push_back(i);
  for (const char* name : {"t", "contact", "gap", "vn_minus", "vn_plus", "vt1_plus", "vt2_plus", "pn", "pt1", "pt2",
                           "status", "x", "y", "z", "px", "py", "pz"}) {
    std::vector<double> all;
    try {
      all = file.read_column("/contact/table", name);
    } catch (const std::system_error&) {  // places are written since format 3
      continue;
    }
    std::vector<double> values;
    for (const std::size_t i : kept) values.push_back(all[i]);
    const bool number = std::string(name) == "contact";
    run["contacts"][name] = std::string(name) == "t" ? packed_doubles(values)
                                                     : packed_floats(values, {values.size()}, number ? 23 : kCurveBits);
  }
  if (!file.exists("/contact/cone")) return;
  const std::vector<double> cones = file.read("/contact/cone");
  const char* names[] = {"nx", "ny", "nz", "friction"};
  for (std::size_t k = 0; k < 4; ++k) {
    std::vector<double> values;
    for (const std::size_t i : kept) values.push_back(cones.at(4 * i + k));
    run["contacts"][names[k]] = packed_floats(values, {values.size()}, kCurveBits);
  }
}

Json empty_run(const std::string& file, const std::string& label) {
  return {{"label", label},
          {"file", file},
          {"notes", Json::array()},
          {"names", Json::object()},
          {"fields", Json::object()}};
}

}  // namespace

nlohmann::ordered_json page_run(const std::string& result_file, const std::string& label) {
  const Recording recording(result_file);
  const Hdf5File& file = recording.file();
  if (!file.exists("/time") || !file.exists("/model/resolved"))
    throw InputError({"E0611",
                      fmt::format("{} is not a result of carom run", result_file),
                      {},
                      "reports are made of result files (docs/result_files.md)",
                      {},
                      0,
                      0,
                      {}});
  Json run = empty_run(result_file, label);
  run["about"] = about(file);
  add_judgement(file, run);
  add_outcomes(file, run);
  add_model(file, run);
  if (run["scene"].is_null())
    run["notes"].push_back("the model declares no drawing, or the file is older than format 3: curves only");
  add_fields(file, run);
  add_stats(file, run);
  add_contacts(file, run);
  return run;
}

nlohmann::ordered_json page_pose(const Scenario& scenario) {
  Json run = empty_run(scenario.file, scenario.name);
  run["about"] = {{"title", scenario.title},
                  {"model", scenario.file},
                  {"outcome", ""},
                  {"scheme", scenario.simulation.scheme},
                  {"solver", scenario.simulation.solver},
                  {"step", scenario.simulation.step},
                  {"carom", build_info().version},
                  {"commit", build_info().commit}};
  run["sound"] = nullptr;
  run["findings"] = run["expectations"] = run["measures"] = Json::array();
  run["warnings"] = Json::array();
  for (const InputProblem& warning : scenario.warnings)
    run["warnings"].push_back(fmt::format("{}: {}", warning.code, warning.message));
  run["resolved"] = Json::parse(resolved_json(scenario), nullptr, false);
  run["source"] = scenario.source.empty() ? Json(nullptr) : Json(scenario.source);
  run["stats"] = run["contacts"] = run["events"] = Json::object();
  const State& start = scenario.model.initial;
  run["fields"]["/time"] = packed_doubles({start.t});
  run["fields"]["/time"].update({{"unit", "s"}, {"meaning", "time"}});
  const auto add = [&](const std::string& path, const std::vector<double>& values, std::size_t rows,
                       std::size_t width) {
    run["fields"][path] = packed_floats(values, {1, rows, width});
    run["fields"][path].update({{"unit", "m"}, {"meaning", ""}});
  };
  // Nodes of flexible bodies stand in the state; frames are placed by the drawing.
  const Layout layout = layout_of(*scenario.model.system);
  for (const Field& field : layout.fields()) {
    const bool pose =
        field.path.ends_with("/position") || field.path.ends_with("/orientation") || field.path.ends_with("/angle");
    if (!field.pooled || !pose || field.path.starts_with("/body") || field.path.starts_with("/planar_body")) continue;
    std::vector<double> values(static_cast<std::size_t>(field.size()));
    field.copy(start, values.data());
    add(field.path, values, static_cast<std::size_t>(field.rows), static_cast<std::size_t>(field.width));
  }
  if (!scenario.model.drawing) {
    run["scene"] = nullptr;
    run["notes"].push_back("the model declares no drawing");
    return run;
  }
  const Scene& scene = scenario.model.drawing->scene();
  run["scene"] = Json::parse(scene_json(scene));
  std::vector<Pose> poses;
  scenario.model.drawing->place(start.t, start.q, poses);
  std::vector<double> positions, orientations;
  for (std::size_t f = 1; f < poses.size(); ++f) {
    positions.insert(positions.end(), poses[f].x.data(), poses[f].x.data() + 3);
    const Eigen::Quaterniond turn(poses[f].R);
    for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) orientations.push_back(x);
  }
  run["names"]["/frame"] = std::vector<std::string>(scene.frames.begin() + 1, scene.frames.end());
  add("/frame/position", positions, poses.size() - 1, 3);
  add("/frame/orientation", orientations, poses.size() - 1, 4);
  return run;
}

}  // namespace carom::inline io
