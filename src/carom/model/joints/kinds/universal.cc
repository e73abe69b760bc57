#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind universal_joint;
const JointKind universal_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{"universal",
                   "a Cardan joint: turns about two perpendicular axes, z of the first site and x of the second",
                   {{coincide, x}, {coincide, y}, {coincide, z}, {across, z, x}},
                   {},
                   {},
                   {},
                   true,
                   std::vector<FreeStep>{{turn, z, "first_angle"}, {turn, x, "second_angle"}}};
}();

}  // namespace carom::model
