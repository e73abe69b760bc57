#include "carom/io/channels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "carom/base/names.h"
#include "carom/base/units.h"
#include "carom/io/joint_load.h"
#include "carom/io/tree_reactions.h"
#include "carom/system/far_contacts.h"

namespace carom::inline io {

namespace {

constexpr const char* kContactQuantities[] = {"gap", "impulse_normal", "impulse_tangential", "velocity_normal",
                                              "impacts"};
constexpr const char* kEnergies[] = {"total",         "kinetic",    "potential",  "impact_loss",
                                     "friction_loss", "joint_loss", "other_work", "scheme_residual"};
constexpr const char* kStats[] = {"newton_iterations",    "solver_iterations", "projection_iterations",
                                  "index_set_iterations", "residual",          "dt",
                                  "joint_error",          "joint_velocity"};

template <std::size_t n>
int index_of(const char* const (&words)[n], const std::string& word) {
  for (std::size_t i = 0; i < n; ++i)
    if (word == words[i]) return static_cast<int>(i);
  return -1;
}

std::string without_prefix(const std::string& name) {
  for (const char* prefix : {"body.", "joint.", "contact.", "coordinate.", "velocity."})
    if (name.starts_with(prefix)) return name.substr(std::string_view(prefix).size());
  return name;
}

bool begins_with_part(const std::string& name, const std::string& part) {
  return name == part || (name.starts_with(part) && name[part.size()] == '.');
}

// "guide" means guide.c1, "floor" means ball3-floor, "block-floor" means block.corner2-floor, "" means all.
bool matches(const std::string& constraint, const std::string& pattern) {
  if (pattern.empty() || begins_with_part(constraint, pattern)) return true;
  const std::size_t dash = constraint.find('-'), cut = pattern.find('-');
  if (dash == std::string::npos) return false;
  const std::string a = constraint.substr(0, dash), b = constraint.substr(dash + 1);
  if (cut == std::string::npos) return begins_with_part(a, pattern) || begins_with_part(b, pattern);
  const std::string x = pattern.substr(0, cut), y = pattern.substr(cut + 1);
  return (begins_with_part(a, x) && begins_with_part(b, y)) || (begins_with_part(a, y) && begins_with_part(b, x));
}

// The body or plane a pattern begins with.
std::string first_partner(const std::string& pattern) { return pattern.substr(0, pattern.find_first_of(".-")); }

// So many names are enough to see that a formula stands for several contacts.
constexpr std::size_t kMostNamed = 1000;

constexpr const char* kMotions[] = {"x", "y", "z", "vx", "vy", "vz", "spin_x", "spin_y", "spin_z", "rate", "angle"};
constexpr int kAngle = 10;

const char* to_word(Reduction reduction) {
  switch (reduction) {
    case Reduction::none: return "";
    case Reduction::min: return "min";
    case Reduction::max: return "max";
    case Reduction::sum: return "sum";
    case Reduction::mean: return "mean";
  }
  return "";
}

double combine(Reduction reduction, double a, double b) {
  if (reduction == Reduction::min) return std::min(a, b);
  if (reduction == Reduction::max) return std::max(a, b);
  return a + b;
}

}  // namespace

enum class Channels::Source { time, coordinate, velocity, contact, energy, stats, joint, load, body };

struct Channels::Channel {
  std::string name;
  Reduction reduction = Reduction::none;
  Source source = Source::time;
  int index = 0;                                   // which coordinate, energy, ...
  std::string pattern;                             // of contacts
  bool too_many = false;                           // contacts to be counted
  std::unordered_map<ConstraintId, bool> members;  // whether a constraint belongs, once it was seen
  bool adds_up = false;                            // impulses: unsampled steps are not lost
  double pending = 0.0;
  bool has_pending = false;
  std::set<ConstraintId> pushed = {};  // contacts that pushed in the last step
  const JointReading* joint = nullptr;
  std::optional<StateFrame> frame_a = {}, frame_b = {};
  Vector3 point = Vector3::Zero();  // in frame_a
  double last = 0.0;                // of an angle, turns counted
  std::optional<JointLoad> load = {};
  bool of_twin = false;  // the load
  std::vector<double> values;
};

Channels::~Channels() = default;

Channels::Channels(const System& system, const State& start, FormulaContext context)
    : system_(system), far_(system.far_contacts()), context_(std::move(context)), start_(start) {
  system.detect(start.t, start.q, start.v, 0.0, at_start_);
  if (far_)
    far_->visit(start.t, start.q, -1, [&](const Constraint& constraint, double) {
      far_element_ = static_cast<Index>(constraint.element);
      return false;
    });
}

void Channels::need(const Expression& expression) {
  for (const Expression::Reference& reference : expression.references()) {
    const auto same = [&](const auto& number) { return number.name == reference.name; };
    if (std::any_of(context_.numbers.begin(), context_.numbers.end(), same)) continue;
    if (const auto* named = signal(reference.name)) {
      if (&named->expression != &expression) need(named->expression);
      continue;
    }
    const auto kept = [&](const Channel& channel) {
      return channel.name == reference.name && channel.reduction == reference.reduction;
    };
    if (std::any_of(channels_.begin(), channels_.end(), kept)) continue;
    channels_.push_back(resolve(reference.name, reference.reduction, reference.offset));
  }
}

// Of bodies that have no coordinates of their own, and of points.
bool Channels::find_body(const std::string& name, Channel& channel) const {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return false;
  channel.index = index_of(kMotions, name.substr(dot + 1));
  if (channel.index < 0) return false;
  std::string of = name.substr(0, dot);
  const auto point = std::find_if(context_.points.begin(), context_.points.end(),
                                  [&](const SiteSensor& site) { return site.name == of; });
  if (point != context_.points.end()) {
    if (channel.index > 5) return false;
    of = point->frame;
    channel.point = point->point;
  }
  const Layout layout = layout_of(system_);
  for (const StateFrame& frame : layout.frames())
    if (frame.name == of) channel.frame_a = frame;
  if (!channel.frame_a) return false;
  Pose pose;
  Twist twist;
  if (!frame_motion(*channel.frame_a, start_, pose, twist)) return false;
  const bool planar = pose.R.col(2) == Vector3::UnitZ() && pose.x.z() == 0.0;
  if (channel.index == kAngle) {  // on the turn that the file has it
    constexpr double turn = 2.0 * std::numbers::pi;
    const double seen = std::atan2(pose.R(1, 0), pose.R(0, 0));
    channel.last = seen;
    if (context_.maximal)
      for (Index i = 0; i < context_.maximal->system->nq(); ++i)
        if (context_.maximal->system->coordinate_name(i) == name)
          channel.last = seen + turn * std::round((context_.maximal->initial.q[i] - seen) / turn);
  }
  return planar || channel.index < 9;
}

// Of rows of the model itself, or of the same model in maximal coordinates.
void Channels::find_load(const std::string& joint, int quantity, Channel& channel) {
  channel.load = JointLoad::find(system_, start_, at_start_, joint, quantity);
  if (channel.load || !context_.maximal) return;
  if (!reactions_) reactions_ = std::make_unique<TreeReactions>(system_, start_, context_.maximal);
  channel.load =
      JointLoad::find(reactions_->twin(), reactions_->start(), reactions_->start_contacts(), joint, quantity);
  channel.of_twin = true;
}

Channels::Channel Channels::resolve(const std::string& name, Reduction reduction, std::size_t offset) {
  Channel channel;
  channel.name = name;
  channel.reduction = reduction;
  const auto is = [&](Source source, int index) {
    channel.source = source;
    channel.index = index;
    return channel;
  };
  if (name == "t") return is(Source::time, 0);
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos && name.substr(0, dot) == "energy")
    if (const int i = index_of(kEnergies, name.substr(dot + 1)); i >= 0) return is(Source::energy, i);
  if (dot != std::string::npos && name.substr(0, dot) == "stats")
    if (const int i = index_of(kStats, name.substr(dot + 1)); i >= 0) return is(Source::stats, i);

  const std::string plain = without_prefix(name);
  for (Index i = 0; i < system_.nq(); ++i)
    if (system_.coordinate_name(i) == plain) return is(Source::coordinate, i);
  for (Index i = 0; i < system_.nv(); ++i)
    if (system_.velocity_name(i) == plain) return is(Source::velocity, i);

  for (std::size_t k = 0; k < context_.joints.size(); ++k) {
    const JointReading& joint = context_.joints[k];
    if (plain != joint.name && plain != joint.rate_name) continue;
    const Layout layout = layout_of(system_);
    const auto frame = [&](const std::string& of) -> std::optional<StateFrame> {
      for (const StateFrame& f : layout.frames())
        if (f.name == of && (f.kind == StateFrame::Kind::body || f.kind == StateFrame::Kind::planar || f.motion))
          return f;
      return std::nullopt;
    };
    channel.frame_a = frame(joint.frame_a);
    channel.frame_b = frame(joint.frame_b);
    if ((!joint.frame_a.empty() && !channel.frame_a) || (!joint.frame_b.empty() && !channel.frame_b))
      throw ExpressionError(fmt::format("'{}' cannot be read off this model", name), offset,
                            "joints to flexible bodies have no coordinate in formulas yet");
    channel.joint = &joint;
    channel.last = joint.start;
    return is(Source::joint, plain == joint.rate_name ? 1 : 0);
  }

  const std::size_t last = plain.rfind('.');
  if (last != std::string::npos)
    if (const auto of_joint = JointLoad::quantity(plain.substr(last + 1))) {
      find_load(plain.substr(0, last), *of_joint, channel);
      if (channel.load) return is(Source::load, *of_joint);
      throw ExpressionError(
          fmt::format("'{}': there is no joint of rigid bodies with this name that has a reaction", name), offset,
          "name a joint; contacts have impulses: guide.impulse_normal / stats.dt");
    }
  if (find_body(plain, channel)) return is(Source::body, channel.index);
  const int quantity = index_of(kContactQuantities, plain.substr(last == std::string::npos ? 0 : last + 1));
  if (quantity >= 0) {
    channel.pattern = last == std::string::npos ? "" : plain.substr(0, last);
    channel.adds_up = quantity == 1 || quantity == 2 || quantity == 4;
    std::vector<std::string> found;
    find_contacts(channel, found);
    if (reduction == Reduction::none && found.size() > 1)
      throw ExpressionError(fmt::format("'{}' stands for {} contacts", name,
                                        channel.too_many ? "very many" : std::to_string(found.size())),
                            offset,
                            fmt::format("put them together, as in min({}), or name one: '{}.{}'", name, found.front(),
                                        kContactQuantities[quantity]));
    // The impulses of no contacts are zero; a gap there is none.
    if (!found.empty() || (channel.pattern.empty() && quantity != 0)) return is(Source::contact, quantity);
    if (channel.pattern.empty())
      throw ExpressionError(fmt::format("'{}': nothing can touch in this model", name), offset);
  }
  throw ExpressionError(fmt::format("unknown name '{}'", name), offset, suggestion(name, known()));
}

// The contacts a channel is about and their names: those a system always lists; of bodies, all that could ever meet.
void Channels::find_contacts(Channel& channel, std::vector<std::string>& names) const {
  for (const Constraint& constraint : at_start_.constraints)
    if (always_listed(constraint) && belongs(channel, constraint)) names.push_back(system_.constraint_name(constraint));
  if (!far_) return;
  const Index partner = far_->partner(first_partner(channel.pattern));
  if (partner < 0 && !channel.pattern.empty()) return;
  far_->visit(start_.t, start_.q, partner, [&](const Constraint& constraint, double) {
    std::string name = system_.constraint_name(constraint);
    if (matches(name, channel.pattern)) names.push_back(std::move(name));
    channel.too_many = names.size() > kMostNamed;
    return !channel.too_many;
  });
}

void Channels::pass(const Moment& moment) {
  for (Channel& channel : channels_) {
    if (channel.joint) measure_joint(channel, moment);  // turns are counted in every step
    if (channel.source == Source::body && channel.index == kAngle) measure_body(channel, moment);
    if (!channel.adds_up) continue;
    const double value = measure(channel, moment);
    channel.pending = channel.has_pending ? combine(channel.reduction, channel.pending, value) : value;
    channel.has_pending = true;
  }
}

void Channels::sample(const Moment& moment) {
  pass(moment);
  sample_passed(moment);
}

void Channels::sample_passed(const Moment& moment) {
  for (Channel& channel : channels_) {
    channel.values.push_back(!channel.adds_up ? measure(channel, moment) : channel.has_pending ? channel.pending : 0.0);
    channel.has_pending = false;
  }
}

void Channels::clear() {
  for (Channel& channel : channels_) channel.values.clear();
}

bool Channels::empty() const { return channels_.empty(); }

std::vector<std::string> Channels::kept() const {
  std::vector<std::string> names;
  for (const Channel& channel : channels_)
    names.push_back(channel.reduction == Reduction::none
                        ? channel.name
                        : fmt::format("{}({})", to_word(channel.reduction), channel.name));
  return names;
}

void Channels::last_sample(std::vector<double>& row) const {
  row.clear();
  for (const Channel& channel : channels_) row.push_back(channel.values.back());
}

void Channels::take(const std::vector<double>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) channels_[i % channels_.size()].values.push_back(rows[i]);
}

std::vector<double> Channels::memory() const {
  std::vector<double> all;
  for (const Channel& channel : channels_) {
    all.insert(all.end(), {channel.has_pending ? 1.0 : 0.0, channel.pending, channel.last,
                           static_cast<double>(channel.pushed.size())});
    for (const ConstraintId& id : channel.pushed)  // halves of words are exact as numbers
      for (const std::uint64_t word : {id.pair, id.features}) {
        all.push_back(static_cast<double>(word >> 32));
        all.push_back(static_cast<double>(word & 0xffffffffu));
      }
  }
  return all;
}

void Channels::take_memory(const std::vector<double>& memory) {
  std::size_t at = 0;
  const auto word = [&] {
    const auto high = static_cast<std::uint64_t>(memory[at]), low = static_cast<std::uint64_t>(memory[at + 1]);
    at += 2;
    return (high << 32) | low;
  };
  for (Channel& channel : channels_) {
    if (at + 4 > memory.size()) return;
    channel.has_pending = memory[at] != 0.0;
    channel.pending = memory[at + 1];
    channel.last = memory[at + 2];
    const auto count = static_cast<std::size_t>(memory[at + 3]);
    at += 4;
    channel.pushed.clear();
    for (std::size_t k = 0; k < count && at + 4 <= memory.size(); ++k) {
      const std::uint64_t pair = word(), features = word();
      channel.pushed.insert({pair, features});
    }
  }
}

double Channels::measure(Channel& channel, const Moment& moment) {
  switch (channel.source) {
    case Source::time: return moment.state.t;
    case Source::coordinate: return moment.state.q[channel.index];
    case Source::velocity: return moment.state.v[channel.index];
    case Source::joint: return measure_joint(channel, moment);
    case Source::body: return measure_body(channel, moment);
    case Source::load: return measure_load(channel, moment);
    case Source::contact:
      if (channel.index == 4) return count_impacts(channel, moment);
      return channel.index == 0 ? measure_gaps(channel, moment) : measure_contacts(channel, moment);
    case Source::energy: {
      const Audit& sums = moment.auditor.audit();
      const double values[] = {moment.energy.total(), moment.energy.kinetic, moment.energy.potential,
                               sums.impact_loss,      sums.friction_loss,    sums.joint_loss,
                               sums.other_work,       sums.scheme_residual};
      return values[channel.index];
    }
    case Source::stats: {
      if (channel.index >= 6) {
        joint_errors_.look(system_, moment.state);
        return channel.index == 6 ? joint_errors_.gap() : joint_errors_.rate();
      }
      if (!moment.result) return 0.0;
      const StepResult& r = *moment.result;
      const double values[] = {static_cast<double>(r.newton_iterations),
                               static_cast<double>(r.solver_iterations),
                               static_cast<double>(r.projection_iterations),
                               static_cast<double>(r.index_set_iterations),
                               r.solver_residual,
                               r.dt_taken};
      return values[channel.index];
    }
  }
  return 0.0;
}

double Channels::measure_joint(Channel& channel, const Moment& moment) const {
  Pose a, b;
  Twist va, vb;
  if (channel.frame_a) frame_motion(*channel.frame_a, moment.state, a, va);
  if (channel.frame_b) frame_motion(*channel.frame_b, moment.state, b, vb);
  const auto [value, rate] = channel.joint->read(a, va, b, vb);
  constexpr double turn = 2.0 * std::numbers::pi;
  channel.last = channel.joint->kind == JointReading::Kind::angle
                     ? value + turn * std::round((channel.last - value) / turn)
                     : value;
  return channel.index == 1 ? rate : channel.last;
}

double Channels::measure_body(Channel& channel, const Moment& moment) const {
  Pose pose;
  Twist twist;
  frame_motion(*channel.frame_a, moment.state, pose, twist);
  const Vector3 arm = pose.direction(channel.point);
  const int k = channel.index;
  if (k < 3) return pose.x[k] + arm[k];
  if (k < 6) return twist.velocity[k - 3] + twist.omega.cross(arm)[k - 3];
  if (k < 9) return pose.R.col(k - 6).dot(twist.omega);
  if (k < kAngle) return twist.omega.z();
  constexpr double turn = 2.0 * std::numbers::pi;
  const double angle = std::atan2(pose.R(1, 0), pose.R(0, 0));
  return channel.last = angle + turn * std::round((channel.last - angle) / turn);
}

double Channels::measure_load(Channel& channel, const Moment& moment) const {
  if (!moment.result) return 0.0;
  if (!channel.of_twin) return channel.load->measure(system_, moment.auditor.contacts(), moment.state, *moment.result);
  if (!moment.before || !(moment.result->dt_taken > 0.0)) return 0.0;
  reactions_->look(*moment.before, *moment.result);
  return channel.load->measure(*reactions_);
}

// Those that push now and did not in the step before: the law went from open to closed.
double Channels::count_impacts(Channel& channel, const Moment& moment) const {
  std::set<ConstraintId> now;
  double fresh = 0.0;
  if (moment.result)
    for (const StepContact& contact : moment.result->contacts) {
      if (!belongs(channel, contact.constraint) || !(moment.result->impulse[contact.row] > 0.0)) continue;
      now.insert(contact.constraint.id);
      if (!channel.pushed.contains(contact.constraint.id)) fresh += 1.0;
    }
  channel.pushed = std::move(now);
  return fresh;
}

const FormulaContext::Signal* Channels::signal(const std::string& name) const {
  const std::string plain = name.starts_with("signal.") ? name.substr(7) : name;
  for (const FormulaContext::Signal& s : context_.signals)
    if (s.name == plain) return &s;
  return nullptr;
}

// What a name measures, by its last word; anything where that is not certain.
std::optional<Dimension> Channels::dimension(const std::string& name) const {
  for (const FormulaContext::Number& number : context_.numbers)
    if (number.name == name) return number.dimension;
  if (const auto* named = signal(name)) return named->expression.dimension(*this);
  const auto unit = [](const char* text) { return std::optional(parse_unit(text)->dimension); };
  if (name == "t" || name == "stats.dt") return unit("s");
  if (name.starts_with("energy.")) return unit("J");
  if (name == "stats.joint_error") return unit("m");
  if (name == "stats.joint_velocity") return unit("m/s");
  if (name.starts_with("stats.")) return Dimension{};
  const std::string plain = without_prefix(name);
  for (const JointReading& joint : context_.joints) {
    const bool turns = joint.kind == JointReading::Kind::angle;
    if (plain == joint.name) return unit(turns ? "rad" : "m");
    if (plain == joint.rate_name) return unit(turns ? "rad/s" : "m/s");
  }
  const std::size_t dot = plain.rfind('.');
  const std::string last = plain.substr(dot == std::string::npos ? 0 : dot + 1),
                    of = dot == std::string::npos ? "" : plain.substr(0, dot);
  const bool of_coordinate = of.ends_with(".lower") || of.ends_with(".upper") || of.ends_with(".drive") ||
                             of.ends_with(".forward") || of.ends_with(".backward");
  if (of_coordinate && last != "power") return Dimension::anything();
  if (last == "x" || last == "y" || last == "z" || last == "gap") return unit("m");
  if (last == "vx" || last == "vy" || last == "vz" || last == "velocity_normal") return unit("m/s");
  if (last == "angle") return unit("rad");
  if (last == "rate" || last.starts_with("spin")) return unit("rad/s");
  if (last == "impulse_normal" || last == "impulse_tangential") return unit("N*s");
  if (last == "impacts") return Dimension{};
  if (last == "power") return unit("W");
  if (last.starts_with("force")) return unit("N");
  if (last.starts_with("torque")) return unit("N*m");
  return Dimension::anything();
}

bool Channels::belongs(Channel& channel, const Constraint& constraint) const {
  const auto [it, fresh] = channel.members.try_emplace(constraint.id, false);
  if (fresh)
    it->second = matches(system_.constraint_name(constraint), channel.pattern) &&
                 !(channel.pattern.empty() && constraint.bilateral);
  return it->second;
}

namespace {

// Puts values together as they come.
class Combined {
 public:
  explicit Combined(Reduction reduction) : reduction_(reduction) {}
  bool empty() const { return count_ == 0; }
  void add(double x) {
    value_ = count_ == 0 ? x : combine(reduction_, value_, x);
    ++count_;
  }
  double value() const {
    return reduction_ == Reduction::mean && count_ > 0 ? value_ / static_cast<double>(count_) : value_;
  }

 private:
  Reduction reduction_;
  double value_ = 0.0;
  long count_ = 0;
};

}  // namespace

// Joints, and the contacts of models that always list the same, are what the audit has measured. Contacts that come and
// go are measured here, near or far; only where two overlap the smallest is known already, for detection finds those.
double Channels::measure_gaps(Channel& channel, const Moment& moment) {
  Combined gaps(channel.reduction);
  double smallest = std::numeric_limits<double>::infinity();
  const ContactSet& near = moment.auditor.contacts();
  for (Index k = 0; k < near.size(); ++k) {
    if (!belongs(channel, near[k])) continue;
    smallest = std::min(smallest, moment.auditor.gap(k));
    if (always_listed(near[k])) gaps.add(moment.auditor.gap(k));
  }
  if (!far_ || (channel.reduction == Reduction::min && smallest <= 0.0)) return far_ ? smallest : gaps.value();
  const Index partner = channel.pattern.empty() ? -1 : far_->partner(first_partner(channel.pattern));
  if (partner < 0 && !channel.pattern.empty()) return gaps.empty() ? smallest : gaps.value();  // of a joint
  far_->visit(moment.state.t, moment.state.q, partner, [&](const Constraint& constraint, double gap) {
    if (channel.pattern.empty() || matches(system_.constraint_name(constraint), channel.pattern)) gaps.add(gap);
    return true;
  });
  return gaps.empty() ? smallest : gaps.value();  // features that do not face each other now are infinitely far
}

double Channels::measure_contacts(Channel& channel, const Moment& moment) const {
  Combined values(channel.reduction);
  if (!moment.result) return 0.0;
  const StepResult& r = *moment.result;
  for (const StepContact& contact : r.contacts) {
    if (!belongs(channel, contact.constraint)) continue;
    const Index rows = contact.constraint.law->dim();
    if (channel.index == 1) values.add(r.impulse[contact.row]);
    if (channel.index == 2)
      values.add(rows < 2    ? 0.0
                 : rows == 2 ? r.impulse[contact.row + 1]
                             : std::hypot(r.impulse[contact.row + 1], r.impulse[contact.row + 2]));
    if (channel.index == 3) values.add(r.gamma_plus[contact.row]);
  }
  return values.value();
}

std::optional<ExpressionValue> Channels::find(const std::string& name, Reduction reduction) const {
  for (const FormulaContext::Number& number : context_.numbers)
    if (number.name == name) return ExpressionValue::number(number.value);
  if (const auto* named = signal(name)) return named->expression.evaluate(*this, Expression::Scope::instant);
  for (const Channel& channel : channels_)
    if (channel.name == name && channel.reduction == reduction) return ExpressionValue{true, channel.values};
  return std::nullopt;
}

std::vector<std::string> Channels::known() const {
  std::vector<std::string> names = {"t"};
  for (const auto& number : context_.numbers) names.push_back(number.name);
  for (const auto& named : context_.signals) names.push_back(named.name);
  for (const auto& joint : context_.joints) names.push_back(joint.name);
  constexpr std::size_t few = 12;  // a pile of bodies has too many to print
  for (Index i = 0; i < system_.nq() && i < static_cast<Index>(few); ++i) {
    names.push_back(system_.coordinate_name(i));
  }
  for (Index i = 0; i < system_.nv() && i < static_cast<Index>(few); ++i) names.push_back(system_.velocity_name(i));
  for (Index k = 0; k < at_start_.size() && k < static_cast<Index>(few); ++k)
    names.push_back(system_.constraint_name(at_start_[k]) + ".gap");
  for (const char* name : {"contact.gap", "contact.impulse_normal"}) names.emplace_back(name);
  for (const char* energy : kEnergies) names.push_back(std::string("energy.") + energy);
  for (const char* word : kStats) names.push_back(std::string("stats.") + word);
  return names;
}

void check_expressions(const System& system, const State& start, FormulaContext context,
                       const std::vector<const Expression*>& expressions, Expression::Scope scope,
                       const std::function<void(std::size_t, const ExpressionError&)>& report) {
  Channels channels(system, start, std::move(context));
  const auto each = [&](std::vector<bool>& good, const auto& work) {
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      if (!good[i]) continue;
      try {
        work(*expressions[i]);
      } catch (const ExpressionError& error) {
        good[i] = false;
        report(i, error);
      }
    }
  };
  std::vector<bool> good(expressions.size(), true);
  each(good, [&](const Expression& expression) {
    channels.need(expression);
    expression.dimension(channels);
  });
  Auditor auditor;
  StepAudit energy;
  auditor.begin(system, start, energy);
  const Moment moment{start, nullptr, energy, auditor};
  channels.sample(moment);
  channels.sample(moment);
  each(good, [&](const Expression& expression) {
    if (expression.evaluate(channels, scope).series && scope == Expression::Scope::run)
      throw ExpressionError("this is a value of every step; one of the whole run is wanted here", 0,
                            "put the steps together with min, max, sum, mean, count, first or last");
  });
}

}  // namespace carom::inline io
