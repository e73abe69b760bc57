#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind planar_joint;
const JointKind planar_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{"planar",
                   "shifts in a plane and turns about its normal z",
                   {{along, z}, {across, z, x}, {across, z, y}},
                   {},
                   {{"angle", angle}, {"x", along, x}, {"y", along, y}},
                   {},
                   true,
                   std::vector<FreeStep>{{slide, x, "x"}, {slide, y, "y"}, {turn, z, "angle"}}};
}();

}  // namespace carom::model
