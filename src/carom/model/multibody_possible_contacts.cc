// What could meet in a scene of rigid bodies, near or far: the pairs of shapes between which a law acts and no joint holds.
// Detection lists those of them that may matter in a step; formulas and warnings ask about all.
#include <algorithm>
#include <map>
#include <set>

#include "carom/model/multibody_system.h"

namespace carom {

Index MultibodySystem::partner(std::string_view name) const {
  for (Index b = 0; b < body_count(); ++b)
    if (body(b).name == name) return b;
  for (Index p = 0; p < static_cast<Index>(parts_.planes.size()); ++p)
    if (plane(p).name == name) return body_count() + p;
  return -1;
}

void MultibodySystem::visit_possible_contacts(Index partner, const std::function<bool(const Constraint&)>& visit) const {
  const auto planes = static_cast<Index>(parts_.planes.size());
  const auto is_wanted = [&](Index number) { return partner < 0 || partner == number; };
  const auto meet = [&](ConstraintKind kind, const Law* law, double length, Index a, Index b, Index feature) {
    return visit({constraint_id(kind, a, b, feature), law, false, 1, length, static_cast<Index>(kind), a, b, feature});
  };

  for (const Index a : spheres_)
    for (Index p = 0; p < planes; ++p) {
      const Law* law = parts_.laws.find(body(a).surface, plane(p).surface);
      if (!law || !(is_wanted(a) || is_wanted(body_count() + p))) continue;
      if (!meet(ConstraintKind::sphere_plane, law, body(a).shape.radius, a, p, 0)) return;
    }

  // One partner meets each other sphere once; without one, every pair is met in its order.
  const bool one = partner >= 0;
  const bool is_sphere = one && partner < body_count() && body(partner).shape.type == ShapeType::sphere;
  for (std::size_t i = 0; spheres_touch_ && (!one || is_sphere) && i < spheres_.size(); ++i)
    for (std::size_t j = one ? 0 : i + 1; j < (one ? 1 : spheres_.size()); ++j) {
      const auto [a, b] = std::minmax(spheres_[i], one ? partner : spheres_[j]);
      const Law* law = parts_.laws.find(body(a).surface, body(b).surface);
      if (!law || a == b || joined(a, b)) continue;
      const double length = std::min(body(a).shape.radius, body(b).shape.radius);
      if (!meet(ConstraintKind::sphere_sphere, law, length, a, b, 0)) return;
    }

  for (const Index a : boxes_)
    for (Index p = 0; p < planes; ++p) {
      const Law* law = parts_.laws.find(body(a).surface, plane(p).surface);
      if (!law || !(is_wanted(a) || is_wanted(body_count() + p))) continue;
      for (Index k = 0; k < box_corner_count; ++k)
        if (!meet(ConstraintKind::corner_plane, law, body(a).shape.half_size.norm(), a, p, k)) return;
    }
}

std::vector<Index> MultibodySystem::bodies_without_contact() const {
  std::set<Index> plane_surfaces;
  for (const FixedPlane& plane : parts_.planes) plane_surfaces.insert(plane.surface);
  std::map<Index, Index> spheres_on;  // surface: how many
  for (const Index b : spheres_) ++spheres_on[body(b).surface];

  std::vector<Index> lonely;
  for (Index b = 0; b < body_count(); ++b) {
    const RigidBody& own = body(b);
    bool touches = false;
    if (own.shape.type != ShapeType::none)
      for (const Index surface : plane_surfaces) touches = touches || parts_.laws.find(own.surface, surface);
    if (own.shape.type == ShapeType::sphere)
      for (const auto& [surface, count] : spheres_on)
        touches = touches || (count > (surface == own.surface ? 1 : 0) && parts_.laws.find(own.surface, surface));
    if (!touches) lonely.push_back(b);
  }
  return lonely;
}

bool MultibodySystem::held_together(std::string_view a, std::string_view b) const {
  const Index first = partner(a), second = partner(b);
  return first >= 0 && second >= 0 && first < body_count() && second < body_count() && joined(first, second);
}

}  // namespace carom
