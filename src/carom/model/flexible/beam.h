// What planar and spatial beams share: nodes 0 .. n along a line of length L, points of the centre line
// between them by linear interpolation, and contacts of such points with fixed planes and balls.
//
//   x(s) = (1 - w) x_i + w x_{i+1}      v, omega alike      w = s / l - i,  l = L / n
//
// A contact point is the skin of a round section of radius `thickness` around x(s): with the normal n from
// the obstacle to the beam and the lever rho = -thickness n,
//
//   g = distance of x(s) - thickness      gamma_d = d . v + (rho x d) . omega,   d = n, t1 (, t2)
//   plane: n fixed, zeta = 0              ball: n' = (I - n n') v / |x - centre|
//
// In the plane everything has z = 0, omega = (0, 0, theta') and rows n, t1.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/geometry/gaps.h"
#include "carom/laws/contact_law.h"
#include "carom/model/bodies/rigid_body.h"
#include "carom/model/contacts/contact_point.h"
#include "carom/system/system.h"

namespace carom {

// A fixed thing a beam may touch: a half space, or a ball (in the plane: half plane, disc).
struct BeamObstacle {
  enum class Kind { plane, ball };
  Kind kind = Kind::plane;
  Plane plane;                          // any length of the normal
  Vector3 centre = Vector3::Zero();     // of the ball
  double radius = 0.0;

  static BeamObstacle half_space(const Vector3& point, const Vector3& normal) {
    return {Kind::plane, {point, normal}, Vector3::Zero(), 0.0};
  }
  static BeamObstacle ball(const Vector3& centre, double radius) {
    return {Kind::ball, {}, centre, radius};
  }
};

struct BeamContact {
  std::string name;
  double at = 0.0;         // arc length from node 0
  double thickness = 0.0;  // radius of the section where it touches
  BeamObstacle obstacle;
  ContactParameters law;
};

// Viscous damping: of momentum (1/s) and of strain (s). On a straight beam at rest the damping matrix is
// mass_factor M + stiffness_factor K. The second part acts on strain rates, so a rigid motion feels none
// of it, however far it goes.
struct RayleighDamping {
  double mass_factor = 0.0;
  double stiffness_factor = 0.0;
};

class Beam : public System, public Energetics {
 public:
  Index element_count() const { return elements_; }
  Index node_count() const { return elements_ + 1; }
  double length() const { return elements_ * element_length_; }
  double element_length() const { return element_length_; }

  Traits traits() const override { return traits_; }
  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override;
  const Energetics* energetics() const override { return this; }
  std::string constraint_name(const Constraint& constraint) const override;

  virtual Vector3 node_position(const Vector& q, Index node) const = 0;
  virtual Twist node_twist(const Vector& q, const Vector& v, Index node) const = 0;  // in the world

 protected:
  // Throws InputError naming every value out of range. Contacts get 2 rows in the plane and 3 in space, 1
  // without friction.
  Beam(Space space, Index elements, double length, std::vector<BeamContact> contacts);

  // g, W, chi, g_rate and zeta of the active contacts.
  void evaluate_contacts(const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                         Evaluation& out) const;

  // One segment of W': rows weight (d . v_node + torque . omega_node), torque in the world.
  virtual void add_node_rows(const Vector& q, Index node, double weight, Index rows, const Vector3* d,
                             const Vector3* torque, ConstraintJacobian& W) const = 0;

  Traits traits_;

 private:
  struct Place {
    Index element = 0;
    double weight = 0.0;  // of its second node
  };
  Place place_of(double at) const;
  const BeamContact& contact(Index k) const { return contacts_[static_cast<std::size_t>(k)]; }
  Vector3 position(const Vector& q, const Place& place) const;
  Twist twist(const Vector& q, const Vector& v, const Place& place) const;
  ContactPoint contact_point(const Vector& q, Index k) const;
  void add_block(const Vector& q, Index k, Index rows, ConstraintJacobian& W) const;

  Index elements_;
  double element_length_;
  std::vector<BeamContact> contacts_;
  std::vector<Place> places_;
  std::vector<std::shared_ptr<const Law>> laws_;
  std::vector<Constraint> constraints_;
};

}  // namespace carom
