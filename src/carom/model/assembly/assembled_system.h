// A model put together from parts, and from what is attached to them: the one System above which everything is data.
#pragma once

#include <memory>
#include <vector>

#include "carom/model/assembly/groups.h"
#include "carom/model/joints/joint_coordinate.h"
#include "carom/system/decomposed_inertia.h"
#include "carom/system/discrete_state.h"
#include "carom/system/far_contacts.h"
#include "carom/system/system.h"
#include "carom/system/turning_directions.h"

namespace carom::model {

struct Assembly {
  std::vector<std::shared_ptr<const Part>> parts =
      {};  // pools of bodies first, so that their offsets stay multiples of 3
  std::vector<std::shared_ptr<const ConstraintGroup>> constraints = {};
  std::vector<std::shared_ptr<const ForceGroup>> forces = {};
  // Angles of joints in space that count over turns: each an entry of q behind those of the parts, without a velocity
  // of its own.
  std::vector<JointCoordinate> counted = {};
  // Joints that can break: each an entry of q behind those, zero until it is broken.
  std::vector<std::string> breakable = {};
};

class AssembledSystem final : public System,
                              public Energetics,
                              public FarContacts,
                              public DiscreteState,
                              public DecomposedInertia,
                              public TurningDirections {
 public:
  // `reference`: any admissible coordinates, for places that do not depend on them.
  AssembledSystem(Assembly assembly, const Vector& reference);

  const Frames& frames() const { return frames_; }
  Index part_q(Index part) const { return offsets_[static_cast<std::size_t>(part)].q; }
  Index part_v(Index part) const { return offsets_[static_cast<std::size_t>(part)].v; }
  void place(double t, const Vector& q, const Vector& v, Placement& out) const;
  void place_poses(double t, const Vector& q, Placement& out) const;
  const ConstraintGroup& group(const Constraint& constraint) const {
    return *constraints_[static_cast<std::size_t>(constraint.element)];
  }

  Index nq() const override { return nq_; }
  Index nv() const override { return nv_; }
  Constancy constancy() const override { return constancy_; }
  FeatureSet features() const override { return features_; }

  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override;
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override;

  void move(const Vector& q, const Vector& dq, Vector& q_next) const override;
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const override;
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override;
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override;
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override;

  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double t, const Vector& q, const Vector& v) const override;
  double potential_energy(double t, const Vector& q) const override;
  double other_power(double t, const Vector& q, const Vector& v) const override;
  void potential_gradient(double t, const Vector& q, Vector& out) const override;
  bool conservative() const override { return conservative_; }

  // Where every part has as many velocities as coordinates, and some part other velocities than q'.
  const DecomposedInertia* decomposed() const override { return decomposed_ ? this : nullptr; }
  void velocity_map(const Vector& q, Matrix& Q) const override;
  void gyroscopic(const Vector& v, const Vector& q, Matrix& H) const override;

  // Of joints between rigid bodies.
  void add_turning(double factor, double t, const Vector& q, const ActiveSet& active, const double* x,
                   Intermediates& intermediates, Matrix3* blocks) const override;

  const TurningDirections* turning_directions() const override { return this; }
  const FarContacts* far_contacts() const override { return coming_and_going_ < 0 ? nullptr : this; }
  Index partner(std::string_view name) const override;
  bool can_touch(Index partner) const override;
  void visit(double t, const Vector& q, Index partner,
             const std::function<bool(const Constraint&, double gap)>& visit) const override;
  double gap(double t, const Vector& q, const Constraint& contact) const override;

  const DiscreteState* discrete_state() const override { return breakable_.empty() ? nullptr : this; }
  void carried(const Constraint& joint, const double* impulse, double dt, Vector& q) const override {
    constraints_[static_cast<std::size_t>(joint.element)]->carried(joint, impulse, dt, q.data());
  }

  void describe(Layout& layout) const override;
  std::string constraint_name(const Constraint& constraint) const override;
  std::string coordinate_name(Index i) const override;
  std::string velocity_name(Index i) const override;

 private:
  struct Offset {
    Index q, v, frame;
  };
  // Placements found on the way to an evaluation, for the same position.
  struct Memory;

  void find_features();
  void declare(const Vector& reference);
  void keep_constant_matrices(const Vector& reference);
  void place_twists(double t, const Vector& q, const Vector& v, Placement& out) const;
  void place_rates(double t, const Vector& q, const Vector& v, Placement& out) const;
  Placement& poses(double t, const Vector& q, Intermediates& kept) const;
  const Placement& placement(double t, const Vector& q, const Vector& v, Need need, Intermediates& kept) const;
  void evaluate_dynamics(double t, const Vector& q, const Vector& v, Need need, const Placement* place,
                         Evaluation& out) const;
  void evaluate_constraints(const At& at, Need need, const ActiveSet& active, Evaluation& out) const;
  Placement& scratch(double t, const Vector& q, const Vector& v) const;
  // Along q (+) dq, or at the rate of v.
  void count_turns(const Vector& q, const Vector& dq, Vector& q_next) const;
  double rate(const JointCoordinate& angle, const Placement& place) const;
  void keep_broken(const Vector& q, Vector& q_next) const {
    for (Index i = first_breakable_; i < nq_; ++i) q_next[i] = q[i];
  }

  template <class Call>
  void each_part(Call call) const {
    for (std::size_t p = 0; p < parts_.size(); ++p) call(*parts_[p], offsets_[p]);
  }

  std::vector<std::shared_ptr<const Part>> parts_;
  std::vector<std::shared_ptr<const ConstraintGroup>> constraints_;
  std::vector<std::shared_ptr<const ForceGroup>> forces_;
  std::vector<JointCoordinate> counted_;
  std::vector<std::string> breakable_;
  Index first_breakable_ = 0;  // its entry of q
  Frames frames_;
  std::vector<Offset> offsets_;
  Index nq_ = 0, nv_ = 0;
  Constancy constancy_;
  FeatureSet features_;
  bool conservative_ = true;
  bool decomposed_ = false;
  bool drifting_ = false;        // some frames move as prescribed
  Index coming_and_going_ = -1;  // the group whose contacts do
  MatrixAssembly M_, dh_dq_, dh_dv_;
  // Sparse ones that never change: made once and shared, so that nobody factors them twice. Null: written anew.
  std::shared_ptr<const ConstantMatrix> constant_M_, constant_dh_dq_, constant_dh_dv_;
};

}  // namespace carom::model
