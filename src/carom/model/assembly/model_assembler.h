// Numbers frames, turns the specifications of a ModelBuilder into parts and groups, and brings the start in order. One
// object makes one model.
#pragma once

#include <map>

#include "carom/base/errors.h"
#include "carom/model/assembly/assembled_drawing.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/assembly/builder.h"
#include "carom/model/assembly/spanning_trees.h"
#include "carom/model/contacts/permanent_contacts.h"
#include "carom/model/joints/joint_group.h"
#include "carom/model/joints/joint_kind.h"
#include "carom/model/parts/planar_beam.h"
#include "carom/model/parts/tree.h"

namespace carom::model {

class ModelAssembler {
 public:
  explicit ModelAssembler(const ModelBuilder& b) : b_(b) {}

  Model build();

 private:
  void report(const char* code, std::string key, std::string message, std::string hint);
  void stop_at_problems() const;
  // Small overlaps are pushed apart, and everything is let down to where it rests, if asked for.
  void bring_to_start();

  // model_assembler_parts.cc
  void check_bodies();
  bool single(Index body) const { return body >= 0 && member(body).pool == ModelBuilder::Pool::single; }
  std::size_t item_of(Index body) const { return static_cast<std::size_t>(member(body).item); }
  // Bodies that are a part each get a frame wherever something is attached to them.
  void attach_to_single_parts();
  const ModelBuilder::Member& member(Index body) const { return b_.bodies_[static_cast<std::size_t>(body)]; }
  const BodySpec& spec(Index body) const;
  Vector3 weight(const BodySpec& body) const {
    return body.weightless ? Vector3::Zero() : Vector3(body.mass * b_.gravity_);
  }
  // Pools of bodies first, so that their offsets stay multiples of 3; then trees, driven bodies, flexible bodies.
  void make_parts();
  // Where a joint between these bodies is taken from the planar table: in a model of the plane.
  bool in_plane(Index body) const;
  // What an ideal joint between bodies of one pool leaves free; null: it stays rows.
  const std::vector<FreeStep>* free_motion(const JointSpec& joint) const;
  void plan_trees();
  // Says of every joint that has rows why.
  void remark_on_joints();
  // Coordinates start where a joint's start says, else where they bring the bodies closest to where they are placed;
  // velocities likewise.
  void add_tree(const std::vector<TreeMember>& members, std::vector<double>& q, std::vector<double>& v);
  static double turn(const Matrix3& triad) { return std::atan2(triad(1, 0), triad(0, 0)); }
  double angle_of(const SiteSpec& s) const { return (s.body < 0 ? 0.0 : spec(s.body).angle) + turn(s.triad); }
  std::shared_ptr<const AssembledSystem> make_system(std::vector<std::shared_ptr<const ConstraintGroup>> groups) const;
  void place_at_start() { bare_ = make_system({}), bare_->place(0.0, model_.initial.q, model_.initial.v, place_); }
  Index frame(const SiteSpec& spec) const;
  // All frames of a body: one that is a part has several.
  std::vector<Index> frames_of(Index body) const;
  Site site(const SiteSpec& spec) const { return {frame(spec), spec.point, spec.triad}; }
  const Pose& pose(const Site& s) const { return place_.poses[static_cast<std::size_t>(s.frame)]; }
  bool planar(const Site& a, const Site& b) const;
  // What counts as a length at a site: the lever, or the radius of gyration.
  double length(const SiteSpec& at) const;
  double length(const SiteSpec& a, const SiteSpec& b) const;

  // model_assembler_joints.cc
  // A joint that carries coordinates of a tree has no rows.
  void add_joint(const JointSpec& spec, bool carries);
  // The turn that a torsional spring winds up.
  void add_turn(const SpringSpec& spring);
  void report_no_friction(const JointSpec& spec);
  void add_constant_friction(const JointSpec& spec);
  void add_friction(const JointSpec& spec, const std::vector<CoordinateTemplate>& coordinates, Joint& joint);
  // A coordinate of a tree counts its own turns; between planar bodies the difference of their angles does.
  void remember_angle(JointCoordinate& coordinate) const;
  const PlanarBeam* beam_at(Index f) const;
  // "bearing" names the first coordinate of a joint, "bearing.angle" that one.
  const JointCoordinate* find(const std::string& name, const std::string& key);
  void assemble_start();
  std::string poses_text();
  // Angles of joints in space on which something acts get an entry of q that counts their turns.
  void count_angles();
  // Joints that can break get an entry of q that says whether they are.
  void let_break();
  double value_now(const JointCoordinate& c) const;
  CoordinateConstraint coordinate_row(const std::string& name, const JointCoordinate& c, double factor, double rest,
                                      std::shared_ptr<const Law> law) const;
  // Of a displacement that of its joint; angles count in radians.
  double length(const JointCoordinate& c) const;
  void add_limit(const LimitSpec& spec);
  void add_drive(const DriveSpec& spec);
  // The sum of factors times coordinates, which is zero at the start.
  std::optional<CoordinateConstraint> sum_row(const std::string& name, const std::vector<RatioSpec::Term>& terms,
                                              const std::string& key);
  void add_ratio(const RatioSpec& spec);
  // sum + backlash/2 >= 0 and backlash/2 - sum >= 0
  void add_backlash(const BacklashSpec& spec);

  // model_assembler_forces.cc
  void add_spring(const SpringSpec& spec);
  void add_load(const LoadSpec& spec);
  // Along the axes of a, and by what the axes of b lean out of them: across(y, z) is the turn about -x, and so on
  // round.
  void add_bushing(const BushingSpec& spec);

  // model_assembler_contacts.cc
  void add_surfaces();
  // Contacts of surfaces begin with the name of a body: "block.corner2-floor"; others with that of their joint.
  void check_overlaps();
  void add_permanent(std::string name, const geometry::ContactPrimitive& primitive, const Site& first,
                     const Site& second, const ContactParameters& law, double length_scale, double clearance);
  // The corners c1 to c4 of the block (left and right above, left and right below) meet the two walls of the guide.
  void add_guide(const GuideSpec& spec);
  // Eight corners, each between the wall across y and that across z on its side: c1.y to c8.z.
  void add_channel(const GuideSpec& spec, const Site& guide, const Site& block);
  void add_clearance(const ClearanceSpec& spec);
  void add_clearance_contacts(const ClearanceSpec& spec);
  void add_face(const FaceSpec& spec);
  // Both edges of the pin against the wall, with two candidates each, and four points of each edge against a shoulder.
  void add_pin_with_edges(const ClearanceSpec& spec, const Site& pin, const Site& bore);

  // model_assembler_drawing.cc
  DrawnBeside draw() const;
  // The block unless it has a shape of its own, and two walls four blocks long around where it starts.
  void draw_guide(const GuideSpec& spec, DrawnBeside& drawn) const;

  const ModelBuilder& b_;
  std::vector<InputProblem> problems_;
  std::vector<std::string> remarks_;
  Model model_;
  std::vector<Index> frame_of_;                 // bodies; of flexible ones the first
  std::vector<std::vector<PartPlace>> places_;  // where something is attached to each flexible body
  std::vector<std::vector<TreeMember>> trees_;
  std::vector<char> in_tree_, carries_;      // bodies in trees, joints that carry their coordinates
  std::map<std::string, Index> carried_at_;  // "bearing.angle": entry of q
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
  std::shared_ptr<const SurfaceContacts> surface_contacts_;
  const std::shared_ptr<const Law> one_row_ = make_bilateral_law(1);
};

}  // namespace carom::model
