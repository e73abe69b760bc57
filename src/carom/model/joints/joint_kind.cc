#include "carom/model/joints/joint_kind.h"

#include <fmt/format.h>

namespace carom::model {

#define CAROM_JOINT(name) extern const JointKind name##_joint;
#include "carom/model/joints/joints.def"
#undef CAROM_JOINT

const Registry<JointKind>& joint_kinds() {
  static const Registry<JointKind> registry("joint", {
#define CAROM_JOINT(name) &name##_joint,
#include "carom/model/joints/joints.def"
#undef CAROM_JOINT
                                                     });
  return registry;
}

namespace {

Vector3 axis(const Site& site, Axis k) { return site.triad.col(static_cast<int>(k)); }

JointRow make_row(const RowTemplate& given, const Site& a, const Site& b, double length) {
  JointRow row;
  row.kind = given.kind;
  switch (given.kind) {
    case RowKind::coincide: row.d = Vector3::Unit(static_cast<int>(given.i)); break;
    case RowKind::along: row.d = axis(a, given.i); break;
    case RowKind::across:
      row.d = axis(a, given.i);
      row.e = axis(b, given.j);
      row.length = length;
      break;
    case RowKind::angle:
      row.d = axis(a, Axis::x);
      row.e = axis(a, Axis::y);
      row.b = axis(b, Axis::x);
      row.length = length;
      break;
    case RowKind::distance: break;
  }
  return row;
}

}  // namespace

Joint make_joint(const JointKind& kind, bool planar, std::string name, const Site& a, const Site& b, const Pose& pose_a,
                 const Pose& pose_b, double length) {
  const std::vector<RowTemplate>& table = planar ? kind.planar : kind.spatial;
  if (table.empty())
    throw InputError({"E0223",
                      fmt::format("there is no {} joint {}", kind.name, planar ? "in the plane" : "in space"),
                      "joint." + name,
                      "`carom list joints` shows what there is",
                      {},
                      0,
                      0,
                      {}});
  Joint joint;
  joint.name = std::move(name);
  joint.a = a;
  joint.b = b;
  joint.length = length;
  for (const RowTemplate& row : table) {
    joint.rows.push_back(make_row(row, a, b, length));
    if (row.kind == RowKind::distance)
      joint.rows.back().rest = evaluate(joint.rows.back(), pose_a, a.point, pose_b, b.point).g;
  }
  return joint;
}

JointCoordinate make_coordinate(const CoordinateTemplate& coordinate, std::string name, const Site& a, const Site& b) {
  JointCoordinate out;
  out.name = std::move(name);
  out.row = make_row({coordinate.kind, coordinate.i, Axis::x}, a, b, 1.0);
  out.a = a;
  out.b = b;
  return out;
}

}  // namespace carom::model
