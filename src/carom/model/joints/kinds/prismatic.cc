#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind prismatic_joint;
const JointKind prismatic_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{"prismatic",
                   "a slider: shifts along one axis, does not turn",
                   {{along, x}, {along, y}, {across, x, y}, {across, y, z}, {across, z, x}},
                   {{along, y}, {angle}},
                   {{"displacement", along, z}},
                   {{"displacement", along, x}},
                   true,
                   std::vector<FreeStep>{{slide, z, "displacement"}},
                   std::vector<FreeStep>{{slide, x, "displacement"}}};
}();

}  // namespace carom::model
