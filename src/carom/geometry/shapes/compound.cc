#include "carom/geometry/shapes/compound.h"

#include <algorithm>

#include "carom/geometry/shape.h"
#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Compound::Compound(const std::vector<PlacedShape>& shapes) {
  auto flat = std::make_shared<std::vector<PlacedShape>>();
  for (const PlacedShape& placed : shapes) {
    if (placed.shape.kind() == ShapeKind::compound)
      for (const PlacedShape& inner : *placed.shape.as<Compound>().parts)
        flat->push_back({inner.shape, placed.pose * inner.pose});
    else
      flat->push_back(placed);
  }
  if (flat->empty()) bad_shape("compound", "it has no parts", "give at least one shape");
  for (const PlacedShape& part : *flat)
    if (part.shape.planar() != flat->front().shape.planar())
      bad_shape("compound", "planar and spatial shapes are mixed", "use one or the other");
  parts = std::move(flat);
}

Bounds Compound::bounds(const Pose& pose) const {
  Bounds box;
  for (const PlacedShape& part : *parts) box.add(part.shape.bounds(pose * part.pose));
  return box;
}

double Compound::reach() const {
  double reach = 0.0;
  for (const PlacedShape& part : *parts) reach = std::max(reach, part.pose.x.norm() + part.shape.radius());
  return reach;
}

MassProperties Compound::mass_properties() const {
  MassProperties sum;
  for (const PlacedShape& part : *parts) sum = sum + moved(part.shape.mass_properties(), part.pose);
  return sum;
}

}  // namespace carom::geometry
