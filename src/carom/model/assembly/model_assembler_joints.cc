// Joints and their coordinates: rows, friction, angles counted over turns, the start, limits, drives, ratios.
#include "carom/model/assembly/model_assembler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/laws/joint_friction_law.h"
#include "carom/model/parts/planar_bodies.h"

namespace carom::model {

void ModelAssembler::add_joint(const JointSpec& spec, bool carries) {
  const std::string key = "joint." + spec.name;
  if (spec.a.body == spec.b.body && (spec.a.body < 0 || frame(spec.a) == frame(spec.b))) {
    report("E0211", key, fmt::format("{} does not hold two different bodies", key),
           "name two bodies, or the ground and a body");
    return;
  }
  try {
    const JointKind& kind = joint_kinds().find(spec.kind);
    const Site a = site(spec.a), b = site(spec.b);
    const bool flat = planar(a, b);
    if (!carries)
      joint_list_.push_back(make_joint(kind, flat, spec.name, a, b, pose(a), pose(b), length(spec.a, spec.b)));
    for (const CoordinateTemplate& c : flat ? kind.planar_coordinates : kind.spatial_coordinates) {
      JointCoordinate coordinate = make_coordinate(c, spec.name + "." + c.name, a, b);
      if (coordinate.is_angle()) remember_angle(coordinate);
      coordinates_.push_back(std::move(coordinate));
    }
    if (!spec.friction) return;
    const auto& rubs_along = flat ? kind.planar_coordinates : kind.spatial_coordinates;
    if (spec.friction->asks_for_load())
      add_friction(spec, rubs_along, joint_list_.back());
    else if (rubs_along.empty())
      report_no_friction(spec);
  } catch (const InputError& error) {
    problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
  }
}

void ModelAssembler::add_turn(const SpringSpec& spring) {
  if (!spring.torsional) return;
  JointCoordinate turn = make_coordinate({"angle", RowKind::angle}, spring.joint, site(spring.a), site(spring.b));
  remember_angle(turn);
  coordinates_.push_back(std::move(turn));
}

void ModelAssembler::report_no_friction(const JointSpec& spec) {
  report("E0224", "joint." + spec.name + ".friction", fmt::format("a {} joint has nothing to rub along", spec.kind),
         "friction acts along the first coordinate of a joint");
}

void ModelAssembler::add_friction(const JointSpec& spec, const std::vector<CoordinateTemplate>& coordinates,
                                  Joint& joint) {
  const std::string key = "joint." + spec.name + ".friction";
  const Index holding = static_cast<Index>(joint.rows.size());
  if (coordinates.empty() || holding >= Law::max_dim) return report_no_friction(spec);
  JointRow motion = make_coordinate(coordinates.front(), spec.name, joint.a, joint.b).row;
  if (motion.kind == RowKind::angle) {
    if (!(spec.friction->radius > 0.0)) {
      report("E0224", key, "friction against turning needs the radius of the pin", "give friction a radius");
      return;
    }
    motion.length = spec.friction->radius;
  }
  // Rows of forces come first in every table.
  const Index pressing = std::count_if(joint.rows.begin(), joint.rows.end(), [](const JointRow& row) {
    return row.kind == RowKind::coincide || row.kind == RowKind::along || row.kind == RowKind::distance;
  });
  joint.rows.push_back(motion);
  const double mu = spec.friction->coefficient;
  const double constant = mu * spec.friction->preload + spec.friction->constant / motion.length;
  joint.friction = std::make_shared<JointFrictionLaw>(holding, pressing, mu, constant);
}

void ModelAssembler::remember_angle(JointCoordinate& coordinate) const {
  if (const auto found = carried_at_.find(coordinate.name); found != carried_at_.end()) {
    coordinate.counts = true;
    coordinate.plus = found->second;
    return;
  }
  const auto angle_at = [&](Index f) -> PlanarBeam::TurnCounter {
    const Frames::Frame& frame = bare_->frames()[f];
    if (frame.kind == FrameKind::planar_body) return {frame.q + PlanarBodies::size * frame.item + 2, 0.0};
    const PlanarBeam* beam = beam_at(f);
    if (!beam) return {};
    PlanarBeam::TurnCounter counter = beam->turn_counter(frame.item);
    if (counter.entry >= 0) counter.entry += frame.q;
    return counter;
  };
  const PlanarBeam::TurnCounter from = angle_at(coordinate.a.frame), to = angle_at(coordinate.b.frame);
  if (from.entry < 0 && to.entry < 0) return;
  for (const Site* end : {&coordinate.a, &coordinate.b})  // the body of a tree: nothing in q counts its turns
    if (bare_->frames()[end->frame].kind == FrameKind::general && !beam_at(end->frame)) return;
  coordinate.counts = true;
  coordinate.minus = from.entry;
  coordinate.plus = to.entry;
  // The triads' own turn against the frames.
  coordinate.offset = turn(coordinate.b.triad) + to.offset - turn(coordinate.a.triad) - from.offset;
}

const PlanarBeam* ModelAssembler::beam_at(Index f) const {
  const Index part = bare_->frames()[f].part;
  return part < 0 ? nullptr : dynamic_cast<const PlanarBeam*>(parts_[static_cast<std::size_t>(part)].get());
}

const JointCoordinate* ModelAssembler::find(const std::string& name, const std::string& key) {
  for (JointCoordinate& c : coordinates_)
    if (c.name == name || c.name.substr(0, c.name.rfind('.')) == name) return &c;
  std::vector<std::string> known;
  for (const JointCoordinate& c : coordinates_) known.push_back(c.name);
  report("E0141", key, fmt::format("no joint coordinate '{}'", name), suggestion(name, known));
  return nullptr;
}

// Where bodies are: "crank is at (20, 0) mm, 0 deg".
std::string ModelAssembler::poses_text() {
  constexpr std::size_t most = 6;
  bare_->place(0.0, model_.initial.q, model_.initial.v, place_);
  const Frames& frames = bare_->frames();
  std::vector<std::string> texts;
  for (Index f = 0; f < frames.count() && texts.size() <= most; ++f) {
    if (f == ground_frame) continue;
    const Pose& pose = place_.poses[static_cast<std::size_t>(f)];
    const auto rounded = [](double value) { return std::abs(value) < 1e-3 ? 0.0 : value; };
    const Vector3 x = (1e3 * pose.x).unaryExpr(rounded);
    const double angle = rounded(std::atan2(pose.R(1, 0), pose.R(0, 0)) * 180.0 / std::numbers::pi);
    texts.push_back(texts.size() == most ? std::string("...")
                    : frames.planar(f)
                        ? fmt::format("{} is at ({:.4g}, {:.4g}) mm, {:.4g} deg", frames.name(f), x.x(), x.y(), angle)
                        : fmt::format("{} is at ({:.4g}, {:.4g}, {:.4g}) mm", frames.name(f), x.x(), x.y(), x.z()));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void ModelAssembler::assemble_start() {
  // Coordinates with a start are held there while the joints are closed.
  std::vector<CoordinateConstraint> held;
  for (const JointSpec& joint : b_.joints_) {
    if (!joint.start) continue;
    const JointCoordinate* c = find(joint.name, "joint." + joint.name + ".start");
    if (!c) continue;
    CoordinateConstraint row;
    row.name = c->name;
    row.terms.push_back({1.0, *c});
    if (c->is_angle()) {  // on the branch of the value asked for
      JointCoordinate& held_angle = row.terms.back().coordinate;
      held_angle.counts = true;
      held_angle.plus = held_angle.minus = -1;
      held_angle.offset = joint.start->value;
    }
    row.motion = [start = *joint.start](double) { return Prescribed{start.value, start.rate, 0.0}; };
    row.law = one_row_;
    held.push_back(std::move(row));
  }
  stop_at_problems();
  if (b_.keep_start_ || joint_list_.empty()) return count_angles();  // what trees hold, they hold from the start
  coordinate_rows_ = held;
  const auto system = make_system({});
  const StartReport found = make_consistent(*system, model_.initial);
  for (const StartResidual& open : found.open) {
    const auto of = std::find_if(coordinate_rows_.begin(), coordinate_rows_.end(),
                                 [&](const CoordinateConstraint& row) { return row.name == open.constraint; });
    const bool angle = of != coordinate_rows_.end() && of->terms.front().coordinate.is_angle();
    report("E0213", "joint." + open.constraint,
           fmt::format("the mechanism cannot be assembled: joint.{} stays {} open{}", open.constraint,
                       angle ? fmt::format("{:.3g} deg", open.amount * 180.0 / std::numbers::pi)
                             : fmt::format("{:.4g} mm", 1e3 * open.amount),
                       found.closest ? " in the closest pose found, where all others are closed" : ""),
           (found.closest ? "there " + poses_text() + "; " : std::string()) +
               "check lengths and start values, or place the bodies closer to where they belong");
  }
  coordinate_rows_.clear();
  if (found.assembled && !found.moving_along)
    report("E0214", "initial", "the velocities at the start contradict each other", "give fewer of them");
  stop_at_problems();
  bare_->place(0.0, model_.initial.q, model_.initial.v, place_);
  count_angles();
}

void ModelAssembler::count_angles() {
  const auto acts = [&](const JointCoordinate& c) {
    const auto names = [&](const std::string& name) {
      return c.name == name || c.name.substr(0, c.name.rfind('.')) == name;
    };
    bool used = false;
    for (const LimitSpec& limit : b_.limits_) used = used || names(limit.joint);
    for (const DriveSpec& drive : b_.drives_) used = used || names(drive.joint);
    for (const SpringSpec& spring : b_.springs_) used = used || names(spring.joint);
    for (const RatioSpec& ratio : b_.ratios_)
      for (const RatioSpec::Term& term : ratio.terms) used = used || names(term.joint);
    for (const BacklashSpec& backlash : b_.backlashes_)
      for (const RatioSpec::Term& term : backlash.terms) used = used || names(term.joint);
    return used;
  };
  for (JointCoordinate& c : coordinates_) {
    if (!c.is_angle() || c.counts || !acts(c)) continue;
    double value = value_now(c);
    for (const JointSpec& joint : b_.joints_)  // the branch asked for
      if (joint.start && c.name.substr(0, c.name.rfind('.')) == joint.name)
        value += 2.0 * std::numbers::pi * std::round((joint.start->value - value) / (2.0 * std::numbers::pi));
    c.counts = true;
    c.plus = static_cast<Index>(model_.initial.q.size());
    model_.initial.q.conservativeResize(c.plus + 1);
    model_.initial.q[c.plus] = value;
    counted_.push_back(c);
  }
}

void ModelAssembler::let_break() {
  for (const JointSpec& spec : b_.joints_) {
    if (!spec.breaks_at) continue;
    for (Joint& joint : joint_list_) {
      if (joint.name != spec.name) continue;
      joint.strongest_force = spec.breaks_at->force;
      joint.strongest_moment = spec.breaks_at->moment;
      joint.broken = static_cast<Index>(model_.initial.q.size());
      model_.initial.q.conservativeResize(joint.broken + 1);
      model_.initial.q[joint.broken] = 0.0;
      breakable_.push_back(joint.name);
    }
  }
}

double ModelAssembler::value_now(const JointCoordinate& c) const {
  return evaluate(c, At{0.0, model_.initial.q.data(), place_, bare_->frames()}).g;
}

CoordinateConstraint ModelAssembler::coordinate_row(const std::string& name, const JointCoordinate& c, double factor,
                                                    double rest, std::shared_ptr<const Law> law) const {
  CoordinateConstraint row;
  row.name = name;
  row.terms.push_back({factor, c});
  row.rest = rest;
  row.law = std::move(law);
  row.length = length(c);
  return row;
}

double ModelAssembler::length(const JointCoordinate& c) const {
  for (const JointSpec& joint : b_.joints_)
    if (!c.is_angle() && c.name.substr(0, c.name.rfind('.')) == joint.name) return length(joint.a, joint.b);
  return 1.0;
}

void ModelAssembler::add_limit(const LimitSpec& spec) {
  const JointCoordinate* c = find(spec.joint, "limit." + spec.joint);
  if (!c) return;
  const auto law = make_contact_law(Space::planar, {.restitution = spec.restitution});
  const double room =
      spec.lower && spec.upper ? 0.5 * (*spec.upper - *spec.lower) : 0.0;  // to either side of the middle
  const auto add = [&](const char* side, double sign, double at) {
    coordinate_rows_.push_back(coordinate_row(c->name + side, *c, sign, sign * at, law));
    coordinate_rows_.back().clearance = std::max(0.0, room);
  };
  if (spec.lower) add(".lower", 1.0, *spec.lower);
  if (spec.upper) add(".upper", -1.0, *spec.upper);
}

// Friction that does not ask for the load of its joint: a row of its own, also where trees carry the joint.
void ModelAssembler::add_constant_friction(const JointSpec& spec) {
  if (!spec.friction || spec.friction->asks_for_load()) return;
  const JointCoordinate* c = find(spec.name, "joint." + spec.name + ".friction");
  if (!c) return;
  const auto law = std::make_shared<JointFrictionLaw>(0, 0, 0.0, spec.friction->constant);
  CoordinateConstraint row = coordinate_row(c->name + ".friction", *c, 1.0, 0.0, law);
  row.velocity_level = true;
  coordinate_rows_.push_back(std::move(row));
}

void ModelAssembler::add_drive(const DriveSpec& spec) {
  const JointCoordinate* c = find(spec.joint, "drive." + spec.joint);
  if (!c) return;
  CoordinateConstraint row = coordinate_row(c->name + ".drive", *c, 1.0, 0.0, one_row_);
  row.motion = spec.motion;
  row.velocity_level = spec.velocity_level;
  coordinate_rows_.push_back(std::move(row));
}

std::optional<CoordinateConstraint> ModelAssembler::sum_row(const std::string& name,
                                                            const std::vector<RatioSpec::Term>& terms,
                                                            const std::string& key) {
  CoordinateConstraint row;
  row.name = name;
  row.law = one_row_;
  for (const RatioSpec::Term& term : terms) {
    const JointCoordinate* c = find(term.joint, key);
    if (!c) return std::nullopt;
    row.terms.push_back({term.factor, *c});
    row.rest += term.factor * value_now(*c);
  }
  return row;
}

void ModelAssembler::add_ratio(const RatioSpec& spec) {
  if (auto row = sum_row(spec.name, spec.terms, "ratio." + spec.name)) coordinate_rows_.push_back(*std::move(row));
}

void ModelAssembler::add_backlash(const BacklashSpec& spec) {
  auto row = sum_row(spec.name, spec.terms, "backlash." + spec.name);
  if (!row) return;
  if (!(spec.backlash > 0.0)) {
    report("E0225", "backlash." + spec.name,
           fmt::format("backlash.{} is {}: it must be positive", spec.name, spec.backlash), "");
    return;
  }
  row->law = make_contact_law(Space::planar, {.restitution = spec.restitution});
  row->clearance = 0.5 * spec.backlash;
  CoordinateConstraint other = *row;
  row->name += ".forward";
  row->rest -= 0.5 * spec.backlash;
  other.name += ".backward";
  other.rest = -other.rest - 0.5 * spec.backlash;
  for (CoordinateConstraint::Term& term : other.terms) term.factor = -term.factor;
  coordinate_rows_.push_back(*std::move(row));
  coordinate_rows_.push_back(std::move(other));
}

}  // namespace carom::model
