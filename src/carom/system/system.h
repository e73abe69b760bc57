// What a scheme sees of a mechanical system: the one statement
//
//     M(q,t) dv - h(t,q,v) dt = W(q,t) dLambda      q' = T(q) v      gamma = W' v + chi
//
// and nothing of how M, h and W arise.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/structured_matrix.h"
#include "carom/system/constraint.h"
#include "carom/system/features.h"
#include "carom/system/state.h"

namespace carom::inline system {

// What an evaluation must contain.
enum class Need : unsigned {
  none = 0,
  inertia = 1,         // M
  force = 2,           // h
  force_jacobian = 4,  // dh_dq, dh_dv
  gap = 8,             // g
  jacobian = 16,       // W, chi
  convective = 32,     // zeta
  gap_rate = 64        // g_rate: where only the gap's velocity matters, W need not be built
};
constexpr Need operator|(Need a, Need b) {
  return static_cast<Need>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Need needs, Need one) { return (static_cast<unsigned>(needs) & static_cast<unsigned>(one)) != 0; }

// What a system found on the way to an evaluation and finds again there when more is asked for at the same q:
// sines and cosines, say. Nobody else reads it.
struct Intermediates {
  std::uint64_t system = 0;  // 0: nothing is kept
  bool constraints = false;  // with what only constraint quantities need
  Buffer q, values;
  std::shared_ptr<void> memory;  // anything else, with its own word for what it belongs to
};

struct Evaluation {
  Inertia M;
  Vector h;
  // Derivatives in the directions of velocities: h(q (+) x, v) = h + dh_dq x + ...
  ForceJacobian dh_dq, dh_dv;
  // Rows follow the active set. g is meaningful on the rows that exist on position level.
  ConstraintJacobian W;
  Buffer g, chi, zeta;  // gamma = W'v + chi,  gamma' = W'v' + zeta
  Buffer g_rate;        // W'v + chi on the rows that exist on position level
  Intermediates intermediates;
};

// What never changes, so that a scheme may keep it from step to step. A few bytes: it is handed out in every step.
struct Constancy {
  bool inertia = false;
  bool affine_force = false;  // dh_dq and dh_dv are constant (and cheap to ask for)
  bool jacobian = false;      // W and chi depend neither on q nor on t
  bool contacts = false;      // detect always lists the same constraints
  bool autonomous = true;     // nothing depends on t
};

// Energies, for the audit and the energy-consistent schemes.
class Energetics {
 public:
  virtual ~Energetics() = default;
  virtual double kinetic_energy(double t, const Vector& q, const Vector& v) const = 0;
  virtual double potential_energy(double t, const Vector& q) const = 0;
  // Power of the forces in h that have no potential (drives > 0, dampers < 0).
  virtual double other_power(double t, const Vector& q, const Vector& v) const = 0;
  // dV/dq, nq entries, V as a function of free coordinates (quaternions need not be unit). Central
  // differences unless the model knows better: exact for quadratic V, else good to about 1e-10.
  virtual void potential_gradient(double t, const Vector& q, Vector& out) const;
  // Whether h holds nothing but inertia terms and the forces of V.
  virtual bool conservative() const { return false; }
};

class Layout;             // what the numbers of a state are: layout.h
class Curvature;          // d(W lambda)/dq and its relatives, for full Newton: curvature.h
class TurningDirections;  // as far as it stays within one body: turning_directions.h
class DecomposedInertia;  // the inverse of T and what it does to inertia: decomposed_inertia.h
class FarContacts;        // what could touch, near or far: far_contacts.h
class DiscreteState;      // entries of q that change between steps: discrete_state.h

class System {
 public:
  System();
  virtual ~System() = default;

  // Different for every system ever made in this process: what was computed once for a constant
  // matrix is recognised by it. Copies share it, and everything else too.
  std::uint64_t serial() const { return serial_; }

  virtual Index nq() const = 0;
  virtual Index nv() const = 0;
  virtual Constancy constancy() const = 0;
  // What a scheme must be able to treat; asked for before a run, not in it.
  virtual FeatureSet features() const = 0;

  // All constraints that may act in a step starting at q with velocity v and length dt: joints, and
  // contacts near enough. Called once a step; the set is frozen during it.
  virtual void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const = 0;
  // Fills what `need` names; constraint quantities for the members of `active` only.
  virtual void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                        Evaluation& out) const = 0;

  // How coordinates follow velocities: q' = v, unless a system has it otherwise.
  // q_next = q (+) dq with dq in velocity space: exact for quaternions. q and q_next may be the same.
  virtual void move(const Vector& q, const Vector& dq, Vector& q_next) const;
  // The rational twin of `move`: q_next - q = T((q + q_next)/2) dq exactly. For rotations that is Cayley's
  // map; where T does not depend on q the two are the same.
  virtual void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const { move(q, dq, q_next); }
  // dq with qa (+) dq = qb.
  virtual void difference(const Vector& qa, const Vector& qb, Vector& dq) const;
  // q' = T(q) v as an operator, and its transpose.
  virtual void apply_T(const Vector& q, const Vector& v, Vector& dq) const;
  virtual void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const;

  virtual const Energetics* energetics() const { return nullptr; }
  virtual const Curvature* curvature() const { return nullptr; }
  virtual const TurningDirections* turning_directions() const { return nullptr; }
  virtual const DecomposedInertia* decomposed() const { return nullptr; }
  // Null: detect always lists the same contacts.
  virtual const FarContacts* far_contacts() const { return nullptr; }

  // Lists every field of the state. By default every coordinate and velocity by its name.
  virtual void describe(Layout& layout) const;

  // Names for people: "guide.c1", and of coordinates: "crank.angle".
  virtual std::string constraint_name(const Constraint& constraint) const = 0;
  virtual std::string coordinate_name(Index i) const = 0;  // of q
  virtual std::string velocity_name(Index i) const = 0;    // of v

  // What a driver tells of a step that was taken; null: nothing changes between steps.
  virtual const DiscreteState* discrete_state() const { return nullptr; }

 private:
  std::uint64_t serial_;
};

}  // namespace carom::inline system
