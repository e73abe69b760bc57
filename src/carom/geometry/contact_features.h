// What the narrow phase hands over: contact primitives that are fixed in the two bodies.
//
// A primitive is a pair of simple features, one in each body and given in that body's own frame, whose distance has a
// formula: the centre of a ball and a plane, two lines, a ring and a plane. During a step only primitives are
// evaluated, so that W is exactly the gradient of g whatever the shapes are. A corner is a ball of radius zero, an edge
// a line of radius zero.
//
// `first` and `second` have the roles that the name of the kind says (ball_plane: the ball is first). `swapped` tells
// that `first` belongs to shape b of the call. The normal points from second to first; a positive normal force pushes
// first along +n.
//
// Singular positions never appear as primitives: two corners, or a corner and an edge, both sharp, have no signed
// distance (it cannot become negative and its normal would flip); they come as a ball and a plane that freezes the
// present normal in the second body. A flat rim comes as four of its points, parallel lines as the ends of their common
// stretch.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "carom/geometry/pose.h"

namespace carom::geometry {

class Curve;  // curve.h

enum class PrimitiveKind : std::uint8_t {
#define CAROM_PRIMITIVE(name, doc) name,
#include "carom/geometry/primitives.def"
#undef CAROM_PRIMITIVE
};
std::string_view name(PrimitiveKind kind);

// One side of a primitive, in the frame of its body. What is used depends on the role:
//
//   ball, disc    point, radius
//   plane         point, direction (outer normal); in the plane: a straight line with its normal
//   line          point (middle), direction, radius, half_length; parameter: length along direction at the contact
//   ring          point (centre), direction (axis), radius; parameter: angle at the contact from ring_axis(direction)
//   curve         curve at point + Q curve(parameter), with Q the rotation that takes x to direction
//   inner         the same fields; the other side lies inside
struct Feature {
  Vector3 point = Vector3::Zero();
  Vector3 direction = Vector3::Zero();
  double radius = 0.0;
  double half_length = std::numeric_limits<double>::infinity();
  double parameter = 0.0;
  const Curve* curve = nullptr;  // lives as long as the shape
};

// Which vertex, edge or face of which part of a compound. The same contact keeps its ids from step to step.
enum class Element : std::uint32_t { body, vertex, edge, face, rim, rim_point, side, span };
struct FeatureId {
  std::uint32_t leaf = 0;     // part of a compound, in order; 0 for a plain shape
  std::uint32_t element = 0;  // kind in the highest four bits, number in the others
  auto operator<=>(const FeatureId&) const = default;
};
inline FeatureId feature_id(Element kind, std::uint32_t number = 0) {
  return {0, static_cast<std::uint32_t>(kind) << 28 | (number & 0x0FFFFFFFu)};
}
inline Element element_kind(FeatureId id) { return static_cast<Element>(id.element >> 28); }
inline std::uint32_t element_number(FeatureId id) { return id.element & 0x0FFFFFFFu; }

struct ContactPrimitive {
  PrimitiveKind kind = {};
  bool swapped = false;  // first belongs to shape b
  Feature first, second;
  FeatureId first_id, second_id;
  double gap = 0.0;
  Vector3 normal = Vector3::Zero();  // in the world at detection, from second to first, unit
  // line_line, line_ring, ring_ring: n = side * (t_first x t_second) / |.|, fixed so that the gap keeps its sign
  // through contact.
  double side = 1.0;
};

// For which positions a feature is the right one: conditions on the point of contact and on the direction to the other
// side (the normal as seen from here, pointing out), both in the frame of the feature's body.
struct Window {
  struct Bound {  // inside: normal . x <= offset
    Vector3 normal;
    double offset;
  };
  static constexpr int capacity = 6;
  std::array<Bound, capacity> points;        // on the point of contact
  std::array<Vector3, capacity> directions;  // on the direction d to the other side: directions[k] . d <= 0
  std::uint8_t point_count = 0, direction_count = 0;
  // What stands in for bounds beyond `capacity` (faces with many sides, corners with many edges): balls around the
  // state at detection.
  Vector3 centre = Vector3::Zero(), axis = Vector3::Zero();
  double reach = std::numeric_limits<double>::infinity();   // |x - centre| <= reach
  double turn = std::numeric_limits<double>::infinity();    // |d - axis| <= turn
  double lower = -std::numeric_limits<double>::infinity();  // of the curve's parameter
  double upper = std::numeric_limits<double>::infinity();
};

// How far inside its window a contact is, in lengths (directions count radians times `length`); negative outside. A
// guard for events.
double slack(const Window& window, const Vector3& point, const Vector3& direction, double length = 1.0);

struct ContactWindows {
  Window first, second;
};

// Grows, is never shrunk: detection does not allocate after warm-up. windows[k] belongs to primitives[k].
struct ContactList {
  std::vector<ContactPrimitive> primitives;
  std::vector<ContactWindows> windows;

  std::size_t size() const { return primitives.size(); }
  void clear() {
    primitives.clear();
    windows.clear();
  }
};

// A primitive evaluated in plain numbers. The model evaluates primitives itself, with derivatives; this serves tests
// and windows.
struct Witness {
  double gap;
  Vector3 first, second;  // closest points, in the world; first - second = gap * normal
  Vector3 normal;
  double first_parameter = 0.0, second_parameter = 0.0;  // of lines, rings, curves
};
Witness evaluate(const ContactPrimitive& primitive, const Pose& first, const Pose& second);

// The smaller slack of both windows at these poses. `first` is the pose of the body that `first` belongs to.
double slack(const ContactPrimitive& primitive, const ContactWindows& windows, const Pose& first, const Pose& second,
             double length = 1.0);

// The direction from which the angle of a ring counts, and the one a quarter turn on: a frame that depends on the axis
// alone.
void ring_frame(const Vector3& axis, Vector3& e1, Vector3& e2);

}  // namespace carom::geometry
