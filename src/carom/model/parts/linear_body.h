// A body that deforms linearly about a fixed place, given by its matrices: as it is, or reduced to modes.
//
//   M v' = f - C v - K q      q' = v
//
// Its nodes are what the rest sees of it. With the rows N of a node (those of the modes, if it is reduced), P its place
// at rest,
//
//   (u, theta) = N q      x = x_P + R_P (X + u)       R = R_P exp(theta)
//                         velocity = R_P N_u v        omega = R_P J_l(theta) N_theta v
//
// Matrices know rotations to first order only; the frame turns by the exact rotation, so that rows at it are true
// gradients. A node without rotations keeps the directions of the body at rest. A frame that spins is one of a shaft:
// it turns by any angle about an axis and tilts by small ones, which no rotation vector says; what is attached to it
// must be round. It keeps the directions of the body at rest too, and omega = R_P N_theta v.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/model/assembly/own_constraints.h"
#include "carom/model/assembly/part.h"
#include "carom/model/contacts/row_contacts.h"
#include "carom/model/flexible/linear_dynamics.h"

namespace carom::model {

class LinearBody final : public Part, public OwnConstraints {
 public:
  // What the rest sees: rows over the columns of a few runs of coordinates.
  struct Frame {
    struct Run {
      Index offset, size;
    };
    std::string name;
    Vector3 position = Vector3::Zero();
    std::vector<Run> runs;
    Eigen::Matrix<double, 6, Eigen::Dynamic> N;  // displacement and rotation
    bool turns = false;
    bool spins = false;
  };
  // What the coordinates are called and measured in; by default they are numbered.
  struct Label {
    std::string name, unit;
  };

  // `unit`: of all coordinates, if they have one.
  LinearBody(std::string name, LinearDynamics dynamics, const Pose& place, std::vector<Frame> frames,
             std::vector<RowContact> contacts, std::string unit = "SI", std::vector<Label> labels = {});

  const LinearDynamics& dynamics() const { return dynamics_; }

  Index nq() const override { return dynamics_.size(); }
  Index nv() const override { return dynamics_.size(); }
  Index frame_count() const override { return static_cast<Index>(frames_.size()); }
  FrameKind frame_kind() const override { return FrameKind::general; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true}; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override;

  void place(double t, const double* q, Pose* poses) const override;
  void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const override;
  bool has_rates() const override { return turns_; }
  void rates(double t, const double* q, const double* v, const Pose* poses, Twist* rates) const override;
  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override;
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override;
  void frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3& force,
                         const Vector3& torque, FrameColumns& out) const override;

  double kinetic_energy(const double* q, const double* v) const override;
  double potential_energy(const double* q) const override;
  void add_potential_gradient(const double* q, double* out) const override;
  double other_power(double t, const double* q, const double* v) const override;
  bool conservative() const override { return dynamics_.minus_damping() == nullptr; }

  std::shared_ptr<const ConstraintGroup> own_constraints(Index q, Index v) const override;

  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override {
    return labels_.empty() ? name_ + ".q" + std::to_string(i) : labels_[static_cast<std::size_t>(i)].name;
  }
  std::string velocity_name(Index i) const override {
    return labels_.empty() ? name_ + ".v" + std::to_string(i) : labels_[static_cast<std::size_t>(i)].name + "_rate";
  }
  std::string frame_name(Index frame) const override { return frames_[static_cast<std::size_t>(frame)].name; }

 private:
  const Frame& frame(Index f) const { return frames_[static_cast<std::size_t>(f)]; }

  std::string name_;
  LinearDynamics dynamics_;
  Pose place_;
  std::vector<Frame> frames_;
  bool turns_ = false;  // some frame does
  std::vector<RowContact> contacts_;
  std::string unit_;
  std::vector<Label> labels_;
};

// A frame by its rows of displacement and rotation; it turns if it has any of rotation.
LinearBody::Frame make_frame(std::string name, const Vector3& position, const std::array<RowContact::Row, 6>& rows);

}  // namespace carom::model
