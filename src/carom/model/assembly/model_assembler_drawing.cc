// What can be drawn of a model.
#include "carom/model/assembly/model_assembler.h"

#include <algorithm>

#include "carom/model/assembly/assembled_drawing.h"
#include "carom/model/contacts/surface_contacts.h"

namespace carom::model {

Scene ModelAssembler::draw() const {
  Scene scene;
  scene.planar = b_.space_ == Space::planar;
  for (Index f = 1; f < bare_->frames().count(); ++f) scene.frames.push_back(bare_->frames().name(f));
  const auto surface = [&](const SurfaceSpec& spec) {
    const SiteSpec where = spec.at.value_or(SiteSpec{.body = spec.body});
    const Index f = frame(where);
    const std::string& body = scene.frames[static_cast<std::size_t>(f)];
    draw_shape(spec.shape, f, spec.name.empty() ? body : spec.name,
               {where.point + where.triad * spec.pose.x, where.triad * spec.pose.R}, spec.color, scene);
  };
  for (const SurfaceSpec& spec : b_.surfaces_) surface(spec);
  for (const SurfaceSpec& spec : b_.pictures_) surface(spec);
  const auto link = [&](const std::string& name, const std::string& kind, const SiteSpec& a, const SiteSpec& b,
                        double play) {
    scene.links.push_back({name, kind, frame(a), frame(b), a.point, b.point,
                           a.triad.col(scene.planar && kind == "prismatic" ? 0 : 2), play});
  };
  for (const JointSpec& joint : b_.joints_) link(joint.name, joint.kind, joint.a, joint.b, 0.0);
  for (const SpringSpec& spring : b_.springs_)
    if (spring.joint.empty()) link(spring.name, "spring", spring.a, spring.b, 0.0);
  for (const BushingSpec& bushing : b_.bushings_) link(bushing.name, "bushing", bushing.a, bushing.b, 0.0);
  for (const GuideSpec& guide : b_.guides_) draw_guide(guide, scene);
  for (const ClearanceSpec& clearance : b_.clearances_)
    link(clearance.name, "clearance", clearance.bore, clearance.pin, clearance.bore_radius - clearance.pin_radius);
  draw_bars(scene);  // before pins and bores: a body that has nothing else is a bar with them at its ends
  for (const ClearanceSpec& clearance : b_.clearances_) {
    const auto disc = [&](const SiteSpec& where, std::vector<double> size) {
      scene.shapes.push_back({.frame = frame(where),
                              .name = clearance.name,
                              .kind = "disc",
                              .pose = {where.point, where.triad},
                              .size = std::move(size)});
    };
    disc(clearance.pin, {clearance.pin_radius});
    disc(clearance.bore, {1.25 * clearance.bore_radius, clearance.bore_radius});
  }
  return scene;
}

void ModelAssembler::draw_guide(const GuideSpec& spec, Scene& scene) const {
  const Index block = frame(spec.block), guide = frame(spec.guide);
  const double length = 2.0 * spec.half_length, height = 2.0 * spec.half_height, wall = 0.3 * spec.half_height;
  const bool shaped = std::any_of(scene.shapes.begin(), scene.shapes.end(),
                                  [&](const DrawnShape& shape) { return shape.frame == block; });
  if (!shaped)
    scene.shapes.push_back({.frame = block,
                            .name = spec.name + ".block",
                            .kind = "box",
                            .pose = {spec.block.point, spec.block.triad},
                            .size = {length, height, height}});
  const Pose start = pose(site(spec.guide));
  const double at =
      spec.guide.triad.col(0).dot(start.local(pose(site(spec.block)).point(spec.block.point)) - spec.guide.point);
  for (const double side : {-1.0, 1.0}) {
    const Vector3 middle(at, side * (spec.half_height + spec.clearance + 0.5 * wall), 0.0);
    scene.shapes.push_back({.frame = guide,
                            .name = spec.name,
                            .kind = "box",
                            .pose = {spec.guide.point + spec.guide.triad * middle, spec.guide.triad},
                            .size = {4.0 * length, wall, height}});
  }
  scene.links.push_back({spec.name, "clearance", guide, block,
                         spec.guide.point + spec.guide.triad * Vector3(at, 0.0, 0.0), spec.block.point,
                         spec.guide.triad.col(0), spec.clearance});
}

}  // namespace carom::model
