#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind fixed_joint;
const JointKind fixed_joint = [] {
  using enum Axis;
  using enum RowKind;
  return JointKind{"fixed",
                   "holds two bodies together",
                   {{coincide, x}, {coincide, y}, {coincide, z}, {across, x, y}, {across, y, z}, {across, z, x}},
                   {{coincide, x}, {coincide, y}, {angle}},
                   {},
                   {},
                   true,
                   std::vector<FreeStep>{},
                   std::vector<FreeStep>{}};
}();

}  // namespace carom::model
