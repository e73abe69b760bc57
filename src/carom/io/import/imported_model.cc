#include "carom/io/import/imported_model.h"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <pugixml.hpp>

#include "carom/base/errors.h"

namespace carom::inline io::import {

namespace {

std::string number(double x) { return fmt::format("{:.15g}", std::abs(x) < 1e-15 ? 0.0 : x); }
std::string list(const Vector3& x) { return fmt::format("[{}, {}, {}]", number(x.x()), number(x.y()), number(x.z())); }

std::string turn(const Matrix3& R) {
  const Eigen::Quaterniond q(R);
  return fmt::format("[{}, {}, {}, {}]", number(q.w()), number(q.x()), number(q.y()), number(q.z()));
}
bool turned(const Matrix3& R) { return (R - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-12; }

std::string shape_table(const Shape& shape, const Pose& body) {
  std::string text = fmt::format("{{ type = \"{}\"", shape.type);
  if (shape.type == "sphere") text += ", radius = " + number(shape.size.x());
  if (shape.type == "box") text += ", size = " + list(shape.size);
  if (shape.type == "capsule" || shape.type == "cylinder")
    text += fmt::format(", radius = {}, length = {}", number(shape.size.x()), number(shape.size.y()));
  if (shape.type == "hull") {
    text += ", points = [";
    for (std::size_t k = 0; k < shape.points.size(); ++k) text += (k ? ", " : "") + list(shape.points[k]);
    text += "]";
  }
  const Vector3 at = body.R.transpose() * (shape.pose.x - body.x);
  const Matrix3 R = body.R.transpose() * shape.pose.R;
  if (at.norm() > 1e-15) text += ", at = " + list(at);
  if (turned(R)) text += ", orientation = " + turn(R);
  if (shape.picture) text += ", picture = true";
  return text + " }";
}

std::string shape_lines(const std::vector<Shape>& shapes, const Pose& body) {
  if (shapes.size() == 1) return "shape = " + shape_table(shapes[0], body) + "\n";
  std::string text;
  for (std::size_t k = 0; k < shapes.size(); ++k)
    text += fmt::format("shape.part{} = {}\n", k + 1, shape_table(shapes[k], body));
  return text;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 32 ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name) plain += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (plain.empty() || std::isdigit(static_cast<unsigned char>(plain[0]))) plain = "b" + plain;
  return plain;
}

std::string to_toml(const ImportedModel& model) {
  std::string text = fmt::format("# Translated from {}.\n", model.source);
  if (!model.notes.empty()) text += "#\n# Left out or assumed:\n";
  for (const std::string& note : model.notes) text += "# - " + note + "\n";
  text += fmt::format("\nschema = 1\ntitle = \"{}\"\n\n[units]\nbare = \"SI\"\n\n[world]\ngravity = {}\n",
                      escaped(model.title), list(model.gravity));
  if (!model.ground.empty()) {
    std::vector<Shape> solid;
    int planes = 0;
    for (const Shape& shape : model.ground) {
      if (shape.type != "half_space") {
        solid.push_back(shape);
        continue;
      }
      text += fmt::format("\n[plane.floor{}]\npoint = {}\nnormal = {}\n", planes == 0 ? "" : std::to_string(planes),
                          list(shape.pose.x), list(shape.pose.R.col(2)));
      ++planes;
    }
    if (!solid.empty()) text += "\n[ground]\n" + shape_lines(solid, Pose{});
  }
  for (const Body& body : model.bodies) {
    const Matrix3& J = body.inertia;
    text += fmt::format("\n[body.{}]\nmass = {}\ninertia = [{}, {}, {}, {}, {}, {}]\nposition = {}\n", body.name,
                        number(body.mass), number(J(0, 0)), number(J(1, 1)), number(J(2, 2)), number(J(0, 1)),
                        number(J(0, 2)), number(J(1, 2)), list(body.pose.x));
    if (turned(body.pose.R)) text += "orientation = " + turn(body.pose.R) + "\n";
    if (!body.shapes.empty()) text += shape_lines(body.shapes, body.pose);
  }
  for (const Joint& joint : model.joints) {
    text += fmt::format("\n[joint.{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\npoint = {}\n", joint.name, joint.type,
                        joint.a, joint.b, list(joint.point));
    if (joint.type != "fixed" && joint.type != "spherical") text += "axis = " + list(joint.axis) + "\n";
    if (joint.lower || joint.upper) {
      text += "limits = { ";
      if (joint.lower) text += "lower = " + number(*joint.lower) + (joint.upper ? ", " : " ");
      if (joint.upper) text += "upper = " + number(*joint.upper) + " ";
      text += "}\n";
    }
    if (joint.damping != 0.0 || joint.stiffness != 0.0)
      text += fmt::format("spring = {{ stiffness = {}, damping = {}, rest = {} }}\n", number(joint.stiffness),
                          number(joint.damping), number(joint.rest));
    if (joint.friction > 0.0 && (joint.type == "revolute" || joint.type == "prismatic"))
      text += fmt::format("friction = {{ {} = {} }}\n", joint.type == "prismatic" ? "force" : "torque",
                          number(joint.friction));
  }
  for (const Joint& joint : model.joints)
    if (!joint.follows.empty())
      text += fmt::format("\n[joint.{}_follows]\ntype = \"gear\"\njoints = [\"{}\", \"{}\"]\nratio = {}\n", joint.name,
                          joint.name, joint.follows, number(joint.ratio));
  text += fmt::format(
      "\n[contact.default]\nlaw = \"contact\"\n\n[law.contact]\nnormal = {{ type = \"newton\", restitution = 0 }}\n"
      "tangential = {{ type = \"coulomb\", friction = {} }}\n\n[simulation]\nscheme = \"projection_combined\"\nstep = "
      "1e-3\nt_end = 1\n",
      number(model.friction));
  return text;
}

ImportedModel import_model(const std::filesystem::path& file) {
  if (file.extension() == ".stl" || file.extension() == ".obj" || file.extension() == ".STL" ||
      file.extension() == ".OBJ")
    throw InputError(
        {"E0155",
         "a mesh alone is no model",
         "",
         "name it in a URDF or MJCF file, or take its corners as shape = { type = \"hull\", points = [...] }",
         file.string(),
         0,
         0,
         {}});
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_file(file.c_str());
  if (result && document.child("robot")) return read_urdf(file);
  if (result && document.child("mujoco")) return read_mjcf(file);
  throw InputError({"E0155",
                    result ? fmt::format("{} is neither URDF nor MJCF", file.string())
                           : fmt::format("{}: {}", file.string(), result.description()),
                    "",
                    "URDF begins with <robot>, MJCF with <mujoco>",
                    file.string(),
                    0,
                    0,
                    {}});
}

}  // namespace carom::inline io::import
