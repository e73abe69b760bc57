#include "carom/model/forces/site_loads.h"

#include <cmath>

#include "carom/base/rotation.h"
#include "carom/model/assembly/column_blocks.h"

namespace carom::model {

namespace {

using Six = Eigen::Matrix<double, 6, 1>;
using Square6 = Eigen::Matrix<double, 6, 6>;

// Kept from call to call: forces are asked for in every step.
struct Memory {
  std::vector<SiteMotion> motions;
  FrameColumns own, other;
};
Memory& memory() {
  thread_local Memory kept;
  return kept;
}

struct FrameAt {
  const Pose& pose;
  const Twist& twist;
};
FrameAt frame_at(const At& at, const Site& site) {
  const auto f = static_cast<std::size_t>(site.frame);
  return {at.place.poses[f], at.place.twists[f]};
}

SiteMotion motion(const Site& site, const Pose& pose, const Twist& twist) {
  const Vector3 arm = pose.R * site.point;
  return {pose.x + arm, twist.velocity + twist.omega.cross(arm), twist.omega, pose.R * site.triad};
}

void watch(const SiteLoad& load, const At& at, std::vector<SiteMotion>& motions) {
  motions.clear();
  for (const Site& site : load.watched) {
    const FrameAt frame = frame_at(at, site);
    motions.push_back(motion(site, frame.pose, frame.twist));
  }
}

// About the origin of the frame.
Six about_frame(const SiteLoad& load, const Pose& pose, const Load& at_site) {
  Six w;
  w << at_site.force, at_site.torque + Vector3(pose.R * load.site.point).cross(at_site.force);
  return w;
}

// The derivatives of the load by pose and twist of the frame of the watched site j, its own arm held.
void differences(const SiteLoad& load, const At& at, std::size_t j, std::vector<SiteMotion>& motions, Square6& by_pose,
                 Square6& by_twist) {
  constexpr double relative = 1e-6;
  const Pose& own = frame_at(at, load.site).pose;
  const Site& site = load.watched[j];
  const FrameAt frame = frame_at(at, site);
  const SiteMotion here = motions[j];
  for (int k = 0; k < 6; ++k) {
    const Vector3 unit = Vector3::Unit(k % 3);
    for (const bool twists : {false, true}) {
      const double size =
          k >= 3 ? (twists ? frame.twist.omega.norm() : 0.0) : (twists ? frame.twist.velocity.norm() : 0.0);
      const double step = relative * std::max(1.0, size);
      Six values[2];
      for (int side = 0; side < 2; ++side) {
        const Vector3 moved = (side == 0 ? step : -step) * unit;
        Pose pose = frame.pose;
        Twist twist = frame.twist;
        if (twists)
          (k < 3 ? twist.velocity : twist.omega) += moved;
        else if (k < 3)
          pose.x += moved;
        else
          pose.R += skew(moved) * pose.R;
        motions[j] = motion(site, pose, twist);
        values[side] = about_frame(load, own, load.load(at.t, motions));
      }
      (twists ? by_twist : by_pose).col(k) = (values[0] - values[1]) / (2.0 * step);
    }
  }
  motions[j] = here;
}

void find_columns(const At& at, const Site& site, const Six& w, FrameColumns& out) {
  const FrameAt frame = frame_at(at, site);
  at.frames.columns(at.q, at.v, site.frame, frame.pose, frame.twist.omega, w.head<3>(), w.tail<3>(), out);
}

}  // namespace

void SiteLoads::declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  Memory& m = memory();
  for (const SiteLoad& load : loads_) {
    find_columns(at, load.site, Six::Zero(), m.own);
    const auto declare_block = [&](const auto& si, Index, const auto& sj, Index) {
      dh_dq.declare({si.offset, sj.offset, si.size, sj.size});
      dh_dv.declare({si.offset, sj.offset, si.size, sj.size});
    };
    each_block(m.own, m.own, declare_block);  // of the load's own arm
    for (const Site& site : load.watched) {
      find_columns(at, site, Six::Zero(), m.other);
      each_block(m.own, m.other, declare_block);
    }
  }
}

void SiteLoads::add_force(const At& at, double* h) const {
  Memory& m = memory();
  for (const SiteLoad& load : loads_) {
    watch(load, at, m.motions);
    const Pose& pose = frame_at(at, load.site).pose;
    const Six w = about_frame(load, pose, load.load(at.t, m.motions));
    at.frames.add_load(at.q, load.site.frame, pose, w.head<3>(), w.tail<3>(), h);
  }
}

void SiteLoads::force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const {
  Memory& m = memory();
  FrameColumns::Square block;
  for (const SiteLoad& load : loads_) {
    watch(load, at, m.motions);
    const Pose& pose = frame_at(at, load.site).pose;
    const Load now = load.load(at.t, m.motions);
    const Six w = about_frame(load, pose, now);
    find_columns(at, load.site, w, m.own);
    // The arm of the force turns with its frame.
    Square6 arm = Square6::Zero();
    for (int k = 0; k < 3; ++k)
      arm.col(3 + k).tail<3>() = Vector3::Unit(k).cross(Vector3(pose.R * load.site.point)).cross(now.force);
    each_block(m.own, m.own, [&](const auto& si, Index row, const auto& sj, Index column) {
      block = m.own.load_by_q.block(row, column, si.size, sj.size) +
              m.own.B.middleCols(row, si.size).transpose() * arm * m.own.B.middleCols(column, sj.size);
      dh_dq.add(block.data());
      block.setZero(si.size, sj.size);
      dh_dv.add(block.data());
    });
    for (std::size_t j = 0; j < load.watched.size(); ++j) {
      Square6 by_pose, by_twist;
      differences(load, at, j, m.motions, by_pose, by_twist);
      find_columns(at, load.watched[j], Six::Zero(), m.other);
      each_block(m.own, m.other, [&](const auto& si, Index row, const auto& sj, Index column) {
        const auto Bi = m.own.B.middleCols(row, si.size);
        const auto Bj = m.other.B.middleCols(column, sj.size), Tj = m.other.twist_by_q.middleCols(column, sj.size);
        block = Bi.transpose() * (by_pose * Bj + by_twist * Tj);
        dh_dq.add(block.data());
        block = Bi.transpose() * by_twist * Bj;
        dh_dv.add(block.data());
      });
    }
  }
}

double SiteLoads::other_power(const At& at) const {
  Memory& m = memory();
  double power = 0.0;
  for (const SiteLoad& load : loads_) {
    watch(load, at, m.motions);
    const FrameAt frame = frame_at(at, load.site);
    const SiteMotion own = motion(load.site, frame.pose, frame.twist);
    const Load w = load.load(at.t, m.motions);
    power += w.force.dot(own.velocity) + w.torque.dot(own.spin);
  }
  return power;
}

}  // namespace carom::model
