#include "carom/io/multibody_reader.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "carom/base/names.h"
#include "carom/model/multibody.h"
#include "carom/model/multibody_scenes.h"
#include "carom/system/far_contacts.h"

namespace carom {

namespace {

// A few hundred bytes each, and four datasets in the result file.
constexpr double most_bodies = 100000;

class MultibodyReader {
 public:
  MultibodyReader(const Reading& reading, const std::map<std::string, ContactParameters>& laws)
      : reading_(reading), laws_(laws) {}

  std::optional<Model> read(TableReader& root) {
    const std::size_t problems_before = reading_.problems.size();
    TableReader world = root.table("world");
    read_world(world);
    each(root, "body", [&](TableReader& table, const std::string& name) { read_body(table, name); });
    each(root, "generate", [&](TableReader& table, const std::string& name) { read_generate(table, name); });
    each(root, "plane", [&](TableReader& table, const std::string& name) { read_plane(table, name); });
    each(root, "joint", [&](TableReader& table, const std::string& name) { read_joint(table, name); });
    each(root, "contact", [&](TableReader& table, const std::string& name) { read_contact(table, name); });
    // Half a scene would only bring up follow-on problems.
    if (reading_.problems.size() > problems_before) return std::nullopt;
    std::optional<Model> model;
    reading_.attempt(nullptr, [&] { model = scene_.build(); });
    return model;
  }

  // What is no error but hardly meant: bodies that pass through everything, contacts that never act.
  void warn(const Model& model, std::vector<InputProblem>& warnings) const {
    const Document& document = reading_.document;
    const auto at_table = [&](const std::string& path) {
      const DocumentNode* node = document.find_path(path);
      return node ? node : &document.root();
    };
    std::set<std::string> held;
    for (const JointSpec& joint : scene_.joints()) held.insert({joint.a, joint.b});
    const FarContacts* contacts = model.system->far_contacts();
    const bool others = !scene_.planes().empty() || scene_.bodies().size() > 1;
    constexpr std::size_t most = 5;
    for (const BodySpec& body : scene_.bodies()) {
      if (!others || warnings.size() >= most) break;
      const Index partner = contacts ? contacts->partner(body.name) : -1;
      if (held.contains(body.name) || (partner >= 0 && contacts->can_touch(partner))) continue;
      warnings.push_back(document.at_key(
          *at_table("body." + body.name), "W0133", fmt::format("body.{} can touch nothing: it passes through everything", body.name),
          body.shape.type == ShapeType::none ? "give it a shape" : "give it a law: [contact.default], or a [contact.NAME] that names it"));
    }
    for (const ContactSpec& contact : contacts_)
      if (contact.law && scene_.held_together(contact.a, contact.b))
        warnings.push_back(document.at_key(*at_table("contact." + contact.name), "W0134",
                                           fmt::format("a joint holds {} and {} together: they do not touch", contact.a, contact.b),
                                           "leave the contact out, or the joint"));
  }

 private:
  template <class Read>
  void each(TableReader& root, const std::string& kind, Read read) {
    TableReader group = root.table(kind);
    if (!group.exists()) return;
    for (const DocumentNode& child : group.node()->children) {
      TableReader table(reading_, &child, kind + "." + child.key);
      if (!table.exists()) continue;
      read(table, child.key);
      table.finish();
    }
  }

  void read_world(TableReader& world) {
    if (const auto dimension = world.number("dimension"))
      world.check("dimension", *dimension == 3.0, "3 (planar bodies come later; see the analytic models)");
    if (const auto gravity = world.vector3("gravity")) scene_.set_gravity(*gravity);
    world.finish();
  }

  Shape read_shape(TableReader shape) {
    Shape result;
    if (!shape.exists()) return result;
    shape.require("type", "type = \"sphere\", \"box\", \"capsule\" or \"cylinder\"");
    const auto type = shape.word("type", {"sphere", "box", "capsule", "cylinder"});
    if (type == "sphere") {
      shape.require("radius", "radius = 0.1");
      result = Shape::sphere(shape.number("radius").value_or(1.0));
    } else if (type == "box") {
      shape.require("size", "size = [length, width, height]");
      result = Shape::box(shape.vector3("size").value_or(Vector3::Ones()));
    } else if (type) {
      shape.require("radius", "radius = 0.1");
      shape.require("length", *type == "capsule" ? "length = 0.3 between the centres of its round ends, along z" : "length = 0.3 along z");
      const double radius = shape.number("radius").value_or(1.0), length = shape.number("length").value_or(1.0);
      result = *type == "capsule" ? Shape::capsule(radius, length) : Shape::cylinder(radius, length);
    }
    shape.take("color");
    shape.finish();
    return result;
  }

  Quaternion read_orientation(TableReader& table) {
    const DocumentNode* node = table.take("orientation");
    if (!node) return {1.0, 0.0, 0.0, 0.0};
    if (node->is_table()) {
      TableReader turn = table.table("orientation");
      turn.require("axis", "axis = [0, 0, 1]");
      turn.require("angle", "angle = 0.5");
      const Vector3 axis = turn.vector3("axis").value_or(Vector3::UnitZ());
      const double angle = turn.number("angle").value_or(0.0);
      turn.check("axis", axis.norm() > 0.0, "any direction but zero");
      turn.finish();
      return orientation_from_axis(axis, angle);
    }
    const auto list = reading_.numbers(*node);
    if (!list) return {1.0, 0.0, 0.0, 0.0};
    if (list->size() != 4) {
      table.refuse("orientation", "E0123", table.path() + ".orientation wants four numbers",
                   "a unit quaternion, scalar first, or { axis = [0, 0, 1], angle = 0.5 }");
      return {1.0, 0.0, 0.0, 0.0};
    }
    return {(*list)[0], (*list)[1], (*list)[2], (*list)[3]};
  }

  void read_body(TableReader& table, const std::string& name) {
    BodySpec body;
    body.name = name;
    body.shape = read_shape(table.table("shape"));
    const auto density = table.number("density");
    for (const char* other : {"mass", "inertia"})
      if (table.take("density") && table.take(other))
        table.refuse(other, "E0106", fmt::format("{}: {} beside a density", table.path(), other),
                     "the density gives mass and inertia of the shape; keep the density, or mass and inertia");
    if (density) {
      table.check("density", *density > 0.0, "density > 0");
      if (body.shape.type == ShapeType::none)
        table.refuse("density", "E0105", table.path() + ": a density needs a shape",
                     "shape = { type = \"sphere\", radius = 0.1 }, or give mass and inertia");
      const MassProperties properties = solid(body.shape, *density);
      body.mass = properties.mass;
      body.inertia = properties.inertia;
    } else {
      table.require("mass", "mass = 1.0 and inertia = [Ixx, Iyy, Izz], or a shape with density = 1000");
      table.require("inertia", "inertia = [Ixx, Iyy, Izz], or a shape with density instead of mass");
    }
    if (const auto mass = table.number("mass")) body.mass = *mass;
    if (const auto inertia = table.vector3("inertia")) body.inertia = *inertia;
    body.position = table.vector3("position").value_or(Vector3::Zero());
    body.orientation = read_orientation(table);
    body.velocity = table.vector3("velocity").value_or(Vector3::Zero());
    body.spin = table.vector3("spin").value_or(Vector3::Zero());
    scene_.add_body(std::move(body));
  }

  void read_plane(TableReader& table, const std::string& name) {
    PlaneSpec plane;
    plane.name = name;
    plane.point = table.vector3("point").value_or(Vector3::Zero());
    plane.normal = table.vector3("normal").value_or(Vector3::UnitZ());
    scene_.add_plane(std::move(plane));
  }

  std::optional<std::pair<std::string, std::string>> read_pair(TableReader& table) {
    const auto names = table.texts("between");
    if (!names) return std::nullopt;
    if (names->size() != 2) {
      table.refuse("between", "E0123", table.path() + ".between wants two names", "between = [\"a\", \"b\"]");
      return std::nullopt;
    }
    return std::pair((*names)[0], (*names)[1]);
  }

  void read_joint(TableReader& table, const std::string& name) {
    JointSpec joint;
    joint.name = name;
    table.require("type", "type = \"revolute\", \"spherical\", \"prismatic\", \"fixed\", ... (`carom list joints`)");
    table.require("between", "between = [\"ground\", \"body\"]");
    if (const auto type = table.text("type"))
      reading_.attempt(table.node(), [&] { joint.type = joint_type(*type, table.path() + ".type"); });
    if (const auto pair = read_pair(table)) std::tie(joint.a, joint.b) = *pair;
    joint.point = table.vector3("point");
    for (const char* other : {"point_a", "point_b"})
      if (table.take("point") && table.take(other))
        table.refuse(other, "E0106", fmt::format("{}: {} beside point", table.path(), other),
                     "one point in the world, or point_a and point_b in the bodies");
    check_name(table, name);
    joint.point_a = table.vector3("point_a");
    joint.point_b = table.vector3("point_b");
    if (const auto axis = table.vector3("axis")) joint.axis = *axis;
    scene_.add_joint(std::move(joint));
  }

  // With `between`: this pair. Without: every pair that has no table of its own.
  void read_contact(TableReader& table, const std::string& name) {
    table.require("law", "law = \"name\" of a [law.name] table, or \"none\"");
    const auto word = table.text("law");
    std::optional<ContactParameters> law;
    if (word && *word != "none") {
      const auto found = laws_.find(*word);
      if (found == laws_.end()) {
        std::vector<std::string> known;
        for (const auto& entry : laws_) known.push_back(entry.first);
        known.push_back("none");
        table.refuse("law", "E0142", fmt::format("there is no law '{}'", *word), suggestion(*word, known));
        return;
      }
      law = found->second;
    }
    if (!table.take("between")) {
      if (!default_contact_.empty())
        table.refuse("law", "E0106",
                     fmt::format("{} and contact.{} both hold for every pair", table.path(), default_contact_),
                     "give one of them between = [\"a\", \"b\"]");
      default_contact_ = name;
      scene_.set_default_contact(law);
    } else if (const auto pair = read_pair(table)) {
      const auto [it, fresh] = pairs_.emplace(std::minmax(pair->first, pair->second), table.path());
      if (!fresh)
        table.refuse("between", "E0106", fmt::format("{} and {} are about the same pair", it->second, table.path()),
                     "keep one of the two");
      contacts_.push_back({name, pair->first, pair->second, law});
      scene_.add_contact(contacts_.back());
    }
  }

  void check_name(TableReader& table, const std::string& name) {
    if (!is_plain_name(name))
      reading_.report(reading_.document.at_key(*table.node(), "E0202", fmt::format("'{}' cannot be a name", name),
                                               "use letters, digits and underscores"));
  }

  void read_generate(TableReader& table, const std::string& name) {
    SphereLattice lattice;
    lattice.name = name;
    table.require("kind", "kind = \"sphere_lattice\"");
    table.word("kind", {"sphere_lattice"});
    bool buildable = true;
    if (const auto counts = table.vector3("counts")) {
      buildable = counts->minCoeff() >= 1.0 && *counts == counts->array().round().matrix();
      table.check("counts", buildable, "three whole numbers >= 1");
      generated_ += counts->prod();
      if (buildable && !(generated_ <= most_bodies)) {
        table.refuse("counts", "E0219", fmt::format("{:.3g} bodies are too many", generated_),
                     fmt::format("at most {:.0f} are generated", most_bodies));
        buildable = false;
      }
      for (Eigen::Index i = 0; buildable && i < 3; ++i)
        lattice.counts[static_cast<std::size_t>(i)] = static_cast<Index>((*counts)[i]);
    }
    const auto positive = [&](const char* key, double& value) {
      const auto given = table.number(key);
      if (!given) return;
      value = *given;
      table.check(key, value > 0.0, fmt::format("{} > 0", key));
    };
    positive("radius", lattice.radius);
    positive("density", lattice.density);
    positive("pitch", lattice.pitch);
    if (const auto jitter = table.number("jitter")) {
      lattice.jitter = *jitter;
      table.check("jitter", *jitter >= 0.0, "jitter >= 0");
    }
    if (const auto seed = table.whole("seed", 0.0, 9007199254740992.0)) lattice.seed = static_cast<std::uint64_t>(*seed);
    if (const auto prefix = table.text("name")) lattice.name = *prefix;
    lattice.origin = table.vector3("origin").value_or(Vector3::Zero());
    lattice.velocity = table.vector3("velocity").value_or(Vector3::Zero());
    if (buildable) add_lattice(lattice, scene_);
  }

  const Reading& reading_;
  const std::map<std::string, ContactParameters>& laws_;
  Multibody scene_;
  std::string default_contact_;
  std::vector<ContactSpec> contacts_;
  std::map<std::pair<std::string, std::string>, std::string> pairs_;  // and the table that was first about each
  double generated_ = 0.0;
};

}  // namespace

std::optional<Model> read_multibody(const Reading& reading, TableReader& root,
                                    const std::map<std::string, ContactParameters>& laws,
                                    std::vector<InputProblem>& warnings) {
  MultibodyReader reader(reading, laws);
  auto model = reader.read(root);
  if (model) reader.warn(*model, warnings);
  return model;
}

}  // namespace carom
