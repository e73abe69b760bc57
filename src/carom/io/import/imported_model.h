// Models of other programs, translated. A reader fills an ImportedModel and says of everything that it could not
// translate what it was; to_toml writes it as a model file of ours, in SI units, bodies placed in the world where the
// other file's zero position has them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/pose.h"
#include "carom/base/rotation.h"

namespace carom::inline io::import {

struct Shape {
  std::string type;                  // sphere, box, capsule, cylinder, hull, half_space
  Vector3 size = Vector3::Zero();    // radius; full lengths; radius and length
  std::vector<Vector3> points = {};  // of a hull
  Pose pose = {};                    // in the world
  bool picture = false;
  double mass = 0.0, density = 0.0;  // where the body has no inertia of its own
};

struct Body {
  std::string name;
  double mass = 0.0;
  Matrix3 inertia = Matrix3::Zero();  // about the centre of mass, in the axes of `pose`
  Pose pose = {};                     // of the centre of mass, in the world
  std::vector<Shape> shapes = {};
};

struct Joint {
  std::string name, type;                                    // words of our joints
  std::string a, b;                                          // bodies; "ground"
  Vector3 point = Vector3::Zero(), axis = Vector3::UnitZ();  // in the world
  std::optional<double> lower = {}, upper = {};
  std::optional<Vector3> second_axis = {};  // of a universal joint
  double damping = 0.0, stiffness = 0.0, rest = 0.0;
  double friction = 0.0;     // whatever the joint carries: N m, or N where it slides
  std::string follows = {};  // of a mimic: the joint it follows
  double ratio = 1.0;
};

struct ImportedModel {
  std::string title, source;  // kind of the other file
  Vector3 gravity = {0.0, 0.0, -9.81};
  double friction = 0.5;
  std::vector<Body> bodies;
  std::vector<Shape> ground;
  std::vector<Joint> joints;
  std::vector<std::pair<std::string, std::string>> apart;  // bodies that do not touch
  double overlap = 0.0;                                    // up to which bodies are pushed out of the floor
  std::vector<std::string> notes;                          // what was left out or assumed
};

// By the file's ending and its first element. Throws InputError with file and line.
ImportedModel import_model(const std::filesystem::path& file);
std::string to_toml(const ImportedModel& model);

// What rigid bodies cannot have is mended, and noted: impossible inertia; bodies that overlap where the file has them.
void make_possible(ImportedModel& model);

ImportedModel read_urdf(const std::filesystem::path& file);
ImportedModel read_mjcf(const std::filesystem::path& file);

// The corners of a mesh in STL (text or binary) or OBJ. A mesh counts as its convex hull: of many corners those are
// kept that lie farthest in `most` directions spread over the sphere.
std::vector<Vector3> read_mesh(const std::filesystem::path& file);
std::vector<Vector3> hull_corners(const std::vector<Vector3>& points, int most = 96);
// The shape of corners that are read: a hull, or the box around them if they have none; false if they lie in a plane.
bool hull_or_box(const std::string& mesh, Shape& shape, std::vector<std::string>& notes);

// Letters, digits and underscores; others become underscores.
std::string plain_name(const std::string& name);

}  // namespace carom::inline io::import
