#include "carom/model/assembly/builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/large_blocks.h"
#include "carom/model/assembly/model_assembler.h"
#include "carom/model/parts/particles.h"

namespace carom::model {

namespace {

constexpr std::size_t many_bodies = 500;

}  // namespace

SiteSpec SiteSpec::with_axis(const Vector3& z) const {
  SiteSpec site = *this;
  site.triad.col(2) = z.normalized();
  Vector3 x, y;
  tangents(site.triad.col(2), x, y);
  site.triad.col(0) = x;
  site.triad.col(1) = y;
  return site;
}

SiteSpec SiteSpec::sliding_along(const Vector3& x) const {
  SiteSpec site = *this;
  const Vector3 along = x.normalized();
  site.triad.col(0) = along;
  site.triad.col(1) = Vector3(-along.y(), along.x(), 0.0);
  site.triad.col(2) = Vector3::UnitZ();
  return site;
}

BodyRef ModelBuilder::add_body(BodySpec body) {
  return space_ == Space::planar ? add_planar_body(std::move(body)) : add_spatial_body(std::move(body));
}
BodyRef ModelBuilder::add_planar_body(BodySpec body) {
  bodies_.push_back({Pool::planar, static_cast<Index>(planar_.size())});
  planar_.push_back(std::move(body));
  return {static_cast<Index>(bodies_.size()) - 1};
}
BodyRef ModelBuilder::add_spatial_body(BodySpec body) {
  bodies_.push_back({Pool::spatial, static_cast<Index>(spatial_.size())});
  spatial_.push_back(std::move(body));
  return {static_cast<Index>(bodies_.size()) - 1};
}
BodyRef ModelBuilder::add_kinematic_body(KinematicBodyData body) {
  bodies_.push_back({Pool::kinematic, static_cast<Index>(kinematic_.size())});
  kinematic_.push_back(std::move(body));
  return {static_cast<Index>(bodies_.size()) - 1};
}

BodyRef ModelBuilder::add_particle(ParticleSpec particle) {
  bodies_.push_back({Pool::particle, static_cast<Index>(particles_.size())});
  particles_.push_back(std::move(particle));
  return {static_cast<Index>(bodies_.size()) - 1};
}

BodyRef ModelBuilder::add_solid(const SolidSpec& solid) {
  const geometry::MassProperties unit = solid.shape.mass_properties();
  const Matrix3 R = space_ == Space::planar ? rotation_matrix(quaternion_exp(Vector3(0.0, 0.0, solid.angle)))
                                            : rotation_matrix(solid.orientation.normalized());
  const BodyRef body = add_body({.name = solid.name,
                                 .mass = solid.density * unit.volume,
                                 .inertia = solid.density * unit.inertia,
                                 .position = solid.position + R * unit.centre,
                                 .orientation = solid.orientation,
                                 .angle = solid.angle,
                                 .velocity = solid.velocity,
                                 .spin = solid.spin,
                                 .weightless = solid.weightless});
  add_surface({.body = body.number,
               .shape = solid.shape,
               .pose = {-unit.centre, Matrix3::Identity()},
               .material = solid.material,
               .groups = solid.groups,
               .meets = solid.meets});
  return body;
}

void ModelBuilder::add_screw(const ScrewSpec& screw) {
  add_joint({.name = screw.name, .kind = "screw", .a = screw.a, .b = screw.b, .ratio = screw.pitch});
}

ModelBuilder ModelBuilder::expanded() const {
  ModelBuilder out = *this;
  out.joints_.clear();
  std::vector<InputProblem> problems;
  for (const JointSpec& joint : joints_) {
    const auto& kinds = joint_kinds().entries();
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const JointKind* kind) {
      return kind->name == joint.kind && kind->transmission;
    });
    if (found == kinds.end()) {
      out.joints_.push_back(joint);
      continue;
    }
    const Transmission& transmission = *(*found)->transmission;
    const bool carried = !transmission.carried_by.empty();
    const auto report = [&](std::string message, std::string hint) {
      problems.push_back({"E0230", std::move(message), "joint." + joint.name, std::move(hint), {}, 0, 0, {}});
    };
    if (joint.ratio == 0.0 || !std::isfinite(joint.ratio))
      report(fmt::format("joint.{}: a {} needs a ratio", joint.name, joint.kind), (*found)->title);
    if (!carried && joint.couples.size() != 2)
      report(fmt::format("joint.{}: a {} couples two joints, not {}", joint.name, joint.kind, joint.couples.size()),
             (*found)->title);
    if (!problems.empty()) continue;
    if (carried) {
      out.joints_.push_back(joint);
      out.joints_.back().kind = transmission.carried_by;
    }
    std::vector<RatioSpec::Term> terms;
    for (const Transmission::Term& term : transmission.terms)
      terms.push_back(
          {(carried ? joint.name : joint.couples[static_cast<std::size_t>(term.joint)]) + "." + term.coordinate,
           term.constant + term.per_ratio * joint.ratio});
    const std::string name = carried ? joint.name + ".thread" : joint.name;
    if (joint.backlash > 0.0)
      out.backlashes_.push_back(
          {.name = name, .terms = std::move(terms), .backlash = joint.backlash, .restitution = joint.restitution});
    else
      out.ratios_.push_back({.name = name, .terms = std::move(terms)});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  for (SpringSpec& spring : out.springs_)
    if (spring.torsional) spring.joint = spring.name + ".angle";
  return out;
}

void ModelBuilder::add_input(const InputSpec& spec) {
  const std::string unit = !spec.unit.empty() ? spec.unit : spec.joint.empty() ? "1" : "N or N m";
  const Input& input = inputs_.emplace_back(Input{spec.name, unit, std::make_shared<double>(spec.start)});
  const std::shared_ptr<double> value = input.value;
  if (spec.joint.empty())
    add_load({.name = spec.name, .site = spec.site, .load = [value, spec](double, std::span<const SiteMotion>) {
                return Load{*value * spec.force, *value * spec.torque};
              }});
  else
    add_spring({.name = spec.name, .joint = spec.joint, .drive = [value](double, double, double) { return *value; }});
}

bool ModelBuilder::is_plain() const {
  const auto transmits = [](const JointSpec& joint) {
    const auto& kinds = joint_kinds().entries();
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](const JointKind* kind) { return kind->name == joint.kind && kind->transmission; });
  };
  return std::none_of(joints_.begin(), joints_.end(), transmits) &&
         std::none_of(springs_.begin(), springs_.end(), [](const SpringSpec& spring) { return spring.torsional; });
}

// Specifications of a large pile take more than its model: they are copied only where that changes them, and what they
// and the building leave in holes goes back to the system.
Model ModelBuilder::build() const {
  Model model = is_plain() ? ModelAssembler(*this).build() : ModelAssembler(expanded()).build();
  if (bodies_.size() > many_bodies) give_free_memory_back();
  return model;
}

}  // namespace carom::model
