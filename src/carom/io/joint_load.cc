#include "carom/io/joint_load.h"

#include <array>
#include <cmath>

#include "carom/io/sensors.h"

namespace carom::inline io {

namespace {

constexpr std::array<const char*, 9> words = {"force",    "force_x",  "force_y",  "force_z", "torque",
                                              "torque_x", "torque_y", "torque_z", "power"};

bool is_rigid(const StateFrame& frame) {
  return frame.kind == StateFrame::Kind::body || frame.kind == StateFrame::Kind::planar;
}

Index velocities(const StateFrame& frame) { return frame.kind == StateFrame::Kind::planar ? 3 : 6; }

}  // namespace

std::optional<int> JointLoad::quantity(const std::string& word) {
  for (std::size_t k = 0; k < words.size(); ++k)
    if (word == words[k]) return static_cast<int>(k);
  return std::nullopt;
}

bool JointLoad::evaluate(const System& system, const ContactSet& contacts, const State& state) {
  one_.reset(contacts);
  for (Index k = 0; k < contacts.size(); ++k)
    if (contacts[k].id == id_) one_.add(k);
  if (one_.size() != 1) return false;
  system.evaluate(state.t, state.q, state.v, Need::jacobian, one_, at_);
  return true;
}

std::optional<JointLoad> JointLoad::find(const System& system, const State& start, const ContactSet& constraints,
                                         const std::string& name, int quantity) {
  JointLoad load;
  load.quantity_ = quantity;
  bool found = false;
  for (Index k = 0; k < constraints.size(); ++k)
    if (constraints[k].bilateral && system.constraint_name(constraints[k]) == name) {
      load.id_ = constraints[k].id;
      found = true;
    }
  if (!found || !load.evaluate(system, constraints, start)) return std::nullopt;
  if (std::string(words[static_cast<std::size_t>(quantity)]) == "power") return load;
  const Layout layout = layout_of(system);
  const ConstraintJacobian::Block& block = load.at_.W.block(0);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = load.at_.W.segment(s);
    for (const StateFrame& frame : layout.frames())
      if (is_rigid(frame) && frame.v == segment.offset && velocities(frame) == segment.size &&
          (!load.body_ || frame.v > load.body_->v))
        load.body_ = frame;
  }
  return load.body_ ? std::optional(std::move(load)) : std::nullopt;
}

double JointLoad::measure(const System& system, const ContactSet& contacts, const State& end, const StepResult& step) {
  if (!(step.dt_taken > 0.0) || !evaluate(system, contacts, end)) return 0.0;
  force_.setZero(one_.rows());
  for (const StepContact& contact : step.contacts)
    if (contact.constraint.id == id_)
      for (Index r = 0; r < force_.size(); ++r) force_[r] += step.impulse[contact.row + r] / step.dt_taken;
  if (body_) return part(end);
  rate_.resize(one_.rows());
  at_.W.transpose_multiply(end.v.data(), rate_.data());
  return force_.dot(rate_);
}

double JointLoad::measure(const TreeReactions& reactions) {
  if (!evaluate(reactions.twin(), reactions.contacts(), reactions.end())) return 0.0;
  reactions.row_forces(id_, force_);
  return part(reactions.end());
}

double JointLoad::part(const State& end) const {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  const bool planar = body_->kind == StateFrame::Kind::planar;
  const ConstraintJacobian::Block& block = at_.W.block(0);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = at_.W.segment(s);
    if (segment.offset != body_->v) continue;
    for (Index r = 0; r < block.rows; ++r) {
      const double* row = at_.W.entries(segment) + r * segment.size;
      const Vector3 along(row[0], row[1], planar ? 0.0 : row[2]);
      force += force_[r] * along;
      if (along == Vector3::Zero())
        torque += force_[r] * (planar ? Vector3(0.0, 0.0, row[2]) : Vector3(row[3], row[4], row[5]));
    }
  }
  Pose pose;
  Twist twist;
  if (!planar && frame_motion(*body_, end, pose, twist)) torque = pose.R * torque;
  if (quantity_ == 0) return force.norm();
  if (quantity_ < 4) return force[quantity_ - 1];
  if (quantity_ == 4) return planar ? torque.z() : torque.norm();
  return torque[quantity_ - 5];
}

}  // namespace carom::inline io
