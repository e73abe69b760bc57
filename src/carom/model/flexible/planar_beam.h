// The planar geometrically exact beam (planar_beam_element.h) as a System. q holds x, y and the absolute
// angle of every node, components that are held fixed left out; q' = v.
//
//   M = sum over elements of l/6 [2 1; 1 2] (x) diag(rho A, rho A, rho I), constant
//   h = M_t g + loads - f_int(q, v) - alpha M v
//
// with dead loads (force and moment keep their direction) and f_int with the viscous stress
// sigma = D (eps + beta eps'). Displacements and rotations may be as large as they like; strains are meant to
// be small, for the material is linear.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "carom/base/constant_matrix.h"
#include "carom/model/flexible/beam.h"
#include "carom/model/flexible/element_assembly.h"
#include "carom/model/flexible/planar_beam_element.h"
#include "carom/model/model.h"

namespace carom {

using Vector2 = Eigen::Vector2d;

struct PlanarSection {
  double EA = 1.0, GA = 1.0, EI = 1.0;  // stretch, shear (corrected area), bending
  double rho_A = 1.0, rho_I = 1.0;      // mass and rotary inertia per length

  static PlanarSection of(double E, double G, double area, double shear_area, double moment, double density) {
    return {E * area, G * shear_area, E * moment, density * area, density * moment};
  }
};

// What is held fixed at a node, at its value of the start.
struct PlanarSupport {
  Index node = 0;
  bool x = true, y = true, angle = false;

  static PlanarSupport hinged(Index node) { return {node, true, true, false}; }
  static PlanarSupport clamped(Index node) { return {node, true, true, true}; }
};

struct PlanarLoad {
  Index node = 0;
  Vector2 force = Vector2::Zero();
  double moment = 0.0;
};

struct PlanarBeamSpec {
  Index elements = 10;
  double length = 1.0;
  PlanarSection section;
  Vector2 origin = Vector2::Zero();  // of node 0 at the start
  double angle = 0.0;                // of the straight beam at the start
  Vector2 velocity = Vector2::Zero();  // of node 0 at the start, and the spin of the whole
  double spin = 0.0;
  Vector2 gravity = Vector2::Zero();
  RayleighDamping damping;
  std::vector<PlanarSupport> supports;
  std::vector<PlanarLoad> loads;
  std::vector<BeamContact> contacts;
};

class PlanarBeam final : public Beam {
 public:
  // Throws InputError naming every value out of range.
  explicit PlanarBeam(PlanarBeamSpec spec);

  // The straight beam in the rigid motion the spec describes.
  State start() const;

  Index nq() const override { return size_; }
  Index nv() const override { return size_; }
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override;

  double kinetic_energy(double t, const Vector& q, const Vector& v) const override;
  double potential_energy(double t, const Vector& q) const override;
  double other_power(double t, const Vector& q, const Vector& v) const override;
  void potential_gradient(double t, const Vector& q, Vector& out) const override;
  bool conservative() const override {
    return spec_.damping.mass_factor == 0.0 && spec_.damping.stiffness_factor == 0.0;
  }

  Vector3 node_position(const Vector& q, Index node) const override;
  Twist node_twist(const Vector& q, const Vector& v, Index node) const override;
  double node_angle(const Vector& q, Index node) const { return coordinate(q, node, 2); }

  // Of all nodes, moments about the origin: what free flight keeps.
  struct Momentum {
    Vector2 linear = Vector2::Zero();
    double angular = 0.0;
  };
  Momentum momentum(const Vector& q, const Vector& v) const;

  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;  // "node3.x", "node3.angle"
  std::string velocity_name(Index i) const override;    // "node3.vx", "node3.rate"

 private:
  using Element = PlanarBeamElement;

  void add_node_rows(const Vector& q, Index node, double weight, Index rows, const Vector3* d,
                     const Vector3* torque, ConstraintJacobian& W) const override;

  Index unknown(Index node, Index component) const {
    return unknowns_[static_cast<std::size_t>(3 * node + component)];
  }
  double coordinate(const Vector& q, Index node, Index component) const {
    const Index i = unknown(node, component);
    return i == removed ? held_[static_cast<std::size_t>(3 * node + component)] : q[i];
  }
  Element::Vector6 coordinates(const Vector& q, Index element) const;
  Element::Vector6 rates(const Vector& v, Index element) const;
  Element::Matrix6 element_inertia() const;
  void evaluate_force(const Vector& q, const Vector& v, Vector& h) const;
  void evaluate_force_jacobian(const Vector& q, const Vector& v, Evaluation& out) const;

  std::string name(Index i, const char* const* components) const;

  PlanarBeamSpec spec_;
  Eigen::Vector3d D_;
  Index size_ = 0;
  std::vector<Index> unknowns_;  // three a node
  std::vector<Index> owners_;    // of each unknown: 3 node + component
  std::vector<double> held_;     // values of the start
  ElementAssembly tangent_;      // of dh_dq and dh_dv
  std::shared_ptr<const ConstantMatrix> M_;
  Vector constant_force_;        // gravity and loads
};

// The beam and its start.
Model make_planar_beam(const PlanarBeamSpec& spec);

}  // namespace carom
