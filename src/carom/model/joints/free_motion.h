// What a joint leaves free, as steps one after the other: turn about an axis, slide along one, turn every way. The
// first step starts in the triad of site a, the last ends in that of site b. Read backwards with opposite signs they
// lead from b to a.
#pragma once

#include <string>
#include <vector>

namespace carom::model {

enum class Axis { x = 0, y = 1, z = 2 };

enum class StepKind { turn, slide, ball };

struct FreeStep {
  StepKind kind;
  Axis axis = Axis::z;
  std::string name =
      "";  // of its coordinate: "angle"; where the joint has a coordinate of that name it is the same number
};

}  // namespace carom::model
