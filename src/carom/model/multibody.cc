#include "carom/model/multibody.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "carom/base/names.h"

namespace carom {

namespace {

struct JointWord {
  const char* name;
  JointType type;
};
constexpr JointWord joint_words[] = {{"spherical", JointType::spherical},
                                     {"revolute", JointType::revolute},
                                     {"fixed_orientation", JointType::fixed_orientation},
                                     {"fixed", JointType::fixed}};

// Laws are looked up in a table of all pairs of surfaces.
constexpr Index most_surfaces = 2001;

const char* to_text(ShapeType type) {
  switch (type) {
    case ShapeType::sphere:
      return "sphere";
    case ShapeType::box:
      return "box";
    case ShapeType::none:
      break;
  }
  return "no shape";
}

// Translates a scene step by step and collects what is wrong with it.
class Builder {
 public:
  Builder(const Vector3& gravity, const std::vector<BodySpec>& bodies,
          const std::vector<PlaneSpec>& planes, const std::vector<JointSpec>& joints,
          const std::optional<ContactParameters>& default_contact,
          const std::vector<ContactSpec>& contacts)
      : bodies_(bodies),
        planes_(planes),
        joints_(joints),
        default_contact_(default_contact),
        contacts_(contacts) {
    parts_.gravity = gravity;
  }

  Model build() {
    collect_names();
    for (const BodySpec& body : bodies_) add_body(body);
    for (const PlaneSpec& plane : planes_) add_plane(plane);
    throw_if_any();
    set_initial_state();
    for (const JointSpec& joint : joints_) add_joint(joint);
    assign_laws();
    throw_if_any();
    check_available_pairs();
    model_.system = std::make_shared<MultibodySystem>(std::move(parts_));
    check_start();
    throw_if_any();
    return std::move(model_);
  }

 private:
  void report(std::string code, std::string key, std::string message, std::string hint) {
    problems_.push_back(
        {std::move(code), std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  }
  void throw_if_any() const {
    if (!problems_.empty()) throw InputError(problems_);
  }

  void collect_names() {
    Index number = 0;
    for (const BodySpec& body : bodies_) add_name("body." + body.name, body.name, number++);
    for (const PlaneSpec& plane : planes_) add_name("plane." + plane.name, plane.name, number++);
    if (bodies_.empty())
      report("E0201", "body", "the scene has no body", "add a [body.NAME] table or generate some");
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
    report("E0141", key, fmt::format("there is no body or plane '{}'", name),
           suggestion(name, known));
    return -1;
  }
  Index body_count() const { return static_cast<Index>(bodies_.size()); }

  void add_body(const BodySpec& spec) {
    const std::string key = "body." + spec.name;
    if (!(spec.mass > 0.0) || !std::isfinite(spec.mass))
      report("E0206", key + ".mass",
             fmt::format("{}: mass is {}, it must be positive", key, spec.mass),
             "give mass and inertia, or a shape with a density");
    check_inertia(spec, key);
    check_shape(spec.shape, key);
    if (!spec.position.allFinite() || !spec.velocity.allFinite() || !spec.spin.allFinite())
      report("E0209", key, fmt::format("{}: position, velocity or spin is not a number", key), "");
    if (!(std::abs(spec.orientation.norm() - 1.0) < 1e-6))
      report("E0208", key + ".orientation",
             fmt::format("{}: the quaternion has length {}, not 1", key, spec.orientation.norm()),
             "give four numbers, scalar first, or an axis and an angle");
    parts_.bodies.push_back({spec.name, spec.mass, spec.inertia, spec.shape, 0});
  }

  void check_inertia(const BodySpec& spec, const std::string& key) {
    const double largest = spec.inertia.maxCoeff();
    const double others = spec.inertia.sum() - largest;
    if (!(spec.inertia.minCoeff() > 0.0) || !spec.inertia.allFinite())
      report("E0207", key + ".inertia",
             fmt::format("{}: principal moments must be positive, got ({}, {}, {})", key,
                         spec.inertia.x(), spec.inertia.y(), spec.inertia.z()),
             "give mass and inertia, or a shape with a density");
    else if (largest > others * (1.0 + 1e-6))
      report("E0207", key + ".inertia",
             fmt::format("{}: inertia ({}, {}, {}) is not possible for a rigid body", key,
                         spec.inertia.x(), spec.inertia.y(), spec.inertia.z()),
             "the largest principal moment must not exceed the sum of the others");
  }

  void check_shape(const Shape& shape, const std::string& key) {
    if (shape.type == ShapeType::sphere && !(shape.radius > 0.0 && std::isfinite(shape.radius)))
      report("E0205", key + ".shape.radius",
             fmt::format("{}: radius is {}, it must be positive", key, shape.radius), "");
    if (shape.type == ShapeType::box &&
        !(shape.half_size.minCoeff() > 0.0 && shape.half_size.allFinite()))
      report("E0205", key + ".shape.size",
             fmt::format("{}: the sizes of a box must be positive", key), "");
  }

  void add_plane(const PlaneSpec& spec) {
    const std::string key = "plane." + spec.name;
    const double length = spec.normal.norm();
    if (!(length > 0.0) || !std::isfinite(length))
      report("E0204", key + ".normal", fmt::format("{}: the normal has no direction", key),
             "it points out of the solid, like [0, 0, 1] for a floor");
    parts_.planes.push_back({spec.name, {spec.point, spec.normal / length}, 0});
  }

  void set_initial_state() {
    State& state = model_.initial;
    state.q.resize(body_q * body_count());
    state.v.resize(body_v * body_count());
    for (Index b = 0; b < body_count(); ++b) {
      const BodySpec& spec = bodies_[static_cast<std::size_t>(b)];
      state.q.segment<3>(body_q * b) = spec.position;
      state.q.segment<4>(body_q * b + 3) = spec.orientation.normalized();
      state.v.segment<3>(body_v * b) = spec.velocity;
      state.v.segment<3>(body_v * b + 3) = spec.spin;
    }
  }

  Index find_joint_partner(const std::string& name, const std::string& key) {
    if (name == "ground") return ground_body;
    const Index number = find(name, key);
    return number < body_count() ? number : ground_body;  // a plane is part of the ground
  }

  double gyration_radius(Index b) const {
    if (b == ground_body) return 0.0;
    const RigidBody& body = parts_.bodies[static_cast<std::size_t>(b)];
    return std::sqrt(body.inertia.maxCoeff() / body.mass);
  }

  void add_joint(const JointSpec& spec) {
    const std::string key = "joint." + spec.name;
    Joint joint;
    joint.name = spec.name;
    joint.a = find_joint_partner(spec.a, key + ".between");
    joint.b = find_joint_partner(spec.b, key + ".between");
    if (joint.a == joint.b) {
      report("E0211", key + ".between", fmt::format("{} does not hold two different bodies", key),
             "name two bodies, or \"ground\" and a body");
      return;
    }
    const Pose a = body_pose(model_.initial.q.data(), joint.a);
    const Pose b = body_pose(model_.initial.q.data(), joint.b);
    joint.coincident = spec.type != JointType::fixed_orientation;
    if (joint.coincident) {
      if (spec.point) {
        joint.point_a = a.R.transpose() * (*spec.point - a.x);
        joint.point_b = b.R.transpose() * (*spec.point - b.x);
      } else if (spec.point_a && spec.point_b) {
        joint.point_a = *spec.point_a;
        joint.point_b = *spec.point_b;
      } else {
        report("E0212", key + ".point", fmt::format("{} needs a point", key),
               "point = [x, y, z] in the world at the start");
        return;
      }
    }
    if (!(spec.axis.norm() > 0.0)) {
      report("E0212", key + ".axis", fmt::format("{}: the axis has no direction", key), "");
      return;
    }
    double length = std::max(gyration_radius(joint.a), gyration_radius(joint.b));
    if (joint.a != ground_body) length = std::max(length, joint.point_a.norm());
    if (joint.b != ground_body) length = std::max(length, joint.point_b.norm());
    set_directions(spec.type, spec.axis.normalized(), length, a.R, b.R, joint);
    joint.law = make_bilateral_law(joint.rows());
    parts_.joints.push_back(std::move(joint));
  }

  // Whoever is named in a contact table has a surface of its own; all others share surface 0.
  void assign_laws() {
    Index surfaces = 1;
    for (const ContactSpec& contact : contacts_) check_partners(contact);
    if (!problems_.empty()) return;
    for (const ContactSpec& contact : contacts_)
      for (const std::string* name : {&contact.a, &contact.b}) {
        const Index number = find(*name, "contact." + contact.name + ".between");
        if (number >= 0 && surface(number) == 0) surface(number) = surfaces++;
      }
    if (surfaces > most_surfaces)
      return report("E0219", "contact", fmt::format("{} bodies and planes are named in contacts: too many", surfaces - 1),
                    fmt::format("at most {}; what is treated alike needs no name: [contact.default]", most_surfaces - 1));
    parts_.laws = ContactLaws(surfaces);
    if (default_contact_) {
      const auto law = make_contact_law(Space::spatial, *default_contact_);
      for (Index a = 0; a < surfaces; ++a)
        for (Index b = a; b < surfaces; ++b) parts_.laws.set(a, b, law);
    }
    for (const ContactSpec& contact : contacts_)
      parts_.laws.set(surface(numbers_.at(contact.a)), surface(numbers_.at(contact.b)),
                      contact.law ? make_contact_law(Space::spatial, *contact.law) : nullptr);
  }
  // Two that can meet: different, each with a shape, at least one of them a body.
  void check_partners(const ContactSpec& contact) {
    const std::string key = "contact." + contact.name + ".between";
    const Index a = find(contact.a, key), b = find(contact.b, key);
    if (a < 0 || b < 0) return;
    if (a == b) return report("E0217", key, fmt::format("{} cannot touch itself", contact.a), "name two different bodies, or a body and a plane");
    if (a >= body_count() && b >= body_count())
      return report("E0217", key, fmt::format("{} and {} are planes: both are fixed", contact.a, contact.b), "name a body and a plane");
    if (!contact.law) return;
    for (const Index number : {a, b})
      if (number < body_count() && bodies_[static_cast<std::size_t>(number)].shape.type == ShapeType::none)
        report("E0216", key, fmt::format("{} has no shape to touch with", bodies_[static_cast<std::size_t>(number)].name),
               "give it a shape");
  }
  Index& surface(Index number) {
    return number < body_count()
               ? parts_.bodies[static_cast<std::size_t>(number)].surface
               : parts_.planes[static_cast<std::size_t>(number - body_count())].surface;
  }

  // Boxes touch planes only: rather than let one pass through another unseen, refuse.
  void check_available_pairs() {
    for (const RigidBody& box : parts_.bodies) {
      if (box.shape.type != ShapeType::box) continue;
      for (const RigidBody& other : parts_.bodies) {
        if (&other == &box || other.shape.type == ShapeType::none) continue;
        if (!parts_.laws.find(box.surface, other.surface)) continue;
        report(
            "E0215", "body." + box.name + ".shape",
            fmt::format("contact of body.{} (box) with body.{} ({}) is not available", box.name,
                        other.name, to_text(other.shape.type)),
            fmt::format("boxes touch planes, spheres touch planes and spheres; if the two cannot "
                        "meet, say so: [contact.NAME] between = [\"{}\", \"{}\"], law = \"none\"",
                        box.name, other.name));
        return;
      }
    }
  }

  // Joints must hold, and move together, and shapes must not overlap, at the start.
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
        check_joint(system.constraint_name(constraint), constraint, g.norm(),
                    gamma.segment(row, rows).norm());
      else if (g[0] < -1e-9 * constraint.length_scale)
        report("E0218", contact_key(constraint),
               fmt::format("bodies overlap at the start: {} by {:.3g} m",
                           system.constraint_name(constraint), -g[0]),
               fmt::format("move {} away by {:.3g} m", contact_key(constraint), -g[0]));
      row += rows;
    }
  }
  std::string contact_key(const Constraint& constraint) const {
    return "body." + bodies_[static_cast<std::size_t>(constraint.a)].name;
  }
  void check_joint(const std::string& name, const Constraint& constraint, double distance,
                   double speed) {
    const double fastest = model_.initial.v.cwiseAbs().maxCoeff();
    if (distance > 1e-6 * constraint.length_scale)
      report("E0213", "joint." + name,
             fmt::format("the mechanism is not assembled: joint.{} stays {:.3g} m apart", name,
                         distance),
             "place the bodies so that the joint's points and directions meet");
    else if (speed > 1e-6 * fastest * std::max(1.0, constraint.length_scale))
      report("E0214", "joint." + name,
             fmt::format("the start is inconsistent: joint.{} is torn apart at {:.3g} m/s", name,
                         speed),
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
  MultibodyParts parts_;
  Model model_;
};

}  // namespace

JointType joint_type(std::string_view word, const std::string& key) {
  std::vector<std::string> known;
  for (const JointWord& entry : joint_words) {
    if (canonical_name(word) == entry.name) return entry.type;
    known.push_back(entry.name);
  }
  throw InputError({"E0110",
                    fmt::format("unknown joint type '{}'", word),
                    key,
                    suggestion(word, known),
                    {},
                    0,
                    0,
                    {}});
}

Quaternion orientation_from_axis(const Vector3& axis, double angle) {
  return quaternion_exp(angle * axis.normalized());
}

Model Multibody::build() const {
  return Builder(gravity_, bodies_, planes_, joints_, default_contact_, contacts_).build();
}

}  // namespace carom
