#include "carom/model/parts/tree_layout.h"

#include <cmath>

#include "carom/base/quaternion_of.h"
#include "carom/model/parts/body_manifold.h"
#include "carom/model/parts/tree_algebra.h"

namespace carom::model {

namespace {

Pose after(const Pose& a, const Pose& b) { return {a.point(b.x), a.R * b.R}; }
Pose inverse(const Pose& a) { return {-(a.R.transpose() * a.x), a.R.transpose()}; }
Pose pose_of(const Site& site) { return {site.point, site.triad}; }

void move(const TreeStep& step, const double* q, Place& place) {
  switch (step.kind) {
    case StepKind::turn: return place.turn(step.axis, step.sign * q[step.q]);
    case StepKind::slide: return place.slide(step.axis, step.sign * q[step.q]);
    case StepKind::ball: place.R = place.R * rotation_matrix(manifold::four(q + step.q)); return;
  }
}

}  // namespace

Index TreeLayout::attach(BodyData body, Index parent, const Site& on_parent, const std::vector<FreeStep>& free,
                         bool backwards, const Site& on_body, const std::string& joint) {
  TreeBody added;
  added.data = std::move(body);
  added.parent = parent;
  added.on_parent = on_parent;
  added.on_body = on_body;
  added.first_step = static_cast<Index>(steps.size());
  Index carrier = -1;
  Pose start = pose_of(on_parent);  // in the frame of the carrier
  if (parent >= 0) {
    const TreeBody& on = bodies[static_cast<std::size_t>(parent)];
    carrier = on.step;
    start = after(on.pose, start);
  }
  for (std::size_t i = 0; i < free.size(); ++i) {
    const FreeStep& given = free[backwards ? free.size() - 1 - i : i];
    TreeStep step;
    step.parent = carrier;
    step.before = start;
    step.moved = start.x != Vector3::Zero() || start.R != Matrix3::Identity();
    step.kind = given.kind;
    step.axis = static_cast<int>(given.axis);
    step.sign = backwards ? -1.0 : 1.0;
    step.joint = joint;
    step.name = given.name;
    step.q = nq;
    step.v = nv;
    nq += step.nq();
    nv += step.nv();
    carrier = static_cast<Index>(steps.size());
    start = {};
    steps.push_back(std::move(step));
  }
  added.end_step = static_cast<Index>(steps.size());
  added.step = carrier;
  added.pose = after(start, inverse(pose_of(on_body)));
  bodies.push_back(std::move(added));
  return static_cast<Index>(bodies.size()) - 1;
}

Index TreeLayout::attach_free(BodyData body) {
  const std::string name = body.name;
  using enum StepKind;
  const std::vector<FreeStep> free =
      planar ? std::vector<FreeStep>{{slide, Axis::x, "x"}, {slide, Axis::y, "y"}, {turn, Axis::z, "angle"}}
             : std::vector<FreeStep>{
                   {slide, Axis::x, "x"}, {slide, Axis::y, "y"}, {slide, Axis::z, "z"}, {ball, Axis::z, ""}};
  return attach(std::move(body), -1, {}, free, false, {}, name);
}

void TreeLayout::closest(const std::vector<Pose>& wanted, const std::map<Index, double>& given, double* q) const {
  std::vector<Place> placed(steps.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const TreeBody& body = bodies[b];
    const Pose target = after(wanted[b], pose_of(body.on_body));
    for (Index s = body.first_step; s < body.end_step; ++s) {
      const TreeStep& step = steps[static_cast<std::size_t>(s)];
      Place& place = placed[static_cast<std::size_t>(s)];
      place = Place::of(step.before);
      if (step.parent >= 0) place = placed[static_cast<std::size_t>(step.parent)] * place;
      const Matrix3 R = place.R.transpose() * target.R;
      const int k = step.axis, i = (k + 1) % 3, j = (k + 2) % 3;
      switch (step.kind) {
        case StepKind::turn:  // the turn about the axis that leaves the smallest rest
          q[step.q] = step.sign * std::atan2(R(j, i) - R(i, j), R(i, i) + R(j, j));
          break;
        case StepKind::slide: q[step.q] = step.sign * place.R.col(k).dot(target.x - place.x); break;
        case StepKind::ball: manifold::four(q + step.q) = quaternion_of(R); break;
      }
      if (const auto found = given.find(step.q); found != given.end()) q[step.q] = found->second;
      move(step, q, place);
    }
  }
}

}  // namespace carom::model
