#include "carom/model/assembly/builder.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "carom/base/errors.h"
#include "carom/laws/joint_friction_law.h"
#include "carom/model/assembly/assembled_drawing.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/assembly/equilibrium.h"
#include "carom/model/assembly/spanning_trees.h"
#include "carom/model/contacts/permanent_contacts.h"
#include "carom/model/contacts/surface_contacts.h"
#include "carom/model/joints/joint_group.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/model/parts/particles.h"
#include "carom/model/parts/planar_beam.h"
#include "carom/model/parts/planar_bodies.h"
#include "carom/model/parts/rigid_bodies.h"
#include "carom/model/parts/tree.h"

namespace carom::model {

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
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const JointKind* kind) { return kind->name == joint.kind && kind->transmission; });
    if (found == kinds.end()) {
      out.joints_.push_back(joint);
      continue;
    }
    const Transmission& transmission = *(*found)->transmission;
    const bool carried = !transmission.carried_by.empty();
    const auto report = [&](std::string message, std::string hint) {
      problems.push_back({"E0230", std::move(message), "joint." + joint.name, std::move(hint), {}, 0, 0, {}});
    };
    if (joint.ratio == 0.0 || !std::isfinite(joint.ratio)) report(fmt::format("joint.{}: a {} needs a ratio", joint.name, joint.kind), (*found)->title);
    if (!carried && joint.couples.size() != 2)
      report(fmt::format("joint.{}: a {} couples two joints, not {}", joint.name, joint.kind, joint.couples.size()), (*found)->title);
    if (!problems.empty()) continue;
    if (carried) {
      out.joints_.push_back(joint);
      out.joints_.back().kind = transmission.carried_by;
    }
    std::vector<RatioSpec::Term> terms;
    for (const Transmission::Term& term : transmission.terms)
      terms.push_back({(carried ? joint.name : joint.couples[static_cast<std::size_t>(term.joint)]) + "." + term.coordinate,
                       term.constant + term.per_ratio * joint.ratio});
    const std::string name = carried ? joint.name + ".thread" : joint.name;
    if (joint.backlash > 0.0)
      out.backlashes_.push_back({.name = name, .terms = std::move(terms), .backlash = joint.backlash, .restitution = joint.restitution});
    else
      out.ratios_.push_back({.name = name, .terms = std::move(terms)});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
  for (SpringSpec& spring : out.springs_)
    if (spring.torsional) spring.joint = spring.name + ".angle";
  return out;
}

// Numbers frames, turns specifications into parts and groups, and brings the start in order.
class ModelAssembler {
 public:
  explicit ModelAssembler(const ModelBuilder& b) : b_(b) {}

  Model build() {
    check_bodies();
    attach_to_single_parts();
    stop_at_problems();
    make_parts();
    place_at_start();
    for (std::size_t j = 0; j < b_.joints_.size(); ++j) add_joint(b_.joints_[j], carries_[j] != 0);
    for (const SpringSpec& spring : b_.springs_) add_turn(spring);
    stop_at_problems();
    assemble_start();
    let_break();
    for (const RatioSpec& ratio : b_.ratios_) add_ratio(ratio);
    for (const BacklashSpec& backlash : b_.backlashes_) add_backlash(backlash);
    for (const DriveSpec& drive : b_.drives_) add_drive(drive);
    for (const LimitSpec& limit : b_.limits_) add_limit(limit);
    for (const SpringSpec& spring : b_.springs_) add_spring(spring);
    for (const BushingSpec& bushing : b_.bushings_) add_bushing(bushing);
    for (const LoadSpec& load : b_.loads_) add_load(load);
    for (const GuideSpec& guide : b_.guides_) add_guide(guide);
    for (const ClearanceSpec& clearance : b_.clearances_) add_clearance(clearance);
    for (const FaceSpec& face : b_.faces_) add_face(face);
    add_surfaces();
    stop_at_problems();
    const auto system = make_system(constraints_);
    model_.system = system;
    bring_to_start();
    check_overlaps();
    stop_at_problems();
    model_.remarks = std::move(remarks_);
    model_.drawing = std::make_shared<AssembledDrawing>(system, draw());
    return std::move(model_);
  }

 private:
  void report(const char* code, std::string key, std::string message, std::string hint) {
    problems_.push_back({code, std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  }
  void stop_at_problems() const {
    if (!problems_.empty()) throw InputError(problems_);
  }

  // --- bodies ---------------------------------------------------------------------------------------------------------------

  void check_bodies() {
    std::map<std::string, int> seen;
    const auto check = [&](const BodySpec& body, bool planar) {
      const std::string key = "body." + body.name;
      if (body.name.empty()) report("E0202", "body", "a body has no name", "");
      if (++seen[body.name] == 2) report("E0203", key, fmt::format("two bodies are called {}", body.name), "names must differ");
      if (!(body.mass > 0.0) || !std::isfinite(body.mass))
        report("E0206", key + ".mass", fmt::format("{}: the mass is {}, it must be positive", key, body.mass), "");
      const double smallest = planar ? body.inertia(2, 2) : body.inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
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
      if (++seen[name] == 2) report("E0203", "body." + name, fmt::format("two bodies are called {}", name), "names must differ");
    }
  }

  bool single(Index body) const { return body >= 0 && member(body).pool == ModelBuilder::Pool::single; }
  std::size_t item_of(Index body) const { return static_cast<std::size_t>(member(body).item); }

  // Bodies that are a part each get a frame wherever something is attached to them.
  void attach_to_single_parts() {
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
    for (const SurfaceSpec& surface : b_.surfaces_) attach(surface.at.value_or(SiteSpec{.body = surface.body}));
  }

  const ModelBuilder::Member& member(Index body) const { return b_.bodies_[static_cast<std::size_t>(body)]; }
  const BodySpec& spec(Index body) const {
    const ModelBuilder::Member& m = member(body);
    return (m.pool == ModelBuilder::Pool::spatial ? b_.spatial_ : b_.planar_)[static_cast<std::size_t>(m.item)];
  }
  Vector3 weight(const BodySpec& body) const { return body.weightless ? Vector3::Zero() : Vector3(body.mass * b_.gravity_); }

  // Pools of bodies first, so that their offsets stay multiples of 3; then trees, driven bodies, flexible bodies.
  void make_parts() {
    using Pool = ModelBuilder::Pool;
    plan_trees();
    remark_on_joints();
    std::vector<BodyData> spatial;
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
    each_of(Pool::spatial, [&](Index b) {
      const BodySpec& body = spec(b);
      spatial.push_back({body.name, body.mass, body.inertia, weight(body)});
      append(q, body.position);
      append(q, Quaternion(body.orientation.normalized()));
      append(v, body.velocity);
      append(v, body.spin);
    });
    each_of(Pool::planar, [&](Index b) {
      const BodySpec& body = spec(b);
      planar.push_back({body.name, body.mass, body.inertia(2, 2), weight(body)});
      append(q, Vector3(body.position.x(), body.position.y(), body.angle));
      append(v, Vector3(body.velocity.x(), body.velocity.y(), body.spin.z()));
    });
    if (!spatial.empty()) parts_.push_back(std::make_shared<RigidBodies>(std::move(spatial)));
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
    if (!particles.empty()) parts_.push_back(std::make_shared<Particles>(std::move(particles), b_.space_ == Space::planar));
    each_of(Pool::kinematic, [](Index) {});
    if (!b_.kinematic_.empty()) parts_.push_back(std::make_shared<KinematicBodies>(b_.kinematic_));
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

  // --- trees ----------------------------------------------------------------------------------------------------------------

  // Where a joint between these bodies is taken from the planar table: in a model of the plane.
  bool in_plane(Index body) const {
    return b_.space_ == Space::planar && (body < 0 || member(body).pool == ModelBuilder::Pool::planar);
  }

  // What an ideal joint between bodies of one pool leaves free; null: it stays rows.
  const std::vector<FreeStep>* free_motion(const JointSpec& joint) const {
    using Pool = ModelBuilder::Pool;
    if (joint.friction || joint.breaks_at || joint.a.body == joint.b.body) return nullptr;
    const bool planar = in_plane(joint.a.body) && in_plane(joint.b.body);
    for (const Index body : {joint.a.body, joint.b.body})
      if (body >= 0 && member(body).pool != (planar ? Pool::planar : Pool::spatial)) return nullptr;
    for (const JointKind* kind : joint_kinds().entries()) {
      if (kind->name != joint.kind) continue;
      const auto& free = planar ? kind->free_in_plane : kind->free_in_space;
      return free ? &*free : nullptr;
    }
    return nullptr;
  }

  void plan_trees() {
    in_tree_.assign(b_.bodies_.size(), 0);
    carries_.assign(b_.joints_.size(), 0);
    if (b_.coordinates_ != Coordinates::joint) return;
    std::vector<TreeEdge> edges;
    for (const JointSpec& joint : b_.joints_) edges.push_back({joint.a.body, joint.b.body, free_motion(joint) != nullptr});
    for (const auto& tree : spanning_trees(static_cast<Index>(b_.bodies_.size()), edges)) {
      Index velocities = 0;
      for (const TreeMember& m : tree) {
        if (m.joint < 0)
          velocities += in_plane(m.body) ? 3 : 6;
        else
          for (const FreeStep& step : *free_motion(b_.joints_[static_cast<std::size_t>(m.joint)])) velocities += step.kind == StepKind::ball ? 3 : 1;
      }
      if (velocities > Tree::most_velocities) {
        remarks_.push_back(fmt::format("the tree of {} bodies at {} would have {} velocities, more than {}: it stays in maximal coordinates", tree.size(),
                                             spec(tree.front().body).name, velocities, Tree::most_velocities));
        continue;
      }
      trees_.push_back(tree);
      for (const TreeMember& m : tree) {
        in_tree_[static_cast<std::size_t>(m.body)] = 1;
        if (m.joint >= 0) carries_[static_cast<std::size_t>(m.joint)] = 1;
      }
    }
  }

  // Says of every joint that has rows why.
  void remark_on_joints() {
    if (b_.coordinates_ != Coordinates::joint) return;
    for (std::size_t j = 0; j < b_.joints_.size(); ++j) {
      const JointSpec& joint = b_.joints_[j];
      if (carries_[j]) continue;
      const char* why = joint.friction       ? "it has friction"
                        : joint.breaks_at    ? "it can break"
                        : free_motion(joint) ? "it closes a loop, or its tree is too large"
                                             : "its kind, or a body it holds, cannot be part of a tree";
      remarks_.push_back(fmt::format("joint.{} stays rows: {}", joint.name, why));
    }
  }

  // Coordinates start where a joint's start says, else where they bring the bodies closest to where they are placed; velocities likewise.
  void add_tree(const std::vector<TreeMember>& members, std::vector<double>& q, std::vector<double>& v) {
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
      item[m.body] =
          layout.attach(data, item.at(m.parent), m.backwards ? b : a, *free_motion(joint), m.backwards, m.backwards ? a : b, joint.name);
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
      if (!values.contains(i)) tree_q[static_cast<std::size_t>(i)] += turn * std::round((angle - tree_q[static_cast<std::size_t>(i)]) / turn);
    }
    const auto tree = make_tree(std::move(layout));
    tree->closest_velocities(tree_q.data(), twists, rates, tree_v.data());
    q.insert(q.end(), tree_q.begin(), tree_q.end());
    v.insert(v.end(), tree_v.begin(), tree_v.end());
    parts_.push_back(tree);
  }

  static double turn(const Matrix3& triad) { return std::atan2(triad(1, 0), triad(0, 0)); }
  double angle_of(const SiteSpec& s) const { return (s.body < 0 ? 0.0 : spec(s.body).angle) + turn(s.triad); }

  std::shared_ptr<const AssembledSystem> make_system(std::vector<std::shared_ptr<const ConstraintGroup>> groups) const {
    Assembly assembly;
    assembly.parts = parts_;
    assembly.counted = counted_;
    assembly.breakable = breakable_;
    assembly.constraints = std::move(groups);
    if (!forces_.empty()) assembly.forces.push_back(std::make_shared<RowForces>(forces_));
    if (!loads_.empty()) assembly.forces.push_back(std::make_shared<SiteLoads>(loads_));
    if (!joint_list_.empty()) assembly.constraints.insert(assembly.constraints.begin(), std::make_shared<JointGroup>(joint_list_));
    if (!coordinate_rows_.empty()) assembly.constraints.push_back(std::make_shared<CoordinateConstraints>(coordinate_rows_));
    if (!permanent_.empty()) assembly.constraints.push_back(std::make_shared<PermanentContacts>(permanent_));
    return std::make_shared<AssembledSystem>(std::move(assembly), model_.initial.q);
  }

  void place_at_start() { bare_ = make_system({}), bare_->place(0.0, model_.initial.q, model_.initial.v, place_); }

  Index frame(const SiteSpec& spec) const {
    if (spec.body < 0) return ground_frame;
    const Index first = frame_of_[static_cast<std::size_t>(spec.body)];
    if (!single(spec.body)) return first;
    const std::vector<PartPlace>& known = places_[item_of(spec.body)];
    const PartPlace place = place_on(b_.single_[item_of(spec.body)], spec.node, spec.length);
    return first + static_cast<Index>(std::find(known.begin(), known.end(), place) - known.begin());
  }
  // All frames of a body: one that is a part has several.
  std::vector<Index> frames_of(Index body) const {
    const std::size_t count = single(body) ? places_[item_of(body)].size() : 1;
    std::vector<Index> frames;
    for (std::size_t k = 0; k < count; ++k) frames.push_back(frame_of_[static_cast<std::size_t>(body)] + static_cast<Index>(k));
    return frames;
  }
  Site site(const SiteSpec& spec) const { return {frame(spec), spec.point, spec.triad}; }
  const Pose& pose(const Site& s) const { return place_.poses[static_cast<std::size_t>(s.frame)]; }
  bool planar(const Site& a, const Site& b) const {
    return b_.space_ == Space::planar && bare_->frames().planar(a.frame) && bare_->frames().planar(b.frame);
  }

  // What counts as a length at a site: the lever, or the radius of gyration.
  double length(const SiteSpec& at) const {
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
  double length(const SiteSpec& a, const SiteSpec& b) const {
    const double found = std::max(length(a), length(b));
    return found > 0.0 ? found : 1.0;
  }

  // --- joints and their coordinates -------------------------------------------------------------------------------------------

  // A joint that carries coordinates of a tree has no rows.
  void add_joint(const JointSpec& spec, bool carries) {
    const std::string key = "joint." + spec.name;
    if (spec.a.body == spec.b.body && (spec.a.body < 0 || frame(spec.a) == frame(spec.b))) {
      report("E0211", key, fmt::format("{} does not hold two different bodies", key), "name two bodies, or the ground and a body");
      return;
    }
    try {
      const JointKind& kind = joint_kinds().find(spec.kind);
      const Site a = site(spec.a), b = site(spec.b);
      const bool flat = planar(a, b);
      if (!carries) joint_list_.push_back(make_joint(kind, flat, spec.name, a, b, pose(a), pose(b), length(spec.a, spec.b)));
      for (const CoordinateTemplate& c : flat ? kind.planar_coordinates : kind.spatial_coordinates) {
        JointCoordinate coordinate = make_coordinate(c, spec.name + "." + c.name, a, b);
        if (coordinate.is_angle()) remember_angle(coordinate);
        coordinates_.push_back(std::move(coordinate));
      }
      if (spec.friction) add_friction(spec, flat ? kind.planar_coordinates : kind.spatial_coordinates, joint_list_.back());
    } catch (const InputError& error) {
      problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
    }
  }

  // The turn that a torsional spring winds up.
  void add_turn(const SpringSpec& spring) {
    if (!spring.torsional) return;
    JointCoordinate turn = make_coordinate({"angle", RowKind::angle}, spring.joint, site(spring.a), site(spring.b));
    remember_angle(turn);
    coordinates_.push_back(std::move(turn));
  }

  void add_friction(const JointSpec& spec, const std::vector<CoordinateTemplate>& coordinates, Joint& joint) {
    const std::string key = "joint." + spec.name + ".friction";
    const Index holding = static_cast<Index>(joint.rows.size());
    if (coordinates.empty() || holding >= Law::max_dim) {
      report("E0224", key, fmt::format("a {} joint has nothing to rub along", spec.kind), "friction acts along the first coordinate of a joint");
      return;
    }
    JointRow motion = make_coordinate(coordinates.front(), spec.name, joint.a, joint.b).row;
    if (motion.kind == RowKind::angle) {
      if (!(spec.friction->radius > 0.0)) {
        report("E0224", key, "friction against turning needs the radius of the pin", "give friction a radius");
        return;
      }
      motion.length = spec.friction->radius;
    }
    // Rows of forces come first in every table.
    const Index pressing = std::count_if(joint.rows.begin(), joint.rows.end(), [](const JointRow& row) {
      return row.kind == RowKind::coincide || row.kind == RowKind::along || row.kind == RowKind::distance;
    });
    joint.rows.push_back(motion);
    joint.friction = std::make_shared<JointFrictionLaw>(holding, pressing, spec.friction->coefficient);
  }

  // A coordinate of a tree counts its own turns; between planar bodies the difference of their angles does.
  void remember_angle(JointCoordinate& coordinate) const {
    if (const auto found = carried_at_.find(coordinate.name); found != carried_at_.end()) {
      coordinate.counts = true;
      coordinate.plus = found->second;
      return;
    }
    const auto angle_at = [&](Index f) -> PlanarBeam::TurnCounter {
      const Frames::Frame& frame = bare_->frames()[f];
      if (frame.kind == FrameKind::planar_body) return {frame.q + PlanarBodies::size * frame.item + 2, 0.0};
      const PlanarBeam* beam = beam_at(f);
      if (!beam) return {};
      PlanarBeam::TurnCounter counter = beam->turn_counter(frame.item);
      if (counter.entry >= 0) counter.entry += frame.q;
      return counter;
    };
    const PlanarBeam::TurnCounter from = angle_at(coordinate.a.frame), to = angle_at(coordinate.b.frame);
    if (from.entry < 0 && to.entry < 0) return;
    for (const Site* end : {&coordinate.a, &coordinate.b})  // the body of a tree: nothing in q counts its turns
      if (bare_->frames()[end->frame].kind == FrameKind::general && !beam_at(end->frame)) return;
    coordinate.counts = true;
    coordinate.minus = from.entry;
    coordinate.plus = to.entry;
    // The triads' own turn against the frames.
    coordinate.offset = turn(coordinate.b.triad) + to.offset - turn(coordinate.a.triad) - from.offset;
  }

  const PlanarBeam* beam_at(Index f) const {
    const Index part = bare_->frames()[f].part;
    return part < 0 ? nullptr : dynamic_cast<const PlanarBeam*>(parts_[static_cast<std::size_t>(part)].get());
  }

  // "bearing" names the first coordinate of a joint, "bearing.angle" that one.
  const JointCoordinate* find(const std::string& name, const std::string& key) {
    for (JointCoordinate& c : coordinates_)
      if (c.name == name || c.name.substr(0, c.name.rfind('.')) == name) return &c;
    std::vector<std::string> known;
    for (const JointCoordinate& c : coordinates_) known.push_back(c.name);
    report("E0141", key, fmt::format("no joint coordinate '{}'", name), suggestion(name, known));
    return nullptr;
  }

  void assemble_start() {
    // Coordinates with a start are held there while the joints are closed.
    std::vector<CoordinateConstraint> held;
    for (const JointSpec& joint : b_.joints_) {
      if (!joint.start) continue;
      const JointCoordinate* c = find(joint.name, "joint." + joint.name + ".start");
      if (!c) continue;
      CoordinateConstraint row;
      row.name = c->name;
      row.terms.push_back({1.0, *c});
      if (c->is_angle()) {  // on the branch of the value asked for
        JointCoordinate& held_angle = row.terms.back().coordinate;
        held_angle.counts = true;
        held_angle.plus = held_angle.minus = -1;
        held_angle.offset = joint.start->value;
      }
      row.motion = [start = *joint.start](double) { return Prescribed{start.value, start.rate, 0.0}; };
      row.law = one_row_;
      held.push_back(std::move(row));
    }
    stop_at_problems();
    if (b_.keep_start_ || joint_list_.empty()) return count_angles();  // what trees hold, they hold from the start
    coordinate_rows_ = held;
    const auto system = make_system({});
    coordinate_rows_.clear();
    const StartReport found = make_consistent(*system, model_.initial);
    for (const StartResidual& open : found.open)
      report("E0213", "joint." + open.constraint,
             fmt::format("the mechanism cannot be assembled: {} stays {:.3g} m (or rad) open", open.constraint, open.amount),
             "check lengths and start values, or place the bodies closer to where they belong");
    if (found.assembled && !found.moving_along)
      report("E0214", "initial", "the velocities at the start contradict each other", "give fewer of them");
    stop_at_problems();
    bare_->place(0.0, model_.initial.q, model_.initial.v, place_);
    count_angles();
  }

  // Angles of joints in space on which something acts get an entry of q that counts their turns.
  void count_angles() {
    const auto acts = [&](const JointCoordinate& c) {
      const auto names = [&](const std::string& name) { return c.name == name || c.name.substr(0, c.name.rfind('.')) == name; };
      bool used = false;
      for (const LimitSpec& limit : b_.limits_) used = used || names(limit.joint);
      for (const DriveSpec& drive : b_.drives_) used = used || names(drive.joint);
      for (const SpringSpec& spring : b_.springs_) used = used || names(spring.joint);
      for (const RatioSpec& ratio : b_.ratios_)
        for (const RatioSpec::Term& term : ratio.terms) used = used || names(term.joint);
      for (const BacklashSpec& backlash : b_.backlashes_)
        for (const RatioSpec::Term& term : backlash.terms) used = used || names(term.joint);
      return used;
    };
    for (JointCoordinate& c : coordinates_) {
      if (!c.is_angle() || c.counts || !acts(c)) continue;
      double value = value_now(c);
      for (const JointSpec& joint : b_.joints_)  // the branch asked for
        if (joint.start && c.name.substr(0, c.name.rfind('.')) == joint.name)
          value += 2.0 * std::numbers::pi * std::round((joint.start->value - value) / (2.0 * std::numbers::pi));
      c.counts = true;
      c.plus = static_cast<Index>(model_.initial.q.size());
      model_.initial.q.conservativeResize(c.plus + 1);
      model_.initial.q[c.plus] = value;
      counted_.push_back(c);
    }
  }

  // Joints that can break get an entry of q that says whether they are.
  void let_break() {
    for (const JointSpec& spec : b_.joints_) {
      if (!spec.breaks_at) continue;
      for (Joint& joint : joint_list_) {
        if (joint.name != spec.name) continue;
        joint.strongest_force = spec.breaks_at->force;
        joint.strongest_moment = spec.breaks_at->moment;
        joint.broken = static_cast<Index>(model_.initial.q.size());
        model_.initial.q.conservativeResize(joint.broken + 1);
        model_.initial.q[joint.broken] = 0.0;
        breakable_.push_back(joint.name);
      }
    }
  }

  double value_now(const JointCoordinate& c) const {
    return evaluate(c, At{0.0, model_.initial.q.data(), place_, bare_->frames()}).g;
  }

  CoordinateConstraint coordinate_row(const std::string& name, const JointCoordinate& c, double factor, double rest,
                                      std::shared_ptr<const Law> law) const {
    CoordinateConstraint row;
    row.name = name;
    row.terms.push_back({factor, c});
    row.rest = rest;
    row.law = std::move(law);
    row.length = length(c);
    return row;
  }

  // Of a displacement that of its joint; angles count in radians.
  double length(const JointCoordinate& c) const {
    for (const JointSpec& joint : b_.joints_)
      if (!c.is_angle() && c.name.substr(0, c.name.rfind('.')) == joint.name) return length(joint.a, joint.b);
    return 1.0;
  }

  void add_limit(const LimitSpec& spec) {
    const JointCoordinate* c = find(spec.joint, "limit." + spec.joint);
    if (!c) return;
    const auto law = make_contact_law(Space::planar, {.restitution = spec.restitution});
    const double room = spec.lower && spec.upper ? 0.5 * (*spec.upper - *spec.lower) : 0.0;  // to either side of the middle
    const auto add = [&](const char* side, double sign, double at) {
      coordinate_rows_.push_back(coordinate_row(c->name + side, *c, sign, sign * at, law));
      coordinate_rows_.back().clearance = std::max(0.0, room);
    };
    if (spec.lower) add(".lower", 1.0, *spec.lower);
    if (spec.upper) add(".upper", -1.0, *spec.upper);
  }

  void add_drive(const DriveSpec& spec) {
    const JointCoordinate* c = find(spec.joint, "drive." + spec.joint);
    if (!c) return;
    CoordinateConstraint row = coordinate_row(c->name + ".drive", *c, 1.0, 0.0, one_row_);
    row.motion = spec.motion;
    row.velocity_level = spec.velocity_level;
    coordinate_rows_.push_back(std::move(row));
  }

  // The sum of factors times coordinates, which is zero at the start.
  std::optional<CoordinateConstraint> sum_row(const std::string& name, const std::vector<RatioSpec::Term>& terms, const std::string& key) {
    CoordinateConstraint row;
    row.name = name;
    row.law = one_row_;
    for (const RatioSpec::Term& term : terms) {
      const JointCoordinate* c = find(term.joint, key);
      if (!c) return std::nullopt;
      row.terms.push_back({term.factor, *c});
      row.rest += term.factor * value_now(*c);
    }
    return row;
  }

  void add_ratio(const RatioSpec& spec) {
    if (auto row = sum_row(spec.name, spec.terms, "ratio." + spec.name)) coordinate_rows_.push_back(*std::move(row));
  }

  // sum + backlash/2 >= 0 and backlash/2 - sum >= 0
  void add_backlash(const BacklashSpec& spec) {
    auto row = sum_row(spec.name, spec.terms, "backlash." + spec.name);
    if (!row) return;
    if (!(spec.backlash > 0.0)) {
      report("E0225", "backlash." + spec.name, fmt::format("backlash.{} is {}: it must be positive", spec.name, spec.backlash), "");
      return;
    }
    row->law = make_contact_law(Space::planar, {.restitution = spec.restitution});
    row->clearance = 0.5 * spec.backlash;
    CoordinateConstraint other = *row;
    row->name += ".forward";
    row->rest -= 0.5 * spec.backlash;
    other.name += ".backward";
    other.rest = -other.rest - 0.5 * spec.backlash;
    for (CoordinateConstraint::Term& term : other.terms) term.factor = -term.factor;
    coordinate_rows_.push_back(*std::move(row));
    coordinate_rows_.push_back(std::move(other));
  }

  // --- forces -----------------------------------------------------------------------------------------------------------------

  void add_spring(const SpringSpec& spec) {
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
        report("E0221", "spring." + spec.name, fmt::format("spring.{} has no length at the start: no direction to pull in", spec.name),
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

  void add_load(const LoadSpec& spec) {
    SiteLoad load{spec.name, site(spec.site), {}, spec.load};
    for (const SiteSpec& watched : spec.watched) load.watched.push_back(site(watched));
    if (load.watched.empty()) load.watched.push_back(load.site);
    loads_.push_back(std::move(load));
  }

  // Along the axes of a, and by what the axes of b lean out of them: across(y, z) is the turn about -x, and so on round.
  void add_bushing(const BushingSpec& spec) {
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

  // --- surfaces -----------------------------------------------------------------------------------------------------------------

  void add_surfaces() {
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
      set.surfaces.push_back({spec.name.empty() ? bare_->frames().name(f) : spec.name, f, shape, material(spec.material), spec.groups, spec.meets});
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
      if (joint_kinds().find(joint.kind).coincident && joint.a.body >= 0 && joint.b.body >= 0) keep_apart(joint.a.body, joint.b.body);
    for (const auto& [a, b] : b_.apart_) keep_apart(a, b);
    for (Index b = 0; b < static_cast<Index>(b_.bodies_.size()); ++b)  // a flexible body does not touch itself
      if (single(b)) keep_apart(b, b);
    set.apart = geometry::ExcludedPairs(std::move(apart));
    set.acceleration = b_.gravity_.norm();
    constraints_.push_back(std::make_shared<SurfaceContacts>(std::move(set)));
  }

  // Small overlaps are pushed apart, and everything is let down to where it rests, if asked for.
  void bring_to_start() {
    if (b_.largest_overlap_ > 0.0) push_apart(*model_.system, b_.largest_overlap_, model_.initial);
    if (!b_.start_at_rest_) return;
    const EquilibriumReport found = find_equilibrium(*model_.system, model_.initial);
    if (!found.found)
      report("E0231", "initial", fmt::format("no place of rest was found in {} steps: {:.1e} of the forces are not balanced", found.iterations, found.unbalanced),
             "start closer to it, hold what can move without end, or start from the positions given");
  }

  // --- what can be drawn --------------------------------------------------------------------------------------------------------

  Scene draw() const {
    Scene scene;
    scene.planar = b_.space_ == Space::planar;
    for (Index f = 1; f < bare_->frames().count(); ++f) scene.frames.push_back(bare_->frames().name(f));
    for (const SurfaceSpec& spec : b_.surfaces_) {
      const SiteSpec where = spec.at.value_or(SiteSpec{.body = spec.body});
      const Index f = frame(where);
      const std::string& body = scene.frames[static_cast<std::size_t>(f)];
      draw_shape(spec.shape, f, spec.name.empty() ? body : spec.name, {where.point + where.triad * spec.pose.x, where.triad * spec.pose.R},
                 spec.color, scene);
    }
    const auto link = [&](const std::string& name, const std::string& kind, const SiteSpec& a, const SiteSpec& b, double play) {
      scene.links.push_back({name, kind, frame(a), frame(b), a.point, b.point, a.triad.col(scene.planar && kind == "prismatic" ? 0 : 2), play});
    };
    for (const JointSpec& joint : b_.joints_) link(joint.name, joint.kind, joint.a, joint.b, 0.0);
    for (const SpringSpec& spring : b_.springs_)
      if (spring.joint.empty()) link(spring.name, "spring", spring.a, spring.b, 0.0);
    for (const BushingSpec& bushing : b_.bushings_) link(bushing.name, "bushing", bushing.a, bushing.b, 0.0);
    for (const GuideSpec& guide : b_.guides_) draw_guide(guide, scene);
    for (const ClearanceSpec& clearance : b_.clearances_) {
      const double thick = 0.25 * clearance.bore_radius;
      const auto disc = [&](const SiteSpec& where, std::vector<double> size) {
        scene.shapes.push_back({.frame = frame(where), .name = clearance.name, .kind = "disc", .pose = {where.point, where.triad}, .size = std::move(size)});
      };
      disc(clearance.pin, {clearance.pin_radius});
      disc(clearance.bore, {clearance.bore_radius + thick, clearance.bore_radius});
      link(clearance.name, "clearance", clearance.bore, clearance.pin, clearance.bore_radius - clearance.pin_radius);
    }
    draw_bars(scene);
    return scene;
  }

  // The block unless it has a shape of its own, and two walls four blocks long around where it starts.
  void draw_guide(const GuideSpec& spec, Scene& scene) const {
    const Index block = frame(spec.block), guide = frame(spec.guide);
    const double length = 2.0 * spec.half_length, height = 2.0 * spec.half_height, wall = 0.3 * spec.half_height;
    const bool shaped = std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const DrawnShape& shape) { return shape.frame == block; });
    if (!shaped)
      scene.shapes.push_back({.frame = block, .name = spec.name + ".block", .kind = "box", .pose = {spec.block.point, spec.block.triad},
                            .size = {length, height, height}});
    const Pose start = pose(site(spec.guide));
    const double at = spec.guide.triad.col(0).dot(start.local(pose(site(spec.block)).point(spec.block.point)) - spec.guide.point);
    for (const double side : {-1.0, 1.0}) {
      const Vector3 middle(at, side * (spec.half_height + spec.clearance + 0.5 * wall), 0.0);
      scene.shapes.push_back({.frame = guide, .name = spec.name, .kind = "box", .pose = {spec.guide.point + spec.guide.triad * middle, spec.guide.triad},
                              .size = {4.0 * length, wall, height}});
    }
    scene.links.push_back({spec.name, "clearance", guide, block, spec.guide.point + spec.guide.triad * Vector3(at, 0.0, 0.0), spec.block.point,
                           spec.guide.triad.col(0), spec.clearance});
  }

  // Contacts of surfaces begin with the name of a body: "block.corner2-floor"; others with that of their joint.
  void check_overlaps() {
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
        report("E0218", key, fmt::format("{} starts beyond its limit by {:.3g} m (or rad)", name, depth), "start it within its play");
    }
  }

  // --- contacts of joints with clearance -----------------------------------------------------------------------------------------

  void add_permanent(std::string name, const geometry::ContactPrimitive& primitive, const Site& first, const Site& second,
                     const ContactParameters& law, double length_scale, double clearance) {
    const bool in_plane = planar(first, second);
    PermanentContact contact;
    contact.name = std::move(name);
    contact.record = make_record(primitive, first.frame, second.frame, in_plane);
    contact.law = make_contact_law(in_plane ? Space::planar : Space::spatial, law);
    contact.length = length_scale;
    contact.clearance = clearance;
    permanent_.push_back(std::move(contact));
  }

  // The corners c1 to c4 of the block (left and right above, left and right below) meet the two walls of the guide.
  void add_guide(const GuideSpec& spec) {
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

  // Eight corners, each between the wall across y and that across z on its side: c1.y to c8.z.
  void add_channel(const GuideSpec& spec, const Site& guide, const Site& block) {
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
        add_permanent(fmt::format("{}.c{}.{}", spec.name, k + 1, "xyz"[across]), p, block, guide, spec.law, spec.half_length, spec.clearance);
      }
    }
  }

  void add_clearance(const ClearanceSpec& spec) {
    const std::size_t before = permanent_.size();
    add_clearance_contacts(spec);
    for (std::size_t k = before; k < permanent_.size(); ++k) permanent_[k].depth = spec.depth;
  }
  void add_clearance_contacts(const ClearanceSpec& spec) {
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

  void add_face(const FaceSpec& spec) {
    const Site tip = site(spec.point), face = site(spec.face);
    geometry::ContactPrimitive p;
    p.kind = planar(tip, face) ? geometry::PrimitiveKind::disc_line : geometry::PrimitiveKind::ball_plane;
    p.first.point = tip.point;
    p.second.point = face.point;
    p.second.direction = face.triad.col(1);
    p.normal = pose(face).direction(p.second.direction);
    add_permanent(spec.name, p, tip, face, spec.law, length(spec.point, spec.face), 0.0);
    if (std::isfinite(spec.from) || std::isfinite(spec.to)) permanent_.back().window = FaceWindow{face.triad.col(0), spec.from, spec.to};
    permanent_.back().depth = spec.depth;
  }

  // Both edges of the pin against the wall, with two candidates each, and four points of each edge against a shoulder.
  void add_pin_with_edges(const ClearanceSpec& spec, const Site& pin, const Site& bore) {
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
        corner.first.point = p.first.point + spec.pin_radius * (std::cos(angle) * pin.triad.col(0) + std::sin(angle) * pin.triad.col(1));
        corner.second.point = bore.point + 0.5 * end * (spec.pin_length + *spec.axial_play) * bore_axis;
        corner.second.direction = -end * bore_axis;
        corner.normal = pose(bore).direction(corner.second.direction);
        add_permanent(fmt::format("{}.end{}{}", spec.name, end > 0 ? 2 : 1, "abcd"[quarter]), corner, pin, bore, spec.law, spec.pin_radius,
                      0.5 * *spec.axial_play);
      }
    }
  }

  const ModelBuilder& b_;
  std::vector<InputProblem> problems_;
  std::vector<std::string> remarks_;
  Model model_;
  std::vector<Index> frame_of_;                  // bodies; of flexible ones the first
  std::vector<std::vector<PartPlace>> places_;   // where something is attached to each flexible body
  std::vector<std::vector<TreeMember>> trees_;
  std::vector<char> in_tree_, carries_;          // bodies in trees, joints that carry their coordinates
  std::map<std::string, Index> carried_at_;      // "bearing.angle": entry of q
  std::vector<std::shared_ptr<const Part>> parts_;
  std::shared_ptr<const AssembledSystem> bare_;  // without anything attached
  Placement place_;                              // of the start
  std::vector<Joint> joint_list_;
  std::vector<JointCoordinate> coordinates_, counted_;
  std::vector<std::string> breakable_;
  std::vector<CoordinateConstraint> coordinate_rows_;
  std::vector<RowForce> forces_;
  std::vector<SiteLoad> loads_;
  std::vector<PermanentContact> permanent_;
  std::vector<std::shared_ptr<const ConstraintGroup>> constraints_;
  const std::shared_ptr<const Law> one_row_ = make_bilateral_law(1);
};

void ModelBuilder::add_input(const InputSpec& spec) {
  const Input& input = inputs_.emplace_back(Input{spec.name, spec.joint.empty() ? "1" : "N or N m"});
  const std::shared_ptr<double> value = input.value;
  if (spec.joint.empty())
    add_load({.name = spec.name, .site = spec.site, .load = [value, spec](double, std::span<const SiteMotion>) {
                return Load{*value * spec.force, *value * spec.torque};
              }});
  else
    add_spring({.name = spec.name, .joint = spec.joint, .drive = [value](double, double, double) { return *value; }});
}

Model ModelBuilder::build() const {
  const ModelBuilder plain = expanded();
  return ModelAssembler(plain).build();
}

}  // namespace carom::model
