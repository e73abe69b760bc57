#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind rack_joint;
const JointKind rack_joint = {
    .name = "rack",
    .title = "the displacement of the second joint is ratio (the pitch radius) times the angle of the first",
    .spatial = {},
    .planar = {},
    .spatial_coordinates = {},
    .planar_coordinates = {},
    .coincident = false,
    .transmission = Transmission{"", {{0, "angle", 0.0, -1.0}, {1, "displacement", 1.0, 0.0}}}};

}  // namespace carom::model
