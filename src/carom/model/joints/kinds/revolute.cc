#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind revolute_joint;
const JointKind revolute_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{"revolute",
                   "a hinge: turns about one axis",
                   {{coincide, x}, {coincide, y}, {coincide, z}, {across, z, x}, {across, z, y}},
                   {{coincide, x}, {coincide, y}},
                   {{"angle", angle}},
                   {{"angle", angle}},
                   true,
                   std::vector<FreeStep>{{turn, z, "angle"}},
                   std::vector<FreeStep>{{turn, z, "angle"}}};
}();

}  // namespace carom::model
