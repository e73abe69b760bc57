#include "carom/io/recorded_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

namespace carom::inline io {

namespace {

std::string bare(const std::string& name) {
  for (const char* prefix : {"body.", "joint.", "contact.", "signal.", "sensor."})
    if (name.starts_with(prefix)) return name.substr(std::string(prefix).size());
  return name;
}

// "guide" means guide.c1 ... guide.c4, and everything with a partner called so: "ball-floor".
bool belongs(const std::string& contact, const std::string& pattern) {
  if (pattern.empty() || contact == pattern || contact.starts_with(pattern + ".") || contact.starts_with(pattern + "-"))
    return true;
  const std::size_t dash = contact.find('-');
  return dash != std::string::npos &&
         (contact.substr(dash + 1) == pattern || contact.substr(dash + 1).starts_with(pattern + "."));
}

double combine(const std::vector<double>& values, Reduction reduction) {
  double result = reduction == Reduction::min   ? std::numeric_limits<double>::infinity()
                  : reduction == Reduction::max ? -std::numeric_limits<double>::infinity()
                                                : 0.0;
  std::size_t count = 0;
  for (const double x : values) {
    if (!std::isfinite(x)) continue;
    ++count;
    result = reduction == Reduction::min   ? std::min(result, x)
             : reduction == Reduction::max ? std::max(result, x)
                                           : result + x;
  }
  if (count == 0) return std::numeric_limits<double>::quiet_NaN();
  return reduction == Reduction::mean ? result / static_cast<double>(count) : result;
}

}  // namespace

RecordedNames::RecordedNames(const Recording& recording) : recording_(recording), times_(recording.times()) {
  add_pool("/body", "position", {".x", ".y", ".z"});
  add_pool("/body", "velocity", {".vx", ".vy", ".vz"});
  add_pool("/body", "spin", {".spin_x", ".spin_y", ".spin_z"});
  for (const char* pool : {"/scalable_body", "/affine_body"}) {
    add_pool(pool, "position", {".x", ".y", ".z"});
    add_pool(pool, "velocity", {".vx", ".vy", ".vz"});
  }
  add_pool("/scalable_body", "spin", {".spin_x", ".spin_y", ".spin_z"});
  add_pool("/planar_body", "position", {".x", ".y"});
  add_pool("/planar_body", "angle", {".angle"});
  add_pool("/planar_body", "velocity", {".vx", ".vy"});
  add_pool("/planar_body", "spin", {".rate"});
  add_pool("/frame", "position", {".x", ".y", ".z"});  // of bodies in trees of joints
  add_pool("/sensor", "position", {".x", ".y", ".z"});
  add_pool("/sensor", "velocity", {".vx", ".vy", ".vz"});
  add_pool("/joint", "force", {".force_x", ".force_y", ".force_z"});
  add_pool("/turning", "angle", {""});
  add_singles("/coordinate", "");
  add_singles("/velocity", "");
  add_singles("/signal", "");
  add_singles("/energy", "energy.");
  const Hdf5File& file = recording_.file();
  if (file.exists("/contact/names")) contacts_ = file.read_texts("/contact/names");
  if (file.exists("/gap/names")) gap_names_ = file.read_texts("/gap/names");
}

void RecordedNames::add_pool(const std::string& pool, const std::string& field,
                             const std::vector<std::string>& suffixes) {
  const Hdf5File& file = recording_.file();
  const std::string path = pool + "/" + field;
  if (!file.exists(pool) || !file.exists(path) || !file.exists(pool + "/names")) return;
  const auto names = recording_.names(pool);
  const std::string unit = recording_.unit(path);
  const std::size_t width = suffixes.size();
  for (std::size_t row = 0; row < names.size(); ++row)
    for (std::size_t k = 0; k < width; ++k)
      columns_[names[row] + suffixes[k]] = {path, row * width + k, names.size() * width, unit};
}

void RecordedNames::add_singles(const std::string& group, const std::string& prefix) {
  const Hdf5File& file = recording_.file();
  if (!file.exists(group)) return;
  for (const std::string& name : file.members(group)) {
    const std::string path = group + "/" + name;
    const std::string unit = recording_.unit(path);
    columns_[prefix + name] = {path, 0, 1, unit == "SI" ? "" : unit};
  }
}

const std::vector<double>& RecordedNames::dataset(const std::string& path) const {
  const auto [at, fresh] = kept_.try_emplace(path);
  if (fresh) at->second = recording_.file().read(path);
  return at->second;
}

std::vector<double> RecordedNames::series(const Column& column) const {
  const std::vector<double>& all = dataset(column.path);
  std::vector<double> values;
  for (std::size_t i = 0; i < times_.size(); ++i) values.push_back(all[i * column.stride + column.first]);
  return values;
}

std::optional<ExpressionValue> RecordedNames::find(const std::string& name, Reduction reduction) const {
  if (name == "t") return ExpressionValue{true, times_};
  for (const std::string& word : {name, bare(name)})
    if (const auto at = columns_.find(word); at != columns_.end()) return ExpressionValue{true, series(at->second)};
  const std::string word = bare(name);
  if (word.ends_with(".force") && columns_.contains(word + "_x")) {
    std::vector<double> size(times_.size(), 0.0);
    for (const char* axis : {"_x", "_y", "_z"}) {
      const std::vector<double> part = series(columns_.at(word + axis));
      for (std::size_t i = 0; i < size.size(); ++i) size[i] = std::hypot(size[i], part[i]);
    }
    return ExpressionValue{true, size};
  }
  if (name.starts_with("stats.") && recording_.file().exists("/stats/" + name.substr(6))) {
    const std::vector<double>&t = dataset("/stats/t"), &all = dataset("/stats/" + name.substr(6));
    std::vector<double> values;
    for (const double time : times_) {
      const auto at = std::upper_bound(t.begin(), t.end(), time * (1.0 + 1e-12));
      values.push_back(at == t.begin() ? std::numeric_limits<double>::quiet_NaN()
                                       : all[static_cast<std::size_t>(at - t.begin()) - 1]);
    }
    return ExpressionValue{true, values};
  }
  return contact_value(word, reduction);
}

std::optional<ExpressionValue> RecordedNames::contact_value(const std::string& name, Reduction reduction) const {
  for (const char* what : {"gap", "impulse_normal", "impulse_tangential"}) {
    const std::string ending = std::string(".") + what;
    if (name != what && !name.ends_with(ending)) continue;
    const std::string pattern = name == what ? "" : name.substr(0, name.size() - ending.size());
    const auto& names = std::string(what) == "gap" ? gap_names_ : contacts_;
    const auto count = std::count_if(names.begin(), names.end(),
                                     [&](const std::string& contact) { return belongs(contact, pattern); });
    if (count == 0) return std::nullopt;
    if (count > 1 && reduction == Reduction::none)
      throw ExpressionError(fmt::format("'{}' means {} contacts", name, count), 0,
                            "put them together: min, max, sum or mean");
    if (std::string(what) == "gap") return ExpressionValue{true, gaps(pattern, reduction)};
    return ExpressionValue{true, impulses(pattern, std::string(what) == "impulse_normal")};
  }
  return std::nullopt;
}

std::vector<double> RecordedNames::gaps(const std::string& pattern, Reduction reduction) const {
  const std::vector<double>& all = dataset("/gap/value");
  std::vector<double> values, one;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    one.clear();
    for (std::size_t k = 0; k < gap_names_.size(); ++k)
      if (belongs(gap_names_[k], pattern)) one.push_back(all[i * gap_names_.size() + k]);
    values.push_back(combine(one, reduction == Reduction::none ? Reduction::min : reduction));
  }
  return values;
}

// What the steps since the last sample add up to.
std::vector<double> RecordedNames::impulses(const std::string& pattern, bool normal) const {
  const auto column = [&](const char* name) {
    const auto [at, fresh] = kept_.try_emplace(std::string("contact ") + name);
    if (fresh) at->second = recording_.contacts(name);
    return at->second;
  };
  const auto t = column("t"), contact = column("contact"), first = column(normal ? "pn" : "pt1"),
             second = column("pt2");
  std::vector<double> sums(times_.size(), 0.0);
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (!belongs(contacts_[static_cast<std::size_t>(contact[i])], pattern)) continue;
    const auto sample = std::lower_bound(times_.begin(), times_.end(), t[i] * (1.0 - 1e-12)) - times_.begin();
    if (sample < static_cast<std::ptrdiff_t>(sums.size()))
      sums[static_cast<std::size_t>(sample)] += normal ? first[i] : std::hypot(first[i], second[i]);
  }
  return sums;
}

std::vector<std::string> RecordedNames::known() const {
  std::vector<std::string> names = {"t"};
  for (const auto& entry : columns_) names.push_back(entry.first);
  for (const std::string& gap : gap_names_) names.push_back(gap + ".gap");
  if (!contacts_.empty()) names.emplace_back("contact.impulse_normal");
  if (recording_.file().exists("/stats"))
    for (const std::string& name : recording_.file().members("/stats")) names.push_back("stats." + name);
  return names;
}

std::string RecordedNames::unit(const std::string& name) const {
  if (name == "t") return "s";
  for (const std::string& word : {name, bare(name)})
    if (const auto at = columns_.find(word); at != columns_.end()) return at->second.unit;
  if (name.ends_with(".gap")) return "m";
  if (name.ends_with(".impulse_normal") || name.ends_with(".impulse_tangential")) return "N s";
  if (name.ends_with(".force")) return "N";
  return {};
}

}  // namespace carom::inline io
