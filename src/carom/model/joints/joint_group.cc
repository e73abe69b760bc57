#include "carom/model/joints/joint_group.h"

#include "carom/base/errors.h"
#include "carom/base/scalar_code.h"
#include "carom/laws/contact_law.h"
#include "carom/model/joints/joint_coordinate.h"

namespace carom::model {

namespace {

bool holds_along(const JointRow& row, const Vector3& direction) {
  return row.kind == RowKind::coincide && row.d == direction;
}

bool in_plane(const Frames& frames, Index f) { return f == ground_frame || frames[f].kind == FrameKind::planar_body; }

// A revolute joint of planar bodies and the ground: with the levers s of its two points
//
//   g = x_a + s_a - x_b - s_b      W' = [1 0 -s_ay; 0 1 s_ax] of a and [-1 0 s_by; 0 -1 -s_bx] of b
CAROM_SCALAR_CODE void evaluate_pin(const Joint& joint, const At& at, Need need, Index row, Evaluation& out) {
  const std::size_t fa = static_cast<std::size_t>(joint.a.frame), fb = static_cast<std::size_t>(joint.b.frame);
  const Pose &A = at.place.poses[fa], &B = at.place.poses[fb];
  const double *Ra = A.R.data(), *Rb = B.R.data(), *sa = joint.a.point.data(), *sb = joint.b.point.data();
  const double ax = Ra[0] * sa[0] + Ra[3] * sa[1], ay = Ra[1] * sa[0] + Ra[4] * sa[1];
  const double bx = Rb[0] * sb[0] + Rb[3] * sb[1], by = Rb[1] * sb[0] + Rb[4] * sb[1];
  if (has(need, Need::gap)) {
    out.g[row] = A.x.x() + ax - B.x.x() - bx - joint.rows[0].rest;
    out.g[row + 1] = A.x.y() + ay - B.x.y() - by - joint.rows[1].rest;
  }
  if (has(need, Need::gap_rate)) {
    const Twist &a = at.place.twists[fa], &b = at.place.twists[fb];
    out.g_rate[row] = a.velocity.x() - b.velocity.x() - ay * a.omega.z() + by * b.omega.z();
    out.g_rate[row + 1] = a.velocity.y() - b.velocity.y() + ax * a.omega.z() - bx * b.omega.z();
  }
  if (!has(need, Need::jacobian)) return;
  out.W.add_block(2);
  if (joint.a.frame != ground_frame) {
    double* entries = out.W.add_segment(at.frames[joint.a.frame].v, 3);
    entries[0] = entries[4] = 1.0;
    entries[2] = -ay;
    entries[5] = ax;
  }
  if (joint.b.frame != ground_frame) {
    double* entries = out.W.add_segment(at.frames[joint.b.frame].v, 3);
    entries[0] = entries[4] = -1.0;
    entries[2] = by;
    entries[5] = -bx;
  }
}

}  // namespace

JointGroup::JointGroup(std::vector<Joint> joints) : joints_(std::move(joints)) {
  for (const Joint& joint : joints_) {
    const std::size_t rows = joint.rows.size();
    if (rows == 0 || rows > static_cast<std::size_t>(Law::max_dim)) throw LogicError("a joint has one to six rows");
    if (!laws_[rows]) laws_[rows] = make_bilateral_law(static_cast<Index>(rows));
    pins_.push_back(rows == 2 && holds_along(joint.rows[0], Vector3::UnitX()) &&
                    holds_along(joint.rows[1], Vector3::UnitY()));
  }
}

void JointGroup::detect(const At& at, double, Index number, ContactSet& contacts) const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].broken >= 0 && at.q[joints_[j].broken] != 0.0) continue;
    const Index rows = static_cast<Index>(joints_[j].rows.size());
    Constraint c;
    c.id = pair_word(number, j);
    const Law* friction = joints_[j].friction.get();
    c.law = friction ? friction : laws_[static_cast<std::size_t>(rows)].get();
    c.bilateral = true;
    c.position_rows = friction ? rows - 1 : rows;
    c.length_scale = joints_[j].length;
    c.element = number;
    c.a = static_cast<Index>(j);
    contacts.constraints.push_back(c);
  }
}

void JointGroup::evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                          Evaluation& out) const {
  const auto& poses = at.place.poses;
  const auto& twists = at.place.twists;
  for (Index i = begin; i < end; ++i) {
    const std::size_t number = static_cast<std::size_t>(active.constraint(i).a);
    const Joint& joint = joints_[number];
    if (pins_[number] && !has(need, Need::convective) && in_plane(at.frames, joint.a.frame) &&
        in_plane(at.frames, joint.b.frame)) {
      evaluate_pin(joint, at, need, row, out);
      row += 2;
      continue;
    }
    const std::size_t fa = static_cast<std::size_t>(joint.a.frame), fb = static_cast<std::size_t>(joint.b.frame);
    const Index rows = static_cast<Index>(joint.rows.size());
    if (has(need, Need::gap | Need::gap_rate | Need::jacobian)) {
      // Most rows hold points together: their levers are the same.
      const Vector3 lever_a = poses[fa].direction(joint.a.point), lever_b = poses[fb].direction(joint.b.point);
      const Vector3 apart = poses[fa].x + lever_a - poses[fb].x - lever_b;
      Vector3 force_a[Law::max_dim], force_b[Law::max_dim], torque_a[Law::max_dim], torque_b[Law::max_dim];
      for (Index r = 0; r < rows; ++r) {
        const JointRow& row_of = joint.rows[static_cast<std::size_t>(r)];
        const RowOf<double> found = row_of.kind == RowKind::coincide
                                        ? coincide(row_of, apart, lever_a, lever_b)
                                        : model::evaluate(row_of, poses[fa], joint.a.point, poses[fb], joint.b.point);
        if (has(need, Need::gap)) out.g[row + r] = found.g;
        if (has(need, Need::gap_rate)) out.g_rate[row + r] = rate_of(found, twists[fa], twists[fb]);
        if (!has(need, Need::jacobian)) continue;
        force_a[r] = found.f;
        force_b[r] = -found.f;
        torque_a[r] = found.tau_a;
        torque_b[r] = found.tau_b;
        if (at.place.drifting) out.chi[row + r] = rate_of(found, at.place.drifts[fa], at.place.drifts[fb]);
      }
      if (has(need, Need::jacobian)) {
        out.W.add_block(rows);
        at.frames.add_rows(at.q, joint.a.frame, poses[fa], rows, force_a, torque_a, out.W);
        at.frames.add_rows(at.q, joint.b.frame, poses[fb], rows, force_b, torque_b, out.W);
      }
    }
    if (has(need, Need::convective)) {
      const PoseOf<Dual<1>> a = moving(poses[fa], twists[fa]), b = moving(poses[fb], twists[fb]);
      for (Index r = 0; r < rows; ++r)
        out.zeta[row + r] =
            convective(model::evaluate(joint.rows[static_cast<std::size_t>(r)], a, joint.a.point, b, joint.b.point),
                       at.place, joint.a.frame, joint.b.frame);
    }
    row += rows;
  }
}

// At the point of b; rows that only turn push nowhere.
void JointGroup::act(const At& at, const ContactSet&, const Acting& acting, Action& action) const {
  const Joint& joint = joints_[static_cast<std::size_t>(acting.constraint->a)];
  const Pose &a = at.place.poses[static_cast<std::size_t>(joint.a.frame)],
             &b = at.place.poses[static_cast<std::size_t>(joint.b.frame)];
  action = {b.point(joint.b.point), Vector3::Zero()};
  for (std::size_t r = 0; r < joint.rows.size(); ++r)
    action.impulse += acting.impulse[r] * model::evaluate(joint.rows[r], a, joint.a.point, b, joint.b.point).f;
}

std::string JointGroup::name(const Constraint& constraint) const {
  return joints_[static_cast<std::size_t>(constraint.a)].name;
}

void JointGroup::describe(FeatureSet& features, Constancy& constancy) const {
  if (joints_.empty()) return;
  features.insert(Feature::joints);
  constancy.jacobian = false;
  for (const Joint& joint : joints_) {
    if (joint.friction) features.insert({Feature::friction, Feature::joint_friction});
    if (joint.broken >= 0) constancy.contacts = false;
  }
}

// The torque of a force F at a point p that turns with the body, both in its components: p x F. Turned by d, the body
// sees F - d x F, so that the torque changes by p x (F x d) = (F p' - (p . F) 1) d. In the plane by -(p . F) d.
void JointGroup::add_turning(double factor, const At& at, const Constraint& constraint, const double* x,
                             Matrix3* blocks) const {
  const Joint& joint = joints_[static_cast<std::size_t>(constraint.a)];
  Vector3 force = Vector3::Zero();
  for (std::size_t r = 0; r < joint.rows.size(); ++r)
    if (joint.rows[r].kind == RowKind::coincide) force += (factor * x[r]) * joint.rows[r].d;
  const auto add = [&](const Site& site, double sign) {
    const Frames::Frame& frame = at.frames[site.frame];
    if (frame.kind != FrameKind::body && frame.kind != FrameKind::planar_body) return;
    const Vector3 F = sign * at.place.poses[static_cast<std::size_t>(site.frame)].local_direction(force);
    const Vector3& p = site.point;
    if (frame.kind == FrameKind::planar_body) {
      blocks[frame.v / 3](2, 2) -= p.dot(F);
      return;
    }
    Matrix3& block = blocks[frame.v / 3 + 1];
    block += 0.5 * (F * p.transpose() + p * F.transpose());
    block.diagonal().array() -= p.dot(F);
  };
  add(joint.a, 1.0);
  add(joint.b, -1.0);
}

void JointGroup::carried(const Constraint& constraint, const double* impulse, double dt, double* q) const {
  const Joint& joint = joints_[static_cast<std::size_t>(constraint.a)];
  if (joint.broken < 0 || !(dt > 0.0)) return;
  double force = 0.0, moment = 0.0;  // squares
  for (Index r = 0; r < constraint.position_rows; ++r) {
    const JointRow& row = joint.rows[static_cast<std::size_t>(r)];
    const bool turns = row.kind == RowKind::across || row.kind == RowKind::angle;
    const double carries = impulse[r] / dt * (turns ? row.length : 1.0);
    (turns ? moment : force) += carries * carries;
  }
  if (force > joint.strongest_force * joint.strongest_force || moment > joint.strongest_moment * joint.strongest_moment)
    q[joint.broken] = 1.0;
}

}  // namespace carom::model
