// Bodies whose motion is prescribed: belts, shakers, driven walls. They have no coordinates and no velocities of their
// own; their frames move in time, and whoever touches them sees it in chi and zeta.
#pragma once

#include <functional>
#include <vector>

#include "carom/model/assembly/part.h"

namespace carom::model {

struct PrescribedMotion {
  Pose pose;
  Twist twist;  // velocity and angular velocity
  Twist rate;   // their derivatives
};

struct KinematicBodyData {
  std::string name;
  std::function<PrescribedMotion(double t)> motion;
};

class KinematicBodies final : public Part {
 public:
  explicit KinematicBodies(std::vector<KinematicBodyData> bodies) : bodies_(std::move(bodies)) {}

  Index nq() const override { return 0; }
  Index nv() const override { return 0; }
  Index frame_count() const override { return static_cast<Index>(bodies_.size()); }
  FrameKind frame_kind() const override { return FrameKind::fixed; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true, .autonomous = false}; }

  void declare(Index, MatrixAssembly&, MatrixAssembly&, MatrixAssembly&) const override {}
  void inertia(const double*, MatrixAssembly::Writer&) const override {}
  void add_force(double, const double*, const double*, double*) const override {}
  void force_jacobian(double, const double*, const double*, MatrixAssembly::Writer&,
                      MatrixAssembly::Writer&) const override {}

  void place(double t, const double*, Pose* poses) const override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) poses[b] = bodies_[b].motion(t).pose;
  }
  void twists(double t, const double* q, const double*, const Pose* poses, Twist* twists) const override {
    drifts(t, q, poses, twists);
  }
  bool has_drifts() const override { return true; }
  void drifts(double t, const double*, const Pose*, Twist* twists) const override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) twists[b] = bodies_[b].motion(t).twist;
  }
  bool has_rates() const override { return true; }
  void rates(double t, const double*, const double*, const Pose*, Twist* rates) const override {
    for (std::size_t b = 0; b < bodies_.size(); ++b) rates[b] = bodies_[b].motion(t).rate;
  }

  void add_load(const double*, Index, const Pose&, const Vector3&, const Vector3&, double*) const override {}
  void add_rows(const double*, Index, const Pose&, Index, const Vector3*, const Vector3*, Index,
                ConstraintJacobian&) const override {}

  double kinetic_energy(const double*, const double*) const override { return 0.0; }
  double potential_energy(const double*) const override { return 0.0; }

  void describe(Layout& layout) const override {
    for (const KinematicBodyData& body : bodies_) layout.add_frame(body.name, StateFrame::Kind::prescribed);
  }
  std::string coordinate_name(Index) const override { return {}; }
  std::string velocity_name(Index) const override { return {}; }
  std::string frame_name(Index frame) const override { return bodies_[static_cast<std::size_t>(frame)].name; }

 private:
  std::vector<KinematicBodyData> bodies_;
};

}  // namespace carom::model
