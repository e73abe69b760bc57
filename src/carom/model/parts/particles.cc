#include "carom/model/parts/particles.h"

namespace carom::model {

void Particles::declare(Index offset, MatrixAssembly& M, MatrixAssembly&, MatrixAssembly&) const {
  for (Index p = 0; p < frame_count(); ++p) M.declare({offset + size_ * p, offset + size_ * p, size_, size_});
}

void Particles::inertia(const double*, MatrixAssembly::Writer& M) const {
  for (const ParticleData& particle : bodies_) {
    const double m = particle.mass, flat[4] = {m, 0, 0, m}, spatial[9] = {m, 0, 0, 0, m, 0, 0, 0, m};
    M.add(size_ == 2 ? flat : spatial);
  }
}

void Particles::add_force(double, const double*, const double*, double* h) const {
  for (const ParticleData& particle : bodies_)
    for (Index k = 0; k < size_; ++k) *h++ += particle.weight[k];
}

void Particles::place(double, const double* q, Pose* poses) const {
  for (Index p = 0; p < frame_count(); ++p, q += size_)
    poses[p] = {Vector3(q[0], q[1], size_ == 2 ? 0.0 : q[2]), Matrix3::Identity()};
}

void Particles::twists(double, const double*, const double* v, const Pose*, Twist* twists) const {
  for (Index p = 0; p < frame_count(); ++p, v += size_)
    twists[p] = {Vector3(v[0], v[1], size_ == 2 ? 0.0 : v[2]), Vector3::Zero()};
}

void Particles::add_load(const double*, Index frame, const Pose&, const Vector3& force, const Vector3&,
                         double* h) const {
  for (Index k = 0; k < size_; ++k) h[size_ * frame + k] += force[k];
}

void Particles::add_rows(const double*, Index frame, const Pose&, Index rows, const Vector3* force, const Vector3*,
                         Index offset, ConstraintJacobian& W) const {
  double* entries = W.add_segment(offset + size_ * frame, size_);
  for (Index r = 0; r < rows; ++r)
    for (Index k = 0; k < size_; ++k) *entries++ = force[r][k];
}

double Particles::kinetic_energy(const double*, const double* v) const {
  double twice = 0.0;
  for (const ParticleData& particle : bodies_)
    for (Index k = 0; k < size_; ++k, ++v) twice += particle.mass * *v * *v;
  return 0.5 * twice;
}

void Particles::describe(Layout& layout) const {
  if (bodies_.empty()) return;
  for (const ParticleData& particle : bodies_) layout.add_frame(particle.name, StateFrame::Kind::general);
  layout.add_pool("/particle", names());
  layout.add_pooled("/particle/position", FieldOf::q, 0, size_, size_, "m", "in the world");
  layout.add_pooled("/particle/velocity", FieldOf::v, 0, size_, size_, "m/s", "in the world");
}

std::string Particles::name_in_q(Index i) const { return {"xyz"[i]}; }
std::string Particles::name_in_v(Index i) const { return {'v', "xyz"[i]}; }

}  // namespace carom::model
