// The woodpecker toy: a sleeve with play on a pole, a bird on a spring fixed to it. q = (y, alpha, phi): height,
// angle of the sleeve, angle of the bird, small angles.
//
//     M = [ mS + mM   mS lM          mS lG       ]     V = c/2 (phi - alpha)^2 + g ((mS + mM) y + mS lM alpha
//         [ .         JM + mS lM^2   mS lM lG    ]                                  + mS lG phi)
//         [ .         .              JS + mS lG^2]
//
//     beak:    g = lM + lG - lS - rO - hS phi     gamma_T = y' + lM alpha' + (lG - lS) phi'
//     sleeve:  g = rM - rO +- hM alpha            gamma_T = y' + rM alpha'     (lower edge +, upper edge -)
//
// References: Glocker, Studer, Formulation and preparation for numerical evaluation of linear complementarity
// systems in dynamics, Multibody Syst. Dyn. 13 (2005); Moeller 2011, section 6.4.
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/sketch.h"

namespace carom::analytic {
namespace {

struct Woodpecker {
  static constexpr Index n = 3;
  static constexpr std::array<ConstraintFormula, 3> constraints = {{{"beak"}, {"sleeve.lower"}, {"sleeve.upper"}}};
  static constexpr std::array<const char*, n> coordinate_names = {"toy.height", "sleeve.angle", "bird.angle"};
  static constexpr std::array<const char*, n> velocity_names = {"toy.speed", "sleeve.rate", "bird.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = true;
  static constexpr bool has_tangents = true;

  double rO, rM, hM, lM, lG, hS, lS, mM, mS, JM, JS, stiffness, gravity;

  double length_scale() const { return rM; }
  double clearance(Index k) const { return k == 0 ? 0.0 : rM - rO; }  // of the sleeve on its pole

  struct Kinematics {
    double y, alpha, phi;
  };
  Kinematics kinematics(const double* q, Need) const { return {q[0], q[1], q[2]}; }
  void inertia(const Kinematics&, double* M) const {
    M[0] = mS + mM;
    M[1] = M[3] = mS * lM;
    M[2] = M[6] = mS * lG;
    M[4] = JM + mS * lM * lM;
    M[5] = M[7] = mS * lM * lG;
    M[8] = JS + mS * lG * lG;
  }
  void force(const Kinematics& k, const double*, double* h) const {
    const double moment = stiffness * (k.phi - k.alpha);
    h[0] = -gravity * (mS + mM);
    h[1] = -gravity * mS * lM + moment;
    h[2] = -gravity * mS * lG - moment;
  }
  void force_jacobian(const Kinematics&, const double*, double* dh_dq, double* dh_dv) const {
    for (Index i = 0; i < n * n; ++i) dh_dq[i] = dh_dv[i] = 0.0;
    dh_dq[4] = dh_dq[8] = -stiffness;
    dh_dq[5] = dh_dq[7] = stiffness;
  }
  void gaps(const Kinematics& k, Index c, double* g) const {
    g[0] = c == 0 ? lM + lG - lS - rO - hS * k.phi : rM - rO + (c == 1 ? hM : -hM) * k.alpha;
  }
  void rows(const Kinematics&, Index c, Index rows, double* W) const {
    W[0] = 0.0;
    W[1] = c == 0 ? 0.0 : c == 1 ? hM : -hM;
    W[2] = c == 0 ? -hS : 0.0;
    if (rows == 1) return;
    W[3] = 1.0;
    W[4] = c == 0 ? lM : rM;
    W[5] = c == 0 ? lG - lS : 0.0;
  }
  void convective(const Kinematics&, Index, Index rows, const double*, double* zeta) const {
    for (Index r = 0; r < rows; ++r) zeta[r] = 0.0;
  }

  double kinetic_energy(const double*, const double* v) const {
    const double bird = v[0] + lM * v[1] + lG * v[2];
    return 0.5 * (mM * v[0] * v[0] + mS * bird * bird + JM * v[1] * v[1] + JS * v[2] * v[2]);
  }
  double potential_energy(const double* q) const {
    const double twist = q[2] - q[1];
    return 0.5 * stiffness * twist * twist + gravity * ((mS + mM) * q[0] + mS * (lM * q[1] + lG * q[2]));
  }
  void potential_gradient(const double* q, double* out) const {
    const double moment = stiffness * (q[2] - q[1]);
    out[0] = gravity * (mS + mM);
    out[1] = gravity * mS * lM - moment;
    out[2] = gravity * mS * lG + moment;
  }
};

Model make(const Parameters& p, const ContactParameters& contact) {
  Model model;
  ContactParameters beak = contact;
  beak.restitution = p.number("beak_restitution");
  model.system = std::make_shared<LagrangianSystem<Woodpecker>>(
      Woodpecker{p.number("rO"), p.number("rM"), p.number("hM"), p.number("lM"), p.number("lG"), p.number("hS"),
                 p.number("lS"), p.number("mM"), p.number("mS"), p.number("JM"), p.number("JS"), p.number("stiffness"),
                 p.number("gravity")},
      contact, std::map<Index, ContactParameters>{{0, beak}});
  model.initial = state({p.number("height"), p.number("sleeve_angle"), p.number("bird_angle")},
                        {p.number("speed"), p.number("sleeve_rate"), p.number("bird_rate")});
  // The angles are small in the formulas; they are drawn as they are. The bird hangs on its spring right of the sleeve.
  const double rO = p.number("rO"), rM = p.number("rM"), hM = p.number("hM"), lM = p.number("lM"), lG = p.number("lG"),
               hS = p.number("hS"), lS = p.number("lS");
  Scene scene = planar_scene({"sleeve", "bird"});
  const double high = p.number("height");
  scene.shapes = {drawn_box(0, "pole", 2.0 * rO, 0.16, 2.0 * rO, 0.0, high - 0.04),
                  drawn_box(1, "sleeve", lM - rM, 2.0 * hM, 2.0 * rM, 0.5 * (lM + rM)),
                  drawn_box(1, "sleeve", 0.5 * rM, 2.0 * hM, 2.0 * rM, -1.25 * rM),
                  {.frame = 2,
                   .name = "bird",
                   .kind = "polygon",
                   .points = {{-lS, hS, 0.0},
                              {-0.6 * lS, 0.8 * hS, 0.0},
                              {-0.5 * lS, -hS, 0.0},
                              {0.3 * lS, -1.8 * hS, 0.0},
                              {0.5 * lS, 0.0, 0.0},
                              {0.1 * lS, 1.3 * hS, 0.0},
                              {-0.5 * lS, 1.25 * hS, 0.0}}}};
  scene.links = {{"spring", "spring", 1, 2, Vector3(lM, 0.0, 0.0)}};
  model.drawing = sketch(
      scene,
      [=](const double* q, Pose* frames) {
        frames[1] = planar_pose(0.0, q[0], q[1]);
        const Vector3 end = frames[1].point({lM, 0.0, 0.0});
        frames[2] = planar_pose(end.x() + lG * std::cos(q[2]), end.y() + lG * std::sin(q[2]), q[2]);
      },
      [=](const double* q, const Constraint& c) {
        if (c.element == 0)
          return SketchedContact{{rO, q[0] + hS + lG * q[2], 0.0}, Vector3::UnitX(), Vector3::UnitY()};
        const double side = c.element == 1 ? 1.0 : -1.0;
        return SketchedContact{{side * rO, q[0] - side * hM, 0.0}, side * Vector3::UnitX(), Vector3::UnitY()};
      });
  return model;
}

}  // namespace

AnalyticEntry woodpecker() {
  return {"woodpecker",
          "the woodpecker toy: a sleeve jamming on its pole, a bird pecking at it",
          "Glocker, Studer 2005; Moeller 2011, section 6.4",
          true,
          {positive("rO", 0.0025, "radius of the pole, m"),
           positive("rM", 0.0031, "inner radius of the sleeve, m"),
           positive("hM", 0.0058, "half height of the sleeve, m"),
           positive("lM", 0.010, "sleeve to spring, m"),
           positive("lG", 0.015, "spring to bird, m"),
           positive("hS", 0.02, "height of the beak, m"),
           positive("lS", 0.0201, "bird to beak, m"),
           positive("mM", 0.0003, "of the sleeve, kg"),
           positive("mS", 0.0045, "of the bird, kg"),
           positive("JM", 5e-9, "of the sleeve, kg m^2"),
           positive("JS", 7e-7, "of the bird, kg m^2"),
           not_negative("stiffness", 0.0056, "of the spring, N m/rad"),
           any("gravity", 9.81, "m/s^2"),
           not_negative("beak_restitution", 0.5, "of the beak; the law's holds for the sleeve"),
           any("height", 0.0, "at the start, m"),
           any("sleeve_angle", -0.1034482758620689,
               "at the start, rad; published rounded, 0.9 um inside the pole, as -0.1036"),
           any("bird_angle", -0.2788, "at the start, rad"),
           any("speed", -0.3411, "at the start, m/s"),
           any("sleeve_rate", 0.0, "at the start, rad/s"),
           any("bird_rate", -7.4583, "at the start, rad/s")},
          make};
}

}  // namespace carom::analytic
