#pragma once

#include <memory>
#include <vector>

#include "carom/geometry/bounds.h"
#include "carom/geometry/mass_properties.h"

namespace carom::geometry {

struct PlacedShape;  // shape.h

// Several shapes in one body. Compounds inside are taken apart: `parts` holds plain shapes. Parts may overlap; their
// masses are summed all the same.
struct Compound {
  explicit Compound(const std::vector<PlacedShape>& shapes);
  std::shared_ptr<const std::vector<PlacedShape>> parts;

  Bounds bounds(const Pose& pose) const;
  double reach() const;
  MassProperties mass_properties() const;
};

}  // namespace carom::geometry
