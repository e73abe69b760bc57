#include "carom/model/parts/beam.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/model/assembly/assembled_system.h"

namespace carom::model {

BeamPlace place_on_beam(double at, Index elements, double length) {
  const double along = std::clamp(at / length * elements, 0.0, static_cast<double>(elements));
  const double nearest = std::round(along);
  const double exact = std::abs(along - nearest) < 1e-9 ? nearest : along;  // a node is met exactly
  const Index element = std::min(static_cast<Index>(exact), elements - 1);
  return {element, exact - element};
}

std::string place_name(const std::string& beam, double at, const BeamPlace& place) {
  const std::string prefix = beam.empty() ? "" : beam + ".";
  return place.at_node() ? fmt::format("{}node{}", prefix, place.node()) : fmt::format("{}s{:g}", prefix, at);
}

void check_beam(Index elements, double length, const RayleighDamping& damping,
                const std::vector<BeamContact>& contacts) {
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0150", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  if (elements < 1) refuse("elements", "a beam needs at least one element", "elements >= 1");
  if (!(length > 0.0)) refuse("length", "the length of a beam must be positive", "length > 0");
  if (!(damping.mass_factor >= 0.0 && damping.stiffness_factor >= 0.0))
    refuse("damping", "negative damping", "both factors >= 0");
  for (const BeamContact& c : contacts) {
    if (!(c.at >= 0.0 && c.at <= length * (1.0 + 1e-12)))
      refuse(c.name, fmt::format("contact {} at {} is not on the beam", c.name, c.at),
             fmt::format("0 <= at <= {}", length));
    if (c.law.spin_radius > 0.0)
      refuse(c.name, fmt::format("spin_radius at contact {} of a beam", c.name),
             "contacts of beams have no row for spin: leave spin_radius out");
    if (!(c.thickness >= 0.0)) refuse(c.name, "a negative thickness", "thickness >= 0");
    const bool plane = c.obstacle.kind == BeamObstacle::Kind::plane;
    if (plane && !(c.obstacle.normal.norm() > 0.0))
      refuse(c.name, "the normal of its plane is zero", "any other vector");
    if (!plane && !(c.obstacle.radius >= 0.0)) refuse(c.name, "a negative radius", "radius >= 0");
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

Model make_beam_model(Space space, std::shared_ptr<const Part> beam, const std::vector<BeamContact>& contacts,
                      double length, State start) {
  using enum geometry::PrimitiveKind;
  const bool planar = space == Space::planar;
  std::vector<Pose> poses(static_cast<std::size_t>(beam->frame_count()));
  beam->place(0.0, start.q.data(), poses.data());
  std::vector<PermanentContact> permanent;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const BeamContact& c = contacts[k];
    const bool plane = c.obstacle.kind == BeamObstacle::Kind::plane;
    geometry::ContactPrimitive p;
    p.kind = plane ? (planar ? disc_line : ball_plane) : planar ? disc_disc : ball_ball;
    p.first.radius = c.thickness;
    p.second.point = c.obstacle.point;
    p.second.direction = c.obstacle.normal.normalized();
    p.second.radius = plane ? 0.0 : c.obstacle.radius;
    p.normal = plane ? p.second.direction : Vector3((poses[k].x - c.obstacle.point).normalized());
    permanent.push_back({c.name, make_record(p, 1 + static_cast<Index>(k), ground_frame, planar),
                         make_contact_law(space, c.law), length});
  }
  Assembly assembly;
  assembly.parts = {std::move(beam)};
  if (!permanent.empty()) assembly.constraints.push_back(std::make_shared<PermanentContacts>(std::move(permanent)));
  Model model;
  model.system = std::make_shared<AssembledSystem>(std::move(assembly), start.q);
  model.initial = std::move(start);
  return model;
}

}  // namespace carom::model
