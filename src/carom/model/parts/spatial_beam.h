// The spatial geometrically exact beam (spatial_beam_element.h) as a part. Every node has a position and a
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
//
// A frame at arc length s has the position by linear and the rotation by the element's own interpolation
// (beam_section.h).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/base/constant_matrix.h"
#include "carom/model/assembly/part.h"
#include "carom/model/flexible/spatial_beam_element.h"
#include "carom/model/parts/beam.h"
#include "carom/model/parts/spatial_beam_spec.h"

namespace carom::model {

class SpatialBeam final : public Part {
 public:
  // With frames at these arc lengths. Throws InputError naming every value out of range.
  explicit SpatialBeam(SpatialBeamSpec spec, const std::vector<double>& frames = {});

  // The straight beam in the rigid motion the spec describes.
  State start() const;

  Index element_count() const { return spec_.elements; }
  Index node_count() const { return spec_.elements + 1; }
  double element_length() const { return spec_.length / spec_.elements; }

  Index nq() const override { return nq_; }
  Index nv() const override { return nv_; }
  Index frame_count() const override { return static_cast<Index>(frames_.size()); }
  FrameKind frame_kind() const override { return FrameKind::general; }
  Constancy constancy() const override { return {.inertia = true}; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override;

  void move(const double* q, const double* dq, double* q_next) const override;
  void rational_move(const double* q, const double* dq, double* q_next) const override;
  void difference(const double* qa, const double* qb, double* dq) const override;
  void apply_T(const double* q, const double* v, double* dq) const override;
  void apply_T_transpose(const double* q, const double* p, double* r) const override;

  void place(double t, const double* q, Pose* poses) const override;
  void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const override;
  bool has_rates() const override { return sections_between_nodes_; }
  void rates(double t, const double* q, const double* v, const Pose* poses, Twist* rates) const override;
  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override;
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override;
  void frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3& force,
                         const Vector3& torque, FrameColumns& out) const override;

  double kinetic_energy(const double* q, const double* v) const override;
  // Dead moments have no potential in space: their work is not in it, their power is in other_power.
  double potential_energy(const double* q) const override;
  double other_power(double t, const double* q, const double* v) const override;
  bool conservative() const override;

  BeamNode node(const double* q, const double* v, Index node) const;  // v null: at rest

  // Of all nodes, moments about the origin of the world: what free flight keeps.
  struct Momentum {
    Vector3 linear = Vector3::Zero();
    Vector3 angular = Vector3::Zero();
  };
  Momentum momentum(const double* q, const double* v) const;

  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;  // "node3.x", "node3.p0"
  std::string velocity_name(Index i) const override;    // "node3.vx", "node3.spin_x"
  std::string frame_name(Index frame) const override { return frames_[static_cast<std::size_t>(frame)].name; }

 private:
  using Element = SpatialBeamElement;
  struct Frame {
    std::string name;
    BeamPlace place;
  };
  // How a frame follows the components of the two nodes of its element: omega = B_1 Omega_1 + B_2 Omega_2.
  struct FrameMap {
    double weight[2];
    Matrix3 B[2];
  };

  // Where a node's numbers stand in q and v; held_fast if they do not move.
  struct Places {
    std::array<Index, 3> q_position, v_position;
    Index q_rotation = held_fast, v_rotation = held_fast;
    Vector3 start;  // position, for what is held
  };

  void number_unknowns();
  const Places& places(Index node) const { return places_[static_cast<std::size_t>(node)]; }
  Index unknown(Index node, Index component) const;  // of v
  const Index* unknowns(Index element) const { return unknowns_.data() + 6 * element; }
  // Translations added, rotations multiplied by turn(rotation vector).
  template <class Turn>
  void move_nodes(const double* q, const double* dq, double* q_next, Turn turn) const;
  FrameMap frame_map(const double* q, const BeamPlace& place) const;
  Element::Vector12 momenta(const BeamNode& a, const BeamNode& b) const;

  SpatialBeamSpec spec_;
  Element::Vector6 D_;
  Element::Vector6 per_length_;  // inertia
  Index nq_ = 0, nv_ = 0;
  std::vector<Frame> frames_;
  bool sections_between_nodes_ = false;
  std::vector<Places> places_;
  std::vector<Index> unknowns_;  // of v, six a node
  std::vector<std::string> q_names_, v_names_;
  std::shared_ptr<const ConstantMatrix> M_;
  std::vector<Vector3> node_forces_;  // gravity and loads
};

// The beam, its contacts and its start: a model of nothing else.
Model make_spatial_beam(const SpatialBeamSpec& spec);

}  // namespace carom::model
