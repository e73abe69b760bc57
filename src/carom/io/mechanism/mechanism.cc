#include "carom/io/mechanism/mechanism.h"

#include <fmt/format.h>

#include "carom/base/names.h"
#include "carom/base/units.h"
#include "carom/model/multibody.h"

namespace carom::inline io::mechanism {

Dimension Mechanism::unit(const char* text) const { return parse_unit(text)->dimension; }

void report_nameless(const Reading& reading, const std::string& kind, const DocumentNode& child) {
  reading.report(reading.document.at_key(
      child, "E0123", fmt::format("'{}' stands in [{}] itself, which holds tables with names", child.key, kind),
      fmt::format("give it a name of your own: [{}.NAME] and there {} = ...", kind, child.key)));
}

void Mechanism::report_name(const DocumentNode& node, const std::string& name) {
  const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  if (name.empty() || name == "ground" || !std::all_of(name.begin(), name.end(), plain))
    reading.report(reading.document.at_key(node, "E0202", fmt::format("'{}' cannot be a name", name),
                                           "use letters, digits and underscores; 'ground' is the fixed world"));
  if (numbers.contains(name) || std::find(planes.begin(), planes.end(), name) != planes.end())
    reading.report(reading.document.at_key(node, "E0203", fmt::format("the name '{}' is used twice", name),
                                           "bodies and planes share one set of names"));
}

void Mechanism::add(Body body) {
  const std::string& name = body.kind == Body::Kind::moved      ? body.moved.name
                            : body.kind == Body::Kind::flexible ? model::part_name(*body.flexible)
                                                                : body.spec.name;
  body.number = static_cast<Index>(bodies.size());
  numbers.emplace(name, static_cast<int>(bodies.size()));
  bodies.push_back(std::move(body));
}

std::optional<Place> Mechanism::place(const DocumentNode& node, const std::string& given) const {
  const std::string name = given.starts_with("body.") ? given.substr(5) : given;
  const std::size_t dot = name.find('.');
  const std::string body = name.substr(0, dot), point = dot == std::string::npos ? "" : name.substr(dot + 1);
  const auto unknown_point = [&](const std::vector<std::string>& known) {
    reading.report(reading.document.at_value(
        node, "E0144", fmt::format("{} has no point '{}'", body, point),
        known.empty() ? fmt::format("give it one: points = {{ {} = [...] }}", point) : suggestion(point, known)));
    return std::nullopt;
  };
  if (body == "ground" || std::find(planes.begin(), planes.end(), body) != planes.end()) {
    Place place;
    if (point.empty()) return place;
    const auto found = ground_points.find(point);
    if (found == ground_points.end()) {
      std::vector<std::string> known;
      for (const auto& entry : ground_points) known.push_back(entry.first);
      return unknown_point(known);
    }
    place.site.point = found->second;
    return place;
  }
  const auto found = numbers.find(body);
  if (found == numbers.end()) {
    std::vector<std::string> known = planes;
    for (const auto& entry : numbers) known.push_back(entry.first);
    known.emplace_back("ground");
    reading.report(reading.document.at_value(node, "E0141", fmt::format("there is no body or plane '{}'", body),
                                             suggestion(body, known)));
    return std::nullopt;
  }
  const Body& at = bodies[static_cast<std::size_t>(found->second)];
  Place place{.site = {.body = at.number}, .body = found->second};
  if (at.kind == Body::Kind::flexible) {
    const auto length = at.lengths.find(point);
    if (length == at.lengths.end()) {
      std::vector<std::string> known;
      for (const auto& entry : at.lengths) known.push_back(entry.first);
      return unknown_point(known);
    }
    place.site.length = length->second;
    return place;
  }
  place.site.point = -at.centre;
  if (point.empty()) return place;
  const auto known_point = at.points.find(point);
  if (known_point == at.points.end()) {
    std::vector<std::string> known;
    for (const auto& entry : at.points) known.push_back(entry.first);
    return unknown_point(known);
  }
  place.site.point = known_point->second - at.centre;
  return place;
}

std::optional<std::pair<Place, Place>> Mechanism::pair_of_places(TableReader& table, const char* key) const {
  const auto names = table.texts(key);
  if (!names) return std::nullopt;
  if (names->size() != 2) {
    table.refuse(key, "E0123", fmt::format("{}.{} wants two places", table.path(), key),
                 fmt::format("{} = [\"ground.O\", \"crank.O\"]", key));
    return std::nullopt;
  }
  const DocumentNode& node = *table.node()->find(key);
  const auto a = place(node.children[0], (*names)[0]), b = place(node.children[1], (*names)[1]);
  if (!a || !b) return std::nullopt;
  return std::pair(*a, *b);
}

Mechanism::Coordinate Mechanism::coordinate(TableReader& table, const std::string& key, const std::string& given) {
  const std::string name = given.starts_with("joint.") ? given.substr(6) : given;
  const std::size_t dot = name.find('.');
  std::vector<std::string> known;
  for (Joint& joint : joints)
    for (const auto& coordinate : joint.coordinates) {
      if (joint.spec.name == name.substr(0, dot) &&
          (dot == std::string::npos || name.substr(dot + 1) == coordinate.name))
        return {&joint, &coordinate};
      known.push_back(joint.spec.name + "." + coordinate.name);
    }
  table.refuse(key, "E0141", fmt::format("no joint coordinate '{}'", name), suggestion(name, known));
  return {};
}

std::optional<Vector3> Mechanism::direction(TableReader& table, const std::string& key) const {
  const DocumentNode* node = table.take(key);
  if (!node) return std::nullopt;
  if (node->kind == DocumentNode::Kind::text) {
    const auto word = table.word(key, {"x", "y", "z"});
    if (!word) return std::nullopt;
    return Vector3(Vector3::Unit((*word)[0] - 'x'));
  }
  const auto axis = table.vector(key, planar);
  if (!axis) return std::nullopt;
  if (!(axis->norm() > 0.0)) {
    table.refuse(key, "E0212", fmt::format("{}: the axis has no direction", table.path()), "any direction but zero");
    return std::nullopt;
  }
  return axis;
}

std::optional<Quaternion> Mechanism::orientation(TableReader& table) const {
  const DocumentNode* node = table.take("orientation");
  if (!node) return std::nullopt;
  if (planar) {
    table.refuse("orientation", "E0108", table.path() + ": in the plane bodies have an angle", "angle = \"30 deg\"");
    return std::nullopt;
  }
  if (node->is_table()) {
    static const TableSpec spec = {
        "orientation",
        "A turn",
        {{"axis", FieldKind::vector, "1", "of turning", ""},
         {"angle", FieldKind::quantity, "rad", "about it", ""},
         {"euler_zyx", FieldKind::list, "rad", "about z, then the new y, then the new x", ""}}};
    TableReader turn = table.table("orientation", &spec);
    if (turn.take("euler_zyx")) {
      const auto list = turn.numbers("euler_zyx");
      turn.finish();
      if (!list) return std::nullopt;
      if (list->size() != 3) {
        turn.refuse("euler_zyx", "E0123", turn.path() + ".euler_zyx wants three angles", "[about z, about y, about x]");
        return std::nullopt;
      }
      Quaternion q = {1.0, 0.0, 0.0, 0.0};
      for (int k = 0; k < 3; ++k)
        q = quaternion_product(q, quaternion_exp((*list)[static_cast<std::size_t>(k)] * Vector3::Unit(2 - k)));
      return q;
    }
    turn.require("axis", "axis = [0, 0, 1]");
    turn.require("angle", "angle = 0.5");
    const Vector3 axis = turn.vector3("axis").value_or(Vector3::UnitZ());
    const double angle = turn.number("angle").value_or(0.0);
    turn.check("axis", axis.norm() > 0.0, "any direction but zero");
    turn.finish();
    return axis.norm() > 0.0 ? orientation_from_axis(axis, angle) : Quaternion(1.0, 0.0, 0.0, 0.0);
  }
  const auto list = reading.numbers(*node, Dimension{});
  if (!list) return std::nullopt;
  if (list->size() != 4) {
    table.refuse("orientation", "E0123", table.path() + ".orientation wants four numbers",
                 "a unit quaternion, scalar first, or { axis = [0, 0, 1], angle = 0.5 }");
    return std::nullopt;
  }
  const Quaternion q = {(*list)[0], (*list)[1], (*list)[2], (*list)[3]};
  if (!(std::abs(q.norm() - 1.0) < 1e-6)) {
    table.refuse("orientation", "E0208", fmt::format("{}: the quaternion has length {}, not 1", table.path(), q.norm()),
                 "give four numbers, scalar first, or an axis and an angle");
    return std::nullopt;
  }
  return q;
}

std::optional<ContactParameters> Mechanism::law(TableReader& table, const std::string& key) const {
  const auto word = table.text(key);
  if (!word) return std::nullopt;
  const auto found = laws.find(*word);
  if (found != laws.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& entry : laws) known.push_back(entry.first);
  table.refuse(key, "E0142", fmt::format("there is no law '{}'", *word),
               known.empty() ? fmt::format("add a table [law.{}]", *word) : suggestion(*word, known));
  return std::nullopt;
}

const Joint* Mechanism::find_joint(const std::string& name) const {
  const std::string bare = name.substr(0, name.find('.'));
  for (const Joint& joint : joints)
    if (joint.spec.name == bare) return &joint;
  return nullptr;
}

}  // namespace carom::inline io::mechanism
