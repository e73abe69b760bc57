// The kinds of joints, as tables of rows between the triads (x, y, z) of two sites. In space the axis of a joint is z
// of its sites, in the plane the direction of sliding is x. One file a kind, one line in joints.def.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/base/registry.h"
#include "carom/model/joints/free_motion.h"
#include "carom/model/joints/joint_coordinate.h"
#include "carom/model/joints/joint_group.h"

namespace carom::model {

// A row of the table: which formula, and between which axes of the two sites.
struct RowTemplate {
  RowKind kind;
  Axis i = Axis::x;  // coincide: of the world; along: of a; across: of a
  Axis j = Axis::x;  // across: of b
};

struct CoordinateTemplate {
  std::string name;  // "angle", "displacement"
  RowKind kind;      // angle: about z, from x of a to x of b; along, distance
  Axis i = Axis::z;
};

// A transmission keeps a sum of coordinates as it is at the start: of two joints that it names, or of its own.
struct Transmission {
  struct Term {
    int joint;                               // of those named: 0 or 1
    std::string coordinate;                  // "angle"
    double constant = 0.0, per_ratio = 0.0;  // factor = constant + per_ratio ratio
  };
  std::string carried_by;  // the kind of joint it is beside that, "cylindrical"; empty: it couples two others
  std::vector<Term> terms;
};

struct JointKind {
  std::string name, title;
  std::vector<RowTemplate> spatial, planar;  // empty: not available there
  std::vector<CoordinateTemplate> spatial_coordinates, planar_coordinates;
  bool coincident = true;  // the sites' points are held together: bodies so joined do not touch each other
  // What it leaves free, for joint coordinates; absent: it cannot be an edge of a tree.
  std::optional<std::vector<FreeStep>> free_in_space = {}, free_in_plane = {};
  std::optional<Transmission> transmission = {};
};

const Registry<JointKind>& joint_kinds();

// The rows of a kind between two sites whose frames stand at these poses. Angles are made lengths by `length`; a
// distance keeps what it is now. Throws InputError if the kind does not exist in the plane, or in space.
Joint make_joint(const JointKind& kind, bool planar, std::string name, const Site& a, const Site& b, const Pose& pose_a,
                 const Pose& pose_b, double length);
JointCoordinate make_coordinate(const CoordinateTemplate& coordinate, std::string name, const Site& a, const Site& b);

}  // namespace carom::model
