// Says what a model is made of, in plain values with names, and makes it.
//
//   ModelBuilder m(Space::planar);
//   m.set_gravity({0, -9.81, 0});
//   const BodyRef crank = m.add_body({.name = "crank", .mass = 0.038, .inertia = 7.4e-5 * Matrix3::Identity()});
//   m.add_joint({.name = "bearing", .kind = "revolute", .a = m.ground().at({0, 0, 0}), .b = crank.at({-l / 2, 0, 0}),
//                .start = {{.value = 0.0, .rate = 150.0}}});
//   Model model = m.build();
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/base/rotation.h"
#include "carom/geometry/shape.h"
#include "carom/laws/contact_law.h"
#include "carom/model/assembly/single_parts.h"
#include "carom/model/assembly/start.h"
#include "carom/model/contacts/contact_rows.h"
#include "carom/model/forces/row_forces.h"
#include "carom/model/forces/site_loads.h"
#include "carom/model/joints/coordinate_constraints.h"
#include "carom/model/model.h"
#include "carom/model/parts/kinematic_bodies.h"
#include "carom/model/parts/spatial_bodies.h"
#include "carom/system/input.h"

namespace carom::model {

// A place on a body that is not numbered as a frame yet.
struct SiteSpec {
  Index body = -1;  // -1: the ground
  Vector3 point = Vector3::Zero();
  Matrix3 triad = Matrix3::Identity();
  // On a flexible body: a node of it or, of a beam, an arc length. The point is then seen from the frame there, and
  // moves with it.
  Index node = -1;
  double length = 0.0;

  // The same place with its z axis (of joints in space) or x axis (of sliding in the plane) along a direction of the
  // body frame.
  SiteSpec with_axis(const Vector3& z) const;
  SiteSpec sliding_along(const Vector3& x) const;
};

struct BodyRef {
  Index number = -1;
  SiteSpec at(const Vector3& point) const { return {number, point, Matrix3::Identity()}; }
};

// A beam or a linear body.
struct FlexibleRef {
  Index number = -1;
  SiteSpec node(Index k) const { return {number, Vector3::Zero(), Matrix3::Identity(), k, 0.0}; }
  SiteSpec at_length(double s) const { return {number, Vector3::Zero(), Matrix3::Identity(), -1, s}; }  // of a beam
  operator BodyRef() const { return {number}; }  // NOLINT: a body among bodies
};

struct BodySpec {
  std::string name = {};
  double mass = 1.0;
  Matrix3 inertia =
      Matrix3::Identity();             // about the centre of mass, in the body frame; in the plane its zz entry counts
  Vector3 position = Vector3::Zero();  // of the centre of mass
  Quaternion orientation = {1.0, 0.0, 0.0, 0.0};
  double angle = 0.0;  // in the plane, instead of the orientation
  Vector3 velocity = Vector3::Zero();
  Vector3 spin = Vector3::Zero();  // in the body frame; in the plane its z
  bool weightless = false;
  Formulation formulation = Formulation::quaternion;  // in space
};

// A mass that has a place but does not turn (parts/particles.h).
struct ParticleSpec {
  std::string name = {};
  double mass = 1.0;
  Vector3 position = Vector3::Zero(), velocity = Vector3::Zero();
  bool weightless = false;
};

// A homogeneous body with the surface of a shape, which may be a compound: mass, centre and inertia follow.
struct SolidSpec {
  std::string name = {};
  geometry::Shape shape = geometry::Sphere(1.0);
  double density = 1000.0;                        // kg/m^3; in the plane kg/m^2
  Vector3 position = Vector3::Zero();             // of the frame the shape is given in
  Quaternion orientation = {1.0, 0.0, 0.0, 0.0};  // its axes are those of the body frame
  double angle = 0.0;                             // in the plane, instead of the orientation
  Vector3 velocity = Vector3::Zero();             // of the centre of mass
  Vector3 spin = Vector3::Zero();
  bool weightless = false;
  std::string material = {};
  std::uint32_t groups = 1, meets = ~0u;
};

// The surface of a body, or of the ground. A body may have several.
struct SurfaceSpec {
  std::string name = {};  // empty: that of the body
  Index body = -1;
  geometry::Shape shape = geometry::Sphere(1.0);
  Pose pose = {};                   // of the shape's frame in the body's
  std::string material = {};        // empty: the one all share
  std::uint32_t groups = 1;         // collision groups it belongs to, as bits
  std::uint32_t meets = ~0u;        // groups it touches; both sides must agree
  std::string color = {};           // of CSS, for drawings; empty: chosen there
  std::optional<SiteSpec> at = {};  // on a flexible body, instead of `body`: the site whose frame carries the pose
};

// The law between two materials; without one they do not touch.
struct ContactSpec {
  std::string a = {}, b = {};
  std::optional<ContactParameters> law = {};
};

// Two numbers a joint coordinate starts with.
struct CoordinateStart {
  double value = 0.0, rate = 0.0;
};

// Dry friction of a joint along its first coordinate: coefficient times the force that presses it, its reaction and a
// preload, and a part that does not ask for the load.
struct JointFriction {
  double coefficient = 0.0;
  double radius = 0.0;    // of the rubbing surface, where the coordinate is an angle
  double preload = 0.0;   // N, added to the size of the reaction
  double constant = 0.0;  // N, or N m where the coordinate is an angle

  // Then the reaction must be known: the joint stays rows.
  bool asks_for_load() const { return coefficient > 0.0 || constant == 0.0; }
};

// What a joint carries at most, as a mean over a step. Beyond it the joint breaks, for good (system/discrete_state.h).
struct JointStrength {
  double force = std::numeric_limits<double>::infinity();   // N
  double moment = std::numeric_limits<double>::infinity();  // N m
};

struct JointSpec {
  std::string name = {};
  std::string kind = {};
  SiteSpec a = {}, b = {};
  std::optional<JointFriction> friction = {};
  std::optional<CoordinateStart> start = {};  // of its first coordinate
  std::optional<JointStrength> breaks_at = {};
  // Of transmissions (gear, rack, screw): what `carom list joints` says of the kind.
  std::vector<std::string> couples = {};  // the two joints whose coordinates a gear or rack couples
  double ratio = 0.0;
  double backlash = 0.0, restitution = 0.0;  // the play of a transmission, in the unit of its sum
};

struct LimitSpec {
  std::string joint = {};  // on its first coordinate, unless "joint.coordinate"
  std::optional<double> lower = {}, upper = {};
  double restitution = 0.0;
};

struct DriveSpec {
  std::string joint = {};
  std::function<Prescribed(double t)> motion = {};
  bool velocity_level = false;
};

// A gear, rack or screw: the sum of factor times coordinate stays what it is at the start.
struct RatioSpec {
  std::string name = {};
  struct Term {
    std::string joint;
    double factor;
  };
  std::vector<Term> terms = {};
};

// The play of such a transmission: the sum may lie within half the backlash to both sides of where it starts.
struct BacklashSpec {
  std::string name = {};
  std::vector<RatioSpec::Term> terms = {};
  double backlash = 0.0;  // in the unit of the sum
  double restitution = 0.0;
};

// A nut on its bolt: a cylindrical joint whose displacement follows its angle.
struct ScrewSpec {
  std::string name = {};
  SiteSpec a = {}, b = {};
  double pitch = 0.0;  // way of one turn
};

// Springs and dampers along and about all three axes of site a: for small turns. Free where the two sites agree.
struct BushingSpec {
  std::string name = {};
  SiteSpec a = {}, b = {};
  Vector3 stiffness = Vector3::Zero(), damping = Vector3::Zero();                  // N/m, N s/m
  Vector3 turning_stiffness = Vector3::Zero(), turning_damping = Vector3::Zero();  // N m/rad, N m s/rad
};

struct SpringSpec {
  std::string name = {};
  SiteSpec a = {}, b = {};  // a line between two points, or, if it is torsional, the turn about z of a, or
  bool torsional = false;   // from x of a to x of b, counted over turns
  std::string joint = {};   // the first coordinate of a joint, unless "joint.coordinate"
  double stiffness = 0.0, damping = 0.0, preload = 0.0;
  std::optional<double> free_length =
      {};  // of a line: what it is at the start if not given; of a coordinate or turn: its rest value
  SpringActs acts = SpringActs::both_ways;
  std::function<double(double t, double g, double rate)> drive = {};
};

// A force and a torque at a site by any function of time and of the motion of sites (forces/site_loads.h).
struct LoadSpec {
  std::string name = {};
  SiteSpec site = {};
  std::vector<SiteSpec> watched = {};  // what the function sees; empty: the site itself
  LoadFunction load = {};
};

// A number that controllers and other programs set while the model is stepped (system/input.h): a force or torque along
// the first coordinate of a joint; or, at a site, that many times a force and a torque in world components.
struct InputSpec {
  std::string name = {};
  std::string joint = {};
  SiteSpec site = {};
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
  std::string unit = {};  // of its values, where it is known
  double start = 0.0;     // until it is set
};

// A block loose in a straight guide along x of its site: four corners between two walls in the plane; in space eight
// corners in a rectangular channel, with the same clearance to all four walls.
struct GuideSpec {
  std::string name = {};
  SiteSpec guide = {}, block = {};
  double half_length = 0.0, half_height = 0.0, clearance = 0.0;  // along x, y
  ContactParameters law = {};
  double half_width = 0.0;  // along z, in space
};

// A pin loose in its bore: a disc in a hollow disc (plane), a ball in a hollow ball (space); with a length, in space, a
// pin whose edges meet the wall of the bore, so that it can tilt. Axes are z of the sites.
struct ClearanceSpec {
  std::string name = {};
  SiteSpec pin = {}, bore = {};
  double pin_radius = 0.0, bore_radius = 0.0;
  double pin_length = 0.0;
  std::optional<double> axial_play =
      {};                   // in all, between the ends of the pin and two shoulders; none: the pin slides out freely
  double depth = INFINITY;  // a contact that has sunk deeper is not seen any more, as by kernels that see surfaces only
  ContactParameters law = {};
};

// A point that may touch a face: a line in the plane, a plane in space. The face runs along x of its site, y is its
// normal. It ends where the window does: a point beyond it, or already deeper below than `depth`, does not touch.
struct FaceSpec {
  std::string name = {};
  SiteSpec point = {}, face = {};
  double from = -INFINITY, to = INFINITY;  // along x
  double depth = INFINITY;
  ContactParameters law = {};
};

// Maximal: every body has its own coordinates, every joint is rows. Joint: spanning trees of ideal joints have the
// coordinates of their joints (parts/tree.h), and only what closes a loop stays rows; the joints named first make the
// trees. Joints with friction by their load or that can break, joints to driven or flexible bodies and trees of more
// than 64 velocities stay as they are, and Model::remarks says so.
enum class Coordinates { maximal, joint };

class ModelBuilder {
 public:
  explicit ModelBuilder(Space space) : space_(space) {}

  void set_coordinates(Coordinates coordinates) { coordinates_ = coordinates; }

  void set_gravity(const Vector3& gravity) { gravity_ = gravity; }
  BodyRef ground() const { return {}; }
  BodyRef add_body(BodySpec body);
  BodyRef add_planar_body(BodySpec body);
  BodyRef add_spatial_body(BodySpec body);
  BodyRef add_kinematic_body(KinematicBodyData body);
  BodyRef add_particle(ParticleSpec particle);
  BodyRef add_solid(const SolidSpec& solid);
  // Flexible bodies feel the gravity of the model. Surfaces of one of them do not touch each other.
  FlexibleRef add_linear_body(LinearBodySpec body) { return add_single(std::move(body)); }
  FlexibleRef add_planar_beam(PlanarBeamSpec beam) { return add_single(std::move(beam)); }
  FlexibleRef add_spatial_beam(SpatialBeamSpec beam) { return add_single(std::move(beam)); }

  void add_joint(JointSpec joint) { joints_.push_back(std::move(joint)); }
  void add_limit(LimitSpec limit) { limits_.push_back(std::move(limit)); }
  void add_drive(DriveSpec drive) { drives_.push_back(std::move(drive)); }
  void add_ratio(RatioSpec ratio) { ratios_.push_back(std::move(ratio)); }
  void add_backlash(BacklashSpec backlash) { backlashes_.push_back(std::move(backlash)); }
  void add_screw(const ScrewSpec& screw);
  void add_bushing(BushingSpec bushing) { bushings_.push_back(std::move(bushing)); }
  void add_spring(SpringSpec spring) { springs_.push_back(std::move(spring)); }
  void add_load(LoadSpec load) { loads_.push_back(std::move(load)); }
  void add_input(const InputSpec& input);
  const std::vector<Input>& inputs() const { return inputs_; }  // shared by all models this builder makes
  void add_surface(SurfaceSpec surface) { surfaces_.push_back(std::move(surface)); }
  // Drawn, and touched by nothing.
  void add_picture(SurfaceSpec surface) { pictures_.push_back(std::move(surface)); }
  // For all materials that no ContactSpec names. None: they do not touch.
  void set_default_contact(std::optional<ContactParameters> law) { default_contact_ = law; }
  void add_contact(ContactSpec contact) { contacts_.push_back(std::move(contact)); }
  // Two bodies that do not touch each other; bodies whose points a joint holds together never do.
  void keep_apart(BodyRef a, BodyRef b) { apart_.emplace_back(a.number, b.number); }
  void add_guide(GuideSpec guide) { guides_.push_back(std::move(guide)); }
  void add_face(FaceSpec face) { faces_.push_back(std::move(face)); }
  void add_clearance(ClearanceSpec clearance) { clearances_.push_back(std::move(clearance)); }

  // The start is taken as it is given, without closing the joints or taking out of the velocities what contradicts
  // them.
  void keep_start() { keep_start_ = true; }
  // Bodies that overlap by no more than this are pushed apart by the shortest motion that does it, joints held. Zero:
  // overlaps are refused.
  void remove_overlaps(double largest) { largest_overlap_ = largest; }
  // The start is where everything rests (assembly/equilibrium.h), searched from the start given; velocities are zero.
  void start_at_rest() { start_at_rest_ = true; }

  // Throws InputError naming every problem. Unless the start is kept, joints are closed, and their coordinates brought
  // to their starts, before anything else.
  Model build() const;

 private:
  friend class ModelAssembler;
  enum class Pool { spatial, planar, particle, kinematic, single };
  struct Member {
    Pool pool;
    Index item;  // within its pool
  };

  FlexibleRef add_single(SinglePartSpec body) {
    bodies_.push_back({Pool::single, static_cast<Index>(single_.size())});
    single_.push_back(std::move(body));
    return {static_cast<Index>(bodies_.size()) - 1};
  }

  // Gears, racks, screws and torsional springs in terms of joints, ratios and coordinates.
  ModelBuilder expanded() const;
  bool is_plain() const;  // nothing would change

  Space space_;
  Coordinates coordinates_ = Coordinates::maximal;
  Vector3 gravity_ = Vector3::Zero();
  bool keep_start_ = false, start_at_rest_ = false;
  double largest_overlap_ = 0.0;
  std::vector<Member> bodies_;
  std::vector<BodySpec> spatial_, planar_;
  std::vector<ParticleSpec> particles_;
  std::vector<KinematicBodyData> kinematic_;
  std::vector<SinglePartSpec> single_;
  std::vector<JointSpec> joints_;
  std::vector<LimitSpec> limits_;
  std::vector<DriveSpec> drives_;
  std::vector<RatioSpec> ratios_;
  std::vector<BacklashSpec> backlashes_;
  std::vector<BushingSpec> bushings_;
  std::vector<SpringSpec> springs_;
  std::vector<LoadSpec> loads_;
  std::vector<Input> inputs_;
  std::vector<SurfaceSpec> surfaces_, pictures_;
  std::optional<ContactParameters> default_contact_;
  std::vector<ContactSpec> contacts_;
  std::vector<std::pair<Index, Index>> apart_;
  std::vector<GuideSpec> guides_;
  std::vector<ClearanceSpec> clearances_;
  std::vector<FaceSpec> faces_;
};

}  // namespace carom::model
