#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind point_on_plane_joint;
const JointKind point_on_plane_joint = [] {
  using enum Axis;
  using enum RowKind;
  return JointKind{"point_on_plane",
                   "a point of the second body stays in the plane across z of the first",
                   {{along, z}},
                   {},
                   {{"x", along, x}, {"y", along, y}},
                   {},
                   false};
}();

}  // namespace carom::model
