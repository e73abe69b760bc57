#include "carom/model/multibody.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "carom/base/names.h"
#include "carom/base/rotation.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/joints/joint_kind.h"

namespace carom {

namespace {

// Laws are looked up in a table of all pairs of materials.
constexpr Index most_materials = 2001;

// Translates a scene step by step and collects what is wrong with it.
class Builder {
 public:
  Builder(const Vector3& gravity, const std::vector<BodySpec>& bodies, const std::vector<PlaneSpec>& planes,
          const std::vector<JointSpec>& joints, const std::optional<ContactParameters>& default_contact,
          const std::vector<ContactSpec>& contacts)
      : bodies_(bodies), planes_(planes), joints_(joints), default_contact_(default_contact), contacts_(contacts) {
    builder_.set_gravity(gravity);
  }

  Model build() {
    collect_names();
    for (const BodySpec& body : bodies_) check_body(body);
    for (const PlaneSpec& plane : planes_) check_plane(plane);
    for (const ContactSpec& contact : contacts_) check_partners(contact);
    throw_if_any();
    for (const BodySpec& body : bodies_) add_body(body);
    for (const JointSpec& joint : joints_) add_joint(joint);
    add_surfaces();
    add_laws();
    throw_if_any();
    builder_.keep_start();
    names_ = {};
    numbers_ = {};
    refs_ = {};
    model_ = builder_.build();
    builder_ = model::ModelBuilder(Space::spatial);
    check_start();
    throw_if_any();
    return std::move(model_);
  }

 private:
  void report(std::string code, std::string key, std::string message, std::string hint) {
    problems_.push_back({std::move(code), std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  }
  void throw_if_any() const {
    if (!problems_.empty()) throw InputError(problems_);
  }

  void collect_names() {
    Index number = 0;
    for (const BodySpec& body : bodies_) add_name("body." + body.name, body.name, number++);
    for (const PlaneSpec& plane : planes_) add_name("plane." + plane.name, plane.name, number++);
    if (bodies_.empty()) report("E0201", "body", "the scene has no body", "add a [body.NAME] table or generate some");
  }
  void add_name(const std::string& key, const std::string& name, Index number) {
    const auto plain = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    if (name.empty() || name == "ground" || !std::all_of(name.begin(), name.end(), plain))
      report("E0202", key, fmt::format("'{}' cannot be a name", name),
             "use letters, digits and underscores; 'ground' is the fixed world");
    if (!numbers_.emplace(name, number).second)
      report("E0203", key, fmt::format("the name '{}' is used twice", name),
             "bodies and planes share one set of names");
    names_.push_back(name);
  }
  // Bodies first, then planes; -1 with a report if there is none.
  Index find(const std::string& name, const std::string& key) {
    const auto it = numbers_.find(name);
    if (it != numbers_.end()) return it->second;
    std::vector<std::string> known = names_;
    known.push_back("ground");
    report("E0141", key, fmt::format("there is no body or plane '{}'", name), suggestion(name, known));
    return -1;
  }
  Index body_count() const { return static_cast<Index>(bodies_.size()); }

  void check_body(const BodySpec& spec) {
    const std::string key = "body." + spec.name;
    if (!(spec.mass > 0.0) || !std::isfinite(spec.mass))
      report("E0206", key + ".mass", fmt::format("{}: mass is {}, it must be positive", key, spec.mass),
             "give mass and inertia, or a shape with a density");
    check_inertia(spec, key);
    check_shape(spec.shape, key);
    if (!spec.position.allFinite() || !spec.velocity.allFinite() || !spec.spin.allFinite())
      report("E0209", key, fmt::format("{}: position, velocity or spin is not a number", key), "");
    if (!(std::abs(spec.orientation.norm() - 1.0) < 1e-6))
      report("E0208", key + ".orientation",
             fmt::format("{}: the quaternion has length {}, not 1", key, spec.orientation.norm()),
             "give four numbers, scalar first, or an axis and an angle");
  }
  void add_body(const BodySpec& spec) {
    refs_.push_back(builder_.add_body({.name = spec.name,
                                       .mass = spec.mass,
                                       .inertia = spec.inertia.asDiagonal(),
                                       .position = spec.position,
                                       .orientation = spec.orientation,
                                       .velocity = spec.velocity,
                                       .spin = spec.spin}));
  }

  void check_inertia(const BodySpec& spec, const std::string& key) {
    const double largest = spec.inertia.maxCoeff();
    const double others = spec.inertia.sum() - largest;
    if (!(spec.inertia.minCoeff() > 0.0) || !spec.inertia.allFinite())
      report("E0207", key + ".inertia",
             fmt::format("{}: principal moments must be positive, got ({}, {}, {})", key, spec.inertia.x(),
                         spec.inertia.y(), spec.inertia.z()),
             "give mass and inertia, or a shape with a density");
    else if (largest > others * (1.0 + 1e-6))
      report("E0207", key + ".inertia",
             fmt::format("{}: inertia ({}, {}, {}) is not possible for a rigid body", key, spec.inertia.x(),
                         spec.inertia.y(), spec.inertia.z()),
             "the largest principal moment must not exceed the sum of the others");
  }

  void check_shape(const Shape& shape, const std::string& key) {
    if (shape.possible()) return;
    if (shape.type == ShapeType::box)
      report("E0205", key + ".shape.size", fmt::format("{}: the sizes of a box must be positive", key), "");
    else if (!(shape.radius > 0.0 && std::isfinite(shape.radius)))
      report("E0205", key + ".shape.radius", fmt::format("{}: radius is {}, it must be positive", key, shape.radius),
             "");
    else
      report("E0205", key + ".shape.length",
             fmt::format("{}: length is {}, it must be positive", key, 2.0 * shape.half_length), "");
  }

  void check_plane(const PlaneSpec& spec) {
    const std::string key = "plane." + spec.name;
    const double length = spec.normal.norm();
    if (!(length > 0.0) || !std::isfinite(length))
      report("E0204", key + ".normal", fmt::format("{}: the normal has no direction", key),
             "it points out of the solid, like [0, 0, 1] for a floor");
  }

  // A plane is part of the ground.
  Index find_joint_partner(const std::string& name, const std::string& key) {
    if (name == "ground") return ground_body;
    const Index number = find(name, key);
    return number < body_count() ? number : ground_body;
  }

  Pose pose(Index b) const {
    if (b == ground_body) return {};
    const BodySpec& body = bodies_[static_cast<std::size_t>(b)];
    return {body.position, rotation_matrix(body.orientation.normalized())};
  }

  void add_joint(const JointSpec& spec) {
    const std::string key = "joint." + spec.name;
    const Index a = find_joint_partner(spec.a, key + ".between"), b = find_joint_partner(spec.b, key + ".between");
    if (a == b) {
      report("E0211", key + ".between", fmt::format("{} does not hold two different bodies", key),
             "name two bodies, or \"ground\" and a body");
      return;
    }
    if (!(spec.axis.norm() > 0.0)) {
      report("E0212", key + ".axis", fmt::format("{}: the axis has no direction", key), "");
      return;
    }
    const Pose at_a = pose(a), at_b = pose(b);
    const auto local = [](const Pose& frame, const Vector3& x) -> Vector3 {
      return frame.R.transpose() * (x - frame.x);
    };
    Vector3 point_a = Vector3::Zero(), point_b = Vector3::Zero();
    if (spec.point) {
      point_a = local(at_a, *spec.point);
      point_b = local(at_b, *spec.point);
    } else if (spec.point_a && spec.point_b) {
      point_a = *spec.point_a;
      point_b = *spec.point_b;
    } else if (spec.type != "fixed_orientation") {
      report("E0212", key + ".point", fmt::format("{} needs a point", key),
             "point = [x, y, z] in the world at the start");
      return;
    }
    // The same axes in both bodies at the start; z is that of the joint.
    Matrix3 triad;
    triad.col(2) = spec.axis.normalized();
    Vector3 x, y;
    tangents(triad.col(2), x, y);
    triad.col(0) = x;
    triad.col(1) = y;
    const auto number = [&](Index body) {
      return body == ground_body ? -1 : refs_[static_cast<std::size_t>(body)].number;
    };
    builder_.add_joint({.name = spec.name,
                        .kind = spec.type,
                        .a = {number(a), point_a, at_a.R.transpose() * triad},
                        .b = {number(b), point_b, at_b.R.transpose() * triad}});
  }

  void add_surfaces() {
    std::map<std::string, bool> named;  // whoever is named in a contact table has a material of its own
    for (const ContactSpec& contact : contacts_) named[contact.a] = named[contact.b] = true;
    if (static_cast<Index>(named.size()) >= most_materials)
      report("E0219", "contact", fmt::format("{} bodies and planes are named in contacts: too many", named.size()),
             fmt::format("at most {}; what is treated alike needs no name: [contact.default]", most_materials - 1));
    const auto material = [&](const std::string& name) { return named.contains(name) ? name : std::string(); };
    for (std::size_t b = 0; b < bodies_.size(); ++b)
      if (bodies_[b].shape.type != ShapeType::none)
        builder_.add_surface(
            {.body = refs_[b].number, .shape = bodies_[b].shape.solid(), .material = material(bodies_[b].name)});
    for (const PlaneSpec& plane : planes_) {
      const Vector3 n = plane.normal.normalized();
      builder_.add_surface(
          {.name = plane.name, .shape = geometry::HalfSpace(n, n.dot(plane.point)), .material = material(plane.name)});
    }
  }

  void add_laws() {
    builder_.set_default_contact(default_contact_);
    for (const ContactSpec& contact : contacts_) {
      const auto has_surface = [&](const std::string& name) {
        const Index number = numbers_.at(name);
        return number >= body_count() || bodies_[static_cast<std::size_t>(number)].shape.type != ShapeType::none;
      };
      if (has_surface(contact.a) && has_surface(contact.b)) builder_.add_contact({contact.a, contact.b, contact.law});
    }
  }

  // Two that can meet: different, each with a shape, at least one of them a body.
  void check_partners(const ContactSpec& contact) {
    const std::string key = "contact." + contact.name + ".between";
    const Index a = find(contact.a, key), b = find(contact.b, key);
    if (a < 0 || b < 0) return;
    if (a == b)
      return report("E0217", key, fmt::format("{} cannot touch itself", contact.a),
                    "name two different bodies, or a body and a plane");
    if (a >= body_count() && b >= body_count())
      return report("E0217", key, fmt::format("{} and {} are planes: both are fixed", contact.a, contact.b),
                    "name a body and a plane");
    if (!contact.law) return;
    for (const Index number : {a, b})
      if (number < body_count() && bodies_[static_cast<std::size_t>(number)].shape.type == ShapeType::none)
        report("E0216", key,
               fmt::format("{} has no shape to touch with", bodies_[static_cast<std::size_t>(number)].name),
               "give it a shape");
  }

  // Joints must hold, and move together, at the start.
  void check_start() {
    const System& system = *model_.system;
    const State& start = model_.initial;
    ContactSet contacts;
    ActiveSet all;
    Evaluation at_start;
    system.detect(start.t, start.q, start.v, 0.0, contacts);
    all.reset(contacts);
    all.add_all();
    system.evaluate(start.t, start.q, start.v, Need::gap | Need::jacobian, all, at_start);
    Vector gamma(all.rows());
    at_start.W.transpose_multiply(start.v.data(), gamma.data());

    Index row = 0;
    for (Index k = 0; k < contacts.size(); ++k) {
      const Constraint& constraint = contacts[k];
      const Index rows = constraint.law->dim();
      const ConstVectorMap g(at_start.g.data() + row, rows);
      if (constraint.bilateral)
        check_joint(system.constraint_name(constraint), constraint, g.norm(), gamma.segment(row, rows).norm());
      row += rows;
    }
  }
  void check_joint(const std::string& name, const Constraint& constraint, double distance, double speed) {
    const double fastest = model_.initial.v.cwiseAbs().maxCoeff();
    if (distance > 1e-6 * constraint.length_scale)
      report("E0213", "joint." + name,
             fmt::format("the mechanism is not assembled: joint.{} stays {:.3g} m apart", name, distance),
             "place the bodies so that the joint's points and directions meet");
    else if (speed > 1e-6 * fastest * std::max(1.0, constraint.length_scale))
      report("E0214", "joint." + name,
             fmt::format("the start is inconsistent: joint.{} is torn apart at {:.3g} m/s", name, speed),
             "give both bodies velocities (and spins) that agree at the joint");
  }

  const std::vector<BodySpec>& bodies_;
  const std::vector<PlaneSpec>& planes_;
  const std::vector<JointSpec>& joints_;
  const std::optional<ContactParameters>& default_contact_;
  const std::vector<ContactSpec>& contacts_;

  std::map<std::string, Index> numbers_;  // bodies, then planes
  std::vector<std::string> names_;
  std::vector<InputProblem> problems_;
  model::ModelBuilder builder_{Space::spatial};
  std::vector<model::BodyRef> refs_;
  Model model_;
};

}  // namespace

std::string joint_type(std::string_view word, const std::string& key) {
  std::vector<std::string> known;
  for (const model::JointKind* kind : model::joint_kinds().entries())
    if (!kind->transmission) known.push_back(kind->name);
  const std::string name = canonical_name(word);
  if (std::find(known.begin(), known.end(), name) != known.end()) return name;
  throw InputError({"E0110", fmt::format("unknown joint type '{}'", word), key, suggestion(word, known), {}, 0, 0, {}});
}

bool Multibody::held_together(std::string_view a, std::string_view b) const {
  return std::any_of(joints_.begin(), joints_.end(), [&](const JointSpec& joint) {
    const bool same = (joint.a == a && joint.b == b) || (joint.a == b && joint.b == a);
    return same && model::joint_kinds().find(joint.type).coincident;
  });
}

Quaternion orientation_from_axis(const Vector3& axis, double angle) {
  return quaternion_exp(angle * axis.normalized());
}

Model Multibody::build() const {
  return Builder(gravity_, bodies_, planes_, joints_, default_contact_, contacts_).build();
}

}  // namespace carom
