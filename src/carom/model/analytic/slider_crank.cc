// Slider-crank whose slider is loose in its guide: q = (theta1, theta2, theta3), the absolute angles of
// crank, rod and slider; c_i, s_i their cosines and sines. The slider's centre is the end of the rod,
//
//     x = l1 c1 + l2 c2      y = l1 s1 + l2 s2
//
// and its corners (sx a, sy b) may touch the upper (sy = +1) or lower (sy = -1) wall at sy (b + clearance):
//
//     x_c = x + sx a c3 - sy b s3      y_c = y + sx a s3 + sy b c3      g = b + clearance - sy y_c
//
// gamma_T = x_c'. With k = (m2/2 + m3) l1 l2 and D = theta1 - theta2:
//
//     M11 = J1 + l1^2 (m1/4 + m2 + m3)   M12 = k cos D   M22 = J2 + l2^2 (m2/4 + m3)   M33 = J3
//     h1  = -k sin D theta2'^2 - gravity l1 c1 (m1/2 + m2 + m3)
//     h2  = +k sin D theta1'^2 - gravity l2 c2 (m2/2 + m3)         h3 = 0
//
// Reference: P. Flores, R. Leine, C. Glocker, Modeling and analysis of planar rigid multibody systems
// with translational clearance joints, Multibody Syst. Dyn. 23 (2010).
#include <algorithm>
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/slider_crank_arms.h"
#include "carom/model/analytic/slider_crank_sketch.h"

namespace carom::analytic {
namespace {

struct SliderCrank : SliderCrankArms {
  static constexpr Index n = 3;
  static constexpr std::array<ConstraintFormula, 4> constraints = {
      {{"guide.c1"}, {"guide.c2"}, {"guide.c3"}, {"guide.c4"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"crank.angle", "rod.angle", "slider.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"crank.rate", "rod.rate", "slider.rate"};
  static constexpr bool constant_inertia = false, affine_force = false, constant_jacobian = false;
  static constexpr bool has_tangents = true;
  static constexpr bool costly_kinematics = true;
  // Signs of the corners.
  static constexpr double sx[4] = {-1, +1, -1, +1};
  static constexpr double sy[4] = {+1, +1, -1, -1};

  double half_guide;

  double clearance(Index) const { return data.clearance; }

  explicit SliderCrank(const SliderCrankData& d) : SliderCrankArms(d), half_guide(d.b + d.clearance) {}

  struct Kinematics : Arms {
    // Of rod end and corners; only for constraints.
    double l1s1, l1c1, l2s2, l2c2, as3, ac3, bs3, bc3;
  };
  Kinematics kinematics(const double* q, Need need) const {
    Kinematics k;
    static_cast<Arms&>(k) = arms(q);
    if (needs_constraints(need)) {
      const double s3 = std::sin(q[2]), c3 = std::cos(q[2]);
      k.l1s1 = data.l1 * k.s1;
      k.l1c1 = data.l1 * k.c1;
      k.l2s2 = data.l2 * k.s2;
      k.l2c2 = data.l2 * k.c2;
      k.as3 = data.a * s3;
      k.ac3 = data.a * c3;
      k.bs3 = data.b * s3;
      k.bc3 = data.b * c3;
    }
    return k;
  }

  void inertia(const Kinematics& k, double* M) const {
    M[0] = M11;
    M[1] = M[3] = coupling_cosine(k);
    M[4] = M22;
    M[8] = data.J3;
    M[2] = M[5] = M[6] = M[7] = 0.0;
  }
  void force(const Kinematics& k, const double* v, double* h) const {
    arm_force(k, v, h);
    h[2] = 0.0;
  }
  void force_jacobian(const Kinematics& k, const double* v, double* dh_dq, double* dh_dv) const {
    arm_force_jacobian(k, v, n, dh_dq, dh_dv);
    for (const Index i : {2, 5, 6, 7, 8}) dh_dq[i] = dh_dv[i] = 0.0;
  }

  void gaps(const Kinematics& k, Index c, double* g) const {
    g[0] = half_guide - sy[c] * (k.l1s1 + k.l2s2 + sx[c] * k.as3) - k.bc3;
  }
  double gap_rate(const Kinematics& k, Index c, const double* v) const {
    return k.bs3 * v[2] - sy[c] * (k.l1c1 * v[0] + k.l2c2 * v[1] + sx[c] * (k.ac3 * v[2]));
  }

  void rows(const Kinematics& k, Index c, Index rows, double* W) const {
    W[0] = -sy[c] * k.l1c1;
    W[1] = -sy[c] * k.l2c2;
    W[2] = -sy[c] * sx[c] * k.ac3 + k.bs3;
    if (rows == 1) return;
    W[3] = -k.l1s1;
    W[4] = -k.l2s2;
    W[5] = -sx[c] * k.as3 - sy[c] * k.bc3;
  }

  void convective(const Kinematics& k, Index c, Index rows, const double* v, double* zeta) const {
    const double w1 = v[0] * v[0], w2 = v[1] * v[1], w3 = v[2] * v[2];
    zeta[0] = sy[c] * (k.l1s1 * w1 + k.l2s2 * w2 + sx[c] * k.as3 * w3) + k.bc3 * w3;
    if (rows == 1) return;
    zeta[1] = -k.l1c1 * w1 - k.l2c2 * w2 - (sx[c] * k.ac3 - sy[c] * k.bs3) * w3;
  }

  // Each column of W depends on its own angle only.
  void bends(const Kinematics& k, Index c, Index rows, double* B) const {
    std::fill_n(B, rows * n * n, 0.0);
    B[0] = sy[c] * k.l1s1;
    B[4] = sy[c] * k.l2s2;
    B[8] = sy[c] * sx[c] * k.as3 + k.bc3;
    if (rows == 1) return;
    B[9] = -k.l1c1;
    B[13] = -k.l2c2;
    B[17] = -sx[c] * k.ac3 + sy[c] * k.bs3;
  }
  void convective_jacobian(const Kinematics& k, Index c, Index rows, const double* v, double* D) const {
    const double w1 = v[0] * v[0], w2 = v[1] * v[1], w3 = v[2] * v[2];
    D[0] = sy[c] * k.l1c1 * w1;
    D[1] = sy[c] * k.l2c2 * w2;
    D[2] = (sy[c] * sx[c] * k.ac3 - k.bs3) * w3;
    if (rows == 1) return;
    D[3] = k.l1s1 * w1;
    D[4] = k.l2s2 * w2;
    D[5] = (sx[c] * k.as3 + sy[c] * k.bc3) * w3;
  }
  void inertia_jacobian(const Kinematics& k, const double* x, double* D) const {
    std::fill_n(D, n * n, 0.0);
    arm_inertia_jacobian(k, x, n, D);
  }

  double kinetic_energy(const double* q, const double* v) const {
    return arm_kinetic_energy(q, v) + 0.5 * data.J3 * v[2] * v[2];
  }
  double potential_energy(const double* q) const { return arm_potential_energy(q); }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  Model model;
  model.system = std::make_shared<LagrangianSystem<SliderCrank>>(SliderCrank(slider_crank_data(p, true)), contact);
  model.initial = state({p.number("crank_angle"), p.number("rod_angle"), p.number("slider_angle")},
                        {p.number("crank_rate"), p.number("rod_rate"), p.number("slider_rate")});
  const SliderCrankData data = slider_crank_data(p, true);
  model.drawing = sketch(
      slider_crank_scene(data),
      [=](const double* q, Pose* frames) { place_slider_crank(data, q[0], q[1], q[2], frames); },
      [=](const double* q, const Constraint& c) {
        Pose frames[4];
        place_slider_crank(data, q[0], q[1], q[2], frames);
        return slider_corner(data, frames[3], c.element);
      });
  return model;
}

}  // namespace

AnalyticEntry slider_crank() {
  return {"slider_crank",
          "slider-crank, the slider loose in its guide: three angles, four corner contacts",
          "Flores, Leine, Glocker 2010; Acary 2012; Schindler et al. 2015",
          true,
          slider_crank_parameters(true),
          make};
}

}  // namespace carom::analytic
