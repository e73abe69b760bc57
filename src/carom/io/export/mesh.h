// Shapes as triangles, in the frame they belong to.
#pragma once

#include <array>
#include <vector>

#include "carom/model/drawing.h"

namespace carom::inline io {

struct Mesh {
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> triangles;  // counterclockwise from outside
};

// Planar shapes get a thickness, half spaces and half planes an extent, in proportion to `scene_size`.
Mesh mesh_of(const DrawnShape& shape, double scene_size);

}  // namespace carom::inline io
