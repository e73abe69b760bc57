#include "carom/io/mechanism_reader.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "carom/base/names.h"
#include "carom/io/mechanism/mechanism.h"
#include "carom/io/sensors.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/system/far_contacts.h"

namespace carom::inline io {

namespace {

using mechanism::Body;
using mechanism::each;
using mechanism::Joint;
using mechanism::Mechanism;

// Laws are looked up in a table of all pairs of materials.
constexpr std::size_t most_materials = 2000;

struct Contact {
  std::string name, a, b;  // as the file says
  std::optional<ContactParameters> law;
};

struct Plane {
  std::string name, material;
  Vector3 point, normal;
};

enum class Start { assemble, given, project, rest };

class MechanismReader {
 public:
  MechanismReader(const Reading& reading, const std::map<std::string, ContactParameters>& laws)
      : m_{reading, laws}, reading_(reading) {}

  std::optional<Model> read(TableReader& root) {
    const std::size_t problems_before = reading_.problems.size();
    TableReader world = root.table("world", &table_spec("world"));
    read_world(world);
    TableReader ground = root.table("ground", &table_spec("ground"));
    read_ground(ground);
    each(reading_, root, "body",
         [&](TableReader& table, const std::string& name) { mechanism::read_body(m_, table, name); });
    each(reading_, root, "generate",
         [&](TableReader& table, const std::string& name) { mechanism::read_generate(m_, table, name); });
    each(reading_, root, "flexible",
         [&](TableReader& table, const std::string& name) { mechanism::read_flexible_part(m_, table, name); });
    each(reading_, root, "plane", [&](TableReader& table, const std::string& name) { read_plane(table, name); });
    read_joints(root);
    TableReader initial = root.table("initial");
    mechanism::read_initial(m_, initial);
    each(reading_, root, "drive",
         [&](TableReader& table, const std::string& name) { mechanism::read_drive(m_, table, name, std::nullopt); });
    each(reading_, root, "force",
         [&](TableReader& table, const std::string& name) { mechanism::read_force(m_, table, name); });
    each(reading_, root, "input",
         [&](TableReader& table, const std::string& name) { mechanism::read_input(m_, table, name); });
    each(reading_, root, "contact", [&](TableReader& table, const std::string& name) { read_contact(table, name); });
    if (m_.bodies.empty() && reading_.problems.size() == problems_before)
      reading_.report({"E0201",
                       "the scene has no body",
                       "body",
                       "add a [body.NAME] table or generate some",
                       reading_.document.file(),
                       0,
                       0,
                       {}});
    check_contacts();
    // Half a scene would only bring up follow-on problems.
    if (reading_.problems.size() > problems_before) return std::nullopt;
    start_ = choose_start(initial);
    overlap_ = initial.number("overlap", m_.unit("m")).value_or(1e-3);
    mechanism::place_along_joints(m_);
    std::optional<Model> model;
    const bool built = reading_.attempt(nullptr, [&] { model = assemble(); });
    if (!built) return std::nullopt;
    if (start_ == Start::given) check_joints(*model);
    return reading_.problems.size() > problems_before ? std::nullopt : std::move(model);
  }

  // What is no error but hardly meant: bodies that pass through everything, contacts that never act.
  void warn(const Model& model, std::vector<InputProblem>& warnings) const {
    const Document& document = reading_.document;
    const auto at_table = [&](const std::string& path) {
      const DocumentNode* node = document.find_path(path);
      return node ? node : &document.root();
    };
    const FarContacts* contacts = model.system->far_contacts();
    const bool others = !planes_.empty() || !ground_shapes_.empty() || m_.bodies.size() > 1;
    constexpr std::size_t most = 5;
    std::size_t told = 0;
    for (const Body& body : m_.bodies) {
      if (!others || told >= most) break;
      if (body.kind != Body::Kind::rigid || body.held) continue;
      bool touches = false, tangible = false;
      for (const auto& shape : body.shapes) {
        if (!shape.touches) continue;
        tangible = true;
        const Index partner = contacts ? contacts->partner(surface_name(body.spec.name, shape.name)) : -1;
        touches = touches || (partner >= 0 && contacts->can_touch(partner));
      }
      if (touches) continue;
      ++told;
      warnings.push_back(document.at_key(
          *at_table("body." + body.spec.name), "W0133",
          fmt::format("body.{} can touch nothing: it passes through everything", body.spec.name),
          !tangible ? "give it a shape" : "give it a law: [contact.default], or a [contact.NAME] that names it"));
    }
    tell_pairs_without_law(warnings);
    for (const Contact& contact : contacts_)
      if (contact.law && held_together(contact.a, contact.b))
        warnings.push_back(
            document.at_key(*at_table("contact." + contact.name), "W0134",
                            fmt::format("a joint holds {} and {} together: they do not touch", contact.a, contact.b),
                            "leave the contact out, or the joint"));
  }

  const std::vector<Input>& inputs() const { return inputs_; }
  const std::shared_ptr<const Model>& maximal() const { return maximal_; }

  std::vector<SiteSensor> points() const {
    std::vector<SiteSensor> list;
    for (const Body& body : m_.bodies)
      for (const auto& [name, point] : body.points)
        list.push_back({body.spec.name + "." + name, body.spec.name, point - body.centre});
    return list;
  }

  std::vector<JointReading> readings() const {
    std::vector<JointReading> list;
    const auto body = [&](const model::SiteSpec& site) {
      return site.body < 0 ? std::string() : m_.bodies[static_cast<std::size_t>(site.body)].spec.name;
    };
    for (const Joint& joint : m_.joints)
      for (std::size_t k = 0; k < joint.coordinates.size(); ++k) {
        const auto& c = joint.coordinates[k];
        JointReading reading;
        reading.name = joint.spec.name + "." + c.name;
        reading.rate_name = joint.spec.name + (k == 0 ? ".rate" : "." + c.name + "_rate");
        reading.kind = c.kind == model::RowKind::angle   ? JointReading::Kind::angle
                       : c.kind == model::RowKind::along ? JointReading::Kind::along
                                                         : JointReading::Kind::distance;
        reading.frame_a = body(joint.spec.a);
        reading.frame_b = body(joint.spec.b);
        reading.site_a = {joint.spec.a.point, joint.spec.a.triad};
        reading.site_b = {joint.spec.b.point, joint.spec.b.triad};
        reading.axis = static_cast<int>(c.i);
        if (k == 0 && joint.spec.start) reading.start = joint.spec.start->value;
        list.push_back(std::move(reading));
      }
    return list;
  }

 private:
  // Where some pairs have a law, those of free bodies that have none. Without any law nothing is forgotten, and
  // [contact.default] speaks of all.
  void tell_pairs_without_law(std::vector<InputProblem>& warnings) const {
    if (!default_contact_.empty() || contacts_.empty()) return;
    struct Thing {
      std::string name;
      std::set<std::string> made_of;
      bool free;
    };
    std::vector<Thing> things;
    std::map<std::pair<std::set<std::string>, bool>, int> alike;  // two of a kind tell all
    const auto add = [&](Thing thing) {
      if (!thing.made_of.empty() && ++alike[{thing.made_of, thing.free}] <= 2) things.push_back(std::move(thing));
    };
    for (const Body& body : m_.bodies) {
      Thing thing{body.spec.name, {}, body.kind == Body::Kind::rigid && !body.held};
      for (const auto& shape : body.shapes)
        if (shape.touches) thing.made_of.insert(material_of(shape.material, body.material, body.spec.name));
      add(std::move(thing));
    }
    for (const Plane& p : planes_) add({p.name, {material_of("", p.material, p.name)}, false});
    for (const auto& shape : ground_shapes_)
      if (shape.touches)
        add({surface_name("ground", shape.name), {material_of(shape.material, ground_material_, "ground")}, false});
    std::set<std::pair<std::string, std::string>> spoken_of;
    for (const Contact& contact : contacts_)
      spoken_of.insert(std::minmax(material_name(contact.a), material_name(contact.b)));
    const auto silent = [&](const Thing& a, const Thing& b) {
      for (const std::string& x : a.made_of)
        for (const std::string& y : b.made_of)
          if (spoken_of.contains(std::minmax(x, y))) return false;
      return true;
    };
    const auto meets_something = [&](const Thing& a) {
      return std::any_of(things.begin(), things.end(), [&](const Thing& b) { return &a != &b && !silent(a, b); });
    };
    std::set<std::pair<std::set<std::string>, std::set<std::string>>> told;
    constexpr std::size_t most = 5;
    for (std::size_t i = 0; i < things.size(); ++i) {
      if (!things[i].free || !meets_something(things[i])) continue;  // what meets nothing was told
      for (std::size_t j = 0; j < things.size() && told.size() < most; ++j) {
        const bool twice = things[j].free && j < i;
        if (i == j || twice || !silent(things[i], things[j])) continue;
        if (!told.emplace(things[i].made_of, things[j].made_of).second) continue;
        const DocumentNode* node = reading_.document.find_path("body." + things[i].name);
        warnings.push_back(reading_.document.at_key(
            node ? *node : reading_.document.root(), "W0136",
            fmt::format("no law between {} and {}: they pass through each other", things[i].name, things[j].name),
            fmt::format("[contact.NAME] between = [\"{}\", \"{}\"] with a law, or law = \"none\"", things[i].name,
                        things[j].name)));
      }
    }
  }

  static std::string surface_name(const std::string& body, const std::string& shape) {
    return shape.empty() ? body : body + "." + shape;
  }

  void read_world(TableReader& world) {
    if (const auto dimension = world.whole("dimension", 2, 3)) m_.planar = *dimension == 2.0;
    if (const auto gravity = world.vector("gravity", m_.planar)) m_.gravity = *gravity;
    if (m_.planar) m_.gravity.z() = 0.0;
    if (world.word("coordinates", {"maximal", "joint"}) == "joint") m_.coordinates = model::Coordinates::joint;
    world.finish();
  }

  void read_ground(TableReader& ground) {
    if (const DocumentNode* points = ground.take("points")) {
      TableReader group = ground.table("points");
      if (group.exists())
        for (const DocumentNode& point : points->children) {
          const auto list = reading_.numbers(point, m_.unit("m"));
          const std::size_t wanted = m_.planar ? 2 : 3;
          if (list && list->size() != wanted)
            reading_.report(reading_.document.at_value(
                point, "E0123", fmt::format("{} wants {} numbers, got {}", point.path, wanted, list->size()),
                "a point of the world"));
          else if (list)
            m_.ground_points[point.key] = Vector3((*list)[0], (*list)[1], m_.planar ? 0.0 : (*list)[2]);
        }
    }
    ground_shapes_ = mechanism::read_shapes(m_, ground);
    ground_material_ = ground.text("material").value_or("");
    ground.finish();
  }

  void read_plane(TableReader& table, const std::string& name) {
    m_.report_name(*table.node(), name);
    Plane plane{name, table.text("material").value_or(""), table.vector("point", m_.planar).value_or(Vector3::Zero()),
                table.vector("normal", m_.planar).value_or(m_.planar ? Vector3::UnitY() : Vector3::UnitZ())};
    if (!(plane.normal.norm() > 0.0))
      table.refuse("normal", "E0204", fmt::format("{}: the normal has no direction", table.path()),
                   "it points out of the solid, like [0, 0, 1] for a floor");
    planes_.push_back(std::move(plane));
    m_.planes.push_back(name);
  }

  // Gears speak of other joints: they are read last.
  void read_joints(TableReader& root) {
    const auto is_gear = [](const TableReader& table) {
      const DocumentNode* type = table.node()->find("type");
      return type && (canonical_name(type->text).starts_with("gear") || canonical_name(type->text) == "rack");
    };
    TableReader group = root.table("joint");
    if (!group.exists()) return;
    for (const bool gears : {false, true})
      for (const DocumentNode& child : group.node()->children) {
        if (!child.is_table()) {
          if (!gears) mechanism::report_nameless(reading_, "joint", child);
          continue;
        }
        TableReader table(reading_, &child, "joint." + child.key);
        if (is_gear(table) != gears) continue;
        mechanism::read_joint(m_, table, child.key);
        table.finish();
      }
  }

  // With `between`: this pair. Without: every pair that has no table of its own.
  void read_contact(TableReader& table, const std::string& name) {
    table.require("law", "law = \"name\" of a [law.name] table, or \"none\"");
    const auto word = table.text("law");
    std::optional<ContactParameters> law;
    if (word && *word != "none") {
      law = m_.law(table, "law");
      if (!law) {
        table.take("between");
        return;
      }
    }
    if (!table.take("between")) {
      if (!default_contact_.empty())
        table.refuse("law", "E0106",
                     fmt::format("{} and contact.{} both hold for every pair", table.path(), default_contact_),
                     "give one of them between = [\"a\", \"b\"]");
      default_contact_ = name;
      default_law_ = law;
      return;
    }
    const auto names = table.texts("between");
    if (!names) return;
    if (names->size() != 2)
      return table.refuse("between", "E0123", table.path() + ".between wants two names", "between = [\"a\", \"b\"]");
    const auto bare = [](const std::string& given) { return given.starts_with("body.") ? given.substr(5) : given; };
    const std::string a = bare((*names)[0]), b = bare((*names)[1]);
    const auto [it, fresh] = pairs_.emplace(std::minmax(a, b), table.path());
    if (!fresh)
      table.refuse("between", "E0106", fmt::format("{} and {} are about the same pair", it->second, table.path()),
                   "keep one of the two");
    contacts_.push_back({name, a, b, law});
  }

  // --- who is made of what
  // ----------------------------------------------------------------------------------------------------------

  const Plane* plane(const std::string& name) const {
    for (const Plane& p : planes_)
      if (p.name == name) return &p;
    return nullptr;
  }

  std::set<std::string> materials() const {
    std::set<std::string> all;
    for (const Body& body : m_.bodies) {
      all.insert(body.material);
      for (const auto& shape : body.shapes) all.insert(shape.material);
    }
    for (const Plane& p : planes_) all.insert(p.material);
    all.insert(ground_material_);
    for (const auto& shape : ground_shapes_) all.insert(shape.material);
    all.erase("");
    return all;
  }

  // Two that can meet: known, different, each with a shape, at least one of them no plane.
  void check_contacts() {
    const std::set<std::string> made_of = materials();
    std::set<std::string> named;
    for (const Contact& contact : contacts_) {
      const DocumentNode* table = reading_.document.find_path("contact." + contact.name);
      const DocumentNode& node = *table->find("between");
      const auto report = [&](const char* code, std::string message, std::string hint) {
        reading_.report(reading_.document.at_value(node, code, std::move(message), std::move(hint)));
      };
      bool known = true;
      for (const std::string& side : {contact.a, contact.b}) {
        named.insert(side);
        const auto body = m_.numbers.find(side);
        if (body == m_.numbers.end() && !plane(side) && !made_of.contains(side) && side != "ground") {
          std::vector<std::string> all(made_of.begin(), made_of.end());
          for (const auto& entry : m_.numbers) all.push_back(entry.first);
          for (const Plane& p : planes_) all.push_back(p.name);
          report("E0141", fmt::format("there is no body or plane '{}'", side), suggestion(side, all));
          known = false;
          continue;
        }
        if (body == m_.numbers.end() || made_of.contains(side)) continue;
        const Body& of = m_.bodies[static_cast<std::size_t>(body->second)];
        if (!of.material.empty())
          report("E0106", fmt::format("{} is made of {}: the contact must name that", side, of.material),
                 fmt::format("between = [\"{}\", ...], or leave material out", of.material));
        if (contact.law && of.shapes.empty())
          report("E0216", fmt::format("{} has no shape to touch with", side), "give it a shape");
      }
      if (!known) continue;
      if (contact.a == contact.b && !made_of.contains(contact.a))
        report("E0217", fmt::format("{} cannot touch itself", contact.a),
               "name two different bodies, or a body and a plane");
      if (contact.a != contact.b && plane(contact.a) && plane(contact.b))
        report("E0217", fmt::format("{} and {} are planes: both are fixed", contact.a, contact.b),
               "name a body and a plane");
    }
    named_ = named;
    if (named.size() + made_of.size() > most_materials)
      reading_.report(
          {"E0219",
           fmt::format("{} bodies and planes are named in contacts: too many", named.size()),
           "contact",
           fmt::format("at most {}; what is treated alike needs no name: [contact.default]", most_materials),
           reading_.document.file(),
           0,
           0,
           {}});
  }

  // What something is made of: what it says, or itself if a contact names it, or what all share.
  std::string material_of(const std::string& own, const std::string& of_body, const std::string& name) const {
    if (!own.empty()) return own;
    if (!of_body.empty()) return of_body;
    return named_.contains(name) ? name : std::string();
  }

  bool held_together(const std::string& a, const std::string& b) const {
    const auto number = [&](const std::string& name) {
      return m_.numbers.contains(name) ? m_.bodies[static_cast<std::size_t>(m_.numbers.at(name))].number : -1;
    };
    const Index x = number(a), y = number(b);
    if (x < 0 || y < 0) return false;
    for (const Joint& joint : m_.joints) {
      const bool same =
          (joint.spec.a.body == x && joint.spec.b.body == y) || (joint.spec.a.body == y && joint.spec.b.body == x);
      if (same && model::joint_kinds().find(joint.spec.kind).coincident) return true;
    }
    return false;
  }

  // --- all together
  // -----------------------------------------------------------------------------------------------------------------

  // Where every held body has its place and no coordinate is given, nothing is moved.
  Start choose_start(TableReader& initial) const {
    if (const auto word = initial.word("start", {"assemble", "given", "project", "rest"}))
      return *word == "given"     ? Start::given
             : *word == "project" ? Start::project
             : *word == "rest"    ? Start::rest
                                  : Start::assemble;
    const bool placed = std::all_of(m_.bodies.begin(), m_.bodies.end(), [](const Body& b) {
      return !b.held || b.has_position || b.kind != Body::Kind::rigid;
    });
    const bool started =
        std::any_of(m_.joints.begin(), m_.joints.end(), [](const Joint& j) { return j.spec.start.has_value(); });
    return placed && !started ? Start::given : Start::assemble;
  }

  void add_surfaces(model::ModelBuilder& builder) const {
    for (const Body& body : m_.bodies) {
      const std::string& name = body.kind == Body::Kind::flexible ? model::part_name(*body.flexible) : body.spec.name;
      for (std::size_t k = 0; k < body.shapes.size(); ++k) {
        const auto& shape = body.shapes[k];
        model::SurfaceSpec surface;
        if (!shape.name.empty()) surface.name = surface_name(name, shape.name);
        surface.body = body.number;
        surface.shape = shape.shape;
        surface.pose = {shape.pose.x - body.centre, shape.pose.R};
        if (shape.touches) surface.material = material_of(shape.material, body.material, name);
        surface.color = shape.color;
        if (body.kind == Body::Kind::flexible) {
          surface.at = model::SiteSpec{.body = body.number, .length = body.lengths.at(body.carried_by[k])};
          surface.name = surface_name(name, shape.name.empty() ? "surface" : shape.name);
        }
        shape.touches ? builder.add_surface(std::move(surface)) : builder.add_picture(std::move(surface));
      }
    }
    for (const Plane& p : planes_) {
      const Vector3 n = p.normal.normalized();
      const geometry::Shape wall = m_.planar ? geometry::Shape(geometry::HalfPlane(n.head<2>(), n.dot(p.point)))
                                             : geometry::Shape(geometry::HalfSpace(n, n.dot(p.point)));
      builder.add_surface({.name = p.name, .shape = wall, .material = material_of("", p.material, p.name)});
    }
    for (const auto& shape : ground_shapes_) {
      model::SurfaceSpec surface{.name = surface_name("ground", shape.name), .shape = shape.shape, .pose = shape.pose};
      surface.color = shape.color;
      if (shape.touches) surface.material = material_of(shape.material, ground_material_, "ground");
      shape.touches ? builder.add_surface(std::move(surface)) : builder.add_picture(std::move(surface));
    }
  }

  // Where joints with play start outside of it, bodies are first assembled as if there were none.
  Model assemble() {
    if (m_.without_play.empty() || start_ == Start::given) return build();
    try {
      return build();
    } catch (const InputError& error) {
      const auto of_play = [&](const InputProblem& problem) {
        return problem.code == "E0218" &&
               std::any_of(m_.without_play.begin(), m_.without_play.end(),
                           [&](const Joint& joint) { return problem.key == "joint." + joint.spec.name; });
      };
      if (!std::all_of(error.problems().begin(), error.problems().end(), of_play)) throw;
    }
    model::ModelBuilder builder(m_.planar ? Space::planar : Space::spatial);
    add_bodies(builder);
    for (const Joint& joint : m_.joints) builder.add_joint(joint.spec);
    for (const Joint& joint : m_.without_play) builder.add_joint(joint.spec);
    const Model found = builder.build();
    const Layout layout = layout_of(*found.system);
    for (Body& body : m_.bodies) {
      if (body.kind != Body::Kind::rigid) continue;
      for (const StateFrame& frame : layout.frames()) {
        Pose pose;
        Twist twist;
        if (frame.name != body.spec.name || !frame_motion(frame, found.initial, pose, twist)) continue;
        body.spec.position = pose.x;
        body.spec.velocity = twist.velocity;
        body.spec.spin = pose.R.transpose() * twist.omega;
        if (m_.planar)
          body.spec.angle = found.initial.q[frame.q + 2];
        else
          body.spec.orientation = found.initial.q.segment<4>(frame.q + 3);
      }
    }
    return build();
  }

  void add_bodies(model::ModelBuilder& builder) const {
    for (const Body& body : m_.bodies) {
      if (body.kind == Body::Kind::moved)
        builder.add_kinematic_body(body.moved);
      else if (body.kind == Body::Kind::rigid)
        builder.add_body(body.spec);
      else if (const auto* planar = std::get_if<model::PlanarBeamSpec>(&*body.flexible))
        builder.add_planar_beam(*planar);
      else
        builder.add_spatial_beam(std::get<model::SpatialBeamSpec>(*body.flexible));
    }
  }

  Model build() {
    model::ModelBuilder builder(m_.planar ? Space::planar : Space::spatial);
    builder.set_coordinates(m_.coordinates);
    builder.set_gravity(m_.gravity);
    add_bodies(builder);
    for (const Joint& joint : m_.joints) builder.add_joint(joint.spec);
    add_surfaces(builder);
    builder.set_default_contact(default_law_);
    const auto touchable = [&](const std::string& name) {
      const auto body = m_.numbers.find(name);
      return body == m_.numbers.end() || !m_.bodies[static_cast<std::size_t>(body->second)].shapes.empty();
    };
    for (const Contact& contact : contacts_)
      if (touchable(contact.a) && touchable(contact.b))
        builder.add_contact({material_name(contact.a), material_name(contact.b), contact.law});
    for (const auto& [a, b] : m_.apart)
      if (a >= 0 && b >= 0)
        builder.keep_apart({m_.bodies[static_cast<std::size_t>(a)].number},
                           {m_.bodies[static_cast<std::size_t>(b)].number});
    for (const auto& add : m_.additions) add(builder);
    if (start_ == Start::given) builder.keep_start();
    if (start_ == Start::project) builder.remove_overlaps(overlap_);
    if (start_ == Start::rest) builder.start_at_rest();
    inputs_ = builder.inputs();
    Model model = builder.build();
    if (m_.coordinates == model::Coordinates::joint) {
      builder.set_coordinates(model::Coordinates::maximal);
      builder.keep_start();
      maximal_ = std::make_shared<const Model>(builder.build());
    }
    return model;
  }

  std::string material_name(const std::string& name) const {
    const Plane* p = plane(name);
    return p && !p->material.empty() ? p->material : name;
  }

  // Joints must hold, and move together, at the start.
  void check_joints(const Model& model) {
    const System& system = *model.system;
    const State& start = model.initial;
    ContactSet contacts;
    ActiveSet all;
    Evaluation at_start;
    system.detect(start.t, start.q, start.v, 0.0, contacts);
    all.reset(contacts);
    all.add_all();
    system.evaluate(start.t, start.q, start.v, Need::gap | Need::jacobian, all, at_start);
    Vector gamma(all.rows());
    at_start.W.transpose_multiply(start.v.data(), gamma.data());
    gamma += at_start.chi.vec();
    const double fastest = start.v.size() > 0 ? start.v.cwiseAbs().maxCoeff() : 0.0;
    Index row = 0;
    for (const Constraint& constraint : contacts.constraints) {
      const Index rows = constraint.law->dim();
      const double distance = at_start.g.vec().segment(row, constraint.position_rows).norm(),
                   speed = gamma.segment(row, constraint.position_rows).norm();
      row += rows;
      if (!constraint.bilateral) continue;
      const std::string name = system.constraint_name(constraint);
      const DocumentNode* node = reading_.document.find_path("joint." + name.substr(0, name.find('.')));
      const auto report = [&](const char* code, std::string message, std::string hint) {
        reading_.report(reading_.document.at_key(node ? *node : reading_.document.root(), code, std::move(message),
                                                 std::move(hint)));
      };
      if (distance > 1e-6 * constraint.length_scale)
        report(
            "E0213", fmt::format("the mechanism is not assembled: joint.{} stays {:.3g} m apart", name, distance),
            "place the bodies so that the joint's points and directions meet, or say [initial] start = \"assemble\"");
      else if (speed > 1e-6 * fastest * std::max(1.0, constraint.length_scale))
        report(
            "E0214", fmt::format("the start is inconsistent: joint.{} is torn apart at {:.3g} m/s", name, speed),
            "give both bodies velocities (and spins) that agree at the joint, or say [initial] start = \"assemble\"");
    }
  }

  Mechanism m_;
  const Reading& reading_;
  std::vector<Plane> planes_;
  std::vector<mechanism::PlacedShape> ground_shapes_;
  std::string ground_material_;
  std::string default_contact_;
  std::optional<ContactParameters> default_law_;
  std::vector<Contact> contacts_;
  std::map<std::pair<std::string, std::string>, std::string> pairs_;  // and the table that was first about each
  std::set<std::string> named_;
  Start start_ = Start::assemble;
  double overlap_ = 1e-3;
  std::vector<Input> inputs_;
  std::shared_ptr<const Model> maximal_;
};

}  // namespace

bool read_mechanism(const Reading& reading, TableReader& root, Scenario& scenario) {
  MechanismReader reader(reading, scenario.laws);
  auto model = reader.read(root);
  if (model) reader.warn(*model, scenario.warnings);
  scenario.joints = reader.readings();
  scenario.inputs = reader.inputs();
  scenario.points = reader.points();
  scenario.maximal = reader.maximal();
  if (model) scenario.model = *std::move(model);
  return model.has_value();
}

}  // namespace carom::inline io
