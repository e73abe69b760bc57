// Forces between points and along joints, motors and prescribed motions: numbers, or formulas of t and of the motion.
#include <fmt/format.h>

#include <memory>

#include "carom/base/names.h"
#include "carom/io/formula_program.h"
#include "carom/io/local_names.h"
#include "carom/io/mechanism/mechanism.h"

namespace carom::inline io::mechanism {

namespace {

const Dimension time_unit = Dimension::of(0, 0, 1);

void report(const Mechanism& m, const DocumentNode& node, const ExpressionError& error) {
  m.reading.report(m.reading.document.at_value(node, error.code_or("E0131"),
                                               fmt::format("{}: {}", node.path, error.what()), error.hint(),
                                               static_cast<int>(error.offset())));
}

std::shared_ptr<const FormulaProgram> program(const Mechanism& m, const DocumentNode& node, const LocalNames& names,
                                              const Dimension& wanted) {
  const auto expression = m.reading.expression(node);
  if (!expression || !m.reading.fits(node, *expression, names, wanted)) return nullptr;
  try {
    return std::make_shared<const FormulaProgram>(*expression, names, names.inputs());
  } catch (const ExpressionError& error) {
    report(m, node, error);
    return nullptr;
  }
}

// Names of the coordinate a motor sees, each with the short and the long path: t, angle, rate.
std::vector<LocalNames::Input> motor_inputs(const std::string& joint, const std::string& coordinate,
                                            const Dimension& unit) {
  return {{"t", time_unit},
          {coordinate, unit},
          {"rate", unit / time_unit},
          {joint + "." + coordinate, unit},
          {joint + ".rate", unit / time_unit},
          {"joint." + joint + "." + coordinate, unit},
          {"joint." + joint + ".rate", unit / time_unit}};
}

}  // namespace

void read_drive(Mechanism& m, TableReader& table, const std::string& path, const std::optional<std::string>& of_joint) {
  if (of_joint) {
    if (table.take("joint"))
      table.refuse("joint", "E0106", table.path() + ": the drive of a joint names a joint", "leave it out");
    if (table.take("count"))
      table.refuse("count", "E0102", table.path() + ": a joint has one drive", "count belongs to the joint");
  } else {
    table.require("joint", "joint = \"bearing\"");
  }
  const auto named = of_joint ? of_joint : table.text("joint");
  const char* keys[] = {"angle", "displacement", "rate", "torque", "force"};
  std::string given;
  for (const char* key : keys) {
    if (!table.take(key)) continue;
    if (!given.empty())
      return table.refuse(key, "E0106", fmt::format("{}: {} beside {}", table.path(), key, given),
                          "one motion or one effort; further motors are tables [drive.NAME]");
    given = key;
  }
  if (given.empty())
    return table.require(
        "angle", "angle, displacement or rate = \"formula of t\"; torque or force = \"formula of t, angle, rate\"");
  if (!named) return;
  const Mechanism::Coordinate driven = m.coordinate(table, of_joint ? given : "joint", *named);
  if (!driven.joint) return;
  Joint* const joint = driven.joint;
  const model::CoordinateTemplate* const coordinate = driven.of;
  const bool turns = driven.turns();
  const std::string full = driven.name();
  const DocumentNode& node = *table.node()->find(given);
  if (given == (turns ? "displacement" : "angle") || given == (turns ? "force" : "torque"))
    return table.refuse(given, "E0108",
                        fmt::format("{}: {} is {}", table.path(), full, turns ? "an angle" : "a displacement"),
                        turns ? "angle, rate or torque" : "displacement, rate or force");
  const Dimension unit = m.unit(turns ? "rad" : "m");
  const bool first = coordinate == &joint->coordinates.front();
  if (given == "torque" || given == "force") {
    const LocalNames names(m.reading.parameters, motor_inputs(joint->spec.name, coordinate->name, unit));
    const auto effort = program(m, node, names, m.unit(turns ? "N*m" : "N"));
    if (!effort) return;
    model::SpringSpec spec;
    spec.name = path;
    spec.joint = full;
    spec.drive = [effort](double t, double g, double rate) {
      const double inputs[] = {t, g, rate, g, rate, g, rate};
      return effort->value(inputs);
    };
    m.additions.push_back([spec](model::ModelBuilder& b) { b.add_spring(spec); });
    return;
  }
  const bool on_velocity = given == "rate";
  const LocalNames names(m.reading.parameters, {{"t", time_unit}});
  const auto motion = program(m, node, names, on_velocity ? unit / time_unit : unit);
  if (!motion) return;
  const Jet at_start = motion->jet(0.0);
  if (!std::isfinite(at_start.value) || !std::isfinite(at_start.rate) || !std::isfinite(at_start.second))
    return table.refuse(given, "E0127", fmt::format("{} or a derivative of it is no number at t = 0", node.path),
                        "a motion needs two derivatives: begin it smoothly");
  // A joint starts as it is driven.
  if (first) {
    auto& start = joint->spec.start;
    if (start && !on_velocity && !std::isnan(start->value) &&
        std::abs(start->value - at_start.value) > 1e-9 * (1.0 + std::abs(at_start.value)))
      return table.refuse(
          given, "E0106",
          fmt::format("{} is {} at t = 0, but [initial] says {}", node.path, at_start.value, start->value),
          "leave it out of [initial]");
    const double value = on_velocity ? (start ? start->value : std::nan("")) : at_start.value;
    start = model::CoordinateStart{value, on_velocity ? at_start.value : at_start.rate};
  }
  model::DriveSpec drive;
  drive.joint = full;
  drive.velocity_level = on_velocity;
  drive.motion = [motion, on_velocity](double t) {
    const Jet f = motion->jet(t);
    return on_velocity ? model::Prescribed{0.0, f.value, f.rate} : model::Prescribed{f.value, f.rate, f.second};
  };
  m.additions.push_back([drive](model::ModelBuilder& b) { b.add_drive(drive); });
}

namespace {

// A component of the motion of a point, as formulas name it: slider.W.vx.
struct Component {
  std::size_t watched;
  enum class Of { position, velocity, spin } of;
  int axis;
};

std::optional<std::pair<Component::Of, int>> component(const std::string& word, bool planar) {
  using Of = Component::Of;
  const int axes = planar ? 2 : 3;
  for (int k = 0; k < axes; ++k) {
    const char axis = "xyz"[k];
    if (word == std::string(1, axis)) return std::pair(Of::position, k);
    if (word == std::string("v") + axis) return std::pair(Of::velocity, k);
    if (!planar && word == std::string("spin_") + axis) return std::pair(Of::spin, k);
  }
  if (planar && (word == "spin" || word == "rate")) return std::pair(Of::spin, 2);
  return std::nullopt;
}

class LoadReader {
 public:
  LoadReader(Mechanism& m, TableReader& table) : m_(m), table_(table), inputs_({{"t", time_unit}}) {}

  void read(const std::string& name) {
    const auto at = table_.text("at");
    const bool body_axes = table_.word("axes", {"world", "body"}).value_or("world") == "body";
    if (!at) return;
    const DocumentNode& at_node = *table_.node()->find("at");
    const auto place = m_.place(at_node, *at);
    if (!place) return;
    if (place->body < 0)
      return table_.refuse("at", "E0211", table_.path() + ": a load on the ground moves nothing", "name a body");
    model::LoadSpec load;
    load.name = name;
    load.site = place->site;
    load.watched.push_back(place->site);
    std::vector<std::pair<int, const DocumentNode*>> formulas;  // 0..2 force, 3..5 torque
    collect("force", 0, formulas);
    collect("torque", 3, formulas);
    if (!table_.take("force") && !table_.take("torque"))
      table_.require("force", "force = [\"5 N\", 0], torque, or both");
    std::vector<Expression> expressions;
    for (const auto& [k, node] : formulas) {
      const auto expression = m_.reading.expression(*node);
      if (!expression) return;
      for (const Expression::Reference& reference : expression->references())
        if (!add_input(*node, reference, load)) return;
      expressions.push_back(*expression);
    }
    const LocalNames names(m_.reading.parameters, inputs_);
    std::vector<std::pair<int, FormulaProgram>> programs;
    for (std::size_t i = 0; i < formulas.size(); ++i) {
      const auto& [k, node] = formulas[i];
      if (!m_.reading.fits(*node, expressions[i], names, m_.unit(k < 3 ? "N" : "N*m"))) return;
      try {
        programs.emplace_back(k, FormulaProgram(expressions[i], names, names.inputs()));
      } catch (const ExpressionError& error) {
        return report(m_, *node, error);
      }
    }
    constexpr std::size_t most_inputs = 64;
    if (inputs_.size() > most_inputs)
      return table_.refuse("force", "E0219", table_.path() + ": more than 64 names in one load",
                           "several loads add up");
    load.load = [programs, components = components_, body_axes](double t, std::span<const model::SiteMotion> watched) {
      double inputs[most_inputs];
      inputs[0] = t;
      for (std::size_t i = 0; i < components.size(); ++i) {
        const model::SiteMotion& site = watched[components[i].watched];
        const Vector3& from = components[i].of == Component::Of::position   ? site.position
                              : components[i].of == Component::Of::velocity ? site.velocity
                                                                            : site.spin;
        inputs[i + 1] = from[components[i].axis];
      }
      model::Load out;
      for (const auto& [k, formula] : programs) (k < 3 ? out.force : out.torque)[k % 3] = formula.value(inputs);
      if (body_axes) out = {watched[0].axes * out.force, watched[0].axes * out.torque};
      return out;
    };
    m_.additions.push_back([load](model::ModelBuilder& b) { b.add_load(load); });
  }

 private:
  void collect(const char* key, int first, std::vector<std::pair<int, const DocumentNode*>>& out) {
    const DocumentNode* node = table_.take(key);
    if (!node) return;
    const bool turning = first == 3;
    if (m_.planar && turning) {
      if (node->kind == DocumentNode::Kind::array)
        return table_.refuse(key, "E0123", table_.path() + ".torque wants one formula in the plane", "about z");
      out.emplace_back(5, node);
      return;
    }
    const std::size_t wanted = m_.planar ? 2 : 3;
    if (node->kind != DocumentNode::Kind::array || node->children.size() != wanted)
      return table_.refuse(key, "E0123", fmt::format("{}.{} wants {} formulas", table_.path(), key, wanted),
                           "one for each axis");
    for (std::size_t k = 0; k < wanted; ++k)
      if (!(node->children[k].kind == DocumentNode::Kind::number && node->children[k].number == 0.0))
        out.emplace_back(first + static_cast<int>(k), &node->children[k]);
  }

  bool add_input(const DocumentNode& node, const Expression::Reference& reference, model::LoadSpec& load) {
    const std::string& name = reference.name;
    const std::size_t dot = name.rfind('.');
    const auto known = [&](const LocalNames::Input& input) { return input.name == name; };
    if (dot == std::string::npos || std::any_of(inputs_.begin(), inputs_.end(), known))
      return true;  // a parameter, t, or seen
    const auto found = component(name.substr(dot + 1), m_.planar);
    if (!found) {
      report(m_, node,
             ExpressionError(
                 fmt::format("'{}' is not known to a load", name), reference.offset,
                 m_.planar
                     ? "body.x, .y, .vx, .vy, .spin of bodies and points; of joints: [drive.NAME] with torque or force"
                     : "body.x, .y, .z, .vx, .vy, .vz, .spin_x, ... of bodies and points; of joints: [drive.NAME]"));
      return false;
    }
    const std::string of = name.substr(0, dot);
    auto place = m_.place(node, of);
    if (!place) return false;
    if (of.find('.', of.starts_with("body.") ? 5 : 0) == std::string::npos && place->body >= 0)
      place->site.point = Vector3::Zero();  // a body alone: as in signals, its centre of mass
    std::size_t watched = 0;
    while (watched < load.watched.size() && !same(load.watched[watched], place->site)) ++watched;
    if (watched == load.watched.size()) load.watched.push_back(place->site);
    components_.push_back({watched, found->first, found->second});
    inputs_.push_back({name, found->first == Component::Of::position   ? m_.unit("m")
                             : found->first == Component::Of::velocity ? m_.unit("m/s")
                                                                       : m_.unit("rad/s")});
    return true;
  }

  static bool same(const model::SiteSpec& a, const model::SiteSpec& b) {
    return a.body == b.body && a.point == b.point && a.length == b.length && a.node == b.node;
  }

  Mechanism& m_;
  TableReader& table_;
  std::vector<LocalNames::Input> inputs_;
  std::vector<Component> components_;
};

Vector3 one_or_three(const Mechanism& m, TableReader& table, const char* key, const char* unit) {
  const DocumentNode* node = table.take(key);
  if (!node) return Vector3::Zero();
  if (node->kind == DocumentNode::Kind::array) return table.vector3(key).value_or(Vector3::Zero());
  return Vector3::Constant(m.reading.number(*node, m.unit(unit)).value_or(0.0));
}

}  // namespace

void read_force(Mechanism& m, TableReader& table, const std::string& name) {
  table.require("type", "type = \"spring-damper\", \"bushing\" or \"load\"");
  const auto type = table.word("type", {"spring_damper", "torsion", "bushing", "load"});
  if (!type) return;
  table.follow(table_spec("force." + *type));
  table.require_all();
  if (*type == "load") return LoadReader(m, table).read(name);
  const auto places = m.pair_of_places(table);
  if (*type == "spring_damper") {
    model::SpringSpec spring;
    spring.name = name;
    spring.stiffness = table.number("stiffness").value_or(0.0);
    spring.damping = table.number("damping").value_or(0.0);
    spring.free_length = table.number("free_length");
    spring.preload = table.number("preload").value_or(0.0);
    const std::string acts = table.word("acts", {"both_ways", "pulling", "pushing"}).value_or("both_ways");
    spring.acts = acts == "pulling"   ? model::SpringActs::pulling
                  : acts == "pushing" ? model::SpringActs::pushing
                                      : model::SpringActs::both_ways;
    if (!places) return;
    spring.a = places->first.site;
    spring.b = places->second.site;
    m.additions.push_back([spring](model::ModelBuilder& b) { b.add_spring(spring); });
    return;
  }
  if (*type == "torsion") {
    model::SpringSpec spring;
    spring.name = name;
    spring.torsional = true;
    const auto axis = m.direction(table, "axis");
    spring.stiffness = table.number("stiffness").value_or(0.0);
    spring.damping = table.number("damping").value_or(0.0);
    spring.free_length = table.number("rest").value_or(0.0);
    spring.preload = table.number("preload").value_or(0.0);
    if (!places) return;
    spring.a = places->first.site;
    spring.b = places->second.site;
    if (axis && !m.planar) {
      spring.a = spring.a.with_axis(*axis);
      spring.b = spring.b.with_axis(*axis);
    }
    m.additions.push_back([spring](model::ModelBuilder& b) { b.add_spring(spring); });
    return;
  }
  model::BushingSpec bushing;
  bushing.name = name;
  bushing.stiffness = one_or_three(m, table, "stiffness", "N/m");
  bushing.damping = one_or_three(m, table, "damping", "N*s/m");
  bushing.turning_stiffness = one_or_three(m, table, "turning_stiffness", "N*m/rad");
  bushing.turning_damping = one_or_three(m, table, "turning_damping", "N*m*s/rad");
  if (!places) return;
  bushing.a = places->first.site;
  bushing.b = places->second.site;
  m.additions.push_back([bushing](model::ModelBuilder& b) { b.add_bushing(bushing); });
}

}  // namespace carom::inline io::mechanism
