// A rectangular block, width w and height l, falling on its two lower corners: q = (x, y, theta) of the
// centre. Corner (sx w/2, -l/2), with s, c the sine and cosine of theta:
//
//     x_c = x + sx (w/2) c + (l/2) s      g = y_c = y + sx (w/2) s - (l/2) c      gamma_T = x_c'
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct RockingBlock {
  static constexpr Index n = 3;
  static constexpr std::array<ConstraintFormula, 2> constraints = {{{"floor.right"}, {"floor.left"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"block.x", "block.y", "block.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"block.vx", "block.vy", "block.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = false;
  static constexpr bool has_tangents = true;
  static constexpr double sx[2] = {+1, -1};

  double width, height, mass, gravity;

  double length_scale() const { return width; }
  double J() const { return mass * (width * width + height * height) / 12.0; }

  struct Kinematics {
    double x, y;
    double ws, wc, ls, lc;  // half width and half height times sine and cosine; only for constraints
  };
  Kinematics kinematics(const double* q, Need need) const {
    Kinematics k;
    k.x = q[0];
    k.y = q[1];
    if (needs_constraints(need)) {
      const double s = std::sin(q[2]), c = std::cos(q[2]);
      k.ws = 0.5 * width * s;
      k.wc = 0.5 * width * c;
      k.ls = 0.5 * height * s;
      k.lc = 0.5 * height * c;
    }
    return k;
  }
  void inertia(const Kinematics&, double* M) const {
    M[0] = M[4] = mass;
    M[8] = J();
    for (const Index i : {1, 2, 3, 5, 6, 7}) M[i] = 0.0;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = h[2] = 0.0;
    h[1] = -mass * gravity;
  }
  void gaps(const Kinematics& k, Index c, double* g) const { g[0] = k.y + sx[c] * k.ws - k.lc; }
  void rows(const Kinematics& k, Index c, Index rows, double* W) const {
    W[0] = 0.0;
    W[1] = 1.0;
    W[2] = sx[c] * k.wc + k.ls;
    if (rows == 1) return;
    W[3] = 1.0;
    W[4] = 0.0;
    W[5] = -sx[c] * k.ws + k.lc;
  }
  void convective(const Kinematics& k, Index c, Index rows, const double* v, double* zeta) const {
    const double w = v[2] * v[2];
    zeta[0] = (-sx[c] * k.ws + k.lc) * w;
    if (rows == 1) return;
    zeta[1] = (-sx[c] * k.wc - k.ls) * w;
  }

  double kinetic_energy(const double*, const double* v) const {
    return 0.5 * (mass * (v[0] * v[0] + v[1] * v[1]) + J() * v[2] * v[2]);
  }
  double potential_energy(const double* q) const { return mass * gravity * q[1]; }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<RockingBlock>>(
      RockingBlock{p.number("width"), p.number("height"), p.number("mass"), p.number("gravity")}, contact);
  model.initial =
      state({p.number("x"), p.number("y"), p.number("angle")}, {p.number("vx"), p.number("vy"), p.number("rate")});
  const double w = p.number("width"), h = p.number("height");
  Scene scene = planar_scene({"block"});
  scene.shapes = {drawn_box(1, "block", w, h, 0.6 * w), drawn_ground("floor", 0.0, 0.0)};
  model.drawing = sketch(
      scene, [](const double* q, Pose* frames) { frames[1] = planar_pose(q[0], q[1], q[2]); },
      [=](const double* q, const Constraint& c) {
        const Vector3 corner(0.5 * w * RockingBlock::sx[c.element], -0.5 * h, 0.0);
        return SketchedContact{planar_pose(q[0], q[1], q[2]).point(corner), Vector3::UnitY(), Vector3::UnitX()};
      });
  return model;
}

}  // namespace

AnalyticEntry rocking_block() {
  return {"rocking_block",
          "a block falling on its two lower corners",
          "Acary 2012",
          true,
          {positive("width", 1.0, "of the block, m"), positive("height", 1.5, "of the block, m"),
           positive("mass", 1.0, "of the uniform block, kg"), any("gravity", 9.81, "along -y, m/s^2"),
           any("x", 0.0, "of the centre at the start, m"), any("y", 1.0, "of the centre at the start, m"),
           any("angle", 0.2, "at the start, rad"), any("vx", 0.0, "at the start, m/s"),
           any("vy", 0.0, "at the start, m/s"), any("rate", 0.2, "at the start, rad/s")},
          make};
}

}  // namespace carom::analytic
