// Shapes as values, each in its own frame. Cheap to copy: what is large is shared and never changes.
//
//   Shape brick = Box(Vector3(0.1, 0.05, 0.05));
//   Shape dumbbell = Compound({{Sphere(0.1), pose_left}, {Sphere(0.1), pose_right}, {Cylinder(0.02, 0.2), pose_bar}});
//   MassProperties m = brick.mass_properties();        // at density one
#pragma once

#include <string_view>
#include <variant>

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/pose.h"
#include "carom/geometry/shapes/box.h"
#include "carom/geometry/shapes/capsule.h"
#include "carom/geometry/shapes/compound.h"
#include "carom/geometry/shapes/convex_polyhedron.h"
#include "carom/geometry/shapes/cylinder.h"
#include "carom/geometry/shapes/disc.h"
#include "carom/geometry/shapes/half_plane.h"
#include "carom/geometry/shapes/half_space.h"
#include "carom/geometry/shapes/polygon.h"
#include "carom/geometry/shapes/profile.h"
#include "carom/geometry/shapes/sphere.h"

namespace carom::geometry {

enum class ShapeKind : std::uint8_t {
#define CAROM_SHAPE(Type, name) name,
#include "carom/geometry/shapes.def"
#undef CAROM_SHAPE
};
std::string_view name(ShapeKind kind);
constexpr int shape_kind_count = 0
#define CAROM_SHAPE(Type, name) +1
#include "carom/geometry/shapes.def"
#undef CAROM_SHAPE
    ;

class Shape {
 public:
  using Value = std::variant<Sphere, Box, Capsule, Cylinder, HalfSpace, ConvexPolyhedron, Compound, Disc, Polygon,
                             HalfPlane, Profile>;

  template <class Kind>
  requires std::constructible_from<Value, Kind> Shape(Kind kind) : value_(std::move(kind)) {}

  ShapeKind kind() const { return static_cast<ShapeKind>(value_.index()); }
  bool planar() const;   // disc, polygon, half plane, profile, and compounds of them
  bool bounded() const;  // not a half space or half plane, nor a compound with one
  const Value& value() const { return value_; }
  template <class Kind>
  const Kind& as() const {
    return std::get<Kind>(value_);
  }

  Bounds bounds(const Pose& pose) const;
  double radius()
      const;  // of the smallest ball around the origin of the frame that holds the shape; infinite if unbounded
  MassProperties mass_properties() const;  // throws LogicError if the shape is unbounded

 private:
  Value value_;
};

// A shape in a frame of its own; what a compound is made of.
struct PlacedShape {
  Shape shape;
  Pose pose;
};

}  // namespace carom::geometry
