// What can be drawn of a model.
#include "carom/model/assembly/model_assembler.h"

#include <algorithm>

namespace carom::model {

DrawnBeside ModelAssembler::draw() const {
  DrawnBeside drawn;
  drawn.planar = b_.space_ == Space::planar;
  for (std::size_t s = 0; s < b_.surfaces_.size(); ++s)
    if (!b_.surfaces_[s].color.empty()) drawn.colors[s] = b_.surfaces_[s].color;
  Scene pictures;
  for (const SurfaceSpec& spec : b_.pictures_) {
    const SiteSpec where = spec.at.value_or(SiteSpec{.body = spec.body});
    const Index f = frame(where);
    draw_shape(spec.shape, f, spec.name.empty() ? bare_->frames().name(f) : spec.name,
               {where.point + where.triad * spec.pose.x, where.triad * spec.pose.R}, spec.color, pictures);
  }
  drawn.shapes = std::move(pictures.shapes);
  const auto link = [&](const std::string& name, const std::string& kind, const SiteSpec& a, const SiteSpec& b,
                        double play) {
    drawn.links.push_back({name, kind, frame(a), frame(b), a.point, b.point,
                           a.triad.col(drawn.planar && kind == "prismatic" ? 0 : 2), play});
  };
  for (const JointSpec& joint : b_.joints_) link(joint.name, joint.kind, joint.a, joint.b, 0.0);
  for (const SpringSpec& spring : b_.springs_)
    if (spring.joint.empty()) link(spring.name, "spring", spring.a, spring.b, 0.0);
  for (const BushingSpec& bushing : b_.bushings_) link(bushing.name, "bushing", bushing.a, bushing.b, 0.0);
  for (const GuideSpec& guide : b_.guides_) draw_guide(guide, drawn);
  for (const ClearanceSpec& clearance : b_.clearances_)
    link(clearance.name, "clearance", clearance.bore, clearance.pin, clearance.bore_radius - clearance.pin_radius);
  // After bars: a body that has nothing but pins and bores is a bar with them at its ends.
  for (const ClearanceSpec& clearance : b_.clearances_) {
    const auto disc = [&](const SiteSpec& where, std::vector<double> size) {
      drawn.above_bars.push_back({.frame = frame(where),
                                  .name = clearance.name,
                                  .kind = "disc",
                                  .pose = {where.point, where.triad},
                                  .size = std::move(size)});
    };
    disc(clearance.pin, {clearance.pin_radius});
    disc(clearance.bore, {1.25 * clearance.bore_radius, clearance.bore_radius});
  }
  return drawn;
}

void ModelAssembler::draw_guide(const GuideSpec& spec, DrawnBeside& drawn) const {
  const Index block = frame(spec.block), guide = frame(spec.guide);
  const double length = 2.0 * spec.half_length, height = 2.0 * spec.half_height, wall = 0.3 * spec.half_height;
  const auto is_there = [&](const SurfaceSpec& surface) {
    return frame(surface.at.value_or(SiteSpec{.body = surface.body})) == block;
  };
  const bool shaped = std::any_of(b_.surfaces_.begin(), b_.surfaces_.end(), is_there) ||
                      std::any_of(drawn.shapes.begin(), drawn.shapes.end(),
                                  [&](const DrawnShape& shape) { return shape.frame == block; });
  if (!shaped)
    drawn.shapes.push_back({.frame = block,
                            .name = spec.name + ".block",
                            .kind = "box",
                            .pose = {spec.block.point, spec.block.triad},
                            .size = {length, height, height}});
  const Pose start = pose(site(spec.guide));
  const double at =
      spec.guide.triad.col(0).dot(start.local(pose(site(spec.block)).point(spec.block.point)) - spec.guide.point);
  for (const double side : {-1.0, 1.0}) {
    const Vector3 middle(at, side * (spec.half_height + spec.clearance + 0.5 * wall), 0.0);
    drawn.shapes.push_back({.frame = guide,
                            .name = spec.name,
                            .kind = "box",
                            .pose = {spec.guide.point + spec.guide.triad * middle, spec.guide.triad},
                            .size = {4.0 * length, wall, height}});
  }
  drawn.links.push_back({spec.name, "clearance", guide, block,
                         spec.guide.point + spec.guide.triad * Vector3(at, 0.0, 0.0), spec.block.point,
                         spec.guide.triad.col(0), spec.clearance});
}

}  // namespace carom::model
