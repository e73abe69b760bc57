#include "carom/io/import/imported_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <pugixml.hpp>

#include "carom/base/dense_solve.h"
#include "carom/base/errors.h"
#include "carom/io/scenario.h"

namespace carom::inline io::import {

namespace {

std::string digits(double x) { return fmt::format("{:.15g}", std::abs(x) < 1e-15 ? 0.0 : x); }
std::string list(const Vector3& x) { return fmt::format("[{}, {}, {}]", digits(x.x()), digits(x.y()), digits(x.z())); }

std::string turn(const Matrix3& R) {
  const Eigen::Quaterniond q(R);
  return fmt::format("[{}, {}, {}, {}]", digits(q.w()), digits(q.x()), digits(q.y()), digits(q.z()));
}
bool turned(const Matrix3& R) { return (R - Matrix3::Identity()).cwiseAbs().maxCoeff() > 1e-12; }

std::string shape_table(const Shape& shape, const Pose& body) {
  std::string text = fmt::format("{{ type = \"{}\"", shape.type);
  if (shape.type == "sphere") text += ", radius = " + digits(shape.size.x());
  if (shape.type == "box") text += ", size = " + list(shape.size);
  if (shape.type == "capsule" || shape.type == "cylinder")
    text += fmt::format(", radius = {}, length = {}", digits(shape.size.x()), digits(shape.size.y()));
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
                        digits(body.mass), digits(J(0, 0)), digits(J(1, 1)), digits(J(2, 2)), digits(J(0, 1)),
                        digits(J(0, 2)), digits(J(1, 2)), list(body.pose.x));
    if (turned(body.pose.R)) text += "orientation = " + turn(body.pose.R) + "\n";
    if (!body.shapes.empty()) text += shape_lines(body.shapes, body.pose);
  }
  for (const Joint& joint : model.joints) {
    text += fmt::format("\n[joint.{}]\ntype = \"{}\"\nbetween = [\"{}\", \"{}\"]\npoint = {}\n", joint.name, joint.type,
                        joint.a, joint.b, list(joint.point));
    if (joint.type != "fixed" && joint.type != "spherical") text += "axis = " + list(joint.axis) + "\n";
    if (joint.second_axis) text += "axis_b = " + list(*joint.second_axis) + "\n";
    if (joint.lower || joint.upper) {
      text += "limits = { ";
      if (joint.lower) text += "lower = " + digits(*joint.lower) + (joint.upper ? ", " : " ");
      if (joint.upper) text += "upper = " + digits(*joint.upper) + " ";
      text += "}\n";
    }
    if ((joint.damping != 0.0 || joint.stiffness != 0.0) && joint.type != "fixed" && joint.type != "spherical")
      text += fmt::format("spring = {{ stiffness = {}, damping = {}, rest = {} }}\n", digits(joint.stiffness),
                          digits(joint.damping), digits(joint.rest));
    if (joint.friction > 0.0 && (joint.type == "revolute" || joint.type == "prismatic"))
      text += fmt::format("friction = {{ {} = {} }}\n", joint.type == "prismatic" ? "force" : "torque",
                          digits(joint.friction));
  }
  for (const Joint& joint : model.joints)
    if (!joint.follows.empty())
      text += fmt::format("\n[joint.{}_follows]\ntype = \"gear\"\njoints = [\"{}\", \"{}\"]\nratio = {}\n", joint.name,
                          joint.name, joint.follows, digits(joint.ratio));
  for (std::size_t k = 0; k < model.apart.size(); ++k)
    text += fmt::format("\n[contact.apart{}]\nbetween = [\"{}\", \"{}\"]\nlaw = \"none\"\n", k + 1,
                        model.apart[k].first, model.apart[k].second);
  if (model.overlap > 0.0)
    text += fmt::format("\n[initial]\nstart = \"project\"\noverlap = {}\n", digits(model.overlap));
  text += fmt::format(
      "\n[contact.default]\nlaw = \"contact\"\n\n[law.contact]\nnormal = {{ type = \"newton\", restitution = 0 }}\n"
      "tangential = {{ type = \"coulomb\", friction = {} }}\n\n[simulation]\nscheme = \"projection_combined\"\nstep = "
      "1e-3\nt_end = 1\n",
      digits(model.friction));
  return text;
}

namespace {

// Principal moments a <= b <= c of a rigid body are positive and c <= a + b.
void mend_inertia(Body& body, std::vector<std::string>& notes) {
  const SymmetricEigen axes(0.5 * (body.inertia + body.inertia.transpose()));
  Vector moments = axes.values;
  const double c = moments[2];
  constexpr double rounding = 1e-9;
  if (moments[0] > rounding * c && c <= (moments[0] + moments[1]) * (1.0 + rounding)) return;
  if (!(c > 0.0)) {
    body.inertia = 1e-4 * body.mass * Matrix3::Identity();  // of a ball of 16 mm
    notes.push_back(fmt::format("body {}: no inertia, that of a ball of 16 mm taken", body.name));
    return;
  }
  moments[1] = std::max(moments[1], 0.5 * c);
  moments[0] = std::max({moments[0], c - moments[1], 1e-3 * c}) * (1.0 + 1e-6);
  body.inertia = axes.vectors * moments.asDiagonal() * axes.vectors.transpose();
  notes.push_back(
      fmt::format("body {}: its inertia is that of no rigid body; the smallest moments are raised", body.name));
}

// The two names before the features: "torso.corner0-floor" means torso and floor.
std::pair<std::string, std::string> partners(const std::string& contact) {
  const std::size_t dash = contact.find('-');
  const auto body = [](const std::string& name) { return name.substr(0, name.find('.')); };
  return dash == std::string::npos ? std::pair(std::string(), std::string())
                                   : std::pair(body(contact.substr(0, dash)), body(contact.substr(dash + 1)));
}

// What overlaps where the file has it: bodies of a machine do not touch, what stands in the floor is lifted out.
bool mend_overlaps(const InputError& error, ImportedModel& model) {
  static const std::string told = "bodies overlap at the start: ";
  bool mended = false;
  for (const InputProblem& problem : error.problems()) {
    const std::size_t at = problem.message.find(told), by = problem.message.rfind(" by ");
    if (problem.code != "E0218" || at == std::string::npos || by == std::string::npos) continue;
    const auto [a, b] = partners(problem.message.substr(at + told.size(), by - at - told.size()));
    const double depth = std::strtod(problem.message.c_str() + by + 4, nullptr);
    if (a.empty()) continue;
    if (a.starts_with("floor") || b.starts_with("floor")) {
      if (1.1 * depth > model.overlap) mended = true;
      model.overlap = std::max(model.overlap, 1.1 * depth);
      continue;
    }
    const auto pair = std::minmax(a, b);
    if (std::find(model.apart.begin(), model.apart.end(), std::pair(pair.first, pair.second)) != model.apart.end())
      continue;
    model.apart.emplace_back(pair.first, pair.second);
    model.notes.push_back(fmt::format("{} and {} overlap where the file has them: they do not touch", a, b));
    mended = true;
  }
  return mended;
}

}  // namespace

void make_possible(ImportedModel& model) {
  if (model.bodies.empty())
    throw InputError({"E0155",
                      "nothing in the file has a mass: there is nothing that could move",
                      "",
                      "give links <inertial>, bodies geoms or <inertial>",
                      {},
                      0,
                      0,
                      {}});
  for (Body& body : model.bodies) mend_inertia(body, model.notes);
  for (int round = 0; round < 8; ++round) {
    try {
      parse_scenario("imported.toml", to_toml(model));
      return;
    } catch (const InputError& error) {
      if (!mend_overlaps(error, model)) return;  // whoever reads it is told the rest
    }
  }
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
  if (result && (document.child("robot") || document.child("mujoco"))) {
    ImportedModel model = document.child("robot") ? read_urdf(file) : read_mjcf(file);
    make_possible(model);
    if (model.overlap > 0.0) model.notes.emplace_back("what stands in the floor is lifted out of it");
    return model;
  }
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
