#include "carom/model/parts/planar_bodies.h"

#include <array>
#include <cmath>

namespace carom::model {

void PlanarBodies::declare(Index offset, MatrixAssembly& M, MatrixAssembly&, MatrixAssembly&) const {
  for (Index b = 0; b < frame_count(); ++b) M.declare({offset + size * b, offset + size * b, size, size});
}

void PlanarBodies::inertia(const double*, MatrixAssembly::Writer& M) const {
  for (const PlanarBodyData& body : bodies_) {
    const double diagonal[9] = {body.mass, 0, 0, 0, body.mass, 0, 0, 0, body.inertia};
    M.add(diagonal);
  }
}

void PlanarBodies::add_force(double, const double*, const double*, double* h) const {
  for (const PlanarBodyData& body : bodies_) {
    h[0] += body.weight.x();
    h[1] += body.weight.y();
    h += size;
  }
}

void PlanarBodies::place(double, const double* q, Pose* poses) const {
  for (Index b = 0; b < frame_count(); ++b, q += size) {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    poses[b].x << q[0], q[1], 0.0;
    poses[b].R << c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0;
  }
}

void PlanarBodies::twists(double, const double*, const double* v, const Pose*, Twist* twists) const {
  for (Index b = 0; b < frame_count(); ++b, v += size) twists[b] = {{v[0], v[1], 0.0}, {0.0, 0.0, v[2]}};
}

void PlanarBodies::add_load(const double*, Index frame, const Pose&, const Vector3& force, const Vector3& torque,
                            double* h) const {
  add_planar_load(force, torque, h + size * frame);
}

void PlanarBodies::add_rows(const double*, Index frame, const Pose&, Index rows, const Vector3* force,
                            const Vector3* torque, Index offset, ConstraintJacobian& W) const {
  add_planar_rows(rows, force, torque, offset + size * frame, W);
}

double PlanarBodies::kinetic_energy(const double*, const double* v) const {
  double twice = 0.0;
  for (const PlanarBodyData& body : bodies_) {
    twice += body.mass * (v[0] * v[0] + v[1] * v[1]) + body.inertia * v[2] * v[2];
    v += size;
  }
  return 0.5 * twice;
}

void PlanarBodies::describe(Layout& layout) const {
  if (bodies_.empty()) return;
  for (Index b = 0; b < frame_count(); ++b)
    layout.add_frame(frame_name(b), StateFrame::Kind::planar, size * b, size * b);
  layout.add_pool("/planar_body", names());
  layout.add_pooled("/planar_body/position", FieldOf::q, 0, size, 2, "m", "centre of mass in the world, x and y");
  layout.add_pooled("/planar_body/angle", FieldOf::q, 2, size, 1, "rad", "about z");
  layout.add_pooled("/planar_body/velocity", FieldOf::v, 0, size, 2, "m/s",
                    "of the centre of mass in the world, x and y");
  layout.add_pooled("/planar_body/spin", FieldOf::v, 2, size, 1, "rad/s", "angular velocity about z");
}

std::string PlanarBodies::name_in_q(Index i) const {
  static constexpr std::array<const char*, size> names = {"x", "y", "angle"};
  return names[static_cast<std::size_t>(i)];
}

std::string PlanarBodies::name_in_v(Index i) const {
  static constexpr std::array<const char*, size> names = {"vx", "vy", "rate"};
  return names[static_cast<std::size_t>(i)];
}

}  // namespace carom::model
