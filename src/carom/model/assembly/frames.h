// The frames of a model by number, and how forces and rows at a frame reach the velocities of its part. Bodies are
// written without asking their part; other frames cost one virtual call.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/model/assembly/part.h"

namespace carom::model {

// The velocities a frame depends on, and how: (velocity, omega) = B v, with what full derivatives of a force at the
// frame need beside B. Columns follow the segments.
struct FrameColumns {
  struct Segment {
    Index offset, size;
  };
  static constexpr int most = 64;
  using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, most>;
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, most, most>;

  std::vector<Segment> segments;
  Rows B;
  Rows twist_by_q;   // d(velocity, omega)/dq at fixed v, along q (+) x
  Square load_by_q;  // d(B' w)/dq at a fixed load w
};

class Frames {
 public:
  struct Frame {
    FrameKind kind = FrameKind::fixed;
    Index part = -1;  // -1: the ground
    Index item = 0;   // number within its part
    Index q = 0;      // of its part
    Index v = 0;      // of its part; of a body: its own
  };

  // The ground is there from the start.
  Frames() { frames_.push_back({}); }
  void add_part(std::shared_ptr<const Part> part, Index q, Index v);

  Index count() const { return static_cast<Index>(frames_.size()); }
  const Frame& operator[](Index f) const { return frames_[static_cast<std::size_t>(f)]; }
  bool moves_with_v(Index f) const { return (*this)[f].kind != FrameKind::fixed; }
  bool planar(Index f) const {
    return f == ground_frame || ((*this)[f].part >= 0 && parts_[static_cast<std::size_t>((*this)[f].part)]->planar());
  }
  std::string name(Index f) const;
  const std::vector<std::shared_ptr<const Part>>& parts() const { return parts_; }

  // h += B' (force, torque); torque about the frame's origin.
  void add_load(const double* q, Index f, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const;
  // Adds to the last block of W' the columns of the frame.
  void add_rows(const double* q, Index f, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                ConstraintJacobian& W) const;
  // For force derivatives: `omega` the frame's angular velocity, the load about its origin.
  void columns(const double* q, const double* v, Index f, const Pose& pose, const Vector3& omega, const Vector3& force,
               const Vector3& torque, FrameColumns& out) const;

 private:
  std::vector<Frame> frames_;
  std::vector<std::shared_ptr<const Part>> parts_;
};

}  // namespace carom::model
