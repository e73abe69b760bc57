// MJCF: nested bodies with geoms and joints. Angles in degrees unless the compiler says radian; sizes are half lengths;
// a geom has its mass, or the density 1000 kg/m^3. Before all else included files are put in, and what a default class
// gives is written to every geom and joint that does not say otherwise.
#include <algorithm>
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
    include_files(root_, file.parent_path(), 0);
    model_.title = root_.attribute("model").as_string("model");
    model_.source = "MJCF";
    for (const pugi::xml_node compiler : root_.children("compiler")) {
      if (compiler.attribute("angle")) degrees_ = std::string(compiler.attribute("angle").value()) == "degree";
      if (compiler.attribute("meshdir")) mesh_folder_ = compiler.attribute("meshdir").value();
      if (compiler.attribute("assetdir")) mesh_folder_ = compiler.attribute("assetdir").value();
      if (compiler.attribute("eulerseq")) euler_order_ = compiler.attribute("eulerseq").value();
      if (std::string(compiler.attribute("coordinate").value()) == "global") global_ = true;
    }
    for (const pugi::xml_node defaults : root_.children("default")) read_class(defaults, "main", {});
    for (pugi::xml_node world : root_.children("worldbody")) fill_in(world, "main");
  }

  ImportedModel read() {
    model_.gravity = vector(root_.child("option"), "gravity", {0.0, 0.0, -9.81});
    for (const pugi::xml_node assets : root_.children("asset"))
      for (const pugi::xml_node mesh : assets.children("mesh")) {
        const std::string file = mesh.attribute("file").value();
        const std::string name =
            mesh.attribute("name") ? mesh.attribute("name").value() : std::filesystem::path(file).stem().string();
        meshes_[name] = mesh;
      }
    for (const pugi::xml_node world : root_.children("worldbody")) {
      read_geoms(world, Pose{}, model_.ground);
      for (const pugi::xml_node body : world.children("body")) read_body(body, Pose{}, "ground");
      for (const char* other : {"frame", "replicate", "composite", "flexcomp"})
        if (world.child(other)) note("<{}>", other);
    }
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

  // The elements of an included file stand where it is named.
  void include_files(pugi::xml_node node, const std::filesystem::path& folder, int depth) {
    for (pugi::xml_node child = node.first_child(); child;) {
      const pugi::xml_node next = child.next_sibling();
      if (std::string(child.name()) == "include") {
        const std::string name = child.attribute("file").value();
        pugi::xml_document other;
        if (depth < 16 && other.load_file((folder / name).c_str())) {
          include_files(other.document_element(), folder, depth + 1);
          for (const pugi::xml_node part : other.document_element().children()) node.insert_copy_before(part, child);
        } else {
          note("<include file=\"{}\">: it cannot be read", name);
        }
        node.remove_child(child);
      } else {
        include_files(child, folder, depth);
      }
      child = next;
    }
  }

  using Attributes = std::map<std::string, std::string>;
  struct Class {
    Attributes geom = {}, joint = {};
  };

  void read_class(const pugi::xml_node& node, const std::string& outer_name, const Class& outer) {
    const std::string name = node.attribute("class").as_string(outer_name.c_str());
    Class& own = classes_[name];
    if (name != outer_name) own = outer;
    for (const pugi::xml_attribute a : node.child("geom").attributes()) own.geom[a.name()] = a.value();
    for (const pugi::xml_attribute a : node.child("joint").attributes()) own.joint[a.name()] = a.value();
    const Class given = own;
    for (const pugi::xml_node inner : node.children("default")) read_class(inner, name, given);
  }

  void fill_in(pugi::xml_node body, const std::string& inherited) {
    const std::string here = body.attribute("childclass").as_string(inherited.c_str());
    for (pugi::xml_node child : body.children()) {
      const std::string word = child.name();
      if (word == "body") fill_in(child, here);
      if (word != "geom" && word != "joint") continue;
      const Class& of = classes_[child.attribute("class").as_string(here.c_str())];
      for (const auto& [name, value] : word == "geom" ? of.geom : of.joint)
        if (!child.attribute(name.c_str())) child.append_attribute(name.c_str()) = value.c_str();
    }
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
      for (std::size_t k = 0; k < 3; ++k) {  // small letters turn with the frame, capital ones do not
        const char letter = k < euler_order_.size() ? euler_order_[k] : "xyz"[k];
        const Matrix3 turn = about(Vector3::Unit(std::clamp((letter | 32) - 'x', 0, 2)), angle(e[k]));
        pose.R = letter >= 'a' ? pose.R * turn : turn * pose.R;
      }
    } else if (const auto z = numbers(node, "zaxis"); z.size() == 3) {
      pose.R = Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), Vector3(z[0], z[1], z[2])).toRotationMatrix();
    }
    return pose;
  }

  // Old files may give all places in the world.
  Pose in_world(const Pose& parent, const Pose& given, const pugi::xml_node& node) const {
    if (!global_) return parent * given;
    const bool turned =
        node.attribute("quat") || node.attribute("axisangle") || node.attribute("euler") || node.attribute("zaxis");
    return {node.attribute("pos") ? given.x : parent.x, turned ? given.R : parent.R};
  }

  void read_geoms(const pugi::xml_node& body, const Pose& pose, std::vector<Shape>& shapes) {
    for (const pugi::xml_node geom : body.children("geom")) {
      const std::string type = geom.attribute("type").as_string(geom.attribute("mesh") ? "mesh" : "sphere");
      const std::vector<double> size = numbers(geom, "size");
      const auto at = [&](std::size_t k) { return k < size.size() ? size[k] : 0.0; };
      Shape shape;
      shape.pose = in_world(pose, pose_of(geom), geom);
      double half = at(1);
      if (const auto ends = numbers(geom, "fromto"); ends.size() == 6) {
        const Vector3 a(ends[0], ends[1], ends[2]), b(ends[3], ends[4], ends[5]);
        half = 0.5 * (b - a).norm();
        const Pose between{0.5 * (a + b),
                           Eigen::Quaterniond::FromTwoVectors(Vector3::UnitZ(), Vector3(b - a)).toRotationMatrix()};
        shape.pose = global_ ? between : pose * between;
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
      } else if (type == "mesh") {
        if (!read_mesh_shape(geom, shape)) continue;
      } else {
        note("geom of type {}", type);
        continue;
      }
      const double smallest = shape.type == "box" ? shape.size.minCoeff() : shape.size.x();
      if (!(smallest > 0.0) && shape.type != "half_space" && shape.type != "hull") {
        note("a {} without size", type);
        continue;
      }
      const double friction = number(geom, "friction", 1.0);
      if (!seen_friction_) model_.friction = friction;
      differing_friction_ = differing_friction_ || (seen_friction_ && friction != model_.friction);
      seen_friction_ = true;
      shape.mass = number(geom, "mass", 0.0);
      shape.density = number(geom, "density", 1000.0);
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
    return hull_or_box(name, shape, model_.notes);
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
    Pose pose = in_world(parent, pose_of(node), node);
    const std::vector<pugi::xml_node> joints = joints_of(node);
    turn_into_limits(joints, pose);
    read_geoms(node, pose, body.shapes);
    if (const pugi::xml_node inertial = node.child("inertial")) {
      body.mass = number(inertial, "mass", 0.0);
      body.pose = in_world(pose, pose_of(inertial), inertial);
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
    read_joints(node, joints, pose, parent_name, name);
    for (const char* other : {"site", "camera", "light", "composite"})
      if (node.child(other)) note("body {}: <{}>", name, other);
    for (const pugi::xml_node child : node.children("body")) read_body(child, pose, name);
  }

  static std::vector<pugi::xml_node> joints_of(const pugi::xml_node& body) {
    std::vector<pugi::xml_node> joints;
    for (const pugi::xml_node joint : body.children("joint")) joints.push_back(joint);
    return joints;
  }
  static std::string type_of(const pugi::xml_node& joint) { return joint.attribute("type").as_string("hinge"); }
  Vector3 axis_of(const pugi::xml_node& joint, const Pose& pose) const {
    const Vector3 axis = vector(joint, "axis", Vector3::UnitZ()).normalized();
    return global_ ? axis : pose.direction(axis);
  }
  Vector3 place_of(const pugi::xml_node& joint, const Pose& pose) const {
    const Vector3 place = vector(joint, "pos", global_ ? pose.x : Vector3(Vector3::Zero()));
    return global_ ? place : pose.point(place);
  }
  // Counted from the pose of the file, where the coordinate is `ref`.
  std::optional<std::pair<double, double>> range_of(const pugi::xml_node& joint) const {
    const std::vector<double> range = numbers(joint, "range");
    const bool turns = type_of(joint) == "hinge";
    if (range.size() != 2 || std::string(joint.attribute("limited").as_string("auto")) == "false" ||
        !(range[0] < range[1]) || (!turns && type_of(joint) != "slide"))
      return std::nullopt;
    const double from = number(joint, "ref", 0.0);
    return std::pair(turns ? angle(range[0] - from) : range[0] - from,
                     turns ? angle(range[1] - from) : range[1] - from);
  }

  // A body whose only joint does not allow the pose of the file starts where it does.
  void turn_into_limits(const std::vector<pugi::xml_node>& joints, Pose& pose) {
    start_ = 0.0;
    if (joints.size() != 1) return;
    const auto range = range_of(joints[0]);
    if (!range || (range->first <= 0.0 && range->second >= 0.0)) return;
    if (global_) return note("joint {} starts outside of its range", joints[0].attribute("name").value());
    start_ = std::clamp(0.0, range->first, range->second);
    const Vector3 axis = axis_of(joints[0], pose), at = place_of(joints[0], pose);
    if (type_of(joints[0]) == "hinge") {
      const Matrix3 R = rotation_matrix(quaternion_exp(Vector3(start_ * axis)));
      pose = {at + R * (pose.x - at), R * pose.R};
    } else {
      pose.x += start_ * axis;
    }
    note(
        "joint {}: its range begins away from the pose of the file; it starts there, {:.4g} from it, and counts from "
        "there",
        joints[0].attribute("name").value(), start_);
  }

  // What several joints of one body are together; the first alone if we have no such joint.
  void join_several(const std::vector<pugi::xml_node>& joints, const Pose& pose, const std::string& body,
                    Joint& joint) {
    std::vector<Vector3> hinges, slides;
    for (const pugi::xml_node& j : joints) (type_of(j) == "hinge" ? hinges : slides).push_back(axis_of(j, pose));
    const auto parallel = [](const Vector3& a, const Vector3& b) { return a.cross(b).norm() < 1e-6; };
    const auto across = [](const Vector3& a, const Vector3& b) { return std::abs(a.dot(b)) < 1e-6; };
    if (hinges.size() == 3 && slides.empty()) {
      joint.type = "spherical";
    } else if (hinges.size() == 1 && slides.size() == 2 && across(hinges[0], slides[0]) &&
               across(hinges[0], slides[1])) {
      joint.type = "planar";
      joint.axis = hinges[0];
    } else if (hinges.size() == 1 && slides.size() == 1 && parallel(hinges[0], slides[0])) {
      joint.type = "cylindrical";
    } else if (hinges.size() == 2 && slides.empty() && across(hinges[0], hinges[1])) {
      joint.type = "universal";
      joint.axis = hinges[0];
      joint.second_axis = hinges[1];
    } else {
      return note("body {}: of {} joints the first is taken", body, joints.size());
    }
    note("body {}: its {} joints are a {} joint, without limits and springs", body, joints.size(), joint.type);
  }

  void read_joints(const pugi::xml_node& node, const std::vector<pugi::xml_node>& joints, const Pose& pose,
                   const std::string& parent, const std::string& name) {
    if (node.child("freejoint")) return;
    for (const pugi::xml_node& joint : joints)
      if (type_of(joint) == "free") return;
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
    const std::string type = type_of(first);
    joint.name = plain_name(first.attribute("name").as_string((name + "_joint").c_str()));
    joint.point = place_of(first, pose);
    joint.axis = axis_of(first, pose);
    joint.type = type == "hinge" ? "revolute" : type == "slide" ? "prismatic" : "spherical";
    if (joints.size() > 1) {
      join_several(joints, pose, name, joint);
    } else if (joint.type != "spherical") {
      if (const auto range = range_of(first)) {
        joint.lower = range->first - start_;
        joint.upper = range->second - start_;
      }
      joint.damping = number(first, "damping", 0.0);
      joint.stiffness = number(first, "stiffness", 0.0);
      joint.rest = number(first, "springref", 0.0);
      if (type == "hinge") joint.rest = angle(joint.rest);
      joint.rest -= start_;
      joint.friction = number(first, "frictionloss", 0.0);
      if (number(first, "armature", 0.0) != 0.0) note("joint {}: armature", joint.name);
    }
    model_.joints.push_back(std::move(joint));
  }

  const std::filesystem::path file_;
  pugi::xml_document document_;
  pugi::xml_node root_;
  std::map<std::string, Class> classes_;
  bool degrees_ = true, global_ = false, seen_friction_ = false, differing_friction_ = false;
  double start_ = 0.0;  // of the joint of the body that is read
  std::string mesh_folder_, euler_order_ = "xyz";
  std::map<std::string, pugi::xml_node> meshes_;
  int unnamed_ = 0;
  ImportedModel model_;
};

}  // namespace

ImportedModel read_mjcf(const std::filesystem::path& file) { return MjcfReader(file).read(); }

}  // namespace carom::inline io::import
