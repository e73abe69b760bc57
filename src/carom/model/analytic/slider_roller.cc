// A mass that can move up and down only, above a roller that can turn only: q = (y, phi). A torque
// drives the roller; when the mass has settled on it, friction holds the roller as long as
// torque <= mu m gravity R.
//
//     m y'' = -m gravity + lambda_N      I phi'' = torque + R lambda_T      g = y      gamma_T = R phi'
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct SliderRoller {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"roller.contact"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"slider.height", "roller.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"slider.velocity", "roller.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = true;

  double mass, radius, roller_inertia, gravity, torque;

  double length_scale() const { return radius; }

  struct Kinematics {
    double y;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0]}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = mass;
    M[1] = M[2] = 0.0;
    M[3] = roller_inertia;
  }
  void force(const Kinematics&, const double*, double* h) const {
    h[0] = -mass * gravity;
    h[1] = torque;
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = k.y; }
  void rows(const Kinematics&, Index, Index rows, double* W) const {
    W[0] = 1.0;
    W[1] = 0.0;
    if (rows == 1) return;
    W[2] = 0.0;
    W[3] = radius;
  }
  void convective(const Kinematics&, Index, Index rows, const double*, double* zeta) const {
    for (Index r = 0; r < rows; ++r) zeta[r] = 0.0;
  }

  double kinetic_energy(const double*, const double* v) const {
    return 0.5 * (mass * v[0] * v[0] + roller_inertia * v[1] * v[1]);
  }
  double potential_energy(const double* q) const { return mass * gravity * q[0]; }
  double other_power(const double*, const double* v) const { return torque * v[1]; }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<SliderRoller>>(
      SliderRoller{p.number("mass"), p.number("radius"), p.number("roller_inertia"), p.number("gravity"),
                   p.number("torque")},
      contact);
  model.initial = state({p.number("height"), p.number("angle")}, {p.number("velocity"), p.number("rate")});
  const double R = p.number("radius");
  Scene scene = planar_scene({"slider", "roller"});
  scene.shapes = {drawn_box(1, "slider", 2.0 * R, 0.6 * R, R, 0.0, 0.3 * R), drawn_disc(2, "roller", R)};
  scene.links = {{"axle", "revolute", 0, 2, Vector3(0.0, -R, 0.0)}};
  model.drawing = sketch(
      scene,
      [=](const double* q, Pose* frames) {
        frames[1] = planar_pose(0.0, q[0]);
        frames[2] = planar_pose(0.0, -R, -q[1]);
      },
      [](const double* q, const Constraint&) {
        return SketchedContact{{0.0, 0.5 * q[0], 0.0}, Vector3::UnitY(), Vector3::UnitX()};
      });
  return model;
}

}  // namespace

AnalyticEntry slider_roller() {
  return {
      "slider_roller",
      "a mass dropped on a driven roller, which friction stops",
      "Acary 2012",
      true,
      {positive("mass", 1.0, "of the slider, kg"), positive("radius", 0.1, "of the roller, m"),
       positive("roller_inertia", 0.01, "about its axis, kg m^2"), any("gravity", 9.81, "m/s^2"),
       any("torque", 0.14715, "on the roller, N m; the default is half of what friction 0.3 can hold"),
       any("height", 0.05, "of the slider above the roller at the start, m"),
       any("angle", 0.0, "of the roller at the start, rad"), any("velocity", 0.0, "of the slider at the start, m/s"),
       any("rate", 0.0, "of the roller at the start, rad/s")},
      make};
}

}  // namespace carom::analytic
