// Bodies become parts; joints that carry coordinates become trees; places become frames.
#include "carom/model/assembly/model_assembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/model/assembly/spanning_trees.h"
#include "carom/model/contacts/surface_contacts.h"
#include "carom/model/parts/particles.h"
#include "carom/model/parts/planar_bodies.h"

namespace carom::model {

void ModelAssembler::check_bodies() {
  std::map<std::string, int> seen;
  const auto check = [&](const BodySpec& body, bool planar) {
    const std::string key = "body." + body.name;
    if (body.name.empty()) report("E0202", "body", "a body has no name", "");
    if (++seen[body.name] == 2)
      report("E0203", key, fmt::format("two bodies are called {}", body.name), "names must differ");
    if (!(body.mass > 0.0) || !std::isfinite(body.mass))
      report("E0206", key + ".mass", fmt::format("{}: the mass is {}, it must be positive", key, body.mass), "");
    const double smallest =
        planar ? body.inertia(2, 2) : body.inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
    if (!(smallest > 0.0) || !body.inertia.allFinite())
      report("E0207", key + ".inertia", fmt::format("{}: the inertia must be positive", key), "");
    if (!body.position.allFinite() || !body.velocity.allFinite() || !body.spin.allFinite())
      report("E0209", key, fmt::format("{}: position, velocity or spin is not a number", key), "");
  };
  for (const BodySpec& body : b_.spatial_) check(body, false);
  for (const BodySpec& body : b_.planar_) check(body, true);
  for (const ParticleSpec& p : b_.particles_)
    check({.name = p.name, .mass = p.mass, .position = p.position, .velocity = p.velocity}, false);
  for (const SinglePartSpec& body : b_.single_) {
    const std::string& name = part_name(body);
    if (name.empty()) report("E0202", "body", "a body has no name", "");
    if (++seen[name] == 2)
      report("E0203", "body." + name, fmt::format("two bodies are called {}", name), "names must differ");
  }
}

void ModelAssembler::attach_to_single_parts() {
  places_.resize(b_.single_.size());
  const auto attach = [&](const SiteSpec& spec) {
    if (!single(spec.body)) return;
    try {
      const PartPlace place = place_on(b_.single_[item_of(spec.body)], spec.node, spec.length);
      std::vector<PartPlace>& known = places_[item_of(spec.body)];
      if (std::find(known.begin(), known.end(), place) == known.end()) known.push_back(place);
    } catch (const InputError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  };
  for (const JointSpec& joint : b_.joints_) attach(joint.a), attach(joint.b);
  for (const SpringSpec& spring : b_.springs_) attach(spring.a), attach(spring.b);
  for (const BushingSpec& bushing : b_.bushings_) attach(bushing.a), attach(bushing.b);
  for (const LoadSpec& load : b_.loads_) {
    attach(load.site);
    for (const SiteSpec& watched : load.watched) attach(watched);
  }
  for (const GuideSpec& guide : b_.guides_) attach(guide.guide), attach(guide.block);
  for (const ClearanceSpec& clearance : b_.clearances_) attach(clearance.pin), attach(clearance.bore);
  for (const FaceSpec& face : b_.faces_) attach(face.point), attach(face.face);
  for (const auto* specs : {&b_.surfaces_, &b_.pictures_})
    for (const SurfaceSpec& surface : *specs) attach(surface.at.value_or(SiteSpec{.body = surface.body}));
}

const BodySpec& ModelAssembler::spec(Index body) const {
  const ModelBuilder::Member& m = member(body);
  return (m.pool == ModelBuilder::Pool::spatial ? b_.spatial_ : b_.planar_)[static_cast<std::size_t>(m.item)];
}

void ModelAssembler::make_parts() {
  using Pool = ModelBuilder::Pool;
  plan_trees();
  remark_on_joints();
  std::vector<PlanarBodyData> planar;
  std::vector<double> q, v;
  const auto append = [](std::vector<double>& to, const auto& values) {
    to.insert(to.end(), values.data(), values.data() + values.size());
  };
  frame_of_.assign(b_.bodies_.size(), -1);
  Index next = 1;
  const auto each_of = [&](Pool pool, auto add) {
    for (std::size_t b = 0; b < b_.bodies_.size(); ++b) {
      if (b_.bodies_[b].pool != pool || in_tree_[b]) continue;
      add(static_cast<Index>(b));
      frame_of_[b] = next++;
    }
  };
  const auto add_spatial = [&](Formulation formulation) {
    std::vector<BodyData> bodies;
    for (std::size_t b = 0; b < b_.bodies_.size(); ++b) {
      if (b_.bodies_[b].pool != Pool::spatial || in_tree_[b]) continue;
      const BodySpec& body = spec(static_cast<Index>(b));
      if (body.formulation != formulation) continue;
      bodies.push_back({body.name, body.mass, body.inertia, weight(body)});
      append_start(formulation, {body.position, body.orientation, body.velocity, body.spin}, q, v);
      frame_of_[b] = next++;
    }
    if (!bodies.empty()) parts_.push_back(make_spatial_bodies(formulation, std::move(bodies)));
  };
  add_spatial(Formulation::quaternion);
  each_of(Pool::planar, [&](Index b) {
    const BodySpec& body = spec(b);
    planar.push_back({body.name, body.mass, body.inertia(2, 2), weight(body)});
    append(q, Vector3(body.position.x(), body.position.y(), body.angle));
    append(v, Vector3(body.velocity.x(), body.velocity.y(), body.spin.z()));
  });
  if (!planar.empty()) parts_.push_back(std::make_shared<PlanarBodies>(std::move(planar)));
  for (const auto& tree : trees_) {
    add_tree(tree, q, v);
    for (const TreeMember& m : tree) frame_of_[static_cast<std::size_t>(m.body)] = next++;
  }
  std::vector<ParticleData> particles;
  each_of(Pool::particle, [&](Index b) {
    const ParticleSpec& p = b_.particles_[item_of(b)];
    particles.push_back({p.name, p.mass, p.weightless ? Vector3::Zero() : Vector3(p.mass * b_.gravity_)});
    const Index size = b_.space_ == Space::planar ? 2 : 3;
    q.insert(q.end(), p.position.data(), p.position.data() + size);
    v.insert(v.end(), p.velocity.data(), p.velocity.data() + size);
  });
  if (!particles.empty())
    parts_.push_back(std::make_shared<Particles>(std::move(particles), b_.space_ == Space::planar));
  each_of(Pool::kinematic, [](Index) {});
  if (!b_.kinematic_.empty()) parts_.push_back(std::make_shared<KinematicBodies>(b_.kinematic_));
  add_spatial(Formulation::scalable);
  add_spatial(Formulation::affine);
  for (std::size_t b = 0; b < b_.bodies_.size(); ++b) {
    if (!single(static_cast<Index>(b))) continue;
    const std::size_t i = item_of(static_cast<Index>(b));
    const SinglePart body = make_single_part(b_.single_[i], places_[i], b_.gravity_);
    frame_of_[b] = next;
    next += body.part->frame_count();
    append(q, body.q);
    append(v, body.v);
    parts_.push_back(body.part);
  }
  model_.initial.q = ConstVectorMap(q.data(), static_cast<Eigen::Index>(q.size()));
  model_.initial.v = ConstVectorMap(v.data(), static_cast<Eigen::Index>(v.size()));
}

bool ModelAssembler::in_plane(Index body) const {
  return b_.space_ == Space::planar && (body < 0 || member(body).pool == ModelBuilder::Pool::planar);
}

const std::vector<FreeStep>* ModelAssembler::free_motion(const JointSpec& joint) const {
  using Pool = ModelBuilder::Pool;
  if ((joint.friction && joint.friction->asks_for_load()) || joint.breaks_at || joint.a.body == joint.b.body)
    return nullptr;
  const bool planar = in_plane(joint.a.body) && in_plane(joint.b.body);
  for (const Index body : {joint.a.body, joint.b.body})
    if (body >= 0 && (member(body).pool != (planar ? Pool::planar : Pool::spatial) ||
                      spec(body).formulation != Formulation::quaternion))
      return nullptr;
  for (const JointKind* kind : joint_kinds().entries()) {
    if (kind->name != joint.kind) continue;
    const auto& free = planar ? kind->free_in_plane : kind->free_in_space;
    return free ? &*free : nullptr;
  }
  return nullptr;
}

void ModelAssembler::plan_trees() {
  in_tree_.assign(b_.bodies_.size(), 0);
  carries_.assign(b_.joints_.size(), 0);
  if (b_.coordinates_ != Coordinates::joint) return;
  std::vector<TreeEdge> edges;
  for (const JointSpec& joint : b_.joints_)
    edges.push_back({joint.a.body, joint.b.body, free_motion(joint) != nullptr});
  for (const auto& tree : spanning_trees(static_cast<Index>(b_.bodies_.size()), edges)) {
    Index velocities = 0;
    for (const TreeMember& m : tree) {
      if (m.joint < 0)
        velocities += in_plane(m.body) ? 3 : 6;
      else
        for (const FreeStep& step : *free_motion(b_.joints_[static_cast<std::size_t>(m.joint)]))
          velocities += step.kind == StepKind::ball ? 3 : 1;
    }
    if (velocities > Tree::most_velocities) {
      remarks_.push_back(fmt::format(
          "the tree of {} bodies at {} would have {} velocities, more than {}: it stays in maximal coordinates",
          tree.size(), spec(tree.front().body).name, velocities, Tree::most_velocities));
      continue;
    }
    trees_.push_back(tree);
    for (const TreeMember& m : tree) {
      in_tree_[static_cast<std::size_t>(m.body)] = 1;
      if (m.joint >= 0) carries_[static_cast<std::size_t>(m.joint)] = 1;
    }
  }
}

void ModelAssembler::remark_on_joints() {
  if (b_.coordinates_ != Coordinates::joint) return;
  for (std::size_t j = 0; j < b_.joints_.size(); ++j) {
    const JointSpec& joint = b_.joints_[j];
    if (carries_[j]) continue;
    const char* why = joint.friction && joint.friction->asks_for_load() ? "it has friction by its load"
                      : joint.breaks_at                                 ? "it can break"
                      : free_motion(joint)                              ? "it closes a loop, or its tree is too large"
                                           : "its kind, or a body it holds, cannot be part of a tree";
    remarks_.push_back(fmt::format("joint.{} stays rows: {}", joint.name, why));
  }
}

void ModelAssembler::add_tree(const std::vector<TreeMember>& members, std::vector<double>& q, std::vector<double>& v) {
  TreeLayout layout;
  layout.planar = in_plane(members.front().body);
  layout.gravity = b_.gravity_;
  const Index first_q = static_cast<Index>(q.size());
  std::map<Index, Index> item = {{-1, -1}};
  std::map<Index, double> values, rates, turns;
  std::vector<Pose> poses;
  std::vector<Twist> twists;
  for (const TreeMember& m : members) {
    const BodySpec& body = spec(m.body);
    const BodyData data = {body.name, body.mass, body.inertia, weight(body)};
    const auto plain = [](const SiteSpec& s) { return Site{ground_frame, s.point, s.triad}; };
    Pose pose = {body.position, rotation_matrix(body.orientation.normalized())};
    Vector3 spin = body.spin;
    if (layout.planar) {
      pose.x.z() = 0.0;
      pose.R = rotation_matrix(quaternion_exp(Vector3(0.0, 0.0, body.angle)));
      spin = {0.0, 0.0, spin.z()};
    }
    poses.push_back(pose);
    twists.push_back({body.velocity, pose.R * spin});
    if (m.joint < 0) {
      item[m.body] = layout.attach_free(data);
      if (layout.planar) turns[layout.steps.back().q] = body.angle;
      continue;
    }
    const JointSpec& joint = b_.joints_[static_cast<std::size_t>(m.joint)];
    const Site a = plain(joint.a), b = plain(joint.b);
    item[m.body] = layout.attach(data, item.at(m.parent), m.backwards ? b : a, *free_motion(joint), m.backwards,
                                 m.backwards ? a : b, joint.name);
    const JointKind& kind = joint_kinds().find(joint.kind);
    const auto& coordinates = layout.planar ? kind.planar_coordinates : kind.spatial_coordinates;
    const TreeBody& added = layout.bodies.back();
    for (Index s = added.first_step; s < added.end_step; ++s) {
      const TreeStep& step = layout.steps[static_cast<std::size_t>(s)];
      if (step.kind == StepKind::ball) continue;
      carried_at_[joint.name + "." + step.name] = first_q + step.q;
      if (layout.planar && step.kind == StepKind::turn)  // planar angles count their turns
        turns[step.q] = angle_of(joint.b) - angle_of(joint.a);
      if (!joint.start || b_.keep_start_ || coordinates.empty() || coordinates.front().name != step.name) continue;
      values[step.q] = joint.start->value;
      rates[step.v] = joint.start->rate;
    }
  }
  std::vector<double> tree_q(static_cast<std::size_t>(layout.nq)), tree_v(static_cast<std::size_t>(layout.nv));
  layout.closest(poses, values, tree_q.data());
  for (const auto& [i, angle] : turns) {
    constexpr double turn = 2.0 * std::numbers::pi;
    if (!values.contains(i))
      tree_q[static_cast<std::size_t>(i)] += turn * std::round((angle - tree_q[static_cast<std::size_t>(i)]) / turn);
  }
  const auto tree = make_tree(std::move(layout));
  tree->closest_velocities(tree_q.data(), twists, rates, tree_v.data());
  q.insert(q.end(), tree_q.begin(), tree_q.end());
  v.insert(v.end(), tree_v.begin(), tree_v.end());
  parts_.push_back(tree);
}

std::shared_ptr<const AssembledSystem> ModelAssembler::make_system(
    std::vector<std::shared_ptr<const ConstraintGroup>> groups) const {
  Assembly assembly;
  assembly.parts = parts_;
  assembly.counted = counted_;
  assembly.breakable = breakable_;
  assembly.constraints = std::move(groups);
  if (!forces_.empty()) assembly.forces.push_back(std::make_shared<RowForces>(forces_));
  if (!loads_.empty()) assembly.forces.push_back(std::make_shared<SiteLoads>(loads_));
  if (!joint_list_.empty())
    assembly.constraints.insert(assembly.constraints.begin(), std::make_shared<JointGroup>(joint_list_));
  if (!coordinate_rows_.empty())
    assembly.constraints.push_back(std::make_shared<CoordinateConstraints>(coordinate_rows_));
  if (!permanent_.empty()) assembly.constraints.push_back(std::make_shared<PermanentContacts>(permanent_));
  return std::make_shared<AssembledSystem>(std::move(assembly), model_.initial.q);
}

Index ModelAssembler::frame(const SiteSpec& spec) const {
  if (spec.body < 0) return ground_frame;
  const Index first = frame_of_[static_cast<std::size_t>(spec.body)];
  if (!single(spec.body)) return first;
  const std::vector<PartPlace>& known = places_[item_of(spec.body)];
  const PartPlace place = place_on(b_.single_[item_of(spec.body)], spec.node, spec.length);
  return first + static_cast<Index>(std::find(known.begin(), known.end(), place) - known.begin());
}

std::vector<Index> ModelAssembler::frames_of(Index body) const {
  const std::size_t count = single(body) ? places_[item_of(body)].size() : 1;
  std::vector<Index> frames;
  for (std::size_t k = 0; k < count; ++k)
    frames.push_back(frame_of_[static_cast<std::size_t>(body)] + static_cast<Index>(k));
  return frames;
}

bool ModelAssembler::planar(const Site& a, const Site& b) const {
  return b_.space_ == Space::planar && bare_->frames().planar(a.frame) && bare_->frames().planar(b.frame);
}

double ModelAssembler::length(const SiteSpec& at) const {
  if (at.body < 0) return 0.0;
  double gyration = 0.0;
  const ModelBuilder::Pool pool = member(at.body).pool;
  if (pool == ModelBuilder::Pool::single) {
    gyration = part_size(b_.single_[item_of(at.body)]);
  } else if (pool == ModelBuilder::Pool::spatial || pool == ModelBuilder::Pool::planar) {
    const BodySpec& body = spec(at.body);
    const double J = pool == ModelBuilder::Pool::planar ? body.inertia(2, 2) : body.inertia.diagonal().maxCoeff();
    gyration = std::sqrt(J / body.mass);
  }
  return std::max(gyration, at.point.norm());
}

double ModelAssembler::length(const SiteSpec& a, const SiteSpec& b) const {
  const double found = std::max(length(a), length(b));
  return found > 0.0 ? found : 1.0;
}

}  // namespace carom::model
