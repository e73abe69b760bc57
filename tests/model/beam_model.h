// A model of one beam with the beam in it at hand: what tests of beams ask.
#pragma once

#include "carom/model/assembly/assembled_system.h"
#include "carom/model/parts/planar_beam.h"
#include "carom/model/parts/spatial_beam.h"

namespace carom::testing {

template <class Beam, class Spec, Model (*make)(const Spec&)>
class BeamModel {
 public:
  explicit BeamModel(const Spec& spec)
      : model_(make(spec)),
        system_(static_cast<const model::AssembledSystem&>(*model_.system)),
        beam_(dynamic_cast<const Beam&>(*system_.frames().parts().front())) {}

  operator const System&() const { return system_; }  // NOLINT: it is one
  const System& system() const { return system_; }
  const Beam& part() const { return beam_; }

  State start() const { return model_.initial; }
  Index nq() const { return system_.nq(); }
  Index nv() const { return system_.nv(); }
  Index node_count() const { return beam_.node_count(); }
  Index element_count() const { return beam_.element_count(); }
  Constancy constancy() const { return system_.constancy(); }
  FeatureSet features() const { return system_.features(); }

  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active, Evaluation& out) const {
    system_.evaluate(t, q, v, need, active, out);
  }
  void move(const Vector& q, const Vector& dq, Vector& q_next) const { system_.move(q, dq, q_next); }
  void rational_move(const Vector& q, const Vector& dq, Vector& q_next) const { system_.rational_move(q, dq, q_next); }
  void difference(const Vector& qa, const Vector& qb, Vector& dq) const { system_.difference(qa, qb, dq); }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const { system_.apply_T(q, v, dq); }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const { system_.apply_T_transpose(q, p, r); }

  double kinetic_energy(double t, const Vector& q, const Vector& v) const { return system_.kinetic_energy(t, q, v); }
  double potential_energy(double t, const Vector& q) const { return system_.potential_energy(t, q); }
  double other_power(double t, const Vector& q, const Vector& v) const { return system_.other_power(t, q, v); }
  void potential_gradient(double t, const Vector& q, Vector& out) const { system_.potential_gradient(t, q, out); }
  bool conservative() const { return system_.conservative(); }

  auto momentum(const Vector& q, const Vector& v) const { return beam_.momentum(q.data(), v.data()); }
  Vector3 node_position(const Vector& q, Index node) const {
    if constexpr (requires { beam_.node(q.data(), node); }) {
      const Vector3 u = beam_.node(q.data(), node);
      return {u.x(), u.y(), 0.0};
    } else {
      return beam_.node(q.data(), nullptr, node).x;
    }
  }
  double node_angle(const Vector& q, Index node) const { return beam_.node(q.data(), node).z(); }
  Quaternion node_orientation(const Vector& q, Index node) const { return beam_.node(q.data(), nullptr, node).p; }

 private:
  Model model_;
  const model::AssembledSystem& system_;
  const Beam& beam_;
};

using PlanarBeamModel = BeamModel<model::PlanarBeam, model::PlanarBeamSpec, model::make_planar_beam>;
using SpatialBeamModel = BeamModel<model::SpatialBeam, model::SpatialBeamSpec, model::make_spatial_beam>;

}  // namespace carom::testing
