#include "carom/io/result_recorder.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <limits>
#include <system_error>

#include "carom/base/errors.h"
#include "carom/base/version.h"
#include "carom/io/channel_recorder.h"
#include "carom/io/checkpoint_file.h"
#include "carom/io/quantity_text.h"
#include "carom/system/far_contacts.h"

namespace carom::inline io {

namespace {

using Clock = std::chrono::steady_clock;
// Commits come every two seconds; where they take long, so rarely that they take a tenth of the time, but every ten
// seconds in any case, and before what is not committed grows too large.
constexpr std::chrono::seconds kLongestCommitInterval{10};
constexpr std::size_t kMostPendingBytes = 16u << 20;
// A commit writes the last chunk of every column as a whole: all of them together are no more than this.
constexpr std::size_t kMostChunkBytes = 32u << 20;

// The checkpoint of the last commit; those that stay have numbers.
constexpr const char* kLatest = "latest";

constexpr const char* kStatusWords = "0 open, 1 stick, 2 slip, 3 spin";  // ContactState
static_assert(static_cast<int>(ContactState::stick) == 1 && static_cast<int>(ContactState::spin) == 3);
enum EventKind : std::uint8_t { closes = 0, opens = 1 };
constexpr const char* kEventWords = "0 closes, 1 opens";

struct TableMember {
  const char* name;
  Hdf5Type type;
  const char* unit;
};
constexpr TableMember kContactMembers[] = {{"step", Hdf5Type::int64, "1"},
                                           {"t", Hdf5Type::float64, "s"},
                                           {"contact", Hdf5Type::uint32, "1"},
                                           {"gap", Hdf5Type::float64, "m"},
                                           {"vn_minus", Hdf5Type::float64, "m/s"},
                                           {"vn_plus", Hdf5Type::float64, "m/s"},
                                           {"vt1_minus", Hdf5Type::float64, "m/s"},
                                           {"vt2_minus", Hdf5Type::float64, "m/s"},
                                           {"vt1_plus", Hdf5Type::float64, "m/s"},
                                           {"vt2_plus", Hdf5Type::float64, "m/s"},
                                           {"spin_minus", Hdf5Type::float64, "rad/s"},
                                           {"spin_plus", Hdf5Type::float64, "rad/s"},
                                           {"pn", Hdf5Type::float64, "N s"},
                                           {"pt1", Hdf5Type::float64, "N s"},
                                           {"pt2", Hdf5Type::float64, "N s"},
                                           {"p_spin", Hdf5Type::float64, "N m s"},
                                           {"status", Hdf5Type::uint8, "1"},
                                           {"x", Hdf5Type::float64, "m"},
                                           {"y", Hdf5Type::float64, "m"},
                                           {"z", Hdf5Type::float64, "m"},
                                           {"px", Hdf5Type::float64, "N s"},
                                           {"py", Hdf5Type::float64, "N s"},
                                           {"pz", Hdf5Type::float64, "N s"}};
constexpr std::size_t kContactBytes = 8 + 4 + 20 * 8 + 1 + 4 * 4;  // and its cone
constexpr TableMember kEventMembers[] = {{"t", Hdf5Type::float64, "s"},
                                         {"kind", Hdf5Type::uint8, "1"},
                                         {"contact", Hdf5Type::uint32, "1"},
                                         {"value", Hdf5Type::float64, "N s"}};

template <std::size_t n>
Hdf5Rows make_table(Hdf5File& file, const std::string& path, const TableMember (&members)[n],
                    std::size_t expected_rows) {
  std::vector<Hdf5Rows::Member> list;
  std::string units;
  for (const TableMember& member : members) {
    list.push_back({member.name, member.type});
    units += fmt::format("{}{} [{}]", units.empty() ? "" : ", ", member.name, member.unit);
  }
  Hdf5Rows rows(file, path, list, expected_rows);
  file.set_attribute(path, "units", units);
  return rows;
}

// One packed row, member after member.
class Row {
 public:
  template <class T>
  Row& operator<<(T value) {
    std::memcpy(bytes_ + size_, &value, sizeof value);
    size_ += sizeof value;
    return *this;
  }
  const void* data() const { return bytes_; }

 private:
  char bytes_[192];
  std::size_t size_ = 0;
};

const char* to_word(Outcome outcome) {
  switch (outcome) {
    case Outcome::finished: return "finished";
    case Outcome::interrupted: return "interrupted";
    case Outcome::failed: return "failed";
  }
  return "";
}

struct Named {
  const char* name;
  const char* unit;
  const char* long_name;
};
constexpr Named kEnergies[] = {{"kinetic", "J", "kinetic energy"},
                               {"potential", "J", "potential energy"},
                               {"total", "J", "kinetic and potential energy"},
                               {"other_work", "J", "work of forces without potential since the start"},
                               {"impact_loss", "J", "taken by normal contact impulses since the start"},
                               {"friction_loss", "J", "taken by friction since the start"},
                               {"joint_loss", "J", "taken by joints since the start"},
                               {"scheme_residual", "J", "made (+) or lost (-) by the scheme itself since the start"}};
constexpr Named kStepNumbers[] = {{"t", "s", "end of the step"},
                                  {"dt", "s", "length of the step"},
                                  {"residual", "1", "worst residual of the contact solver"}};
constexpr Named kStepCounts[] = {{"newton_iterations", "1", "Newton iterations"},
                                 {"solver_iterations", "1", "iterations of the contact solver"},
                                 {"projection_iterations", "1", "iterations of the position projection"},
                                 {"index_set_iterations", "1", "passes of the active set"}};

std::string model_word(const Scenario& scenario) {
  return scenario.file.empty() ? scenario.name : std::filesystem::path(scenario.file).filename().string();
}

// The same model: a file of the same name, or the same text.
bool is_recording_of(const Scenario& scenario, const std::string& path) {
  try {
    const Hdf5File file = Hdf5File::open(path);
    if (!file.exists("/model/resolved")) return false;
    return file.text_attribute("/", "model") == model_word(scenario) ||
           (!scenario.source.empty() && file.exists("/model/source") &&
            file.read_texts("/model/source") == std::vector<std::string>{scenario.source});
  } catch (const std::system_error&) {
    return false;
  }
}

Hdf5File create_recording(const Scenario& scenario, const std::string& path, Replace replace) {
  check_replaceable(path, replace, "recording of " + model_word(scenario),
                    [&] { return is_recording_of(scenario, path); });
  return Hdf5File::create(path);
}

}  // namespace

ResultRecorder::~ResultRecorder() {
  try {
    if (ended_ && std::uncaught_exceptions() == 0) commit();  // never concluded
  } catch (const std::system_error&) {
  }
  file_.seal();
}

ResultRecorder::ResultRecorder(const Scenario& scenario, const std::string& path, Replace replace)
    : ResultRecorder(scenario, create_recording(scenario, path, replace), "") {}

ResultRecorder::ResultRecorder(const Scenario& scenario, const std::string& path, const GoOn& go_on)
    : ResultRecorder(scenario, Hdf5File::reopen(path), go_on.checkpoint) {}

ResultRecorder::ResultRecorder(const Scenario& scenario, Hdf5File file, std::string go_on_from)
    : scenario_(scenario),
      file_(std::move(file)),
      scene_(scenario.model.drawing.get()),
      measured_(scenario),
      signals_(*scenario.model.system, scenario.model.initial, formula_context(scenario)),
      go_on_from_(std::move(go_on_from)) {
  measured_.need(scenario.measures);
  measured_.need(scenario.expectations);
  const double span = scenario.simulation.t_end - scenario.model.initial.t;
  expected_steps_ = static_cast<std::size_t>(std::clamp(span / scenario.simulation.step + 2.0, 2.0, 1e9));
  const double every = std::max(scenario.output.fields_every, scenario.simulation.step);
  expected_samples_ = static_cast<std::size_t>(std::clamp(span / every + 2.0, 2.0, 1e9));
  for (const NamedExpression& signal : scenario.signals) signals_.need(signal.expression);
}

void ResultRecorder::begin(const System& system, const State& start) {
  start_t_ = last_t_ = start.t;
  write_header();
  make_columns(system, start);
  Auditor auditor;
  auditor.begin(system, start, last_audit_);
  sample({start, nullptr, last_audit_, auditor});
  measured_.begin(system, start);
  record_measured();
  keep_checkpoint({start, {}, auditor.memory(), {}});
  commit();
  next_commit_ = Clock::now() + commit_interval_;  // the first, which makes everything, tells nothing about the next
}

// The header and the columns are made as in begin(): what is there already is found, and cut to what the checkpoint
// knew.
void ResultRecorder::resume(const System& system, const Checkpoint& checkpoint, const Auditor& auditor) {
  start_t_ = scenario_.model.initial.t;
  last_t_ = checkpoint.state.t;
  last_audit_ = checkpoint.audit.last;
  auditor_ = &auditor;
  if (file_.has_attribute("/", "wall_seconds")) seconds_before_ = file_.number_attribute("/", "wall_seconds");
  write_header();
  make_columns(system, scenario_.model.initial);
  restore(go_on_from_);
  sample_due(checkpoint.state.t);
  for (const std::string& name : file_.members("/checkpoint"))
    if (name != kLatest) checkpoints_.push_back("/checkpoint/" + name);
  if (!checkpoints_.empty())
    checkpoint_count_ = 1 + std::stol(checkpoints_.back().substr(std::string("/checkpoint/").size()));
  commit();
}

void ResultRecorder::step(const System& system, const StepView& view) {
  if (!view.auditor) throw LogicError("ResultRecorder needs the audit");
  so_far_ = &view.so_far;
  last_t_ = view.result.next.t;
  const Moment moment{view.result.next, &view.result, view.audit, *view.auditor, &view.before};
  record_stats(view);
  record_joints(view);
  scene_.step(view);
  record_contacts(system, view);
  sampled_ = sample_due(view.result.next.t);
  if (sampled_) {
    sample(moment);
  } else {
    signals_.pass(moment);
  }
  last_audit_ = view.audit;
  auditor_ = view.auditor;
  measured_.step(system, view);
  record_measured();
  const double every = scenario_.output.checkpoint_every;
  if (every > 0.0 && view.result.next.t >= start_t_ + every * static_cast<double>(next_checkpoint_)) {
    ++next_checkpoint_;
    keep_checkpoint(checkpoint_of(view));
  }
  if (pending_bytes_ > kMostPendingBytes || Clock::now() > next_commit_) {
    save(std::string("/checkpoint/") + kLatest, checkpoint_of(view));
    commit();
  }
}

// The checkpoint comes before the last sample: a run that goes on to a later end has none there.
void ResultRecorder::end(const System&, const State& last) {
  if (so_far_) keep_checkpoint({last, *so_far_, auditor_->memory(), {}});
  if (file_.exists(std::string("/checkpoint/") + kLatest)) file_.remove(std::string("/checkpoint/") + kLatest);
  if (!sampled_) sample({last, nullptr, last_audit_, *auditor_});
  ended_ = true;  // conclude() commits: one commit less is seen in short runs
}

void ResultRecorder::conclude(const SimulationSummary& summary, double wall_seconds,
                              const std::vector<Measurement>& measures, const std::vector<Verdict>& verdicts) {
  file_.set_attribute("/", "outcome", std::string(to_word(summary.outcome)));
  if (!summary.advice.empty()) file_.set_attribute("/", "advice", summary.advice);
  file_.set_attribute("/", "steps", std::int64_t{summary.steps});
  file_.set_attribute("/", "failed_steps", std::int64_t{summary.failed_steps});
  file_.set_attribute("/", "halvings", std::int64_t{summary.halvings});
  file_.set_attribute("/", "proceeded_steps", std::int64_t{summary.proceeded_steps});
  file_.set_attribute("/", "contradicting_steps", std::int64_t{summary.contradicting_steps});
  file_.set_attribute("/", "worst_contradiction", summary.worst_contradiction);
  file_.set_attribute("/", "wall_seconds", seconds_before_ + wall_seconds);
  write_judgement(summary.judgement);
  write_outcomes(measures, verdicts);
  ended_ = false;
  commit();
}

// One row a finding, column after column.
void ResultRecorder::write_judgement(const Judgement& judgement) {
  if (!judgement.judged) return;
  const std::string group = "/judgement";
  file_.set_attribute(group, "sound", std::int64_t{judgement.sound()});
  const auto texts = [&](const char* name, const auto& of) {
    std::vector<std::string> column;
    for (const Finding& finding : judgement.findings) column.emplace_back(of(finding));
    file_.write_texts(group + "/" + name, column);
  };
  texts("flaw", [](const Finding& f) { return to_word(f.flaw); });
  texts("name", [](const Finding& f) { return f.name; });
  texts("text", [](const Finding& f) { return to_text(f); });
  const auto numbers = [&](const char* name, double Finding::*of) {
    std::vector<double> column;
    for (const Finding& finding : judgement.findings) column.push_back(finding.*of);
    file_.write(group + "/" + name, column.data(), column.size());
  };
  numbers("t", &Finding::t);
  numbers("value", &Finding::value);
  numbers("share", &Finding::share);
  numbers("limit", &Finding::limit);
  std::vector<std::uint64_t> counts;
  for (const Finding& finding : judgement.findings) counts.push_back(static_cast<std::uint64_t>(finding.count));
  file_.write(group + "/count", counts);
}

void ResultRecorder::write_outcomes(const std::vector<Measurement>& measures, const std::vector<Verdict>& verdicts) {
  const auto texts = [&](const std::string& path, const auto& list, const auto& of) {
    std::vector<std::string> column;
    for (const auto& item : list) column.emplace_back(of(item));
    file_.write_texts(path, column);
  };
  texts("/measure/name", measures, [](const Measurement& m) { return m.name; });
  std::vector<double> values;
  for (const Measurement& measure : measures)
    values.push_back(measure.value.value_or(std::numeric_limits<double>::quiet_NaN()));
  file_.write("/measure/value", values.data(), values.size());
  texts("/expectation/name", verdicts, [](const Verdict& v) { return v.name; });
  texts("/expectation/formula", verdicts, [](const Verdict& v) { return v.formula; });
  texts("/expectation/verdict", verdicts, [](const Verdict& v) {
    return v.kind == Verdict::Kind::ok ? "ok" : v.kind == Verdict::Kind::broken ? "broken" : "not judged";
  });
  texts("/expectation/why", verdicts, [](const Verdict& v) { return v.why; });
}

void ResultRecorder::write_header() {
  const BuildInfo& build = build_info();
  file_.set_attribute("/", "format", std::int64_t{3});
  file_.set_attribute("/", "carom", std::string(build.version));
  file_.set_attribute("/", "commit", std::string(build.commit));
  file_.set_attribute("/", "compiler", std::string(build.compiler));
  if (go_on_from_.empty())
    file_.set_attribute("/", "created", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))));
  file_.set_attribute("/", "model", model_word(scenario_));
  file_.set_attribute("/", "model_file", scenario_.file);
  file_.set_attribute("/", "title", scenario_.title);
  file_.set_attribute("/", "outcome", std::string("running"));
  file_.remove_attribute("/", "advice");
  if (!scenario_.source.empty()) file_.write_text("/model/source", scenario_.source);
  file_.write_text("/model/resolved", resolved_json(scenario_));
  file_.make_group("/options");
  file_.set_attribute("/options", "scheme", scenario_.simulation.scheme);
  file_.set_attribute("/options", "solver", scenario_.simulation.solver);
  file_.set_attribute("/options", "step", scenario_.simulation.step);
  file_.set_attribute("/options", "t_end", scenario_.simulation.t_end);
  std::vector<std::string> warnings;
  for (const InputProblem& warning : scenario_.warnings)
    warnings.push_back(fmt::format("{}: {}", warning.code, warning.message));
  file_.write_texts("/model/warnings", warnings);
  file_.make_group("/judgement");
  const JudgementLimits& limits = scenario_.simulation.limits;
  file_.set_attribute("/judgement", "limit_energy", limits.energy);
  file_.set_attribute("/judgement", "limit_penetration", limits.penetration);
  file_.set_attribute("/judgement", "limit_play", limits.play);
  file_.set_attribute("/judgement", "limit_joint_error", limits.joint_error);
}

void ResultRecorder::make_columns(const System& system, const State& start) {
  using enum Hdf5Type;
  time_ = Hdf5Rows(file_, "/time", float64, {}, expected_samples_, {"s", "time", "state"});
  make_state_columns(system);
  make_joint_columns(system, start);
  make_gap_columns(system, start);
  make_sensor_columns(system);
  scene_.begin(file_, system, joints_, expected_samples_);
  sample_bytes_ += scene_.sample_bytes();
  for (const Named& energy : kEnergies)
    energy_.push_back(Hdf5Rows(file_, std::string("/energy/") + energy.name, float64, {}, expected_samples_,
                               {energy.unit, energy.long_name, "state"}));
  for (const Named& number : kStepNumbers)
    stats_.push_back(Hdf5Rows(file_, std::string("/stats/") + number.name, float64, {}, expected_steps_,
                              {number.unit, number.long_name, "state"}));
  for (const Named& count : kStepCounts)
    stats_.push_back(Hdf5Rows(file_, std::string("/stats/") + count.name, int32, {}, expected_steps_,
                              {count.unit, count.long_name, "state"}));
  for (const NamedExpression& signal : scenario_.signals)
    signal_rows_.push_back(Hdf5Rows(file_, "/signal/" + signal.name, float64, {}, expected_samples_,
                                    {"SI", signal.expression.text(), "state"}));
  if (!measured_.channels().empty()) {
    const std::vector<std::string> names = measured_.channels().kept();
    file_.write_texts("/measured/names", names);
    measured_rows_ =
        Hdf5Rows(file_, "/measured/values", float64, {names.size()}, expected_steps_,
                 {"SI", "what measures and expectations ask for: at the start and after every step", "state"});
  }
  make_contact_tables();
}

void ResultRecorder::make_state_columns(const System& system) {
  sample_bytes_ = sizeof(double) * static_cast<std::size_t>(system.nq() + system.nv());
  const std::size_t most = std::max<std::size_t>(1, kMostChunkBytes / std::max<std::size_t>(1, sample_bytes_));
  const std::size_t chunks = (expected_samples_ + most - 1) / most;
  const std::size_t chunk = (expected_samples_ + chunks - 1) / chunks;  // the last one is as full as the others
  const Layout layout = layout_of(system);
  for (const Pool& pool : layout.pools()) file_.write_texts(pool.path + "/names", pool.names);
  for (const Field& field : layout.fields()) {
    std::vector<std::size_t> extents;
    if (field.pooled) extents.push_back(static_cast<std::size_t>(field.rows));
    if (field.width > 1) extents.push_back(static_cast<std::size_t>(field.width));
    state_.push_back(
        {field, Hdf5Rows(file_, field.path, Hdf5Type::float64, extents, chunk, {field.unit, field.meaning, "state"})});
    row_.resize(std::max(row_.size(), static_cast<std::size_t>(field.size())));
  }
}

void ResultRecorder::make_joint_columns(const System& system, const State& start) {
  ContactSet contacts;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  std::vector<std::string> names;
  std::vector<int> rows;
  std::vector<double> lengths;
  for (const Constraint& constraint : contacts.constraints) {
    if (!constraint.bilateral) continue;
    joints_.push_back(constraint.id);
    names.push_back(system.constraint_name(constraint));
    rows.push_back(static_cast<int>(constraint.law->dim()));
    lengths.push_back(constraint.length_scale);
    joint_width_ = std::max(joint_width_, static_cast<std::size_t>(constraint.law->dim()));
  }
  if (joints_.empty()) return;
  const double none = std::numeric_limits<double>::quiet_NaN();  // no step yet; rows a joint does not have
  reactions_.assign(joints_.size() * joint_width_, none);
  powers_.assign(joints_.size(), none);
  file_.write_texts("/joint/names", names);
  file_.write_integers("/joint/rows", rows);
  file_.set_attribute("/joint/rows", "long_name", std::string("how many entries of a reaction belong to the joint"));
  file_.write("/joint/length", lengths.data(), lengths.size());
  file_.set_attribute("/joint/length", "unit", std::string("m"));
  file_.set_attribute("/joint/length", "long_name",
                      std::string("a reaction times this is a moment, where a row holds a direction"));
  reaction_rows_ = Hdf5Rows(
      file_, "/joint/reaction", Hdf5Type::float64, {joints_.size(), joint_width_}, expected_samples_,
      {"N", "mean over the step that ends here, in the rows of the joint; moments over /joint/length", "force"});
  driven_ = !system.constancy().autonomous;
  if (driven_)
    power_rows_ = Hdf5Rows(file_, "/joint/power", Hdf5Type::float64, {joints_.size()}, expected_samples_,
                           {"W", "put in by the drive of the joint, mean over the step that ends here", "power"});
  sample_bytes_ += sizeof(double) * (reactions_.size() + (driven_ ? powers_.size() : 0));
}

// Of contacts that come and go there is no gap in every sample: a pile has too many, and most are far.
void ResultRecorder::make_gap_columns(const System& system, const State& start) {
  constexpr std::size_t most = 64;
  ContactSet contacts;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  std::vector<std::string> names;
  for (const Constraint& constraint : contacts.constraints) {
    const bool always = system.constancy().contacts || constraint.clearance > 0.0;
    if (constraint.bilateral || constraint.position_rows == 0 || !always || watched_.size() >= most) continue;
    watched_.push_back(constraint.id);
    names.push_back(system.constraint_name(constraint));
  }
  if (watched_.empty()) return;
  gaps_.resize(watched_.size());
  file_.write_texts("/gap/names", names);
  gap_rows_ = Hdf5Rows(file_, "/gap/value", Hdf5Type::float64, {watched_.size()}, expected_samples_,
                       {"m", "of contacts that are looked at in every step", "gap"});
  sample_bytes_ += sizeof(double) * gaps_.size();
}

void ResultRecorder::make_sensor_columns(const System& system) {
  if (scenario_.sensors.empty()) return;
  sensors_ = SensorReadings(layout_of(system), scenario_.sensors);
  file_.write_texts("/sensor/names", sensors_.names());
  sensor_positions_ = Hdf5Rows(file_, "/sensor/position", Hdf5Type::float64, {sensors_.size(), 3}, expected_samples_,
                               {"m", "of the point in the world", "state"});
  sensor_velocities_ = Hdf5Rows(file_, "/sensor/velocity", Hdf5Type::float64, {sensors_.size(), 3}, expected_samples_,
                                {"m/s", "of the point in the world", "state"});
  sample_bytes_ += 2 * sizeof(double) * sensors_.positions().size();
}

void ResultRecorder::make_contact_tables() {
  contact_table_ = make_table(file_, "/contact/table", kContactMembers, expected_steps_);
  file_.set_attribute("/contact/table", "status", std::string(kStatusWords));
  file_.set_attribute("/contact/table", "contact", std::string("row of /contact/names"));
  // A file of an older version that is gone on with has none.
  if (scene_.draws() && (go_on_from_.empty() || file_.exists("/contact/cone")))
    contact_cones_ = Hdf5Rows(file_, "/contact/cone", Hdf5Type::float32, {4}, expected_steps_,
                              {"1", "normal in the world, coefficient of friction; a row for each of table", "state"});
  if (file_.exists("/contact/names")) known_contact_names_ = file_.read_texts("/contact/names");
  if (known_contact_names_.empty()) file_.write_texts("/contact/names", {});
  events_ = make_table(file_, "/event/table", kEventMembers, 256);
  file_.set_attribute("/event/table", "kind", std::string(kEventWords));
  file_.set_attribute("/event/table", "value", std::string("normal impulse of the step (N s)"));
}

bool ResultRecorder::sample_due(double t) {
  const double every = scenario_.output.fields_every;
  if (every <= 0.0) return true;
  const double rounding = 1e-6 * scenario_.simulation.step;
  bool due = false;
  while (t >= start_t_ + every * static_cast<double>(next_sample_) - rounding) {
    due = true;
    ++next_sample_;
  }
  return due;
}

void ResultRecorder::sample(const Moment& moment) {
  time_.append(moment.state.t);
  for (StateColumn& column : state_) {
    column.field.copy(moment.state, row_.data());
    column.rows.append(static_cast<const void*>(row_.data()));
  }
  if (!joints_.empty()) reaction_rows_.append(static_cast<const void*>(reactions_.data()));
  if (driven_) power_rows_.append(static_cast<const void*>(powers_.data()));
  if (!watched_.empty()) {
    for (std::size_t k = 0; k < watched_.size(); ++k) {
      const double gap = moment.auditor.gap_of(watched_[k]);
      gaps_[k] = std::isfinite(gap) ? gap : std::numeric_limits<double>::quiet_NaN();
    }
    gap_rows_.append(static_cast<const void*>(gaps_.data()));
  }
  scene_.sample(moment.state);
  if (sensors_.size() > 0) {
    sensors_.read(moment.state);
    sensor_positions_.append(static_cast<const void*>(sensors_.positions().data()));
    sensor_velocities_.append(static_cast<const void*>(sensors_.velocities().data()));
  }
  const Audit& sums = moment.auditor.audit();
  const double energies[] = {moment.energy.kinetic, moment.energy.potential, moment.energy.total(),
                             sums.other_work,       sums.impact_loss,        sums.friction_loss,
                             sums.joint_loss,       sums.scheme_residual};
  for (std::size_t i = 0; i < energy_.size(); ++i) energy_[i].append(energies[i]);
  signals_.sample(moment);
  pending_bytes_ += sample_bytes_;
}

void ResultRecorder::record_stats(const StepView& view) {
  const StepResult& r = view.result;
  const double numbers[] = {r.next.t, r.dt_taken, r.solver_residual};
  const std::int32_t counts[] = {r.newton_iterations, r.solver_iterations, r.projection_iterations,
                                 r.index_set_iterations};
  std::size_t k = 0;
  for (const double x : numbers) stats_[k++].append(x);
  for (const std::int32_t& n : counts) stats_[k++].append(static_cast<const void*>(&n));
  pending_bytes_ += sizeof numbers + sizeof counts;
}

void ResultRecorder::record_joints(const StepView& view) {
  if (joints_.empty()) return;
  const StepResult& r = view.result;
  // Broken joints carry nothing: not a number.
  std::fill(reactions_.begin(), reactions_.end(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    const StepContact& contact = r.contacts[i];
    if (!contact.constraint.bilateral) continue;
    const auto at = std::lower_bound(joints_.begin(), joints_.end(), contact.constraint.id);
    if (at == joints_.end() || *at != contact.constraint.id) continue;
    const auto joint = static_cast<std::size_t>(at - joints_.begin());
    for (Index k = 0; k < contact.constraint.law->dim(); ++k)
      reactions_[joint * joint_width_ + static_cast<std::size_t>(k)] = r.impulse[contact.row + k] / r.dt_taken;
    powers_[joint] = view.auditor->support_work(i) / r.dt_taken;
  }
}

void ResultRecorder::record_contacts(const System& system, const StepView& view) {
  const StepResult& r = view.result;
  loaded_now_.clear();
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    const StepContact& contact = r.contacts[i];
    const Constraint& constraint = contact.constraint;
    if (constraint.bilateral) continue;
    const Law& law = *constraint.law;
    const double *impulse = r.impulse.data() + contact.row, *minus = r.gamma_minus.data() + contact.row,
                 *plus = r.gamma_plus.data() + contact.row;
    double xi[Law::max_dim];
    law.impact_shift(minus, xi);
    for (Index k = 0; k < law.dim(); ++k) xi[k] += plus[k];
    const ContactState status = law.state(impulse, xi);
    const std::uint32_t number = contact_number(system, constraint);
    if (impulse[0] > 0.0) {
      loaded_now_[constraint.id] = number;
      if (!loaded_.contains(constraint.id)) record_event(r.next.t, closes, number, impulse[0]);
    }
    if (!scenario_.output.contacts) continue;
    const auto entry = [&](const double* values, Index k) { return k < law.dim() ? values[k] : 0.0; };
    // The spin row is a velocity and an impulse at the friction radius.
    const double radius = law.spin_radius();
    const auto spin = [&](const double* gamma) { return radius > 0.0 ? entry(gamma, 3) / radius : 0.0; };
    Row row;
    row << std::int64_t{view.step} << r.next.t << number << gap_at_end(system, view, constraint) << minus[0] << plus[0]
        << entry(minus, 1) << entry(minus, 2) << entry(plus, 1) << entry(plus, 2) << spin(minus) << spin(plus)
        << impulse[0] << entry(impulse, 1) << entry(impulse, 2) << radius * entry(impulse, 3)
        << static_cast<std::uint8_t>(status);
    for (const Vector3* place : {&scene_.action(i).point, &scene_.action(i).impulse})
      for (const double x : *place) row << x;
    contact_table_.append(row.data());
    if (contact_cones_.is_open()) {
      const Vector3& n = scene_.normal(i);
      const float cone[4] = {static_cast<float>(n[0]), static_cast<float>(n[1]), static_cast<float>(n[2]),
                             static_cast<float>(law.friction())};
      contact_cones_.append(static_cast<const void*>(cone));
    }
    pending_bytes_ += kContactBytes;
  }
  for (const auto& [id, number] : loaded_)
    if (!loaded_now_.contains(id)) record_event(r.next.t, opens, number, 0.0);
  std::swap(loaded_, loaded_now_);
}

// A contact that stopped a body some way before it met (a step acts on what it will reach) is not near any more once
// the body rests.
double ResultRecorder::gap_at_end(const System& system, const StepView& view, const Constraint& constraint) {
  const double gap = view.auditor->gap_of(constraint.id);
  if (std::isfinite(gap)) return gap;
  if (const FarContacts* far = system.far_contacts(); far && constraint.record >= 0)
    return far->gap(view.result.next.t, view.result.next.q, constraint);
  gone_.constraints.assign(1, constraint);
  one_.reset(gone_);
  one_.add(0);
  const State& end = view.result.next;
  system.evaluate(end.t, end.q, end.v, Need::gap, one_, at_end_);
  return at_end_.g[0];
}

void ResultRecorder::record_event(double t, std::uint8_t kind, std::uint32_t contact, double impulse) {
  Row row;
  row << t << kind << contact << impulse;
  events_.append(row.data());
}

std::uint32_t ResultRecorder::contact_number(const System& system, const Constraint& constraint) {
  const auto [it, fresh] =
      contact_numbers_.try_emplace(constraint.id, static_cast<std::uint32_t>(contact_names_.size()));
  if (fresh) contact_names_.push_back(system.constraint_name(constraint));
  return it->second;
}

void ResultRecorder::record_measured() {
  if (measured_.channels().empty()) return;
  measured_.channels().last_sample(measured_row_);
  measured_rows_.append(static_cast<const void*>(measured_row_.data()));
  pending_bytes_ += sizeof(double) * measured_row_.size();
}

void ResultRecorder::keep_checkpoint(const Checkpoint& checkpoint) {
  checkpoints_.push_back(fmt::format("/checkpoint/{:06}", checkpoint_count_++));
  save(checkpoints_.back(), checkpoint);
  while (checkpoints_.size() > static_cast<std::size_t>(scenario_.output.checkpoint_keep)) {
    file_.remove(checkpoints_.front());
    checkpoints_.erase(checkpoints_.begin());
  }
}

// With what this recorder itself must know to go on there: how many rows there are, and what it remembers of contacts
// and joints.
void ResultRecorder::save(const std::string& group, const Checkpoint& checkpoint) {
  write_checkpoint(file_, group, checkpoint);
  const auto number = [&](const char* name, std::size_t n) {
    file_.set_attribute(group, name, static_cast<std::int64_t>(n));
  };
  number("samples", time_.rows());
  number("contact_rows", contact_table_.rows());
  number("event_rows", events_.rows());
  number("next_checkpoint", static_cast<std::size_t>(next_checkpoint_));
  number("sampled", sampled_);
  std::vector<std::uint64_t> pairs(contact_names_.size()), features(contact_names_.size()), loaded;
  for (const auto& [id, k] : contact_numbers_) {
    pairs[k] = id.pair;
    features[k] = id.features;
  }
  for (const auto& [id, k] : loaded_) loaded.push_back(k);
  const std::string recorder = group + "/recorder";
  file_.write(recorder + "/contact", pairs);
  file_.write(recorder + "/contact_features", features);
  file_.write(recorder + "/loaded", loaded);
  file_.write(recorder + "/reaction", reactions_.data(), reactions_.size());
  file_.write(recorder + "/power", powers_.data(), powers_.size());
  const std::vector<double> signals = signals_.memory(), measured = measured_.channels().memory(),
                            scene = scene_.memory();
  file_.write(recorder + "/scene", scene.data(), scene.size());
  file_.write(recorder + "/signals", signals.data(), signals.size());
  file_.write(recorder + "/measured", measured.data(), measured.size());
}

void ResultRecorder::restore(const std::string& group) {
  const auto number = [&](const char* name) { return static_cast<std::size_t>(file_.number_attribute(group, name)); };
  const std::size_t samples = number("samples"), steps = number("step");
  time_.keep(samples);
  for (StateColumn& column : state_) column.rows.keep(samples);
  for (Hdf5Rows* rows : {&reaction_rows_, &power_rows_, &gap_rows_, &sensor_positions_, &sensor_velocities_})
    if (rows->is_open()) rows->keep(samples);
  for (auto* rows : {&energy_, &signal_rows_})
    for (Hdf5Rows& column : *rows) column.keep(samples);
  for (Hdf5Rows& column : stats_) column.keep(steps);
  contact_table_.keep(number("contact_rows"));
  if (contact_cones_.is_open()) contact_cones_.keep(number("contact_rows"));
  events_.keep(number("event_rows"));
  next_checkpoint_ = static_cast<long>(number("next_checkpoint"));
  sampled_ = number("sampled") != 0;

  const std::string recorder = group + "/recorder";
  const auto pairs = file_.read_ids(recorder + "/contact"), features = file_.read_ids(recorder + "/contact_features");
  contact_names_ = known_contact_names_;
  contact_names_.resize(pairs.size());
  std::vector<ConstraintId> ids;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    ids.push_back({pairs[k], features.at(k)});
    contact_numbers_[ids.back()] = static_cast<std::uint32_t>(k);
  }
  contact_names_written_ = known_contact_names_.size();
  for (const std::uint64_t k : file_.read_ids(recorder + "/loaded")) loaded_[ids.at(k)] = static_cast<std::uint32_t>(k);
  const std::vector<double> reactions = file_.read(recorder + "/reaction"), powers = file_.read(recorder + "/power");
  if (reactions.size() == reactions_.size()) reactions_ = reactions;
  if (powers.size() == powers_.size()) powers_ = powers;
  signals_.take_memory(file_.read(recorder + "/signals"));
  scene_.resume(samples, file_.read(recorder + "/scene"));
  if (!measured_.channels().empty()) {
    measured_rows_.keep(steps + 1);
    measured_.take(file_.read("/measured/values"), file_.read(recorder + "/measured"));
  }
}

void ResultRecorder::evaluate_signals() {
  for (std::size_t i = 0; i < signal_rows_.size(); ++i) {
    const std::size_t pending = time_.rows() - signal_rows_[i].rows();
    const ExpressionValue value = scenario_.signals[i].expression.evaluate(signals_, Expression::Scope::instant);
    for (std::size_t k = 0; k < pending; ++k) signal_rows_[i].append(value[k]);
  }
  signals_.clear();
}

// One state of the whole file: all columns of the same length, and the newest checkpoint.
void ResultRecorder::commit() {
  const Clock::time_point begin = Clock::now();
  evaluate_signals();
  time_.write_pending();
  for (StateColumn& column : state_) column.rows.write_pending();
  reaction_rows_.write_pending();
  power_rows_.write_pending();
  gap_rows_.write_pending();
  scene_.write_pending();
  sensor_positions_.write_pending();
  sensor_velocities_.write_pending();
  for (auto* group : {&energy_, &stats_, &signal_rows_})
    for (Hdf5Rows& rows : *group) rows.write_pending();
  contact_table_.write_pending();
  contact_cones_.write_pending();
  events_.write_pending();
  measured_rows_.write_pending();
  if (contact_names_.size() != contact_names_written_) {
    file_.write_texts("/contact/names", contact_names_);
    contact_names_written_ = contact_names_.size();
  }
  try {
    file_.commit();
  } catch (const std::system_error& error) {
    if (committed_t_ < start_t_) throw;
    throw std::system_error(error.code(), fmt::format("'{}' is whole up to t = {}, but could not be written further",
                                                      file_.path(), with_prefix(committed_t_, "s")));
  }
  committed_t_ = last_t_;
  pending_bytes_ = 0;
  const Clock::time_point end = Clock::now();
  next_commit_ =
      end + std::clamp<Clock::duration>(commit_share_ * (end - begin), commit_interval_, kLongestCommitInterval);
}

State read_checkpoint(const std::string& path) {
  const Hdf5File file = Hdf5File::open(path);
  return read_checkpoint(file, newest_checkpoint(file)).state;
}

}  // namespace carom::inline io
