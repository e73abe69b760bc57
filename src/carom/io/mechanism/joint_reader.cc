// Joints, ideal ones and ones with play, and where they start.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "carom/base/names.h"
#include "carom/io/mechanism/mechanism.h"
#include "carom/model/joints/joint_kind.h"

namespace carom::inline io::mechanism {

namespace {

using model::SiteSpec;

std::vector<std::string> joint_words() {
  std::vector<std::string> words = model::joint_kinds().names();
  for (const char* other :
       {"gear_backlash", "revolute_clearance", "spherical_clearance", "prismatic_clearance", "face"})
    words.emplace_back(other);
  return words;
}

bool slides_first(const Joint& joint) {
  return !joint.coordinates.empty() && joint.coordinates.front().kind != model::RowKind::angle;
}

// What the first coordinate measures, and what a force along it.
Dimension of_coordinate(const Mechanism& m, const Joint& joint) { return m.unit(slides_first(joint) ? "m" : "rad"); }
Dimension of_effort(const Mechanism& m, const Joint& joint) { return m.unit(slides_first(joint) ? "N" : "N*m"); }

Pose pose_of(const Mechanism& m, int body) {
  if (body < 0) return {};
  const model::BodySpec& spec = m.bodies[static_cast<std::size_t>(body)].spec;
  return {spec.position, rotation_matrix(m.planar ? quaternion_exp(Vector3(0.0, 0.0, spec.angle))
                                                  : Quaternion(spec.orientation.normalized()))};
}

// Turned so that its axis (space) or direction of sliding (plane) is along d of its frame.
SiteSpec along(const Mechanism& m, const SiteSpec& site, const Vector3& d) {
  return m.planar ? site.sliding_along(d) : site.with_axis(d);
}

// A guide in space runs along x of its site; z of the body, or y where that is along the guide, lies across it.
SiteSpec guided_along(const SiteSpec& site, const Vector3& d) {
  SiteSpec out = site;
  const Vector3 x = d.normalized(), up = std::abs(x.z()) < 0.9 ? Vector3::UnitZ() : Vector3::UnitY();
  out.triad.col(0) = x;
  out.triad.col(1) = up.cross(x).normalized();
  out.triad.col(2) = x.cross(out.triad.col(1));
  return out;
}

// A Cardan joint turns about z of its first site and x of its second.
SiteSpec crossing(const SiteSpec& site, const Vector3& x, const Vector3& first) {
  SiteSpec out = site;
  out.triad.col(0) = x.normalized();
  Vector3 z = first - first.dot(out.triad.col(0)) * out.triad.col(0);
  if (!(z.norm() > 1e-9 * first.norm())) z = out.triad.col(0).unitOrthogonal();
  out.triad.col(2) = z.normalized();
  out.triad.col(1) = out.triad.col(2).cross(out.triad.col(0));
  return out;
}

struct Ends {
  Place a, b;
  bool follows_frames = true;
};

// Named points with axes in the frames; or one point and axis of the world, where the bodies are placed; or a point in
// each.
std::optional<Ends> read_ends(Mechanism& m, TableReader& table, const std::string& kind) {
  const auto places = m.pair_of_places(table);
  const bool turns_in_plane =
      m.planar && kind != "prismatic" && kind != "point_on_line" && kind != "prismatic_clearance";
  const auto axis = m.direction(table, "axis"), axis_b = m.direction(table, "axis_b");
  const auto point = table.vector("point", m.planar), point_a = table.vector("point_a", m.planar),
             point_b = table.vector("point_b", m.planar);
  for (const char* other : {"point_a", "point_b"})
    if (table.take("point") && table.take(other))
      table.refuse(other, "E0106", fmt::format("{}: {} beside point", table.path(), other),
                   "one point in the world, or point_a and point_b in the bodies");
  if (!places) return std::nullopt;
  Ends ends{places->first, places->second};
  if (ends.a.body == ends.b.body &&
      (ends.a.body < 0 || m.bodies[static_cast<std::size_t>(ends.a.body)].kind != Body::Kind::flexible)) {
    table.refuse("between", "E0211", fmt::format("{} does not hold two different bodies", table.path()),
                 "name two bodies, or \"ground\" and a body");
    return std::nullopt;
  }
  const Vector3 direction = axis.value_or(m.planar ? Vector3::UnitX() : Vector3::UnitZ());
  const auto names = table.texts("between");
  const auto named_point = [](const std::string& name) {
    return name.find('.', name.starts_with("body.") ? 5 : 0) != std::string::npos;
  };
  const bool named = named_point((*names)[0]) || named_point((*names)[1]);
  if (named || (!point && !point_a && !point_b && m.planar)) {
    for (const char* key : {"point", "point_a", "point_b"})
      if (named && table.take(key))
        table.refuse(key, "E0106", fmt::format("{}: {} beside named points", table.path(), key), "keep one of the two");
    const bool guide_in_space = !m.planar && kind == "prismatic_clearance";
    const Vector3 other = axis_b.value_or(direction);
    if (guide_in_space) {
      ends.a.site = guided_along(ends.a.site, direction);
      ends.b.site = guided_along(ends.b.site, other);
    } else if (!turns_in_plane) {
      ends.a.site = along(m, ends.a.site, direction);
      ends.b.site =
          kind == "universal" && axis_b ? crossing(ends.b.site, *axis_b, direction) : along(m, ends.b.site, other);
    }
    return ends;
  }
  if (kind.ends_with("_clearance")) {
    table.refuse("between", "E0212", table.path() + " needs named points",
                 "between = [\"crank.P\", \"rod.P\"] with points = { P = [..] } of the bodies");
    return std::nullopt;
  }
  const auto placed = [&](const Place& place) {
    return place.body < 0 || m.bodies[static_cast<std::size_t>(place.body)].has_position;
  };
  ends.follows_frames = false;
  const Pose at_a = pose_of(m, ends.a.body), at_b = pose_of(m, ends.b.body);
  const auto local = [](const Pose& frame, const Vector3& x) -> Vector3 { return frame.R.transpose() * (x - frame.x); };
  if (point) {
    if (!placed(ends.a) || !placed(ends.b)) {
      table.refuse("point", "E0212", table.path() + ": a point of the world needs bodies that are placed",
                   "give both a position, or name points: between = [\"a.P\", \"b.P\"]");
      return std::nullopt;
    }
    ends.a.site.point = local(at_a, *point);
    ends.b.site.point = local(at_b, *point);
  } else if (point_a && point_b) {
    ends.a.site.point += *point_a;
    ends.b.site.point += *point_b;
  } else if (kind != "fixed_orientation") {
    if (!point_a && !point_b && (table.take("point") || table.take("point_a") || table.take("point_b")))
      return std::nullopt;  // was reported
    table.refuse(
        "point", "E0212", fmt::format("{} needs a point", table.path()),
        "between = [\"ground.O\", \"crank.O\"] with named points, or point = [x, y, z] in the world at the start");
    return std::nullopt;
  }
  if (m.planar) {
    if (!turns_in_plane) {
      ends.a.site = ends.a.site.sliding_along(at_a.R.transpose() * direction);
      ends.b.site = ends.b.site.sliding_along(at_b.R.transpose() * direction);
    }
    return ends;
  }
  // The same axes in both bodies at the start; z is that of the joint.
  Matrix3 triad;
  triad.col(2) = direction.normalized();
  Vector3 x, y;
  tangents(triad.col(2), x, y);
  triad.col(0) = x;
  triad.col(1) = y;
  ends.a.site.triad = at_a.R.transpose() * triad;
  ends.b.site.triad = at_b.R.transpose() * triad;
  if (kind == "universal" && axis_b)
    ends.b.site = crossing(ends.b.site, at_b.R.transpose() * *axis_b, at_b.R.transpose() * direction);
  return ends;
}

void mark_held(Mechanism& m, const Ends& ends) {
  for (const int body : {ends.a.body, ends.b.body})
    if (body >= 0) m.bodies[static_cast<std::size_t>(body)].held = true;
}

void read_friction(TableReader& table, bool slides, model::JointSpec& joint) {
  const char *constant = slides ? "force" : "torque", *other = slides ? "torque" : "force";
  const auto coefficient = table.number("coefficient"), radius = table.number("radius"),
             preload = table.number("preload"), whatever_it_carries = table.number(constant);
  if (table.take(other))
    table.refuse(other, "E0108", fmt::format("{}: this joint {}", table.path(), slides ? "slides" : "turns"),
                 fmt::format("give {}", constant));
  else if (!table.take("coefficient") && (table.take("preload") || !table.take(constant)))
    table.require("coefficient", fmt::format("or {}, which does not ask for the load", constant));
  joint.friction = model::JointFriction{coefficient.value_or(0.0), radius.value_or(0.0), preload.value_or(0.0),
                                        whatever_it_carries.value_or(0.0)};
}

void read_additions(Mechanism& m, TableReader& table, Joint& joint) {
  const std::string name = joint.spec.name;
  if (joint.coordinates.empty()) return;
  const Dimension coordinate = of_coordinate(m, joint), effort = of_effort(m, joint),
                  rate = coordinate / Dimension::of(0, 0, 1);
  if (table.take("limits")) {
    TableReader limits = table.table("limits", &table_spec("joint.limits"));
    model::LimitSpec limit;
    limit.joint = name;
    limit.lower = limits.number("lower", coordinate);
    limit.upper = limits.number("upper", coordinate);
    limit.restitution = limits.number("restitution").value_or(0.0);
    if (limit.lower && limit.upper && !(*limit.lower < *limit.upper))
      limits.refuse("upper", "E0126", fmt::format("{}: the upper limit is not above the lower one", limits.path()),
                    "lower < upper");
    if (!limits.take("lower") && !limits.take("upper")) limits.require("upper", "lower, upper or both");
    limits.finish();
    m.additions.push_back([limit](model::ModelBuilder& b) { b.add_limit(limit); });
  }
  if (table.take("friction")) {
    TableReader friction = table.table("friction", &table_spec("joint.friction"));
    read_friction(friction, slides_first(joint), joint.spec);
    friction.finish();
  }
  if (table.take("spring")) {
    TableReader spring = table.table("spring", &table_spec("joint.spring"));
    model::SpringSpec spec;
    spec.name = name + ".spring";
    spec.joint = name;
    spec.stiffness = spring.number("stiffness", effort / coordinate).value_or(0.0);
    spec.damping = spring.number("damping", effort / rate).value_or(0.0);
    spec.free_length = spring.number("rest", coordinate);
    spec.preload = spring.number("preload", effort).value_or(0.0);
    spring.finish();
    m.additions.push_back([spec](model::ModelBuilder& b) { b.add_spring(spec); });
  }
}

// Two of a radius, a wider radius and the clearance between them.
std::optional<std::pair<double, double>> read_radii(TableReader& table, const char* inner_key, const char* outer_key) {
  auto inner = table.number(inner_key), outer = table.number(outer_key), play = table.number("clearance");
  const int given =
      (table.take(inner_key) != nullptr) + (table.take(outer_key) != nullptr) + (table.take("clearance") != nullptr);
  if (given != 2) {
    table.refuse(given == 3 ? "clearance" : "type", given == 3 ? "E0106" : "E0104",
                 fmt::format("{} wants two of {}, {} and clearance", table.path(), inner_key, outer_key),
                 "the third one follows");
    return std::nullopt;
  }
  if (!inner && outer && play) inner = *outer - *play;
  if (!outer && inner && play) outer = *inner + *play;
  if (!inner || !outer) return std::nullopt;
  if (!(*outer > *inner) || !(*inner >= 0.0)) {
    table.refuse(table.take(outer_key) ? outer_key : "clearance", "E0222",
                 fmt::format("{}: the bore must be wider than the pin", table.path()), "");
    return std::nullopt;
  }
  return std::pair(*inner, *outer);
}

void add_without_play(Mechanism& m, const std::string& name, const char* kind, const Ends& ends,
                      const DocumentNode* node) {
  Joint joint;
  joint.spec = {.name = name, .kind = kind, .a = ends.a.site, .b = ends.b.site};
  if (!m.planar && joint.spec.kind == "prismatic")  // its axis is z
    for (SiteSpec* site : {&joint.spec.a, &joint.spec.b}) {
      Matrix3 turned;
      turned << site->triad.col(1), site->triad.col(2), site->triad.col(0);
      site->triad = turned;
    }
  joint.node = node;
  m.without_play.push_back(std::move(joint));
}

// A point of the first, a face through the place on the second with a normal in its frame.
void read_face(Mechanism& m, TableReader& table, const std::string& name) {
  const auto places = m.pair_of_places(table);
  const auto law = m.law(table, "law");
  const auto normal = m.direction(table, "normal"), along = m.direction(table, "along");
  const auto from = table.number("from"), to = table.number("to"), depth = table.number("depth");
  if (!places || !law) return;
  const Vector3 n = normal.value_or(m.planar ? Vector3::UnitY() : Vector3::UnitZ()).normalized();
  Vector3 d = m.planar ? Vector3(n.y(), -n.x(), 0.0) : along.value_or(Vector3::UnitX());
  d -= n.dot(d) * n;
  if (!(d.norm() > 1e-9)) {
    Vector3 other;
    tangents(n, d, other);
  }
  model::FaceSpec face{.name = name, .point = places->first.site, .face = places->second.site, .law = *law};
  face.face.triad.col(0) = d.normalized();
  face.face.triad.col(1) = n;
  face.face.triad.col(2) = d.normalized().cross(n);
  if (from) face.from = *from;
  if (to) face.to = *to;
  if (depth) face.depth = *depth;
  m.additions.push_back([face](model::ModelBuilder& b) { b.add_face(face); });
}

void read_clearance(Mechanism& m, TableReader& table, const std::string& name, const std::string& type) {
  const auto ends = read_ends(m, table, type);
  const auto law = m.law(table, "law");
  if (type == "prismatic_clearance") {
    const auto length = table.number("half_length"), height = table.number("half_height"),
               play = table.number("clearance"), width = table.number("half_width");
    if (!m.planar && !table.take("half_width"))
      return table.require("half_width", "half_width = \"10 mm\" of the block along z of the guide");
    if (!ends || !law || !length || !height || !play) return;
    mark_held(m, *ends);
    m.apart.emplace_back(ends->a.body, ends->b.body);
    add_without_play(m, name, "prismatic", *ends, table.node());
    model::GuideSpec guide{.name = name,
                           .guide = ends->a.site,
                           .block = ends->b.site,
                           .half_length = *length,
                           .half_height = *height,
                           .clearance = *play,
                           .law = *law,
                           .half_width = width.value_or(0.0)};
    m.additions.push_back([guide](model::ModelBuilder& b) { b.add_guide(guide); });
    return;
  }
  const bool ball = type == "spherical_clearance";
  if (ball && m.planar)
    return table.refuse("type", "E0223", table.path() + ": in the plane a ball in its socket is a pin in its bore",
                        "type = \"revolute-clearance\"");
  const auto radii =
      ball ? read_radii(table, "ball_radius", "socket_radius") : read_radii(table, "pin_radius", "bore_radius");
  model::ClearanceSpec spec;
  spec.name = name;
  if (!ball) {
    const auto length = table.number("length");
    spec.axial_play = table.number("axial_play");
    if (!m.planar && !table.take("length"))
      return table.refuse("type", "E0104", table.path() + ": a pin in space has a length",
                          "length = \"20 mm\" of the pin along its axis; a ball is type = \"spherical-clearance\"");
    spec.pin_length = m.planar ? 0.0 : length.value_or(0.0);
  }
  if (!ends || !law || !radii) return;
  mark_held(m, *ends);
  m.apart.emplace_back(ends->a.body, ends->b.body);
  add_without_play(m, name, ball ? "spherical" : "revolute", *ends, table.node());
  spec.pin = ends->a.site;
  spec.bore = ends->b.site;
  spec.pin_radius = radii->first;
  spec.bore_radius = radii->second;
  spec.law = *law;
  m.additions.push_back([spec](model::ModelBuilder& b) { b.add_clearance(spec); });
}

std::optional<std::pair<std::string, Dimension>> read_coordinate(const Mechanism& m, const DocumentNode& node) {
  const std::string name = node.text.starts_with("joint.") ? node.text.substr(6) : node.text;
  const Joint* joint = m.find_joint(name);
  std::vector<std::string> known;
  for (const Joint& other : m.joints)
    for (const auto& c : other.coordinates) known.push_back(other.spec.name + "." + c.name);
  const std::size_t dot = name.find('.');
  const model::CoordinateTemplate* found = nullptr;
  if (joint)
    for (const auto& c : joint->coordinates)
      if (!found && (dot == std::string::npos || name.substr(dot + 1) == c.name)) found = &c;
  if (!found) {
    m.reading.report(m.reading.document.at_value(node, "E0141", fmt::format("no joint coordinate '{}'", name),
                                                 suggestion(name, known)));
    return std::nullopt;
  }
  return std::pair(joint->spec.name + "." + found->name, m.unit(found->kind == model::RowKind::angle ? "rad" : "m"));
}

// first = ratio * second; of a rack the displacement of the second = ratio * angle of the first.
void read_gear(Mechanism& m, TableReader& table, const std::string& name, const std::string& type) {
  const auto names = table.texts("joints");
  if (!names) return;
  if (names->size() != 2)
    return table.refuse("joints", "E0123", table.path() + ".joints wants two joints",
                        "joints = [\"wheel1\", \"wheel2\"]");
  const DocumentNode& node = *table.node()->find("joints");
  auto a = read_coordinate(m, node.children[0]), b = read_coordinate(m, node.children[1]);
  if (!a || !b) return;
  if (type == "rack") {
    if (a->second != m.unit("rad") || b->second != m.unit("m"))
      return table.refuse("joints", "E0108", table.path() + ": a rack couples an angle and a displacement",
                          "joints = [\"pinion\", \"rack\"]: the turning joint first");
    std::swap(a, b);
  }
  const auto ratio = table.number("ratio", a->second / b->second);
  if (!ratio) return;
  const std::vector<model::RatioSpec::Term> terms = {{a->first, 1.0}, {b->first, -*ratio}};
  if (type != "gear_backlash") {
    model::RatioSpec spec{.name = name, .terms = terms};
    m.additions.push_back([spec](model::ModelBuilder& builder) { builder.add_ratio(spec); });
    return;
  }
  const auto play = table.number("backlash", a->second);
  const double restitution = table.number("restitution").value_or(0.0);
  if (!play) return;
  if (!(*play > 0.0))
    return table.refuse("backlash", "E0225", fmt::format("{}: the backlash must be positive", table.path()),
                        "without play: type = \"gear\"");
  model::BacklashSpec spec{.name = name, .terms = terms, .backlash = *play, .restitution = restitution};
  m.additions.push_back([spec](model::ModelBuilder& builder) { builder.add_backlash(spec); });
}

}  // namespace

void read_joint(Mechanism& m, TableReader& table, const std::string& name) {
  if (!is_plain_name(name))
    m.reading.report(m.reading.document.at_key(*table.node(), "E0202", fmt::format("'{}' cannot be a name", name),
                                               "use letters, digits, underscores and hyphens"));
  table.require("type", "type = \"revolute\", \"spherical\", \"prismatic\", \"fixed\", ... (`carom list joints`)");
  const auto word = table.text("type");
  if (!word) return;
  std::string type = canonical_name(*word);
  if (type == "weld") type = "fixed";
  const auto words = joint_words();
  if (std::find(words.begin(), words.end(), type) == words.end()) {
    table.refuse("type", "E0110", fmt::format("unknown joint type '{}'", *word), suggestion(*word, words));
    for (const char* key : {"between", "point", "point_a", "point_b", "axis", "law", "clearance"}) table.take(key);
    return;
  }
  table.follow(table_spec("joint." + type));
  table.require_all();
  if (type == "face") return read_face(m, table, name);
  if (type.ends_with("_clearance")) return read_clearance(m, table, name, type);
  if (type == "gear" || type == "gear_backlash" || type == "rack") return read_gear(m, table, name, type);
  const auto ends = read_ends(m, table, type);
  Joint joint;
  joint.node = table.node();
  joint.spec.name = name;
  if (type == "screw") {
    const auto pitch = table.number("pitch", m.unit("m"));
    if (m.planar)
      return table.refuse("type", "E0223", table.path() + ": there is no screw in the plane", "[world] dimension = 3");
    joint.spec.kind = "cylindrical";
    if (pitch && ends) {
      model::RatioSpec thread{
          .name = name + ".thread",
          .terms = {{name + ".displacement", 1.0}, {name + ".angle", -*pitch / (2.0 * std::numbers::pi)}}};
      m.additions.push_back([thread](model::ModelBuilder& b) { b.add_ratio(thread); });
    }
  } else {
    joint.spec.kind = type;
  }
  const model::JointKind& kind = model::joint_kinds().find(joint.spec.kind);
  if ((m.planar ? kind.planar : kind.spatial).empty()) {
    table.refuse("type", "E0223",
                 fmt::format("{}: there is no {} joint in {}", table.path(), type, m.planar ? "the plane" : "space"),
                 m.planar ? "fixed, revolute, prismatic, distance, point_on_line" : "");
    return;
  }
  joint.coordinates = m.planar ? kind.planar_coordinates : kind.spatial_coordinates;
  if (ends) {
    joint.spec.a = ends->a.site;
    joint.spec.b = ends->b.site;
    joint.follows_frames = ends->follows_frames;
    mark_held(m, *ends);
  }
  read_additions(m, table, joint);
  m.joints.push_back(std::move(joint));
  if (table.take("drive")) {
    TableReader drive = table.table("drive", &table_spec("drive"));
    if (drive.exists()) read_drive(m, drive, name + ".drive", name);
    drive.finish();
  }
}

// --- where joints start
// ------------------------------------------------------------------------------------------------------------

void read_initial(Mechanism& m, TableReader& table) {
  if (!table.exists()) return;
  table.follow(table_spec("initial"));
  table.word("start", {"assemble", "given", "project", "rest"});
  table.take("overlap");
  for (const DocumentNode& child : table.node()->children) {
    const std::string key = canonical_name(child.key);
    if (key == "start" || key == "overlap") continue;
    table.take(key);
    Joint* joint = nullptr;
    std::vector<std::string> known = {"start", "overlap"};
    for (Joint& other : m.joints) {
      if (!other.coordinates.empty()) known.push_back(other.spec.name);
      if (canonical_name(other.spec.name) == key) joint = &other;
    }
    if (!joint || joint->coordinates.empty()) {
      m.reading.report(m.reading.document.at_key(
          child, "E0141", fmt::format("initial.{}: there is no joint of that name with a coordinate", child.key),
          suggestion(child.key, known)));
      continue;
    }
    TableReader start(m.reading, &child, "initial." + child.key, &table_spec("initial.joint"));
    if (!start.exists()) continue;
    const bool slides = slides_first(*joint);
    const char* coordinate = slides ? "displacement" : "angle";
    const char* other = slides ? "angle" : "displacement";
    if (start.take(other))
      start.refuse(other, "E0108", fmt::format("{}: its first coordinate is {}", start.path(), coordinate),
                   fmt::format("{} = ...", coordinate));
    const auto value = start.number(coordinate);
    const auto rate = start.number("rate", of_coordinate(m, *joint) / Dimension::of(0, 0, 1));
    start.finish();
    // Not given: as it is driven, or where it stands.
    const model::CoordinateStart driven = joint->spec.start.value_or(model::CoordinateStart{std::nan(""), 0.0});
    if (value && !std::isnan(driven.value) && std::abs(*value - driven.value) > 1e-9 * (1.0 + std::abs(driven.value)))
      start.refuse(
          coordinate, "E0106",
          fmt::format("{}.{} is {}, but its drive begins at {}", start.path(), coordinate, *value, driven.value),
          "leave it out");
    joint->spec.start = model::CoordinateStart{value.value_or(driven.value), rate.value_or(driven.rate)};
  }
  table.finish();
}

// --- places by joints
// --------------------------------------------------------------------------------------------------------------

namespace {

struct Motion {
  Pose pose;
  Twist twist;         // of the body's frame origin
  double angle = 0.0;  // in the plane, turns counted
  bool known = false;
};

double turn_of(const Matrix3& R) { return std::atan2(R(1, 0), R(0, 0)); }

double angle_between(const Pose& a, const Pose& b) {
  return std::atan2(a.R.col(1).dot(b.R.col(0)), a.R.col(0).dot(b.R.col(0)));
}

}  // namespace

void place_along_joints(Mechanism& m) {
  std::vector<Motion> motions(m.bodies.size() + 1);  // the last one is the ground
  const std::size_t ground = m.bodies.size();
  motions[ground].known = true;
  for (std::size_t b = 0; b < ground; ++b) {
    const Body& body = m.bodies[b];
    motions[b].pose = pose_of(m, static_cast<int>(b));
    motions[b].twist = {body.spec.velocity, motions[b].pose.R * body.spec.spin};
    motions[b].angle = body.spec.angle;
    motions[b].known = body.has_position || body.kind == Body::Kind::flexible;
  }
  const auto index = [&](const SiteSpec& site) { return site.body < 0 ? ground : static_cast<std::size_t>(site.body); };
  const auto step_of = [&](const Joint& joint)
      -> std::pair<Vector3, Vector3> {  // turn and shift per unit of the first coordinate, in the axes of the joint
    if (joint.coordinates.empty()) return {Vector3::Zero(), Vector3::Zero()};
    const auto& c = joint.coordinates.front();
    if (c.kind == model::RowKind::angle) return {Vector3::UnitZ(), Vector3::Zero()};
    if (c.kind == model::RowKind::along) return {Vector3::Zero(), m.planar ? Vector3::UnitX() : Vector3::UnitZ()};
    return {Vector3::Zero(), Vector3::Zero()};
  };
  // Ideal joints first; those with play where they lead no further.
  std::vector<const Joint*> order;
  for (const Joint& joint : m.joints) order.push_back(&joint);
  for (const Joint& joint : m.without_play) order.push_back(&joint);
  for (bool again = true; again;) {
    again = false;
    for (const Joint* next_joint : order) {
      const Joint& joint = *next_joint;
      if (again && next_joint >= m.without_play.data() && next_joint < m.without_play.data() + m.without_play.size())
        break;
      const std::size_t a = index(joint.spec.a), b = index(joint.spec.b);
      if (!joint.follows_frames || motions[a].known == motions[b].known || joint.spec.kind == "distance") continue;
      const bool forwards = motions[a].known;
      const SiteSpec& from = forwards ? joint.spec.a : joint.spec.b;
      const SiteSpec& to = forwards ? joint.spec.b : joint.spec.a;
      const Motion& base = motions[forwards ? a : b];
      Motion& next = motions[forwards ? b : a];
      const double sign = forwards ? 1.0 : -1.0;
      const double value = joint.spec.start && !std::isnan(joint.spec.start->value) ? joint.spec.start->value : 0.0;
      const double rate = joint.spec.start ? joint.spec.start->rate : 0.0;
      const auto [turn, shift] = step_of(joint);
      const Pose site = base.pose * Pose{from.point, from.triad};
      const Body& body = m.bodies[forwards ? b : a];
      Pose moved = site * Pose{sign * value * shift, rotation_matrix(quaternion_exp(sign * value * turn))};
      if (!forwards)
        moved = Pose{site.x, site.R * rotation_matrix(quaternion_exp(sign * value * turn))} *
                Pose{sign * value * shift, Matrix3::Identity()};
      Pose pose;
      pose.R = body.has_turn ? next.pose.R : Matrix3(moved.R * to.triad.transpose());
      pose.x = moved.x - pose.R * to.point;
      Twist twist;
      twist.omega = base.twist.omega + sign * rate * (site.R * turn);
      const Vector3 at_site =
          base.twist.velocity + base.twist.omega.cross(moved.x - base.pose.x) + sign * rate * (site.R * shift);
      twist.velocity = at_site - twist.omega.cross(pose.R * to.point);
      next.pose = pose;
      if (!body.has_turn) {
        constexpr double full = 2.0 * std::numbers::pi;
        const double wanted = base.angle + sign * value * turn.z() + turn_of(from.triad) - turn_of(to.triad),
                     found = turn_of(pose.R);
        next.angle = found + full * std::round((wanted - found) / full);
      }
      if (!body.has_velocity) next.twist = twist;
      next.known = again = true;
    }
  }
  for (std::size_t b = 0; b < ground; ++b) {
    Body& body = m.bodies[b];
    if (body.kind != Body::Kind::rigid || body.has_position || !motions[b].known) continue;
    body.spec.position = motions[b].pose.x;
    if (!body.has_turn) {
      body.spec.angle = motions[b].angle;
      body.spec.orientation = Quaternion(1.0, 0.0, 0.0, 0.0);
      if (!m.planar) {
        const Eigen::Quaterniond q(motions[b].pose.R);
        body.spec.orientation = {q.w(), q.x(), q.y(), q.z()};
      }
    }
    if (!body.has_velocity) {
      body.spec.velocity = motions[b].twist.velocity;
      body.spec.spin = motions[b].pose.R.transpose() * motions[b].twist.omega;
    }
  }
  // Coordinates whose value was not given start where they stand.
  for (Joint& joint : m.joints) {
    if (!joint.spec.start || !std::isnan(joint.spec.start->value)) continue;
    const Pose a = motions[index(joint.spec.a)].pose * Pose{joint.spec.a.point, joint.spec.a.triad};
    const Pose b = motions[index(joint.spec.b)].pose * Pose{joint.spec.b.point, joint.spec.b.triad};
    const auto& c = joint.coordinates.front();
    if (c.kind == model::RowKind::angle)
      joint.spec.start->value = angle_between(a, b);
    else if (c.kind == model::RowKind::along)
      joint.spec.start->value = a.R.col(m.planar ? 0 : 2).dot(b.x - a.x);
    else
      joint.spec.start->value = (b.x - a.x).norm();
  }
}

}  // namespace carom::inline io::mechanism
