// Slider-crank in an ideal guide: q = (theta1, theta2), the angles of crank and rod, and one equality
//
//     g = l1 s1 + l2 s2 = 0
//
// M and h are those of slider_crank.cc without the slider's angle.
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/slider_crank_arms.h"
#include "carom/model/analytic/slider_crank_minimal.h"
#include "carom/model/analytic/slider_crank_sketch.h"

namespace carom::analytic {
namespace {

struct SliderCrankBilateral : SliderCrankArms {
  static constexpr Index n = 2;
  static constexpr std::array<ConstraintFormula, 1> constraints = {{{"guide", 1}}};
  static constexpr std::array<const char*, n> coordinate_names = {"crank.angle", "rod.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"crank.rate", "rod.rate"};
  static constexpr bool constant_inertia = false, affine_force = false, constant_jacobian = false;
  static constexpr bool has_tangents = false;

  using SliderCrankArms::SliderCrankArms;

  using Kinematics = Arms;
  Kinematics kinematics(const double* q, Need) const { return arms(q); }

  void inertia(const Kinematics& k, double* M) const {
    M[0] = M11;
    M[1] = M[2] = coupling_cosine(k);
    M[3] = M22;
  }
  void force(const Kinematics& k, const double* v, double* h) const { arm_force(k, v, h); }
  void force_jacobian(const Kinematics& k, const double* v, double* dh_dq, double* dh_dv) const {
    arm_force_jacobian(k, v, n, dh_dq, dh_dv);
  }
  void gaps(const Kinematics& k, Index, double* g) const { g[0] = data.l1 * k.s1 + data.l2 * k.s2; }
  void rows(const Kinematics& k, Index, Index, double* W) const {
    W[0] = data.l1 * k.c1;
    W[1] = data.l2 * k.c2;
  }
  void convective(const Kinematics& k, Index, Index, const double* v, double* zeta) const {
    zeta[0] = -data.l1 * k.s1 * v[0] * v[0] - data.l2 * k.s2 * v[1] * v[1];
  }

  void bends(const Kinematics& k, Index, Index, double* B) const {
    B[0] = -data.l1 * k.s1;
    B[3] = -data.l2 * k.s2;
    B[1] = B[2] = 0.0;
  }
  void convective_jacobian(const Kinematics& k, Index, Index, const double* v, double* D) const {
    D[0] = -data.l1 * k.c1 * v[0] * v[0];
    D[1] = -data.l2 * k.c2 * v[1] * v[1];
  }
  void inertia_jacobian(const Kinematics& k, const double* x, double* D) const { arm_inertia_jacobian(k, x, n, D); }

  double kinetic_energy(const double* q, const double* v) const { return arm_kinetic_energy(q, v); }
  double potential_energy(const double* q) const { return arm_potential_energy(q); }
};

Model make(const Parameters& p, const ContactParameters&) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<SliderCrankBilateral>>(
      SliderCrankBilateral(slider_crank_data(p, false)), ContactParameters{});
  model.initial =
      state({p.number("crank_angle"), p.number("rod_angle")}, {p.number("crank_rate"), p.number("rod_rate")});
  const SliderCrankData data = slider_crank_data(p, false);
  model.drawing = sketch(slider_crank_scene(data),
                         [=](const double* q, Pose* frames) { place_slider_crank(data, q[0], q[1], 0.0, frames); });
  // The solution in one coordinate, if the start is one of its points.
  const SliderCrankArms arms(slider_crank_data(p, false));
  const auto minimal = std::make_shared<MinimalSliderCrank>(arms, model.initial.q[0], model.initial.v[0]);
  Vector q, v;
  minimal->at(0.0, q, v);
  if ((q - model.initial.q).norm() <= 1e-12 && (v - model.initial.v).norm() <= 1e-12 * (1.0 + v.norm()))
    model.exact = [minimal](double t, Vector& q_t, Vector& v_t) { minimal->at(t, q_t, v_t); };
  return model;
}

}  // namespace

AnalyticEntry slider_crank_bilateral() {
  return {"slider_crank_bilateral",       "slider-crank in an ideal guide: two angles, one equality",
          "Schoeder et al. 2013",         false,
          slider_crank_parameters(false), make};
}

}  // namespace carom::analytic
