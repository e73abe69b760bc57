// Surfaces that meet, and the permanent contacts of joints with clearance.
#include "carom/model/assembly/model_assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/model/contacts/surface_contacts.h"

namespace carom::model {

void ModelAssembler::add_surfaces() {
  if (b_.surfaces_.empty()) return;
  SurfaceSet set;
  std::vector<std::string> materials = {""};
  const auto material = [&](const std::string& name) {
    const auto found = std::find(materials.begin(), materials.end(), name);
    if (found == materials.end()) materials.push_back(name);
    return static_cast<Index>(std::find(materials.begin(), materials.end(), name) - materials.begin());
  };
  for (const SurfaceSpec& spec : b_.surfaces_) {
    const SiteSpec where = spec.at.value_or(SiteSpec{.body = spec.body});
    const Pose pose = {where.point + where.triad * spec.pose.x, where.triad * spec.pose.R};
    const bool offset = pose.x != Vector3::Zero() || pose.R != Matrix3::Identity();
    const geometry::Shape shape = offset ? geometry::Shape(geometry::Compound({{spec.shape, pose}})) : spec.shape;
    const Index f = frame(where);
    set.surfaces.push_back({spec.name.empty() ? bare_->frames().name(f) : spec.name, f, shape, material(spec.material),
                            spec.groups, spec.meets});
  }
  for (const ContactSpec& contact : b_.contacts_) {
    for (const std::string* name : {&contact.a, &contact.b})
      if (std::find(materials.begin(), materials.end(), *name) == materials.end())
        report("E0141", "contact", fmt::format("no surface is made of '{}'", *name), suggestion(*name, materials));
  }
  stop_at_problems();
  const Index count = static_cast<Index>(materials.size());
  set.spatial = ContactLaws(count);
  set.planar = ContactLaws(count);
  const auto set_law = [&](Index a, Index b, const std::optional<ContactParameters>& law) {
    set.spatial.set(a, b, law ? make_contact_law(Space::spatial, *law) : nullptr);
    ContactParameters flat = law.value_or(ContactParameters{});
    flat.spin_radius = 0.0;  // in a plane nothing spins
    set.planar.set(a, b, law ? make_contact_law(Space::planar, flat) : nullptr);
  };
  for (Index a = 0; a < count; ++a)
    for (Index b = a; b < count; ++b) set_law(a, b, b_.default_contact_);
  for (const ContactSpec& contact : b_.contacts_) set_law(material(contact.a), material(contact.b), contact.law);

  std::vector<geometry::IndexPair> apart;
  const auto keep_apart = [&](Index a, Index b) {
    for (const Index fa : frames_of(a))
      for (const Index fb : frames_of(b))
        if (fa != fb) apart.push_back({std::min(fa, fb), std::max(fa, fb)});
  };
  for (const JointSpec& joint : b_.joints_)
    if (joint_kinds().find(joint.kind).coincident && joint.a.body >= 0 && joint.b.body >= 0)
      keep_apart(joint.a.body, joint.b.body);
  for (const auto& [a, b] : b_.apart_) keep_apart(a, b);
  for (Index b = 0; b < static_cast<Index>(b_.bodies_.size()); ++b)  // a flexible body does not touch itself
    if (single(b)) keep_apart(b, b);
  set.apart = geometry::ExcludedPairs(std::move(apart));
  set.acceleration = b_.gravity_.norm();
  surface_contacts_ = std::make_shared<SurfaceContacts>(std::move(set));
  constraints_.push_back(surface_contacts_);
}

void ModelAssembler::check_overlaps() {
  const System& system = *model_.system;
  const State& start = model_.initial;
  ContactSet contacts;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at_start;
  system.evaluate(start.t, start.q, start.v, Need::gap, all, at_start);
  Index row = 0;
  for (const Constraint& constraint : contacts.constraints) {
    const double depth = -at_start.g[row];
    row += constraint.law->dim();
    if (constraint.bilateral || constraint.position_rows == 0 || depth <= 1e-9 * constraint.length_scale) continue;
    const std::string name = system.constraint_name(constraint);
    const bool surfaces = name.find('-') != std::string::npos;
    const std::string key = (surfaces ? "body." : "joint.") + name.substr(0, name.find_first_of(".-"));
    if (surfaces)
      report("E0218", key, fmt::format("bodies overlap at the start: {} by {:.3g} m", name, depth),
             fmt::format("move {} away by {:.3g} m", key, depth));
    else
      report("E0218", key, fmt::format("{} starts beyond its limit by {:.3g} m (or rad)", name, depth),
             "start it within its play");
  }
}

void ModelAssembler::add_permanent(std::string name, const geometry::ContactPrimitive& primitive, const Site& first,
                                   const Site& second, const ContactParameters& law, double length_scale,
                                   double clearance) {
  const bool in_plane = planar(first, second);
  PermanentContact contact;
  contact.name = std::move(name);
  contact.record = make_record(primitive, first.frame, second.frame, in_plane);
  contact.law = make_contact_law(in_plane ? Space::planar : Space::spatial, law);
  contact.length = length_scale;
  contact.clearance = clearance;
  permanent_.push_back(std::move(contact));
}

void ModelAssembler::add_guide(const GuideSpec& spec) {
  const Site guide = site(spec.guide), block = site(spec.block);
  if (!planar(guide, block)) return add_channel(spec, guide, block);
  static constexpr double sx[4] = {-1, +1, -1, +1}, sy[4] = {+1, +1, -1, -1};
  for (int k = 0; k < 4; ++k) {
    geometry::ContactPrimitive p;
    p.kind = geometry::PrimitiveKind::disc_line;
    p.first.point = block.point + block.triad * Vector3(sx[k] * spec.half_length, sy[k] * spec.half_height, 0.0);
    p.second.point = guide.point + guide.triad * Vector3(0.0, sy[k] * (spec.half_height + spec.clearance), 0.0);
    p.second.direction = guide.triad * Vector3(0.0, -sy[k], 0.0);
    p.normal = pose(guide).direction(p.second.direction);
    add_permanent(fmt::format("{}.c{}", spec.name, k + 1), p, block, guide, spec.law, spec.half_length, spec.clearance);
  }
}

void ModelAssembler::add_channel(const GuideSpec& spec, const Site& guide, const Site& block) {
  const Vector3 half(spec.half_length, spec.half_height, spec.half_width);
  for (int k = 0; k < 8; ++k) {
    const Vector3 sign(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
    for (const int across : {1, 2}) {
      const Vector3 out = sign[across] * Vector3::Unit(across);
      geometry::ContactPrimitive p;
      p.kind = geometry::PrimitiveKind::ball_plane;
      p.first.point = block.point + block.triad * sign.cwiseProduct(half);
      p.second.point = guide.point + guide.triad * Vector3((half[across] + spec.clearance) * out);
      p.second.direction = -(guide.triad * out);
      p.normal = pose(guide).direction(p.second.direction);
      add_permanent(fmt::format("{}.c{}.{}", spec.name, k + 1, "xyz"[across]), p, block, guide, spec.law,
                    spec.half_length, spec.clearance);
    }
  }
}

void ModelAssembler::add_clearance(const ClearanceSpec& spec) {
  const std::size_t before = permanent_.size();
  add_clearance_contacts(spec);
  for (std::size_t k = before; k < permanent_.size(); ++k) permanent_[k].depth = spec.depth;
}

void ModelAssembler::add_clearance_contacts(const ClearanceSpec& spec) {
  const Site pin = site(spec.pin), bore = site(spec.bore);
  if (!(spec.bore_radius > spec.pin_radius) || !(spec.pin_radius >= 0.0)) {
    report("E0222", "joint." + spec.name, fmt::format("joint.{}: the bore must be wider than the pin", spec.name), "");
    return;
  }
  if (spec.pin_length > 0.0 && !planar(pin, bore)) return add_pin_with_edges(spec, pin, bore);
  geometry::ContactPrimitive p;
  p.kind = planar(pin, bore) ? geometry::PrimitiveKind::disc_disc_inner : geometry::PrimitiveKind::ball_ball_inner;
  p.first.point = pin.point;
  p.first.radius = spec.pin_radius;
  p.second.point = bore.point;
  p.second.radius = spec.bore_radius;
  const Vector3 off = pose(bore).point(bore.point) - pose(pin).point(pin.point);
  p.normal = off.norm() > 0.0 ? Vector3(off.normalized()) : Vector3(Vector3::UnitY());
  add_permanent(spec.name, p, pin, bore, spec.law, spec.bore_radius, spec.bore_radius - spec.pin_radius);
}

void ModelAssembler::add_face(const FaceSpec& spec) {
  const Site tip = site(spec.point), face = site(spec.face);
  geometry::ContactPrimitive p;
  p.kind = planar(tip, face) ? geometry::PrimitiveKind::disc_line : geometry::PrimitiveKind::ball_plane;
  p.first.point = tip.point;
  p.second.point = face.point;
  p.second.direction = face.triad.col(1);
  p.normal = pose(face).direction(p.second.direction);
  add_permanent(spec.name, p, tip, face, spec.law, length(spec.point, spec.face), 0.0);
  if (std::isfinite(spec.from) || std::isfinite(spec.to))
    permanent_.back().window = FaceWindow{face.triad.col(0), spec.from, spec.to};
  permanent_.back().depth = spec.depth;
}

void ModelAssembler::add_pin_with_edges(const ClearanceSpec& spec, const Site& pin, const Site& bore) {
  const Vector3 axis = pin.triad.col(2), bore_axis = bore.triad.col(2);
  for (const int end : {-1, 1}) {
    const std::string name = fmt::format("{}.edge{}", spec.name, end > 0 ? 2 : 1);
    geometry::ContactPrimitive p;
    p.kind = geometry::PrimitiveKind::rim_line_inner;
    p.first.point = pin.point + 0.5 * end * spec.pin_length * axis;
    p.first.direction = axis;
    p.first.radius = spec.pin_radius;
    p.second.point = bore.point;
    p.second.direction = bore_axis;
    p.second.radius = spec.bore_radius;
    p.normal = pose(bore).direction(bore.triad.col(0));
    add_permanent(name, p, pin, bore, spec.law, spec.pin_radius, spec.bore_radius - spec.pin_radius);
    add_permanent(name + "b", p, pin, bore, spec.law, spec.pin_radius, spec.bore_radius - spec.pin_radius);
    permanent_.back().second = true;
    if (!spec.axial_play) continue;
    for (int quarter = 0; quarter < 4; ++quarter) {
      const double angle = 0.5 * std::numbers::pi * quarter;
      geometry::ContactPrimitive corner;
      corner.kind = geometry::PrimitiveKind::ball_plane;
      corner.first.point =
          p.first.point + spec.pin_radius * (std::cos(angle) * pin.triad.col(0) + std::sin(angle) * pin.triad.col(1));
      corner.second.point = bore.point + 0.5 * end * (spec.pin_length + *spec.axial_play) * bore_axis;
      corner.second.direction = -end * bore_axis;
      corner.normal = pose(bore).direction(corner.second.direction);
      add_permanent(fmt::format("{}.end{}{}", spec.name, end > 0 ? 2 : 1, "abcd"[quarter]), corner, pin, bore, spec.law,
                    spec.pin_radius, 0.5 * *spec.axial_play);
    }
  }
}

}  // namespace carom::model
