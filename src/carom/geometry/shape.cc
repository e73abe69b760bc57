#include "carom/geometry/shape.h"

namespace carom::geometry {

std::string_view name(ShapeKind kind) {
  switch (kind) {
#define CAROM_SHAPE(Type, name) \
  case ShapeKind::name:         \
    return #name;
#include "carom/geometry/shapes.def"
#undef CAROM_SHAPE
  }
  return {};
}

namespace {

// The list and the variant must agree: a kind is the index of its type.
#define CAROM_SHAPE(Type, name) \
  static_assert(                \
      std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(ShapeKind::name), Shape::Value>, Type>);
#include "carom/geometry/shapes.def"
#undef CAROM_SHAPE

}  // namespace

bool Shape::planar() const {
  switch (kind()) {
    case ShapeKind::disc:
    case ShapeKind::polygon:
    case ShapeKind::half_plane:
    case ShapeKind::profile: return true;
    case ShapeKind::compound: return as<Compound>().parts->front().shape.planar();
    default: return false;
  }
}

bool Shape::bounded() const { return std::isfinite(radius()); }

Bounds Shape::bounds(const Pose& pose) const {
  return std::visit([&](const auto& shape) { return shape.bounds(pose); }, value_);
}

double Shape::radius() const {
  return std::visit([](const auto& shape) { return shape.reach(); }, value_);
}

MassProperties Shape::mass_properties() const {
  return std::visit([](const auto& shape) { return shape.mass_properties(); }, value_);
}

}  // namespace carom::geometry
