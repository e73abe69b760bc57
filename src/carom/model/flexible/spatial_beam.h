// The spatial geometrically exact beam (spatial_beam_element.h) as a System. Every node has a position and a
// unit quaternion, and as velocities x' and the body-fixed spin Omega; what is held fixed is left out.
//
//   M = sum over elements of l/6 [2 1; 1 2] (x) diag(rho A I, rho J), constant, rho J in the body frame
//   h = M_t g + loads - f_int - alpha M v - gyroscopic forces,      p' = 1/2 p (0, Omega)
//
// The kinetic energy interpolates the components of Omega in the nodes' own frames. It does not change when the
// whole is turned, so that with pi = dT/dOmega the equations (R_a pi_a)' = R_a (moment), that is
//
//   pi_a' + Omega_a x pi_a = moment
//
// keep linear and angular momentum. In the plane the beam is the planar one, exactly. Loads are dead: force and
// moment keep their direction in the world.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/base/constant_matrix.h"
#include "carom/model/flexible/beam.h"
#include "carom/model/flexible/element_assembly.h"
#include "carom/model/flexible/spatial_beam_element.h"
#include "carom/model/model.h"

namespace carom {

struct SpatialSection {
  double EA = 1.0, GA_2 = 1.0, GA_3 = 1.0;  // stretch, shear along the body's second and third direction
  double GJ = 1.0, EI_2 = 1.0, EI_3 = 1.0;  // twist, bending about them
  double rho_A = 1.0;
  Vector3 rho_J = Vector3::Ones();          // rotary inertia per length about the body's directions

  // A round bar of radius r; 6/7 of the area carries shear.
  static SpatialSection round(double radius, double E, double G, double density);
};

// What is held fixed at a node, at its value of the start.
struct SpatialSupport {
  Index node = 0;
  std::array<bool, 3> position = {true, true, true};
  bool rotation = false;

  static SpatialSupport hinged(Index node) { return {node, {true, true, true}, false}; }
  static SpatialSupport clamped(Index node) { return {node, {true, true, true}, true}; }
};

struct SpatialLoad {
  Index node = 0;
  Vector3 force = Vector3::Zero();
  Vector3 moment = Vector3::Zero();
};

struct SpatialBeamSpec {
  Index elements = 10;
  double length = 1.0;
  SpatialSection section;
  Vector3 origin = Vector3::Zero();                // of node 0 at the start
  Quaternion orientation = {1.0, 0.0, 0.0, 0.0};   // of the straight beam; its first direction is the axis
  Vector3 velocity = Vector3::Zero();              // of node 0 at the start
  Vector3 spin = Vector3::Zero();                  // of the whole at the start, in the world
  Vector3 gravity = Vector3::Zero();
  RayleighDamping damping;
  std::vector<SpatialSupport> supports;
  std::vector<SpatialLoad> loads;
  std::vector<BeamContact> contacts;
};

class SpatialBeam final : public Beam {
 public:
  // Throws InputError naming every value out of range.
  explicit SpatialBeam(SpatialBeamSpec spec);

  // The straight beam in the rigid motion the spec describes.
  State start() const;

  Index nq() const override { return nq_; }
  Index nv() const override { return nv_; }
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override;
  void move(const Vector& q, const Vector& dq, Vector& q_next) const override;
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const override;
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const override;
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override;
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override;

  double kinetic_energy(double t, const Vector& q, const Vector& v) const override;
  // Dead moments have no potential in space: their work is not in it, their power is in other_power.
  double potential_energy(double t, const Vector& q) const override;
  double other_power(double t, const Vector& q, const Vector& v) const override;

  Vector3 node_position(const Vector& q, Index node) const override;
  Twist node_twist(const Vector& q, const Vector& v, Index node) const override;
  Quaternion node_orientation(const Vector& q, Index node) const;

  // Of all nodes, moments about the origin of the world: what free flight keeps.
  struct Momentum {
    Vector3 linear = Vector3::Zero();
    Vector3 angular = Vector3::Zero();
  };
  Momentum momentum(const Vector& q, const Vector& v) const;

  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;  // "node3.x", "node3.p0"
  std::string velocity_name(Index i) const override;    // "node3.vx", "node3.spin_x"

 private:
  using Element = SpatialBeamElement;

  // Where a node's numbers stand in q and v; removed if they are held.
  struct Places {
    std::array<Index, 3> q_position, v_position;
    Index q_rotation = removed, v_rotation = removed;
    Vector3 start;  // position, for what is held
  };

  void add_node_rows(const Vector& q, Index node, double weight, Index rows, const Vector3* d,
                     const Vector3* torque, ConstraintJacobian& W) const override;

  void number_unknowns();
  const Places& places(Index node) const { return places_[static_cast<std::size_t>(node)]; }
  Index unknown(Index node, Index component) const;  // of v
  // Translations added, rotations multiplied by turn(rotation vector).
  template <class Turn>
  void move_nodes(const Vector& q, const Vector& dq, Vector& q_next, Turn turn) const;
  BeamNode node_at(const Vector& q, const Vector& v, Index node) const;
  Element::Vector12 momenta(const BeamNode& a, const BeamNode& b) const;
  void evaluate_force(const Vector& q, const Vector& v, Vector& h) const;
  void evaluate_force_jacobian(const Vector& q, const Vector& v, Evaluation& out) const;

  SpatialBeamSpec spec_;
  Element::Vector6 D_;
  Element::Vector6 per_length_;  // inertia
  Index nq_ = 0, nv_ = 0;
  std::vector<Places> places_;
  std::vector<std::string> q_names_, v_names_;
  ElementAssembly tangent_;
  std::shared_ptr<const ConstantMatrix> M_;
  std::vector<Vector3> node_forces_;  // gravity and loads
};

// The beam and its start.
Model make_spatial_beam(const SpatialBeamSpec& spec);

}  // namespace carom
