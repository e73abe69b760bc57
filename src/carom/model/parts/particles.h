// All particles of a model: masses that have a place but do not turn. q = v' = position; in the plane x and y alone.
//
//   M = m I      h = weight      (velocity, omega) = (q', 0)
//
// A surface on a particle slides and does not roll; a torque does nothing to it.
#pragma once

#include <vector>

#include "carom/model/parts/body_pool.h"

namespace carom::model {

struct ParticleData {
  std::string name;
  double mass = 1.0;
  Vector3 weight = Vector3::Zero();  // m a_g
};

class Particles final : public BodyPool<ParticleData> {
 public:
  Particles(std::vector<ParticleData> particles, bool planar)
      : BodyPool(std::move(particles), planar ? 2 : 3, planar ? 2 : 3, planar ? 2 : 3), size_(planar ? 2 : 3) {}

  FrameKind frame_kind() const override { return FrameKind::general; }
  bool planar() const override { return size_ == 2; }
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

  Index size_;  // coordinates of a particle
};

}  // namespace carom::model
