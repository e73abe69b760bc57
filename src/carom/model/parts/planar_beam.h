// The planar geometrically exact beam (planar_beam_element.h) as a part. q holds x, y and the absolute
// angle of every node, components that are held fixed left out; q' = v.
//
//   M = sum over elements of l/6 [2 1; 1 2] (x) diag(rho A, rho A, rho I), constant
//   h = M_t g + loads - f_int(q, v) - alpha M v
//
// with dead loads (force and moment keep their direction) and f_int with the viscous stress
// sigma = D (eps + beta eps'). Displacements and rotations may be as large as they like; strains are meant to
// be small, for the material is linear.
//
// A frame at arc length s has position and angle by the element's own linear interpolation, so that B is constant.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/base/constant_matrix.h"
#include "carom/model/assembly/part.h"
#include "carom/model/flexible/planar_beam_element.h"
#include "carom/model/parts/beam.h"
#include "carom/model/parts/planar_beam_spec.h"

namespace carom::model {

class PlanarBeam final : public Part {
 public:
  // With frames at these arc lengths. Throws InputError naming every value out of range.
  explicit PlanarBeam(PlanarBeamSpec spec, const std::vector<double>& frames = {});

  // The straight beam in the rigid motion the spec describes.
  State start() const;

  Index element_count() const { return spec_.elements; }
  Index node_count() const { return spec_.elements + 1; }
  double element_length() const { return spec_.length / spec_.elements; }

  Index nq() const override { return size_; }
  Index nv() const override { return size_; }
  Index frame_count() const override { return static_cast<Index>(frames_.size()); }
  FrameKind frame_kind() const override { return FrameKind::general; }
  Constancy constancy() const override { return {.inertia = true}; }
  bool planar() const override { return true; }
  // What counts the turns of a frame: the angle of the nearer node, offset + q[entry]; entry -1: it is held.
  struct TurnCounter {
    Index entry = -1;
    double offset = 0.0;
  };
  TurnCounter turn_counter(Index frame) const;

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override;

  void place(double t, const double* q, Pose* poses) const override;
  void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const override;
  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override;
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override;

  double kinetic_energy(const double* q, const double* v) const override;
  double potential_energy(const double* q) const override;
  void add_potential_gradient(const double* q, double* out) const override;
  double other_power(double t, const double* q, const double* v) const override;
  bool conservative() const override { return !damped(); }

  // x, y and angle of a node.
  Vector3 node(const double* q, Index node) const;

  // Of all nodes, moments about the origin: what free flight keeps.
  struct Momentum {
    Vector2 linear = Vector2::Zero();
    double angular = 0.0;
  };
  Momentum momentum(const double* q, const double* v) const;

  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;  // "node3.x", "node3.angle"
  std::string velocity_name(Index i) const override;    // "node3.vx", "node3.rate"
  std::string frame_name(Index frame) const override { return frames_[static_cast<std::size_t>(frame)].name; }

 private:
  using Element = PlanarBeamElement;
  struct Frame {
    std::string name;
    BeamPlace place;
  };

  Index unknown(Index node, Index component) const { return unknowns_[static_cast<std::size_t>(3 * node + component)]; }
  // Those of the six components of an element.
  const Index* unknowns(Index element) const { return unknowns_.data() + 3 * element; }
  bool damped() const { return spec_.damping.mass_factor != 0.0 || spec_.damping.stiffness_factor != 0.0; }
  Element::Vector6 coordinates(const double* q, Index element) const;
  Element::Vector6 element_rates(const double* v, Index element) const;
  Element::Matrix6 element_inertia() const;
  Vector3 interpolated(const Element::Vector6& u, const BeamPlace& place) const {
    return (1.0 - place.weight) * u.head<3>() + place.weight * u.tail<3>();
  }
  std::string name(Index i, const char* const* components) const;

  PlanarBeamSpec spec_;
  Eigen::Vector3d D_;
  Index size_ = 0;
  std::vector<Frame> frames_;
  std::vector<Index> unknowns_;  // three a node
  std::vector<Index> owners_;    // of each unknown: 3 node + component
  std::vector<double> start_;    // coordinates of all nodes at the start: those that are held stay there
  std::shared_ptr<const ConstantMatrix> M_;
  Vector constant_force_;  // gravity and loads
};

// The beam, its contacts and its start: a model of nothing else.
Model make_planar_beam(const PlanarBeamSpec& spec);

}  // namespace carom::model
