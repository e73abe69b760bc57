#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind distance_joint;
const JointKind distance_joint = [] {
  using enum Axis;
  using enum RowKind;
  return JointKind{"distance",
                   "two points keep their distance: a rod without mass",
                   {{distance}},
                   {{distance}},
                   {{"distance", distance}},
                   {{"distance", distance}},
                   false};
}();

}  // namespace carom::model
