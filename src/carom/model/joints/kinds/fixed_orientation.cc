#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind fixed_orientation_joint;
const JointKind fixed_orientation_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{"fixed_orientation",
                   "two bodies may shift but not turn against each other",
                   {{across, x, y}, {across, y, z}, {across, z, x}},
                   {{angle}},
                   {},
                   {},
                   false,
                   std::vector<FreeStep>{{slide, x, "x"}, {slide, y, "y"}, {slide, z, "z"}},
                   std::vector<FreeStep>{{slide, x, "x"}, {slide, y, "y"}}};
}();

}  // namespace carom::model
