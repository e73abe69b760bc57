#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind gear_joint;
const JointKind gear_joint = {
    .name = "gear",
    .title = "two joints turn in a ratio: the angle of the first is ratio times that of the second",
    .spatial = {},
    .planar = {},
    .spatial_coordinates = {},
    .planar_coordinates = {},
    .coincident = false,
    .transmission = Transmission{"", {{0, "angle", 1.0, 0.0}, {1, "angle", 0.0, -1.0}}}};

}  // namespace carom::model
