#include "carom/io/tree_reactions.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "carom/base/dense_solve.h"
#include "carom/base/quaternion_of.h"
#include "carom/io/sensors.h"

namespace carom::inline io {

namespace {

bool is_rigid(const StateFrame& frame) {
  return frame.kind == StateFrame::Kind::body || frame.kind == StateFrame::Kind::planar;
}
bool is_planar(const StateFrame& frame) { return frame.kind == StateFrame::Kind::planar; }
Index width(const StateFrame& frame) { return is_planar(frame) ? 3 : 6; }

// The same contact in both models: they count groups differently, but not surfaces.
bool same_surfaces(const ConstraintId& a, const ConstraintId& b) {
  constexpr std::uint64_t without_group = (std::uint64_t{1} << 56) - 1;
  return a.features == b.features && (a.pair & without_group) == (b.pair & without_group);
}

}  // namespace

TreeReactions::TreeReactions(const System& system, const State& start, std::shared_ptr<const Model> twin)
    : system_(system), twin_(std::move(twin)), origin_(start), start_(twin_->initial) {
  find_bodies(start);
  std::unordered_map<std::string, Index> q_here, v_here;
  for (Index i = 0; i < system.nq(); ++i) q_here.emplace(system.coordinate_name(i), i);
  for (Index i = 0; i < system.nv(); ++i) v_here.emplace(system.velocity_name(i), i);
  for (Index i = 0; i < this->twin().nq(); ++i)
    if (const auto at = q_here.find(this->twin().coordinate_name(i)); at != q_here.end())
      same_q_.emplace_back(at->second, i);
  for (Index i = 0; i < this->twin().nv(); ++i)
    if (const auto at = v_here.find(this->twin().velocity_name(i)); at != v_here.end())
      same_v_.emplace_back(at->second, i);
  follow(start, start_);
  this->twin().detect(start_.t, start_.q, start_.v, 0.0, start_contacts_);
  for (const Constraint& constraint : start_contacts_.constraints)
    by_name_.emplace(this->twin().constraint_name(constraint), constraint.id);
  find_edges();
}

void TreeReactions::find_bodies(const State& start) {
  const Layout here = layout_of(system_), there = layout_of(twin());
  for (const StateFrame& frame : there.frames())
    for (const StateFrame& moved : here.frames())
      if (is_rigid(frame) && frame.name == moved.name) bodies_.push_back({frame, moved});
  for (const Body& body : bodies_) {  // the joints may have turned it from where the file has it
    Pose pose;
    Twist twist;
    if (!is_planar(body.twin) || !frame_motion(body.here, start, pose, twist)) continue;
    constexpr double turn = 2.0 * std::numbers::pi;
    double& angle = start_.q[body.twin.q + 2];
    const double seen = std::atan2(pose.R(1, 0), pose.R(0, 0));
    angle = seen + turn * std::round((angle - seen) / turn);
  }
  // In the plane a body's angle is the sum of those it hangs on: turns are counted.
  Vector unit = Vector::Zero(system_.nv()), rate;
  for (Index k = 0; k < system_.nv(); ++k) {
    unit[k] = 1.0;
    State moving = start;
    moving.v = unit;
    system_.apply_T(start.q, unit, rate);
    unit[k] = 0.0;
    Index moved = 0;
    while (moved + 1 < rate.size() && rate[moved] == 0.0) ++moved;
    coordinate_of_.push_back(moved);
    for (Body& body : bodies_) {
      if (!is_planar(body.twin)) continue;
      Pose pose;
      Twist twist;
      frame_motion(body.here, moving, pose, twist);
      if (body.turning.size() == 0) body.turning.setZero(system_.nv());
      body.turning[k] = std::round(twist.omega.z());
    }
  }
}

// Joints of the twin that the model does not list.
void TreeReactions::find_edges() {
  ContactSet listed;
  system_.detect(origin_.t, origin_.q, origin_.v, 0.0, listed);
  std::unordered_map<std::string, bool> rows;
  for (const Constraint& constraint : listed.constraints) rows[system_.constraint_name(constraint)] = true;
  ActiveSet all;
  Evaluation at;
  all.reset(start_contacts_);
  all.add_all();
  twin().evaluate(start().t, start().q, start().v, Need::jacobian, all, at);
  for (Index i = 0; i < start_contacts_.size(); ++i) {
    const Constraint& constraint = start_contacts_[i];
    if (!constraint.bilateral || rows.contains(twin().constraint_name(constraint))) continue;
    Edge edge{constraint.id, {}};
    const ConstraintJacobian::Block& block = at.W.block(i);
    for (Index s = block.segment_begin; s < block.segment_end; ++s)
      for (std::size_t b = 0; b < bodies_.size(); ++b)
        if (bodies_[b].twin.v == at.W.segment(s).offset) edge.bodies.push_back(b);
    edges_.push_back(std::move(edge));
  }
}

void TreeReactions::follow(const State& state, State& out) const {
  out.t = state.t;
  if (out.q.size() != twin().nq()) out = start();
  for (const auto& [here, there] : same_q_) out.q[there] = state.q[here];
  for (const auto& [here, there] : same_v_) out.v[there] = state.v[here];
  Pose pose;
  Twist twist;
  for (const Body& body : bodies_) {
    frame_motion(body.here, state, pose, twist);
    const StateFrame& to = body.twin;
    if (is_planar(to)) {
      double angle = start().q[to.q + 2];
      for (Index k = 0; k < body.turning.size(); ++k) {
        const Index i = coordinate_of_[static_cast<std::size_t>(k)];
        if (body.turning[k] != 0.0) angle += body.turning[k] * (state.q[i] - origin_.q[i]);
      }
      out.q.segment<3>(to.q) = Vector3(pose.x.x(), pose.x.y(), angle);
      out.v.segment<3>(to.v) = Vector3(twist.velocity.x(), twist.velocity.y(), twist.omega.z());
      continue;
    }
    out.q.segment<3>(to.q) = pose.x;
    out.q.segment<4>(to.q + 3) = quaternion_of(pose.R);
    out.v.segment<3>(to.v) = twist.velocity;
    out.v.segment<3>(to.v + 3) = pose.R.transpose() * twist.omega;
  }
}

Index TreeReactions::find_twin(const Constraint& constraint) const {
  const auto named = by_name_.find(system_.constraint_name(constraint));
  for (Index k = 0; k < contacts_.size(); ++k)
    if (named != by_name_.end() && contacts_[k].id == named->second) return k;
  for (Index k = 0; k < contacts_.size(); ++k)
    if (contacts_[k].law->dim() == constraint.law->dim() && same_surfaces(contacts_[k].id, constraint.id) &&
        twin().constraint_name(contacts_[k]) == system_.constraint_name(constraint))
      return k;
  return -1;
}

void TreeReactions::take_known(const StepResult& step, Vector& known) const {
  known.setZero(all_.rows());
  std::vector<Index> first(static_cast<std::size_t>(contacts_.size()));
  Index row = 0;
  for (Index k = 0; k < contacts_.size(); ++k) {
    first[static_cast<std::size_t>(k)] = row;
    row += contacts_[k].law->dim();
  }
  for (const StepContact& contact : step.contacts) {
    const Index rows = contact.constraint.law->dim(), k = find_twin(contact.constraint);
    for (Index r = 0; r < rows; ++r) {
      const double impulse = step.impulse[contact.row + r];
      if (k >= 0)
        known[first[static_cast<std::size_t>(k)] + r] += impulse;
      else if (impulse != 0.0)
        known.setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
}

void TreeReactions::look(const State& before, const StepResult& step) {
  if (seen_ == &step && seen_t_ == step.next.t) return;
  seen_ = &step;
  seen_t_ = step.next.t;
  dt_ = step.dt_taken;
  follow(before, begin_);
  follow(step.next, end_);
  twin().detect(begin_.t, begin_.q, begin_.v, dt_, contacts_);
  all_.reset(contacts_);
  all_.add_all();
  ActiveSet none;
  none.reset(contacts_);
  twin().evaluate(begin_.t, begin_.q, begin_.v, Need::force, none, at_begin_);
  twin().evaluate(end_.t, end_.q, end_.v, Need::inertia | Need::force | Need::jacobian, all_, at_end_);
  take_known(step, known_);
  const Vector change = end_.v - begin_.v;
  residual_.setZero(twin().nv());
  at_end_.W.multiply_add(known_.data(), residual_.data());
  residual_ = -residual_ - 0.5 * dt_ * (at_begin_.h + at_end_.h);
  at_end_.M.multiply_add(1.0, change.data(), residual_.data());
}

// The bodies that hang on `body` once the joint is taken out.
std::vector<char> TreeReactions::outboard(const Edge& edge, std::size_t body) const {
  std::vector<char> members(bodies_.size(), 0);
  members[body] = 1;
  for (bool grown = true; grown;) {
    grown = false;
    for (const Edge& other : edges_) {
      if (&other == &edge || other.bodies.size() != 2) continue;
      char &a = members[other.bodies[0]], &b = members[other.bodies[1]];
      if (a != b) a = b = 1, grown = true;
    }
  }
  return members;
}

// What they lack in sum, in the velocities of one body.
Vector TreeReactions::wrench(const std::vector<char>& members, std::size_t body) const {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  Pose at, pose;
  Twist twist;
  frame_motion(bodies_[body].twin, end_, at, twist);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!members[b]) continue;
    const StateFrame& frame = bodies_[b].twin;
    frame_motion(frame, end_, pose, twist);
    const Vector3 f = is_planar(frame) ? Vector3(residual_[frame.v], residual_[frame.v + 1], 0.0)
                                       : Vector3(residual_.segment<3>(frame.v));
    force += f;
    torque += Vector3(pose.x - at.x).cross(f);
    if (is_planar(frame))
      torque.z() += residual_[frame.v + 2];
    else
      torque += pose.R * residual_.segment<3>(frame.v + 3);
  }
  if (is_planar(bodies_[body].twin)) return Vector3(force.x(), force.y(), torque.z());
  Vector out(6);
  out << force, at.R.transpose() * torque;
  return out;
}

void TreeReactions::row_forces(ConstraintId id, Vector& force) const {
  Index k = 0, row = 0;
  while (k < contacts_.size() && contacts_[k].id != id) row += contacts_[k++].law->dim();
  if (k == contacts_.size()) {
    force.setZero(0);
    return;
  }
  force = known_.segment(row, contacts_[k].law->dim()) / dt_;
  for (const Edge& edge : edges_) {
    if (edge.id != id || edge.bodies.empty()) continue;
    // The side that the ground is not on: joints to the ground have one body only.
    std::size_t body = edge.bodies.front();
    std::vector<char> members = outboard(edge, body);
    const auto grounded = [&] {
      for (const Edge& other : edges_)
        if (&other != &edge && other.bodies.size() == 1 && members[other.bodies[0]]) return true;
      return false;
    };
    if (edge.bodies.size() == 2 && grounded()) {
      body = edge.bodies.back();
      members = outboard(edge, body);
    }
    const Vector lacking = wrench(members, body);
    const Index n = width(bodies_[body].twin), rows = contacts_[k].law->dim();
    Matrix W(n, rows);
    const ConstraintJacobian::Block& block = at_end_.W.block(k);
    for (Index s = block.segment_begin; s < block.segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = at_end_.W.segment(s);
      if (segment.offset != bodies_[body].twin.v) continue;
      for (Index r = 0; r < rows; ++r)
        for (Index i = 0; i < n; ++i) W(i, r) = at_end_.W.entries(segment)[r * n + i];
    }
    const Index turning = is_planar(bodies_[body].twin) ? 2 : 3;
    Vector scaled = lacking;
    const double length = contacts_[k].length_scale > 0.0 ? contacts_[k].length_scale : 1.0;
    scaled.tail(n - turning) /= length;
    W.bottomRows(n - turning) /= length;
    if (scaled.allFinite())
      force = least_norm_solution(W, scaled).X.col(0) / dt_;
    else
      force.setConstant(rows, std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace carom::inline io
