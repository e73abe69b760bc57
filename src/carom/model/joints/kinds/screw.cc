#include <numbers>

#include "carom/model/joints/joint_kind.h"

namespace carom::model {

extern const JointKind screw_joint;
const JointKind screw_joint = {
    .name = "screw",
    .title = "a nut on its bolt: a cylindrical joint that shifts by ratio (the pitch) with every turn",
    .spatial = {},
    .planar = {},
    .spatial_coordinates = {},
    .planar_coordinates = {},
    .coincident = true,
    .transmission =
        Transmission{"cylindrical", {{0, "displacement", 1.0, 0.0}, {0, "angle", 0.0, -0.5 / std::numbers::pi}}}};

}  // namespace carom::model
