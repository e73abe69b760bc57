#include "carom/model/joints/coordinate_constraints.h"

#include <algorithm>

namespace carom::model {

namespace {

// What a row does to one frame. A frame may stand in several terms (a gear's housing): its directions add up, so that a
// block of W has each velocity once.
struct FrameLoad {
  Index frame;
  Vector3 force, torque;
};

void add(Index frame, const Vector3& force, const Vector3& torque, std::vector<FrameLoad>& loads) {
  for (FrameLoad& load : loads)
    if (load.frame == frame) {
      load.force += force;
      load.torque += torque;
      return;
    }
  loads.push_back({frame, force, torque});
}

}  // namespace

void CoordinateConstraints::detect(const At&, double, Index number, ContactSet& contacts) const {
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    Constraint c;
    c.id = pair_word(number, k);
    c.law = constraints_[k].law.get();
    c.bilateral = !c.law->is_contact();
    c.position_rows = constraints_[k].velocity_level ? 0 : 1;
    c.length_scale = constraints_[k].length;
    c.clearance = constraints_[k].clearance;
    c.element = number;
    c.a = static_cast<Index>(k);
    contacts.constraints.push_back(c);
  }
}

void CoordinateConstraints::evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end,
                                     Index row, Evaluation& out) const {
  const auto& poses = at.place.poses;
  const auto& twists = at.place.twists;
  thread_local std::vector<FrameLoad> loads;  // keeps its memory
  for (Index i = begin; i < end; ++i, ++row) {
    const CoordinateConstraint& constraint = constraints_[static_cast<std::size_t>(active.constraint(i).a)];
    const Prescribed motion = constraint.motion ? constraint.motion(at.t) : Prescribed{};
    double g = -constraint.rest - motion.value, rate = -motion.rate, chi = -motion.rate, zeta = -motion.second;
    loads.clear();
    for (const CoordinateConstraint::Term& term : constraint.terms) {
      const JointCoordinate& phi = term.coordinate;
      const std::size_t a = static_cast<std::size_t>(phi.a.frame), b = static_cast<std::size_t>(phi.b.frame);
      const RowOf<double> found = model::evaluate(phi, at);
      g += term.factor * found.g;
      if (has(need, Need::gap_rate)) rate += term.factor * rate_of(found, twists[a], twists[b]);
      if (at.place.drifting) chi += term.factor * rate_of(found, at.place.drifts[a], at.place.drifts[b]);
      add(phi.a.frame, term.factor * found.f, term.factor * found.tau_a, loads);
      add(phi.b.frame, -term.factor * found.f, term.factor * found.tau_b, loads);
      if (has(need, Need::convective))
        zeta += term.factor *
                convective(model::evaluate(phi, at.q, moving(poses[a], twists[a]), moving(poses[b], twists[b])),
                           at.place, phi.a.frame, phi.b.frame);
    }
    if (has(need, Need::gap) && !constraint.velocity_level) out.g[row] = g;
    if (has(need, Need::gap_rate) && !constraint.velocity_level) out.g_rate[row] = rate;
    if (has(need, Need::convective)) out.zeta[row] = zeta;
    if (!has(need, Need::jacobian)) continue;
    out.chi[row] = chi;
    out.W.add_block(1);
    for (const FrameLoad& load : loads)
      at.frames.add_rows(at.q, load.frame, poses[static_cast<std::size_t>(load.frame)], 1, &load.force, &load.torque,
                         out.W);
  }
}

std::string CoordinateConstraints::name(const Constraint& constraint) const {
  return constraints_[static_cast<std::size_t>(constraint.a)].name;
}

void CoordinateConstraints::describe(FeatureSet& features, Constancy& constancy) const {
  if (constraints_.empty()) return;
  constancy.jacobian = false;
  for (const CoordinateConstraint& constraint : constraints_) {
    if (constraint.law->kind() == LawKind::bilateral)
      features.insert(Feature::joints);
    else if (!constraint.law->is_contact())
      features.insert({Feature::friction, Feature::joint_friction});
    else
      features.insert(features_of_contact(*constraint.law));
    features.insert(Feature::rheonomic, constraint.motion != nullptr);
    if (constraint.motion) constancy.autonomous = false;
  }
}

}  // namespace carom::model
