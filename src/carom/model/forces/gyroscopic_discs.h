// Discs that spin fast on what bends a little: fly-wheels condensed onto an elastic axle. Their mass and moments are in
// the inertia of the body; what spinning adds, with the polar moment J about the axis a (fixed in the world) and the
// angular velocity omega of the frame they sit on, is
//
//   torque = -J (a . omega) omega x a,
//
// which has no power.
#pragma once

#include <string>
#include <vector>

#include "carom/model/assembly/groups.h"

namespace carom::model {

struct GyroscopicDisc {
  std::string name;
  Index frame = ground_frame;
  Vector3 axis = Vector3::UnitZ();
  double polar_inertia = 0.0;
};

class GyroscopicDiscs final : public ForceGroup {
 public:
  explicit GyroscopicDiscs(std::vector<GyroscopicDisc> discs) : discs_(std::move(discs)) {}

  void declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void add_force(const At& at, double* h) const override;
  void force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const override;
  double potential_energy(const At&) const override { return 0.0; }
  double other_power(const At&) const override { return 0.0; }
  bool conservative() const override { return discs_.empty(); }  // it is a force of no potential
  bool autonomous() const override { return true; }

 private:
  std::vector<GyroscopicDisc> discs_;
};

}  // namespace carom::model
