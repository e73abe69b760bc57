// All joints of a model: each a block of up to six rows between two sites, always active. Joints with friction have one
// more row.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "carom/model/assembly/groups.h"
#include "carom/model/joints/joint_rows.h"

namespace carom::model {

struct Joint {
  std::string name;
  Site a, b;
  std::vector<JointRow> rows;  // at most Law::max_dim
  double length = 1.0;         // what counts as a length here
  // Friction: the last row is the motion it meets, as a velocity at the rubbing surface (laws/joint_friction_law.h).
  // Null: none.
  std::shared_ptr<const Law> friction = {};
  // What it carries at most, as a mean over a step; the entry of q that says it is broken, -1: it cannot break.
  double strongest_force = 0.0, strongest_moment = 0.0;
  Index broken = -1;
};

class JointGroup final : public ConstraintGroup {
 public:
  explicit JointGroup(std::vector<Joint> joints);

  const std::vector<Joint>& joints() const { return joints_; }

  void detect(const At& at, double dt, Index number, ContactSet& contacts) const override;
  void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                Evaluation& out) const override;
  void act(const At& at, const ContactSet& contacts, const Acting& acting, Action& action) const override;
  std::string name(const Constraint& constraint) const override;
  void describe(FeatureSet& features, Constancy& constancy) const override;
  // What the turning of its two bodies does to the torques of a joint that holds points together, in their blocks of
  // d(W x)/dq (system/turning_directions.h); x: its multipliers.
  void add_turning(double factor, const At& at, const Constraint& constraint, const double* x, Matrix3* blocks) const;
  void carried(const Constraint& constraint, const double* impulse, double dt, double* q) const override;

 private:
  std::vector<Joint> joints_;
  std::vector<char> pins_;  // by joint: two rows hold points together along x and y
  std::array<std::shared_ptr<const Law>, Law::max_dim + 1> laws_;  // by rows
};

}  // namespace carom::model
