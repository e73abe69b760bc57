#include "carom/model/tops/top.h"

#include "carom/model/assembly/assembled_system.h"
#include "carom/model/contacts/permanent_contacts.h"

namespace carom {

Model make_top(const Top& top, model::Formulation formulation, const model::BodyStart& start) {
  using namespace model;
  constexpr Index body = 1;
  Assembly assembly;
  assembly.parts = {make_spatial_bodies(
      formulation, {{top.name, top.mass, top.inertia.asDiagonal(), Vector3(0.0, 0.0, -top.mass * top.gravity)}})};
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
  std::vector<double> q, v;
  append_start(formulation, start, q, v);
  Model model;
  model.initial.q = ConstVectorMap(q.data(), static_cast<Eigen::Index>(q.size()));
  model.initial.v = ConstVectorMap(v.data(), static_cast<Eigen::Index>(v.size()));
  model.system = std::make_shared<AssembledSystem>(std::move(assembly), model.initial.q);
  return model;
}

}  // namespace carom
