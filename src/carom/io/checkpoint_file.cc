#include "carom/io/checkpoint_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <system_error>
#include <type_traits>

namespace carom::inline io {

namespace {

using Json = nlohmann::json;

// JSON knows no number that is not finite.
Json to_json(double x) {
  return std::isfinite(x) ? Json(x) : std::isnan(x) ? Json("nan") : Json(x > 0 ? "inf" : "-inf");
}
void from_json(const Json& json, double& x) {
  x = json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

// Every struct names its members once, in one list of bindings: a member that is added and forgotten here does not
// compile.
template <class Archive>
void fields(Archive& a, StepAudit& x) {
  auto& [kinetic, potential, other_work, impact_loss, friction_loss, joint_loss, scheme_residual] = x;
  a(kinetic, potential, other_work, impact_loss, friction_loss, joint_loss, scheme_residual);
}
template <class Archive>
void fields(Archive& a, DeepestGap& x) {
  auto& [gap, t] = x;
  a(gap, t);
}
template <class Archive>
void fields(Archive& a, ConstraintId& x) {
  auto& [pair, features] = x;
  a(pair, features);
}
template <class Archive>
void fields(Archive& a, Penetration& x) {
  auto& [id, deepest, element, first, second, feature] = x;
  a(id, deepest, element, first, second, feature);
}
template <class Archive>
void fields(Archive& a, EnergyRise& x) {
  auto& [value, t, by_law] = x;
  a(value, t, by_law);
}
template <class Archive>
void fields(Archive& a, WorstPosition& x) {
  auto& [share, value, t, name] = x;
  a(share, value, t, name);
}
template <class Archive>
void fields(Archive& a, EnergyLedger::Meter& x) {
  auto& [lowest, law_at_lowest] = x;
  a(lowest, law_at_lowest);
}
template <class Archive>
void fields(Archive& a, EnergyLedger& x) {
  auto& [total, scheme, by_law, by_scheme, kinetic, lowest_potential, highest_potential, throughput, floor] = x;
  a(total, scheme, by_law, by_scheme, kinetic, lowest_potential, highest_potential, throughput, floor);
}
template <class Archive>
void fields(Archive& a, LocatedEvent& x) {
  auto& [t, kind, name] = x;
  a(t, kind, name);
}
template <class Archive>
void fields(Archive& a, Audit& x) {
  auto& [has_energy, start_energy, end_energy, other_work, impact_loss, friction_loss, joint_loss, scheme_residual,
         largest_rise, largest_rise_time, penetrations, deepest_gap, deepest_time, deepest_name, joint_error,
         joint_error_time, normal_impulse, largest_normal_impulse, largest_normal_impulse_time,
         largest_normal_impulse_name, energy_scale, rise, scheme_rise, largest_law_gain, largest_law_gain_name,
         worst_penetration, worst_play, worst_joint, worst_missed, missed_contacts] = x;
  a(has_energy, start_energy, end_energy, other_work, impact_loss, friction_loss, joint_loss, scheme_residual,
    largest_rise, largest_rise_time, penetrations, deepest_gap, deepest_time, deepest_name, joint_error,
    joint_error_time, normal_impulse, largest_normal_impulse, largest_normal_impulse_time, largest_normal_impulse_name,
    energy_scale, rise, scheme_rise, largest_law_gain, largest_law_gain_name, worst_penetration, worst_play,
    worst_joint, worst_missed, missed_contacts);
}
template <class Archive>
void fields(Archive& a, AuditMemory& x) {
  auto& [audit, ledger, last, ahead, worst_joint, given_up] = x;
  a(audit, ledger, last, ahead, worst_joint, given_up);
}
// What is made at the end of a run (the last state, the judgement), and what ended it, is not remembered.
template <class Archive>
void fields(Archive& a, SimulationSummary& x) {
  auto& [outcome, failure, advice, failure_dt, unsolved, last, steps, impact_steps, failed_steps, halvings,
         proceeded_steps, newton_iterations, solver_iterations, projection_iterations, index_set_iterations,
         max_newton_iterations, max_solver_iterations, max_projection_iterations, max_index_set_iterations,
         worst_solver_residual, contradicting_steps, worst_contradiction, worst_contradiction_time, step_seconds,
         events, missed_halvings, audit, judgement] = x;
  a(steps, impact_steps, failed_steps, halvings, proceeded_steps, newton_iterations, solver_iterations,
    projection_iterations, index_set_iterations, max_newton_iterations, max_solver_iterations,
    max_projection_iterations, max_index_set_iterations, worst_solver_residual, contradicting_steps,
    worst_contradiction, worst_contradiction_time, step_seconds, events, missed_halvings);
}

// Values become lists, in the order of their fields.
class Writer {
 public:
  template <class... T>
  void operator()(T&... values) {
    (list_.push_back(write(values)), ...);
  }
  template <class T>
  static Json write(T& value) {
    if constexpr (std::is_same_v<T, double>) {
      return to_json(value);
    } else if constexpr (std::is_enum_v<T>) {
      return static_cast<int>(value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else {
      Writer writer;
      fields(writer, value);
      return std::move(writer.list_);
    }
  }
  template <class T>
  static Json write(std::vector<T>& values) {
    Json list = Json::array();
    for (T& value : values) list.push_back(write(value));
    return list;
  }

 private:
  Json list_ = Json::array();
};

class Reader {
 public:
  explicit Reader(const Json& list) : list_(list) {}
  template <class... T>
  void operator()(T&... values) {
    (read(list_.at(next_++), values), ...);
  }
  template <class T>
  static void read(const Json& json, T& value) {
    if constexpr (std::is_same_v<T, double>) {
      from_json(json, value);
    } else if constexpr (std::is_enum_v<T>) {
      value = static_cast<T>(json.get<int>());
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      json.get_to(value);
    } else {
      Reader reader(json);
      fields(reader, value);
    }
  }
  template <class T>
  static void read(const Json& json, std::vector<T>& values) {
    values.resize(json.size());
    for (std::size_t i = 0; i < values.size(); ++i) read(json[i], values[i]);
  }

 private:
  const Json& list_;
  std::size_t next_ = 0;
};

constexpr int kBooksFormat = 2;

}  // namespace

void write_checkpoint(Hdf5File& file, const std::string& group, const Checkpoint& checkpoint) {
  const State& state = checkpoint.state;
  if (file.exists(group)) file.remove(group);
  const auto put = [&](const char* name, const auto& values) {
    file.write(group + name, values.data(), static_cast<std::size_t>(values.size()));
  };
  put("/q", state.q);
  put("/v", state.v);
  put("/memory", state.memory);
  put("/inputs", checkpoint.inputs);
  std::vector<std::uint64_t> ids, features, counts;
  for (const ContactMemory::Entry& entry : state.impulses.entries()) {
    ids.push_back(entry.id.pair);
    features.push_back(entry.id.features);
    counts.push_back(static_cast<std::uint64_t>(entry.count));
  }
  file.write(group + "/impulse_constraint", ids);
  file.write(group + "/impulse_features", features);
  file.write(group + "/impulse_rows", counts);
  put("/impulse", state.impulses.values());
  file.set_attribute(group, "t", state.t);
  file.set_attribute(group, "step", std::int64_t{checkpoint.so_far.steps});
  Checkpoint copy = checkpoint;  // the lists of fields serve reading too
  const Json books = {kBooksFormat, Writer::write(copy.so_far), Writer::write(copy.audit)};
  file.write_text(group + "/books", books.dump(-1, ' ', false, Json::error_handler_t::replace));
}

Checkpoint read_checkpoint(const Hdf5File& file, const std::string& group) {
  Checkpoint checkpoint;
  State& state = checkpoint.state;
  const auto vector = [&](const char* name) {
    const std::vector<double> data = file.read(group + name);
    return Vector(ConstVectorMap(data.data(), static_cast<Eigen::Index>(data.size())));
  };
  state.t = file.number_attribute(group, "t");
  state.q = vector("/q");
  state.v = vector("/v");
  const std::vector<double> memory = file.read(group + "/memory");
  state.memory.resize(static_cast<Index>(memory.size()));
  std::copy(memory.begin(), memory.end(), state.memory.begin());
  const auto ids = file.read_ids(group + "/impulse_constraint");
  const auto features = file.read_ids(group + "/impulse_features");
  const auto counts = file.read_ids(group + "/impulse_rows");
  const std::vector<double> values = file.read(group + "/impulse");
  const auto broken = [&] {
    throw std::system_error(std::make_error_code(std::errc::io_error), file.path() + ": " + group + " is not whole");
  };
  if (features.size() != ids.size() || counts.size() != ids.size()) broken();
  std::size_t next = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (counts[i] > values.size() - next) broken();
    state.impulses.append({ids[i], features[i]}, values.data() + next, static_cast<Index>(counts[i]));
    next += counts[i];
  }
  if (!file.exists(group + "/books")) broken();
  checkpoint.inputs = file.read(group + "/inputs");
  try {
    const Json books = Json::parse(file.read_texts(group + "/books").at(0));
    if (books.at(0) != kBooksFormat) broken();
    Reader::read(books.at(1), checkpoint.so_far);
    Reader::read(books.at(2), checkpoint.audit);
  } catch (const Json::exception&) {
    broken();
  }
  return checkpoint;
}

std::string newest_checkpoint(const Hdf5File& file) {
  std::string newest;
  double most = -1.0;
  if (!file.exists("/checkpoint")) return newest;
  for (const std::string& name : file.members("/checkpoint")) {
    const double step = file.number_attribute("/checkpoint/" + name, "step");
    if (step >= most) newest = "/checkpoint/" + name;
    most = std::max(most, step);
  }
  return newest;
}

}  // namespace carom::inline io
