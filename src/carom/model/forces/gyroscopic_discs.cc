#include "carom/model/forces/gyroscopic_discs.h"

#include "carom/base/rotation.h"
#include "carom/model/assembly/column_blocks.h"

namespace carom::model {

namespace {

// The torque and its derivative by omega.
struct Gyroscopic {
  Gyroscopic(const GyroscopicDisc& disc, const At& at)
      : pose(at.place.poses[static_cast<std::size_t>(disc.frame)]),
        omega(at.place.twists[static_cast<std::size_t>(disc.frame)].omega),
        torque(-disc.polar_inertia * disc.axis.dot(omega) * omega.cross(disc.axis)) {}
  Matrix3 by_omega(const GyroscopicDisc& disc) const {
    return disc.polar_inertia *
           (disc.axis.dot(omega) * skew(disc.axis) - omega.cross(disc.axis) * disc.axis.transpose());
  }

  const Pose& pose;
  Vector3 omega, torque;
};

FrameColumns& columns_of(const GyroscopicDisc& disc, const At& at, const Gyroscopic& now) {
  thread_local FrameColumns columns;  // keeps its memory
  at.frames.columns(at.q, at.v, disc.frame, now.pose, now.omega, Vector3::Zero(), now.torque, columns);
  return columns;
}

}  // namespace

void GyroscopicDiscs::declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  for (const GyroscopicDisc& disc : discs_) {
    const FrameColumns& columns = columns_of(disc, at, {disc, at});
    each_block(columns, columns, [&](const auto& si, Index, const auto& sj, Index) {
      dh_dq.declare({si.offset, sj.offset, si.size, sj.size});
      dh_dv.declare({si.offset, sj.offset, si.size, sj.size});
    });
  }
}

void GyroscopicDiscs::add_force(const At& at, double* h) const {
  for (const GyroscopicDisc& disc : discs_) {
    const Gyroscopic now(disc, at);
    at.frames.add_load(at.q, disc.frame, now.pose, Vector3::Zero(), now.torque, h);
  }
}

// h = B' torque(omega), omega = B v:  dh_dv = B' torque_omega B,  dh_dq = B' torque_omega omega_q + (B' torque)_q.
void GyroscopicDiscs::force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const {
  FrameColumns::Square block;
  for (const GyroscopicDisc& disc : discs_) {
    const Gyroscopic now(disc, at);
    const Matrix3 D = now.by_omega(disc);
    const FrameColumns& columns = columns_of(disc, at, now);
    each_block(columns, columns, [&](const auto& si, Index row, const auto& sj, Index column) {
      const auto Bi = columns.B.block(3, row, 3, si.size), Bj = columns.B.block(3, column, 3, sj.size);
      block = Bi.transpose() * D * columns.twist_by_q.block(3, column, 3, sj.size) +
              columns.load_by_q.block(row, column, si.size, sj.size);
      dh_dq.add(block.data());
      block = Bi.transpose() * D * Bj;
      dh_dv.add(block.data());
    });
  }
}

}  // namespace carom::model
