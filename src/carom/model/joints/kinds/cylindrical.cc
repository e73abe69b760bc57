#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind cylindrical_joint;
const JointKind cylindrical_joint = [] {
  using enum Axis;
  using enum RowKind;
  using enum StepKind;
  return JointKind{"cylindrical",
                   "turns about an axis and shifts along it",
                   {{along, x}, {along, y}, {across, z, x}, {across, z, y}},
                   {},
                   {{"angle", angle}, {"displacement", along, z}},
                   {},
                   true,
                   std::vector<FreeStep>{{turn, z, "angle"}, {slide, z, "displacement"}}};
}();

}  // namespace carom::model
