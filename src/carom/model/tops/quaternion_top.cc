#include "carom/model/tops/quaternion_top.h"

#include "carom/model/assembly/assembled_system.h"
#include "carom/model/contacts/permanent_contacts.h"
#include "carom/model/parts/rigid_bodies.h"

namespace carom {

std::shared_ptr<const System> make_quaternion_top(const Top& top) {
  using namespace model;
  constexpr Index body = 1;
  Assembly assembly;
  assembly.parts = {std::make_shared<RigidBodies>(
      std::vector<BodyData>{{"top", top.mass, top.inertia.asDiagonal(), Vector3(0.0, 0.0, -top.mass * top.gravity)}})};
  std::vector<PermanentContact> contacts;
  const auto law = top.spheres.empty() ? nullptr : make_contact_law(Space::spatial, top.contact);
  for (const TopSphere& sphere : top.spheres) {
    geometry::ContactPrimitive p;
    p.kind = geometry::PrimitiveKind::ball_plane;
    p.first.point = sphere.offset * Vector3::UnitZ();
    p.first.radius = sphere.radius;
    p.second.direction = p.normal = Vector3::UnitZ();
    contacts.push_back({.name = sphere.name + "-floor",
                        .record = make_record(p, body, ground_frame, false),
                        .law = law,
                        .length = sphere.radius});
  }
  if (!contacts.empty()) assembly.constraints.push_back(std::make_shared<PermanentContacts>(std::move(contacts)));
  Vector standing = Vector::Zero(7);
  standing[3] = 1.0;
  return std::make_shared<AssembledSystem>(std::move(assembly), standing);
}

}  // namespace carom
