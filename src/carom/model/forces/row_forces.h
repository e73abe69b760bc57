// Springs, dampers and drives along one row between two sites (joints/joint_rows.h): a line between two points, the
// angle or the displacement of a joint. With g the elongation and g' its rate the force along the row is
//
//   Q = -k s(g) - c g' [while pulling or pushing is allowed] + preload + drive(t, g, g')   V = 1/2 k s(g)^2 - preload g
//
// s(g) = g; for ropes max(0, g), for bumpers min(0, g): then the damper too acts only where the spring does. A drive is
// a function of time and of its own coordinate; its power is booked as work of drives.
#pragma once

#include <functional>
#include <vector>

#include "carom/model/joints/joint_coordinate.h"

namespace carom::model {

enum class SpringActs { both_ways, pulling, pushing };

struct RowForce {
  std::string name;
  JointCoordinate row;
  double stiffness = 0.0, damping = 0.0, preload = 0.0;
  SpringActs acts = SpringActs::both_ways;
  // Q of the drive; its derivatives by g and g' come from differences.
  std::function<double(double t, double g, double rate)> drive;
};

class RowForces final : public ForceGroup {
 public:
  explicit RowForces(std::vector<RowForce> forces) : forces_(std::move(forces)) {}

  void declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void add_force(const At& at, double* h) const override;
  void force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const override;
  double potential_energy(const At& at) const override;
  double other_power(const At& at) const override;
  bool conservative() const override;
  bool autonomous() const override;

 private:
  std::vector<RowForce> forces_;
};

}  // namespace carom::model
