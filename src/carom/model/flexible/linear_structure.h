// A linear structure with contacts as a System:
//
//     M dv - (f - C v - K q) dt = W dLambda       g_k = g_k0 + w_k' q,   gamma_k = w_k' v
//
// M, C, K sparse and constant, W constant: everything a scheme factors, it factors once. Rods, and any body
// given by its matrices.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "carom/laws/contact_law.h"
#include "carom/model/flexible/linear_dynamics.h"
#include "carom/system/system.h"

namespace carom {

// A contact by rows of W': the first is the normal, the others (one in the plane, two in space) are the
// tangents, used if the law has friction.
struct LinearContact {
  using Row = std::vector<std::pair<Index, double>>;  // (coordinate, weight)

  std::string name;
  double gap = 0.0;  // g_k0, at q = 0
  std::vector<Row> rows;
  ContactParameters law;
  double length_scale = 1.0;
};

class LinearStructure final : public System, public Energetics {
 public:
  // Coordinates are called name.q0, name.q1, ..., velocities name.v0, ...
  // `unit`: of all coordinates, if they have one.
  LinearStructure(std::string name, LinearDynamics dynamics, std::vector<LinearContact> contacts, std::string unit = "SI");

  const LinearDynamics& dynamics() const { return dynamics_; }

  Index nq() const override { return dynamics_.size(); }
  Index nv() const override { return dynamics_.size(); }
  Traits traits() const override { return traits_; }
  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override;
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override;


  const Energetics* energetics() const override { return this; }
  double kinetic_energy(double t, const Vector& q, const Vector& v) const override;
  double potential_energy(double t, const Vector& q) const override;
  double other_power(double t, const Vector& q, const Vector& v) const override;
  void potential_gradient(double, const Vector& q, Vector& out) const override { dynamics_.potential_gradient(q, out); }

  std::string constraint_name(const Constraint& constraint) const override;
  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;
  std::string velocity_name(Index i) const override;

 private:
  void add_contact(const LinearContact& contact);
  void evaluate_gaps(const Vector& q, const ActiveSet& active, Buffer& g) const;
  void evaluate_rates(const Vector& v, const ActiveSet& active, Buffer& rate) const;

  std::string name_, unit_;
  LinearDynamics dynamics_;
  Traits traits_;
  std::vector<std::shared_ptr<const Law>> laws_;
  std::vector<Constraint> constraints_;
  std::vector<std::string> contact_names_;
  std::vector<double> gaps_;
  ConstraintJacobian W_;  // of all contacts
};

}  // namespace carom
