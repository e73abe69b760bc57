// Springs, loads, bushings.
#include "carom/model/assembly/model_assembler.h"

#include <fmt/format.h>

namespace carom::model {

void ModelAssembler::add_spring(const SpringSpec& spec) {
  RowForce force;
  force.name = spec.name;
  if (!spec.joint.empty()) {
    const JointCoordinate* c = find(spec.joint, "spring." + spec.name);
    if (!c) return;
    force.row = *c;
    force.row.row.rest = spec.free_length.value_or(0.0);
  } else {
    force.row.name = spec.name;
    force.row.row.kind = RowKind::distance;
    force.row.a = site(spec.a);
    force.row.b = site(spec.b);
    const double now = value_now(force.row);
    if (!(now > 0.0)) {
      report("E0221", "spring." + spec.name,
             fmt::format("spring.{} has no length at the start: no direction to pull in", spec.name),
             "attach it to two points that are apart");
      return;
    }
    force.row.row.rest = spec.free_length.value_or(now);
  }
  force.stiffness = spec.stiffness;
  force.damping = spec.damping;
  force.preload = spec.preload;
  force.acts = spec.acts;
  force.drive = spec.drive;
  forces_.push_back(std::move(force));
}

void ModelAssembler::add_load(const LoadSpec& spec) {
  SiteLoad load{spec.name, site(spec.site), {}, spec.load};
  for (const SiteSpec& watched : spec.watched) load.watched.push_back(site(watched));
  if (load.watched.empty()) load.watched.push_back(load.site);
  loads_.push_back(std::move(load));
}

void ModelAssembler::add_bushing(const BushingSpec& spec) {
  const Site a = site(spec.a), b = site(spec.b);
  const auto add = [&](int k, RowKind kind, int i, int j, double stiffness, double damping) {
    if (stiffness == 0.0 && damping == 0.0) return;
    RowForce force;
    force.name = fmt::format("{}.{}{}", spec.name, kind == RowKind::along ? "" : "turn_", "xyz"[k]);
    force.row.name = force.name;
    force.row.row.kind = kind;
    force.row.row.d = a.triad.col(i);
    force.row.row.e = b.triad.col(j);
    force.row.a = a;
    force.row.b = b;
    force.stiffness = stiffness;
    force.damping = damping;
    forces_.push_back(std::move(force));
  };
  for (int k = 0; k < 3; ++k) {
    add(k, RowKind::along, k, k, spec.stiffness[k], spec.damping[k]);
    add(k, RowKind::across, (k + 1) % 3, (k + 2) % 3, spec.turning_stiffness[k], spec.turning_damping[k]);
  }
}

}  // namespace carom::model
