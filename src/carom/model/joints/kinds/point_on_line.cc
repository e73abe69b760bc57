#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind point_on_line_joint;
const JointKind point_on_line_joint = [] {
  using enum Axis;
  using enum RowKind;
  return JointKind{"point_on_line",
                   "a point of the second body stays on the axis of the first",
                   {{along, x}, {along, y}},
                   {{along, y}},
                   {{"displacement", along, z}},
                   {{"displacement", along, x}},
                   false};
}();

}  // namespace carom::model
