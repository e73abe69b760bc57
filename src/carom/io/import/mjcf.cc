// MJCF: nested bodies with geoms and joints. Angles in degrees unless the compiler says radian; sizes are half lengths;
// a geom has its mass, or the density 1000 kg/m^3; defaults of the main class are filled in.
#include <map>
#include <numbers>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/shape.h"
#include "carom/io/import/imported_model.h"
#include "carom/io/import/xml_numbers.h"

namespace carom::inline io::import {

namespace {

class MjcfReader {
 public:
  explicit MjcfReader(const std::filesystem::path& file) : file_(file) {
    document_.load_file(file.c_str());
    root_ = document_.child("mujoco");
    model_.title = root_.attribute("model").as_string("model");
    model_.source = "MJCF";
    const pugi::xml_node compiler = root_.child("compiler");
    degrees_ = std::string(compiler.attribute("angle").as_string("degree")) == "degree";
    mesh_folder_ = compiler.attribute("meshdir").value();
    const std::string order = compiler.attribute("eulerseq").as_string("xyz");
    if (order != "xyz") note("eulerseq {}: read as xyz", order);
    const pugi::xml_node defaults = root_.child("default");
    default_geom_ = defaults.child("geom");
    default_joint_ = defaults.child("joint");
    if (defaults.child("default")) note("default classes other than main");
  }

  ImportedModel read() {
    model_.gravity = vector(root_.child("option"), "gravity", {0.0, 0.0, -9.81});
    for (const pugi::xml_node mesh : root_.child("asset").children("mesh")) {
      const std::string file = mesh.attribute("file").value();
      const std::string name =
          mesh.attribute("name") ? mesh.attribute("name").value() : std::filesystem::path(file).stem().string();
      meshes_[name] = mesh;
    }
    const pugi::xml_node world = root_.child("worldbody");
    read_geoms(world, Pose{}, model_.ground);
    for (const pugi::xml_node body : world.children("body")) read_body(body, Pose{}, "ground");
    for (const char* other : {"actuator", "sensor", "tendon", "equality", "contact", "keyframe", "deformable"})
      if (root_.child(other)) note("<{}>", other);
    if (differing_friction_) note("geoms with different friction: {} taken for all", model_.friction);
    return std::move(model_);
  }

 private:
  template <class... Args>
  void note(fmt::format_string<Args...> text, Args&&... args) {
    model_.notes.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  // An attribute of an element, or of the defaults.
  static pugi::xml_node having(const pugi::xml_node& node, const pugi::xml_node& defaults, const char* attribute) {
    return node.attribute(attribute) ? node : defaults;
  }
  double angle(double x) const { return degrees_ ? x * std::numbers::pi / 180.0 : x; }

  Pose pose_of(const pugi::xml_node& node) const {
    Pose pose;
    pose.x = vector(node, "pos", Vector3::Zero());
    const auto about = [](const Vector3& axis, double phi) {
      return rotation_matrix(quaternion_exp(Vector3(phi * axis.normalized())));
    };
    if (const auto q = numbers(node, "quat"); q.size() == 4) {
      pose.R = rotation_matrix(Quaternion(Quaternion(q[0], q[1], q[2], q[3]).normalized()));
    } else if (const auto a = numbers(node, "axisangle"); a.size() == 4) {
      pose.R = about({a[0], a[1], a[2]}, angle(a[3]));
    } else if (const auto e = numbers(node, "euler"); e.size() == 3) {
      pose.R = about(Vector3::UnitX(), angle(e[0])) * about(Vector3::UnitY(), angle(e[1])) *
               about(Vector3::UnitZ(), angle(e[2]));
    } else if (const auto z = numbers(node, "zaxis"); z.size() == 3) {
      pose.R = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), Vector3(z[0], z[1], z[2])).toRotationMatrix();
    }
    return pose;
  }

  void read_geoms(const pugi::xml_node& body, const Pose& pose, std::vector<Shape>& shapes) {
    for (const pugi::xml_node geom : body.children("geom")) {
      const pugi::xml_node of_type = having(geom, default_geom_, "type");
      const std::string type = of_type.attribute("type").as_string("sphere");
      const std::vector<double> size = numbers(having(geom, default_geom_, "size"), "size");
      const auto at = [&](std::size_t k) { return k < size.size() ? size[k] : 0.0; };
      Shape shape;
      shape.pose = pose * pose_of(geom);
      double half = at(1);
      if (const auto ends = numbers(geom, "fromto"); ends.size() == 6) {
        const Vector3 a(ends[0], ends[1], ends[2]), b(ends[3], ends[4], ends[5]);
        half = 0.5 * (b - a).norm();
        shape.pose =
            pose * Pose{0.5 * (a + b),
                        Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), Vector3(b - a)).toRotationMatrix()};
      }
      if (type == "sphere") {
        shape.type = type;
        shape.size.x() = at(0);
      } else if (type == "capsule" || type == "cylinder") {
        shape.type = type;
        shape.size = {at(0), 2.0 * half, 0.0};
      } else if (type == "box") {
        shape.type = type;
        shape.size = 2.0 * Vector3(at(0), at(1), at(2));
      } else if (type == "plane") {
        shape.type = "half_space";
      } else if (type == "mesh" && read_mesh_shape(geom, shape)) {
        shape.type = "hull";
      } else {
        if (type != "mesh") note("geom of type {}", type);
        continue;
      }
      const pugi::xml_node rubs = having(geom, default_geom_, "friction");
      const double friction = number(rubs, "friction", 1.0);
      if (!seen_friction_) model_.friction = friction;
      differing_friction_ = differing_friction_ || (seen_friction_ && friction != model_.friction);
      seen_friction_ = true;
      shape.mass = number(having(geom, default_geom_, "mass"), "mass", 0.0);
      shape.density = number(having(geom, default_geom_, "density"), "density", 1000.0);
      if (geom.attribute("contype").as_int(1) == 0 && geom.attribute("conaffinity").as_int(1) == 0)
        shape.picture = true;
      shapes.push_back(std::move(shape));
    }
  }

  bool read_mesh_shape(const pugi::xml_node& geom, Shape& shape) {
    const std::string name = geom.attribute("mesh").value();
    const auto found = meshes_.find(name);
    if (found == meshes_.end()) {
      note("mesh {}: not among the assets", name);
      return false;
    }
    const std::filesystem::path path = file_.parent_path() / mesh_folder_ / found->second.attribute("file").value();
    std::string ending = path.extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!std::filesystem::exists(path) || (ending != ".stl" && ending != ".obj")) {
      note("mesh {}: {}", name, std::filesystem::exists(path) ? "only STL and OBJ are read" : "there is no such file");
      return false;
    }
    const Vector3 scale = vector(found->second, "scale", Vector3::Ones());
    for (const Vector3& x : hull_corners(read_mesh(path))) shape.points.push_back(scale.cwiseProduct(x));
    note("mesh {}: its convex hull, {} corners", name, shape.points.size());
    return true;
  }

  static geometry::MassProperties unit_mass(const Shape& shape) {
    using namespace geometry;
    const geometry::Shape solid =
        shape.type == "sphere"     ? geometry::Shape(Sphere(shape.size.x()))
        : shape.type == "box"      ? geometry::Shape(Box(0.5 * shape.size))
        : shape.type == "capsule"  ? geometry::Shape(Capsule(shape.size.x(), 0.5 * shape.size.y()))
        : shape.type == "cylinder" ? geometry::Shape(Cylinder(shape.size.x(), 0.5 * shape.size.y()))
                                   : geometry::Shape(ConvexPolyhedron(shape.points));
    return moved(solid.mass_properties(), shape.pose);
  }

  void read_body(const pugi::xml_node& node, const Pose& parent, const std::string& parent_name) {
    Body body;
    body.name = plain_name(node.attribute("name").as_string(fmt::format("body{}", ++unnamed_).c_str()));
    const Pose pose = parent * pose_of(node);
    read_geoms(node, pose, body.shapes);
    if (const pugi::xml_node inertial = node.child("inertial")) {
      body.mass = number(inertial, "mass", 0.0);
      body.pose = pose * pose_of(inertial);
      const Vector3 J = vector(inertial, "diaginertia", Vector3::Zero());
      body.inertia = J.asDiagonal();
      if (const auto full = numbers(inertial, "fullinertia"); full.size() == 6)
        body.inertia << full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2];
    } else {
      geometry::MassProperties whole;  // its volume is the mass
      for (const Shape& shape : body.shapes) {
        if (shape.type == "half_space") continue;
        geometry::MassProperties m = unit_mass(shape);
        const double density = shape.mass > 0.0 ? shape.mass / m.volume : shape.density;
        m.volume *= density;
        m.inertia *= density;
        whole = whole + m;
      }
      body.mass = whole.volume;
      body.inertia = whole.inertia;
      body.pose = {whole.centre, Matrix3::Identity()};
    }
    if (!(body.mass > 0.0)) {
      note("body {} has no mass: 1 g taken", body.name);
      body.mass = 1e-3;
      body.inertia = 1e-7 * Matrix3::Identity();
      body.pose = pose;
    }
    const std::string name = body.name;
    model_.bodies.push_back(std::move(body));
    read_joints(node, pose, parent_name, name);
    for (const char* other : {"site", "camera", "light", "composite"})
      if (node.child(other)) note("body {}: <{}>", name, other);
    for (const pugi::xml_node child : node.children("body")) read_body(child, pose, name);
  }

  void read_joints(const pugi::xml_node& node, const Pose& pose, const std::string& parent, const std::string& name) {
    std::vector<pugi::xml_node> joints;
    bool free = static_cast<bool>(node.child("freejoint"));
    for (const pugi::xml_node joint : node.children("joint")) {
      if (std::string(joint.attribute("type").value()) == "free")
        free = true;
      else
        joints.push_back(joint);
    }
    if (free) return;
    Joint joint;
    joint.a = parent;
    joint.b = name;
    joint.point = pose.x;
    if (joints.empty()) {
      joint.type = "fixed";
      joint.name = name + "_weld";
      model_.joints.push_back(joint);
      return;
    }
    const pugi::xml_node first = joints[0];
    const std::string type = having(first, default_joint_, "type").attribute("type").as_string("hinge");
    joint.name = plain_name(first.attribute("name").as_string((name + "_joint").c_str()));
    joint.point = pose.point(vector(having(first, default_joint_, "pos"), "pos", Vector3::Zero()));
    joint.axis = pose.direction(vector(having(first, default_joint_, "axis"), "axis", Vector3::UnitZ())).normalized();
    joint.type = type == "hinge" ? "revolute" : type == "slide" ? "prismatic" : "spherical";
    if (joints.size() == 3 && type == "hinge") {
      joint.type = "spherical";
      note("body {}: three hinges are a ball joint, without limits and springs", name);
    } else if (joints.size() > 1) {
      note("body {}: of {} joints the first is taken", name, joints.size());
    }
    if (joint.type != "spherical") {
      const std::vector<double> range = numbers(having(first, default_joint_, "range"), "range");
      const std::string limited = having(first, default_joint_, "limited").attribute("limited").as_string("auto");
      if (range.size() == 2 && limited != "false") {
        joint.lower = type == "hinge" ? angle(range[0]) : range[0];
        joint.upper = type == "hinge" ? angle(range[1]) : range[1];
      }
      joint.damping = number(having(first, default_joint_, "damping"), "damping", 0.0);
      joint.stiffness = number(having(first, default_joint_, "stiffness"), "stiffness", 0.0);
      joint.rest = number(having(first, default_joint_, "springref"), "springref", 0.0);
      if (type == "hinge") joint.rest = angle(joint.rest);
      joint.friction = number(having(first, default_joint_, "frictionloss"), "frictionloss", 0.0);
      if (number(having(first, default_joint_, "armature"), "armature", 0.0) != 0.0)
        note("joint {}: armature", joint.name);
    }
    model_.joints.push_back(std::move(joint));
  }

  const std::filesystem::path file_;
  pugi::xml_document document_;
  pugi::xml_node root_, default_geom_, default_joint_;
  bool degrees_ = true, seen_friction_ = false, differing_friction_ = false;
  std::string mesh_folder_;
  std::map<std::string, pugi::xml_node> meshes_;
  int unnamed_ = 0;
  ImportedModel model_;
};

}  // namespace

ImportedModel read_mjcf(const std::filesystem::path& file) { return MjcfReader(file).read(); }

}  // namespace carom::inline io::import
