// A part owns a slice of q and v and knows nothing of other parts: all rigid bodies of a model are one, all planar
// bodies another, every flexible body one. What is attached to it (joints, forces, contacts) sees it through its
// frames.
//
//   M(q) v' = force(t, q, v) + sum over frames B_f(q)' (force, torque)     (velocity, omega) of frame f = B_f v + drift
//
// All pointers are to the part's own slice; h, M and rows of W are written at its offset in the model.
#pragma once

#include <string>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/matrix_assembly.h"
#include "carom/model/assembly/placement.h"
#include "carom/system/layout.h"
#include "carom/system/system.h"

namespace carom::model {

struct FrameColumns;  // assembly/frames.h

// How the columns of a frame are found without asking the part: most frames are bodies.
enum class FrameKind { fixed, body, planar_body, general };

class Part {
 public:
  virtual ~Part() = default;

  virtual Index nq() const = 0;
  virtual Index nv() const = 0;
  virtual Index frame_count() const = 0;
  virtual FrameKind frame_kind() const = 0;
  // Its frames stay in the x-y plane.
  virtual bool planar() const { return frame_kind() == FrameKind::planar_body; }
  virtual Constancy constancy() const = 0;  // of inertia, force and time

  // Inertia and the part's own forces (gyroscopic, internal, weight).
  virtual void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const = 0;
  virtual void inertia(const double* q, MatrixAssembly::Writer& M) const = 0;
  virtual void add_force(double t, const double* q, const double* v, double* h) const = 0;
  virtual void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                              MatrixAssembly::Writer& dh_dv) const = 0;
  // What is asked for of these in one call (null: not asked for); for parts that find much of them on one way.
  virtual void inertia_and_force(double t, const double* q, const double* v, MatrixAssembly::Writer* M, double* h,
                                 MatrixAssembly::Writer* dh_dq, MatrixAssembly::Writer* dh_dv) const;

  // Coordinates: q' = v unless a part has it otherwise (system/system.h).
  virtual void move(const double* q, const double* dq, double* q_next) const;
  virtual void rational_move(const double* q, const double* dq, double* q_next) const { move(q, dq, q_next); }
  virtual void difference(const double* qa, const double* qb, double* dq) const;
  virtual void apply_T(const double* q, const double* v, double* dq) const;
  virtual void apply_T_transpose(const double* q, const double* p, double* r) const;

  // v = Q(q) q' with constant inertia (system/decomposed_inertia.h): the part's own blocks of Q and H.
  using Block = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;
  virtual bool decomposed() const { return false; }
  virtual void velocity_map(const double*, Block Q) const { Q.setIdentity(); }
  virtual void gyroscopic(const double* /*v*/, const double* /*q*/, Block H) const { H.setZero(); }

  // Frames.
  virtual void place(double t, const double* q, Pose* poses) const = 0;
  virtual void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const = 0;
  virtual bool has_drifts() const { return false; }
  virtual void drifts(double, const double*, const Pose*, Twist*) const {}
  virtual bool has_rates() const { return false; }
  virtual void rates(double, const double*, const double*, const Pose*, Twist*) const {}

  // What a force and a torque (world components, about the frame's origin) do to the velocities: B' (force, torque).
  virtual void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                        double* h) const = 0;
  // The same for the rows of a constraint: adds segments to the last block of W'.
  virtual void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force,
                        const Vector3* torque, Index offset, ConstraintJacobian& W) const = 0;

  // Of general frames: what derivatives of a force need beside B, twist_by_q and load_by_q at the load (force, torque).
  virtual void frame_derivatives(const double* /*q*/, const double* /*v*/, Index /*frame*/, const Pose&,
                                 const Vector3& /*force*/, const Vector3& /*torque*/, FrameColumns&) const {}

  // Energies of the part alone; weight is part of the potential.
  virtual double kinetic_energy(const double* q, const double* v) const = 0;
  virtual double potential_energy(const double* q) const = 0;
  // Adds dV/dq, by central differences unless the part knows better.
  virtual void add_potential_gradient(const double* q, double* out) const;
  virtual double other_power(double, const double*, const double*) const { return 0.0; }
  virtual bool conservative() const { return true; }

  // Every field of the slice and every frame; by default coordinates and velocities by their names.
  virtual void describe(Layout& layout) const;
  // "block.x", "block.spin_z"; frames by the name of their body.
  virtual std::string coordinate_name(Index i) const = 0;
  virtual std::string velocity_name(Index i) const = 0;
  virtual std::string frame_name(Index frame) const = 0;
};

}  // namespace carom::model
