// All bodies of a model that move in the x-y plane: q = v' = (x, y, angle) of the centre of mass. Their frames turn
// about z.
//
//   M = diag(m, m, J)      h = weight      (velocity, omega) = ((x', y', 0), (0, 0, angle'))
#pragma once

#include <vector>

#include "carom/model/parts/body_pool.h"

namespace carom::model {

struct PlanarBodyData {
  std::string name;
  double mass = 1.0;
  double inertia = 1.0;              // about the centre of mass
  Vector3 weight = Vector3::Zero();  // m a_g; its z does nothing
};

class PlanarBodies final : public BodyPool<PlanarBodyData> {
 public:
  static constexpr Index size = 3;  // coordinates of a body

  explicit PlanarBodies(std::vector<PlanarBodyData> bodies) : BodyPool(std::move(bodies), size, size, 2) {}

  FrameKind frame_kind() const override { return FrameKind::planar_body; }
  Constancy constancy() const override { return {.inertia = true, .affine_force = true}; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;
  void add_force(double t, const double* q, const double* v, double* h) const override;
  void force_jacobian(double, const double*, const double*, MatrixAssembly::Writer&,
                      MatrixAssembly::Writer&) const override {}

  void place(double t, const double* q, Pose* poses) const override;
  void twists(double t, const double* q, const double* v, const Pose* poses, Twist* twists) const override;
  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override;
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override;

  double kinetic_energy(const double* q, const double* v) const override;

  void describe(Layout& layout) const override;

 private:
  std::string name_in_q(Index i) const override;
  std::string name_in_v(Index i) const override;
};

inline void add_planar_load(const Vector3& force, const Vector3& torque, double* h) {
  h[0] += force.x();
  h[1] += force.y();
  h[2] += torque.z();
}
inline void add_planar_rows(Index rows, const Vector3* force, const Vector3* torque, Index offset,
                            ConstraintJacobian& W) {
  double* entries = W.add_segment(offset, 3);
  for (Index r = 0; r < rows; ++r, entries += 3) {
    entries[0] = force[r].x();
    entries[1] = force[r].y();
    entries[2] = torque[r].z();
  }
}

}  // namespace carom::model
