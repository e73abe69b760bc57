// What the readers of a mechanism's tables share: the builder that is filled, and what names stand for.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "carom/io/scenario.h"
#include "carom/io/table_reader.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/joints/joint_kind.h"

namespace carom::inline io::mechanism {

// A few hundred bytes each, and four datasets in the result file.
inline constexpr double most_bodies = 100000;

// A shape of a body, as it is touched and drawn.
struct PlacedShape {
  std::string name = {};  // empty: the only one of its body
  geometry::Shape shape = geometry::Sphere(1.0);
  Pose pose = {};
  std::string material = {};
  std::string color = {};
  bool touches = true;
};

struct Body {
  enum class Kind { rigid, moved, flexible };
  Kind kind = Kind::rigid;
  Index number = -1;  // in the builder
  model::BodySpec spec = {};
  model::KinematicBodyData moved = {};
  std::optional<model::SinglePartSpec> flexible = {};
  const DocumentNode* node = nullptr;          // its table; null: generated
  std::map<std::string, Vector3> points = {};  // as written: from the body's origin
  std::map<std::string, double> lengths = {};  // of points on a beam
  Vector3 centre = Vector3::Zero();            // of mass, from the body's origin
  std::vector<PlacedShape> shapes = {};
  std::vector<std::string> carried_by = {};  // points of a beam that carry its shapes
  std::string material = {};
  bool has_position = false, has_turn = false, has_velocity = false;
  bool held = false;  // by a joint
};

struct Joint {
  model::JointSpec spec = {};
  std::vector<model::CoordinateTemplate> coordinates = {};  // it has in this space
  const DocumentNode* node = nullptr;
  bool follows_frames = true;  // its axes are given in the bodies' frames: bodies can be placed by it
};

// A place on a body or the ground.
struct Place {
  model::SiteSpec site = {};
  int body = -1;  // in Mechanism::bodies
};

struct Mechanism {
  const Reading& reading;
  const std::map<std::string, ContactParameters>& laws;
  bool planar = false;
  Vector3 gravity = Vector3::Zero();
  model::Coordinates coordinates = model::Coordinates::maximal;
  std::map<std::string, Vector3> ground_points = {};
  std::vector<Body> bodies = {};
  std::map<std::string, int> numbers = {};  // of bodies, by name
  std::vector<std::string> planes = {};
  std::vector<Joint> joints = {};
  std::vector<Joint> without_play =
      {};  // what joints with clearance would be without it: bodies are placed, and if need be assembled, by these
  double generated = 0.0;
  // What is added to the builder when bodies have their places.
  std::vector<std::function<void(model::ModelBuilder&)>> additions = {};
  std::vector<std::pair<int, int>> apart = {};  // bodies that clearance joints hold

  Dimension unit(const char* text) const;

  // "crank.P", "crank", "ground.O", "ground", a plane. A report at the node if it means nothing.
  std::optional<Place> place(const DocumentNode& node, const std::string& name) const;
  // The two of `between`.
  std::optional<std::pair<Place, Place>> pair_of_places(TableReader& table, const char* key = "between") const;
  // "x", "y", "z" or a direction; none: not given, or a report.
  std::optional<Vector3> direction(TableReader& table, const std::string& key) const;
  std::optional<Quaternion> orientation(TableReader& table) const;
  // The law a key names; none after a report.
  std::optional<ContactParameters> law(TableReader& table, const std::string& key) const;
  // The coordinate "bearing" (its first) or "bearing.angle"; a null joint after a report at the key.
  struct Coordinate {
    Joint* joint = nullptr;
    const model::CoordinateTemplate* of = nullptr;
    bool turns() const { return of->kind == model::RowKind::angle; }
    std::string name() const { return joint->spec.name + "." + of->name; }
  };
  Coordinate coordinate(TableReader& table, const std::string& key, const std::string& name);
  const Joint* find_joint(const std::string& name) const;               // "bearing" or "bearing.angle"
  void report_name(const DocumentNode& node, const std::string& name);  // if it cannot be one
  void add(Body body);
};

// For [contact] with law = "steel" in it: tables of a group have names.
void report_nameless(const Reading& reading, const std::string& kind, const DocumentNode& child);

// Calls `read` with every table of a group.
template <class Read>
void each(const Reading& reading, TableReader& root, const std::string& kind, Read read) {
  TableReader group = root.table(kind);
  if (!group.exists()) return;
  for (const DocumentNode& child : group.node()->children) {
    if (!child.is_table()) {
      report_nameless(reading, kind, child);
      continue;
    }
    TableReader table(reading, &child, kind + "." + child.key, find_table(kind));
    read(table, child.key);
    table.finish();
  }
}

// body_reader.cc
void read_body(Mechanism& m, TableReader& table, const std::string& name);
void read_generate(Mechanism& m, TableReader& table, const std::string& name);
// shape_reader.cc: `shape = {...}` or `shape.NAME = {...}` of a table.
std::vector<PlacedShape> read_shapes(const Mechanism& m, TableReader& table,
                                     std::vector<std::string>* carriers = nullptr);
// flexible_parts.cc
void read_flexible_part(Mechanism& m, TableReader& table, const std::string& name);
// joint_reader.cc
void read_joint(Mechanism& m, TableReader& table, const std::string& name);
void read_initial(Mechanism& m, TableReader& table);
// force_reader.cc
void read_drive(Mechanism& m, TableReader& table, const std::string& path, const std::optional<std::string>& of_joint);
void read_force(Mechanism& m, TableReader& table, const std::string& name);
// input_reader.cc
void read_input(Mechanism& m, TableReader& table, const std::string& name);
// Bodies without a position go where the joints put them, with the coordinates these start with.
void place_along_joints(Mechanism& m);

}  // namespace carom::inline io::mechanism
