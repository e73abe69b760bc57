// URDF: links with inertia and collision shapes, joints between them. All frames are brought into the world at the zero
// position:
//
//   link:     X_W,child = X_W,parent * origin(joint)           centre of mass: X_W,link * origin(inertial)
//   rpy:      R = R_z(yaw) R_y(pitch) R_x(roll)
#include <map>
#include <set>

#include "carom/io/import/imported_model.h"
#include "carom/io/import/xml_numbers.h"

namespace carom::inline io::import {

namespace {

Pose origin(const pugi::xml_node& parent) {
  const pugi::xml_node node = parent.child("origin");
  if (!node) return {};
  const Vector3 rpy = vector(node, "rpy", Vector3::Zero());
  const auto about = [](int axis, double angle) {
    Vector3 phi = Vector3::Zero();
    phi[axis] = angle;
    return rotation_matrix(quaternion_exp(phi));
  };
  return {vector(node, "xyz", Vector3::Zero()), about(2, rpy.z()) * about(1, rpy.y()) * about(0, rpy.x())};
}

class UrdfReader {
 public:
  explicit UrdfReader(const std::filesystem::path& file) : file_(file) {
    document_.load_file(file.c_str());
    robot_ = document_.child("robot");
    model_.title = robot_.attribute("name").as_string("robot");
    model_.source = "URDF";
  }

  ImportedModel read() {
    for (const pugi::xml_node joint : robot_.children("joint")) {
      const std::string child = joint.child("child").attribute("link").value();
      parent_joint_[child] = joint;
    }
    for (const pugi::xml_node link : robot_.children("link"))
      if (!parent_joint_.contains(link.attribute("name").value())) place(link, Pose{}, "ground", true);
    for (const char* other : {"transmission", "gazebo", "sensor"})
      if (robot_.child(other)) note("<{}> elements", other);
    note("friction of contacts, not in URDF: {} taken", model_.friction);
    return std::move(model_);
  }

 private:
  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    model_.notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  static bool has_mass(const pugi::xml_node& link) {
    return number(link.child("inertial").child("mass"), "value", 0.0) > 0.0;
  }

  // `carrier`: what a link without mass of its own is part of.
  void place(const pugi::xml_node& link, const Pose& pose, const std::string& carrier, bool root) {
    const std::string name = plain_name(link.attribute("name").value());
    const pugi::xml_node inertial = link.child("inertial");
    std::string here = carrier;
    if (has_mass(link)) {
      Body body;
      body.name = here = name;
      body.mass = number(inertial.child("mass"), "value", 0.0);
      const pugi::xml_node J = inertial.child("inertia");
      body.inertia << number(J, "ixx", 0), number(J, "ixy", 0), number(J, "ixz", 0), number(J, "ixy", 0),
          number(J, "iyy", 0), number(J, "iyz", 0), number(J, "ixz", 0), number(J, "iyz", 0), number(J, "izz", 0);
      body.pose = pose * origin(inertial);
      model_.bodies.push_back(std::move(body));
      if (root) note("link {} is not held: a free body", name);
    } else if (!root || inertial) {
      note("link {} has no mass: part of {}", name, carrier);
    }
    read_shapes(link, pose, here);
    for (const auto& [child, joint] : parent_joint_) {
      if (std::string(joint.child("parent").attribute("link").value()) != link.attribute("name").value()) continue;
      const pugi::xml_node other = robot_.find_child_by_attribute("link", "name", child.c_str());
      if (!other) {
        note("joint {} names link {}, which is not there", joint.attribute("name").value(), child);
        continue;
      }
      const Pose placed = pose * origin(joint);
      const std::string before = here;
      const bool massless = !has_mass(other);
      if (!massless) add_joint(joint, placed, before, plain_name(child));
      if (massless && std::string(joint.attribute("type").value()) != "fixed")
        note("joint {} to {}: its link has no mass, it is fixed", joint.attribute("name").value(), child);
      place(other, placed, before, false);
    }
  }

  void add_joint(const pugi::xml_node& node, const Pose& pose, const std::string& a, const std::string& b) {
    static const std::map<std::string, std::string> words = {{"fixed", "fixed"},         {"revolute", "revolute"},
                                                             {"continuous", "revolute"}, {"prismatic", "prismatic"},
                                                             {"planar", "planar"},       {"floating", ""}};
    const std::string type = node.attribute("type").value(), name = node.attribute("name").value();
    const auto word = words.find(type);
    if (word == words.end()) return note("joint {} of type {}", name, type);
    if (word->second.empty()) return;  // nothing holds it
    Joint joint;
    joint.name = plain_name(name);
    joint.type = word->second;
    joint.a = a;
    joint.b = b;
    joint.point = pose.x;
    const Vector3 axis = node.child("axis") ? vector(node.child("axis"), "xyz", Vector3::UnitX()) : Vector3::UnitX();
    joint.axis = pose.R * axis.normalized();
    const pugi::xml_node limit = node.child("limit");
    if (limit && (type == "revolute" || type == "prismatic")) {
      joint.lower = number(limit, "lower", 0.0);
      joint.upper = number(limit, "upper", 0.0);
      if (!(*joint.lower < *joint.upper)) joint.lower = joint.upper = std::nullopt;
    }
    if (limit.attribute("effort") || limit.attribute("velocity")) note("joint {}: limits of effort and velocity", name);
    joint.damping = number(node.child("dynamics"), "damping", 0.0);
    joint.friction = number(node.child("dynamics"), "friction", 0.0);
    if (const pugi::xml_node mimic = node.child("mimic")) {
      joint.follows = plain_name(mimic.attribute("joint").value());
      joint.ratio = number(mimic, "multiplier", 1.0);
      if (number(mimic, "offset", 0.0) != 0.0) note("joint {}: offset of its mimic", name);
    }
    if (node.child("safety_controller")) note("joint {}: <safety_controller>", name);
    model_.joints.push_back(std::move(joint));
  }

  void read_shapes(const pugi::xml_node& link, const Pose& pose, const std::string& owner) {
    std::vector<Shape>* shapes = &model_.ground;
    for (Body& body : model_.bodies)
      if (body.name == owner) shapes = &body.shapes;
    for (const pugi::xml_node collision : link.children("collision")) {
      const pugi::xml_node geometry = collision.child("geometry");
      Shape shape;
      shape.pose = pose * origin(collision);
      if (const pugi::xml_node box = geometry.child("box")) {
        shape.type = "box";
        shape.size = vector(box, "size", Vector3::Ones());
      } else if (const pugi::xml_node sphere = geometry.child("sphere")) {
        shape.type = "sphere";
        shape.size.x() = number(sphere, "radius", 1.0);
      } else if (const pugi::xml_node cylinder = geometry.child("cylinder")) {
        shape.type = "cylinder";
        shape.size = {number(cylinder, "radius", 1.0), number(cylinder, "length", 1.0), 0.0};
      } else if (const pugi::xml_node capsule = geometry.child("capsule")) {  // of Bullet
        shape.type = "capsule";
        shape.size = {number(capsule, "radius", 1.0), number(capsule, "length", 1.0), 0.0};
      } else if (const pugi::xml_node mesh = geometry.child("mesh")) {
        if (!read_mesh_shape(mesh, shape)) continue;
      } else {
        note("link {}: a collision shape of an unknown kind", link.attribute("name").value());
        continue;
      }
      shapes->push_back(std::move(shape));
    }
    if (link.child("visual") && !link.child("collision"))
      note("link {}: shapes for pictures only", link.attribute("name").value());
  }

  bool read_mesh_shape(const pugi::xml_node& mesh, Shape& shape) {
    std::string name = mesh.attribute("filename").value();
    for (const char* scheme : {"package://", "file://"})
      if (name.starts_with(scheme)) name = name.substr(std::string(scheme).size());
    std::filesystem::path path = file_.parent_path() / name;
    // A package is a folder above.
    for (std::filesystem::path folder = std::filesystem::absolute(file_).parent_path();
         !std::filesystem::exists(path) && folder != folder.parent_path(); folder = folder.parent_path())
      path = folder.parent_path() / name;
    std::string ending = path.extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!std::filesystem::exists(path) || (ending != ".stl" && ending != ".obj")) {
      note("mesh {}: {}", name, std::filesystem::exists(path) ? "only STL and OBJ are read" : "there is no such file");
      return false;
    }
    const Vector3 scale = vector(mesh, "scale", Vector3::Ones());
    for (const Vector3& x : hull_corners(read_mesh(path))) shape.points.push_back(scale.cwiseProduct(x));
    return hull_or_box(name, shape, model_.notes);
  }

  const std::filesystem::path file_;
  pugi::xml_document document_;
  pugi::xml_node robot_;
  ImportedModel model_;
  std::map<std::string, pugi::xml_node> parent_joint_;  // by child link
};

}  // namespace

ImportedModel read_urdf(const std::filesystem::path& file) { return UrdfReader(file).read(); }

}  // namespace carom::inline io::import
