#include "carom/model/assembly/frames.h"

#include "carom/base/rotation.h"
#include "carom/model/parts/planar_bodies.h"
#include "carom/model/parts/rigid_bodies.h"

namespace carom::model {

void Frames::add_part(std::shared_ptr<const Part> part, Index q, Index v) {
  const Index number = static_cast<Index>(parts_.size());
  const Index own = part->frame_kind() == FrameKind::body ? 6 : part->frame_kind() == FrameKind::planar_body ? 3 : 0;
  for (Index i = 0; i < part->frame_count(); ++i) frames_.push_back({part->frame_kind(), number, i, q, v + own * i});
  parts_.push_back(std::move(part));
}

std::string Frames::name(Index f) const {
  const Frame& frame = (*this)[f];
  return frame.part < 0 ? "ground" : parts_[static_cast<std::size_t>(frame.part)]->frame_name(frame.item);
}

void Frames::add_load(const double* q, Index f, const Pose& pose, const Vector3& force, const Vector3& torque,
                      double* h) const {
  const Frame& frame = (*this)[f];
  switch (frame.kind) {
    case FrameKind::fixed: return;
    case FrameKind::body: return add_body_load(pose, force, torque, h + frame.v);
    case FrameKind::planar_body: return add_planar_load(force, torque, h + frame.v);
    case FrameKind::general:
      return parts_[static_cast<std::size_t>(frame.part)]->add_load(q + frame.q, frame.item, pose, force, torque,
                                                                    h + frame.v);
  }
}

void Frames::add_rows(const double* q, Index f, const Pose& pose, Index rows, const Vector3* force,
                      const Vector3* torque, ConstraintJacobian& W) const {
  const Frame& frame = (*this)[f];
  switch (frame.kind) {
    case FrameKind::fixed: return;
    case FrameKind::body: return add_body_rows(pose, rows, force, torque, frame.v, W);
    case FrameKind::planar_body: return add_planar_rows(rows, force, torque, frame.v, W);
    case FrameKind::general:
      return parts_[static_cast<std::size_t>(frame.part)]->add_rows(q + frame.q, frame.item, pose, rows, force, torque,
                                                                    frame.v, W);
  }
}

void Frames::columns(const double* q, const double* v, Index f, const Pose& pose, const Vector3& omega,
                     const Vector3& force, const Vector3& torque, FrameColumns& out) const {
  const Frame& frame = (*this)[f];
  out.segments.clear();
  const auto resize = [&](Index n) {
    out.B.setZero(6, n);
    out.twist_by_q.setZero(6, n);
    out.load_by_q.setZero(n, n);
  };
  switch (frame.kind) {
    case FrameKind::fixed: return resize(0);
    case FrameKind::body:
      resize(6);
      out.segments.push_back({frame.v, 6});
      out.B.topLeftCorner<3, 3>().setIdentity();
      out.B.bottomRightCorner<3, 3>() = pose.R;
      // omega = R Omega and R' torque turn with the body.
      out.twist_by_q.bottomRightCorner<3, 3>() = -skew(omega) * pose.R;
      out.load_by_q.bottomRightCorner<3, 3>() = skew(pose.R.transpose() * torque);
      return;
    case FrameKind::planar_body:
      resize(3);
      out.segments.push_back({frame.v, 3});
      out.B(0, 0) = out.B(1, 1) = out.B(5, 2) = 1.0;
      return;
    case FrameKind::general: {
      // Unit forces and torques, one row each.
      thread_local ConstraintJacobian W;  // keeps its memory
      W.clear();
      Vector3 forces[6], torques[6];
      for (int k = 0; k < 6; ++k) {
        forces[k] = k < 3 ? Vector3(Vector3::Unit(k)) : Vector3(Vector3::Zero());
        torques[k] = k < 3 ? Vector3(Vector3::Zero()) : Vector3(Vector3::Unit(k - 3));
      }
      W.add_block(6);
      add_rows(q, f, pose, 6, forces, torques, W);
      Index n = 0;
      for (Index s = 0; s < W.block(0).segment_end; ++s) n += W.segment(s).size;
      resize(n);
      Index column = 0;
      for (Index s = 0; s < W.block(0).segment_end; ++s) {
        const ConstraintJacobian::Segment& segment = W.segment(s);
        out.segments.push_back({segment.offset, segment.size});
        for (Index r = 0; r < 6; ++r)
          for (Index j = 0; j < segment.size; ++j) out.B(r, column + j) = W.entries(segment)[r * segment.size + j];
        column += segment.size;
      }
      if (n > 0)
        parts_[static_cast<std::size_t>(frame.part)]->frame_derivatives(q + frame.q, v + frame.v, frame.item, pose,
                                                                        force, torque, out);
      return;
    }
  }
}

}  // namespace carom::model
