#include "carom/io/stored_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "carom/base/errors.h"
#include "carom/io/checkpoint_file.h"

namespace carom::inline io {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

// As it was named, from here; or beside the result.
std::string find_model(const StoredRun& run) {
  std::error_code error;
  if (run.model_file.empty() || fs::is_regular_file(run.model_file, error)) return run.model_file;
  const fs::path beside = fs::path(run.file).parent_path() / fs::path(run.model_file).filename();
  return fs::is_regular_file(beside, error) ? beside.string() : run.model_file;
}

// What must not differ: t_end may be later, and samples are the recorder's business.
Json essence(const std::string& resolved) {
  Json json = Json::parse(resolved, nullptr, false);
  if (json.is_discarded()) return json;
  json.erase("overrides");
  if (json.contains("simulation")) json["simulation"].erase("t_end");
  return json;
}

std::vector<std::string> differences(const Json& then, const Json& now) {
  std::vector<std::string> list;
  for (const Json& change : Json::diff(then, now)) {
    if (list.size() == 6) {
      list.push_back("...");
      break;
    }
    std::string path = change.at("path").get<std::string>().substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    const auto value = [](const Json& json, const std::string& at) {
      const Json::json_pointer pointer(at);
      return json.contains(pointer) ? json.at(pointer).dump() : std::string("nothing");
    };
    list.push_back(fmt::format("{} {} -> {}", path, value(then, change.at("path")), value(now, change.at("path"))));
  }
  return list;
}

std::vector<std::string> changed_lines(const std::string& then, const std::string& now) {
  std::istringstream a(then), b(now);
  std::vector<std::string> list;
  std::string x, y;
  for (int line = 1; list.size() < 3; ++line) {
    const bool more_a = static_cast<bool>(std::getline(a, x)), more_b = static_cast<bool>(std::getline(b, y));
    if (!more_a && !more_b) break;
    if (x != y || more_a != more_b)
      list.push_back(fmt::format("line {}: '{}' -> '{}'", line, more_a ? x : "", more_b ? y : ""));
  }
  return list;
}

[[noreturn]] void refuse(const char* code, const std::string& what, const std::string& hint) {
  throw InputError({code, what, {}, hint, {}, 0, 0, {}});
}

std::vector<Override> together(const StoredRun& run, const std::vector<Override>& more) {
  std::vector<Override> all = run.overrides;
  for (const Override& one : more) {
    std::erase_if(all, [&](const Override& old) { return old.key == one.key; });
    all.push_back(one);
  }
  return all;
}

Json settings_of(const std::string& resolved) {
  const Json json = Json::parse(resolved, nullptr, false);
  if (json.is_discarded() || !json.contains("simulation")) return {};
  return {json["simulation"].value("scheme", Json()), json["simulation"].value("step", Json())};
}

}  // namespace

StoredRun read_stored_run(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  StoredRun run;
  run.file = path;
  const std::string checkpoint = newest_checkpoint(file);
  if (!file.exists("/model/resolved") || checkpoint.empty())
    refuse("E0612", fmt::format("'{}' is no result of a run", path), "carom run writes results");
  if (!file.exists("/model/source"))
    refuse("E0612", fmt::format("'{}' was made by a program and does not hold the text of a model", path),
           "go on with it in that program: resume_scenario()");
  run.source = file.read_texts("/model/source").at(0);
  run.resolved = file.read_texts("/model/resolved").at(0);
  run.model_file = file.has_attribute("/", "model_file") ? file.text_attribute("/", "model_file")
                                                         : file.text_attribute("/", "model");
  run.outcome = file.text_attribute("/", "outcome");
  run.t = file.number_attribute(checkpoint, "t");
  run.t_end = file.number_attribute("/options", "t_end");
  const Json resolved = Json::parse(run.resolved, nullptr, false);
  if (resolved.is_discarded())
    refuse("E0612", fmt::format("'{}': its settings cannot be read", path), "run the model again");
  for (const std::string& text : resolved.value("overrides", std::vector<std::string>{}))
    run.overrides.push_back(parse_override(text));
  return run;
}

std::string changed_model(const StoredRun& run) {
  const std::string path = find_model(run);
  std::ifstream file(path, std::ios::binary);
  if (path.empty() || !file) return {};
  const std::string now{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return now == run.source ? std::string() : now;
}

Scenario stored_scenario(const StoredRun& run, const std::vector<Override>& more) {
  const std::string branch = fmt::format("begin a new run from this state: carom resume {} --branch", run.file);
  if (const std::string now = changed_model(run); !now.empty())
    refuse("E0610",
           fmt::format("cannot go on with '{}': its model has changed since ({})", run.file,
                       fmt::join(changed_lines(run.source, now), "; ")),
           branch);
  Scenario scenario = parse_scenario(find_model(run), run.source, together(run, more));
  const Json then = essence(run.resolved), now = essence(resolved_json(scenario));
  if (then != now)
    refuse("E0610",
           fmt::format("cannot go on with '{}': the model is not what it was ({})", run.file,
                       fmt::join(differences(then, now), "; ")),
           branch);
  return scenario;
}

Scenario branched_scenario(const StoredRun& run, const std::vector<Override>& more, const std::string& text) {
  Scenario scenario = parse_scenario(find_model(run), text.empty() ? run.source : text, together(run, more));
  const Hdf5File file = Hdf5File::open(run.file);
  State state = read_checkpoint(file, newest_checkpoint(file)).state;
  const State& start = scenario.model.initial;
  if (state.q.size() != start.q.size() || state.v.size() != start.v.size())
    refuse("E0610",
           fmt::format("the changed model has {} coordinates and {} velocities, the state in '{}' {} and {}",
                       start.q.size(), start.v.size(), run.file, state.q.size(), state.v.size()),
           "a branch may change numbers, not what the model is made of");
  if (settings_of(run.resolved) != settings_of(resolved_json(scenario))) {
    state.memory.clear();
    state.impulses.clear();
  }
  scenario.model.initial = std::move(state);
  scenario.model.exact = nullptr;
  return scenario;
}

}  // namespace carom::inline io
