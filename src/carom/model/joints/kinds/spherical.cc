#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind spherical_joint;
const JointKind spherical_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{
      "spherical", "a ball joint: turns every way", {{coincide, x}, {coincide, y}, {coincide, z}}, {}, {}, {},
      true,        std::vector<FreeStep>{{ball}}};
}();

}  // namespace carom::model
