// The slider-crank of slider_crank.cc as three free bodies: q = (x, y, angle) of the centres of crank, rod
// and slider. Three revolute joints hold them together, each two equalities
//
//     g = P_b - P_a,      P = centre + R(angle) p,  p = (+-l/2, 0) or the centre
//
// and the slider's corners meet the guide as before. Inertia is diagonal, h is gravity alone. The motion
// is that of the model with three angles.
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/model/analytic/lagrangian_system.h"
#include "carom/model/analytic/parameter_kinds.h"
#include "carom/model/analytic/slider_crank_data.h"
#include "carom/model/analytic/slider_crank_sketch.h"

namespace carom::analytic {
namespace {

struct SliderCrankMaximal {
  static constexpr Index n = 9;
  static constexpr std::array<ConstraintFormula, 7> constraints = {
      {{"bearing", 2}, {"crankpin", 2}, {"wristpin", 2}, {"guide.c1"}, {"guide.c2"}, {"guide.c3"}, {"guide.c4"}}};
  static constexpr std::array<const char*, n> coordinate_names = {
      "crank.x", "crank.y", "crank.angle", "rod.x", "rod.y", "rod.angle", "slider.x", "slider.y", "slider.angle"};
  static constexpr std::array<const char*, n> velocity_names = {
      "crank.vx", "crank.vy", "crank.rate", "rod.vx", "rod.vy", "rod.rate", "slider.vx", "slider.vy", "slider.rate"};
  static constexpr bool constant_inertia = true, affine_force = true, constant_jacobian = false;
  static constexpr bool has_tangents = true;
  static constexpr Index first_corner = 3;
  static constexpr double sx[4] = {-1, +1, -1, +1};
  static constexpr double sy[4] = {+1, +1, -1, -1};

  SliderCrankData data;

  double length_scale() const { return data.l1; }
  double clearance(Index) const { return data.clearance; }

  struct Kinematics {
    const double* q;
    double s[3], c[3];  // only for constraints
  };
  Kinematics kinematics(const double* q, Need need) const {
    Kinematics k{q, {}, {}};
    if (needs_constraints(need)) {
      for (Index b = 0; b < 3; ++b) {
        k.s[b] = std::sin(q[3 * b + 2]);
        k.c[b] = std::cos(q[3 * b + 2]);
      }
    }
    return k;
  }

  double mass(Index body) const { return body == 0 ? data.m1 : body == 1 ? data.m2 : data.m3; }
  double J(Index body) const { return body == 0 ? data.J1 : body == 1 ? data.J2 : data.J3; }

  void inertia(const Kinematics&, Matrix3* M) const {
    for (Index b = 0; b < 3; ++b) M[b] = Vector3(mass(b), mass(b), J(b)).asDiagonal();
  }
  void force(const Kinematics&, const double*, double* h) const {
    for (Index b = 0; b < 3; ++b) {
      h[3 * b] = h[3 * b + 2] = 0.0;
      h[3 * b + 1] = -mass(b) * data.gravity;
    }
  }

  // A point of a body, at `along` on its axis: lever from the centre in world axes.
  struct Point {
    Index body;  // -1: the ground
    double along;
  };
  Point point_a(Index joint) const {
    return joint == 0 ? Point{-1, 0.0} : joint == 1 ? Point{0, data.l1 / 2} : Point{1, data.l2 / 2};
  }
  Point point_b(Index joint) const {
    return joint == 0 ? Point{0, -data.l1 / 2} : joint == 1 ? Point{1, -data.l2 / 2} : Point{2, 0.0};
  }

  // g += sign P
  static void add_position(const Kinematics& k, const Point& p, double sign, double* g) {
    if (p.body < 0) return;
    g[0] += sign * (k.q[3 * p.body] + p.along * k.c[p.body]);
    g[1] += sign * (k.q[3 * p.body + 1] + p.along * k.s[p.body]);
  }
  // sign dP/dq of the body it belongs to.
  static void add_segment(const Kinematics& k, const Point& p, double sign, ConstraintJacobian& W) {
    if (p.body < 0) return;
    double* rows = W.add_segment(3 * p.body, 3);
    rows[0] = rows[4] = sign;
    rows[2] = -sign * p.along * k.s[p.body];
    rows[5] = sign * p.along * k.c[p.body];
  }
  // zeta += sign times the centripetal acceleration of P
  static void add_convective(const Kinematics& k, const Point& p, double sign, const double* v, double* zeta) {
    if (p.body < 0) return;
    const double w = v[3 * p.body + 2] * v[3 * p.body + 2];
    zeta[0] -= sign * p.along * k.c[p.body] * w;
    zeta[1] -= sign * p.along * k.s[p.body] * w;
  }

  // A corner of the slider relative to its centre, in world axes.
  struct Corner {
    double x, y, sign;  // sign: +1 at the upper wall
  };
  Corner corner(const Kinematics& k, Index i) const {
    const double xi = sx[i] * data.a, eta = sy[i] * data.b;
    return {xi * k.c[2] - eta * k.s[2], xi * k.s[2] + eta * k.c[2], sy[i]};
  }

  void gaps(const Kinematics& k, Index i, double* g) const {
    if (i < first_corner) {
      g[0] = g[1] = 0.0;
      add_position(k, point_a(i), -1.0, g);
      add_position(k, point_b(i), +1.0, g);
    } else {
      const Corner r = corner(k, i - first_corner);
      g[0] = data.b + data.clearance - r.sign * (k.q[7] + r.y);
    }
  }

  void rows(const Kinematics& k, Index i, Index rows, ConstraintJacobian& W) const {
    if (i < first_corner) {
      add_segment(k, point_a(i), -1.0, W);
      add_segment(k, point_b(i), +1.0, W);
    } else {
      const Corner r = corner(k, i - first_corner);
      double* row = W.add_segment(6, 3);
      row[1] = -r.sign;
      row[2] = -r.sign * r.x;
      if (rows == 1) return;
      row[3] = 1.0;
      row[5] = -r.y;
    }
  }

  void convective(const Kinematics& k, Index i, Index rows, const double* v, double* zeta) const {
    if (i < first_corner) {
      zeta[0] = zeta[1] = 0.0;
      add_convective(k, point_a(i), -1.0, v, zeta);
      add_convective(k, point_b(i), +1.0, v, zeta);
    } else {
      const Corner r = corner(k, i - first_corner);
      const double w = v[8] * v[8];
      zeta[0] = r.sign * r.y * w;
      if (rows > 1) zeta[1] = -r.x * w;
    }
  }

  double kinetic_energy(const double*, const double* v) const {
    double twice = 0.0;
    for (Index b = 0; b < 3; ++b) {
      const double* u = v + 3 * b;
      twice += mass(b) * (u[0] * u[0] + u[1] * u[1]) + J(b) * u[2] * u[2];
    }
    return 0.5 * twice;
  }
  double potential_energy(const double* q) const {
    return data.gravity * (data.m1 * q[1] + data.m2 * q[4] + data.m3 * q[7]);
  }
};

// The start is given by the angles, so the joints hold by themselves.
State assembled(const SliderCrankData& d, const Parameters& p) {
  const double q1 = p.number("crank_angle"), q2 = p.number("rod_angle"), q3 = p.number("slider_angle");
  const double v1 = p.number("crank_rate"), v2 = p.number("rod_rate"), v3 = p.number("slider_rate");
  const double x1 = d.l1 * std::cos(q1), y1 = d.l1 * std::sin(q1);  // crank pin
  const double x2 = d.l2 * std::cos(q2), y2 = d.l2 * std::sin(q2);  // from there to the wrist pin
  return state({x1 / 2, y1 / 2, q1, x1 + x2 / 2, y1 + y2 / 2, q2, x1 + x2, y1 + y2, q3},
               {-y1 * v1 / 2, x1 * v1 / 2, v1,                      //
                -y1 * v1 - y2 * v2 / 2, x1 * v1 + x2 * v2 / 2, v2,  //
                -y1 * v1 - y2 * v2, x1 * v1 + x2 * v2, v3});
}

Model make(const Parameters& p, const ContactParameters& contact) {
  const SliderCrankData data = slider_crank_data(p, true);
  Model model;
  model.system = std::make_shared<LagrangianSystem<SliderCrankMaximal>>(SliderCrankMaximal{data}, contact);
  model.initial = assembled(data, p);
  const auto place = [=](const double* q, Pose* frames) {
    const auto body = [&](Index b, double back) {
      const double* at = q + 3 * b;
      return planar_pose(at[0] - back * std::cos(at[2]), at[1] - back * std::sin(at[2]), at[2]);
    };
    frames[1] = body(0, 0.5 * data.l1);
    frames[2] = body(1, 0.5 * data.l2);
    frames[3] = body(2, 0.0);
  };
  model.drawing = sketch(slider_crank_scene(data), place, [=](const double* q, const Constraint& c) {
    Pose frames[4];
    place(q, frames);
    if (c.element >= SliderCrankMaximal::first_corner)
      return slider_corner(data, frames[3], c.element - SliderCrankMaximal::first_corner);
    return SketchedContact{frames[c.element + 1].x, Vector3::UnitX(),
                           Vector3::UnitY()};  // a pin: where the next body begins
  });
  return model;
}

}  // namespace

AnalyticEntry slider_crank_maximal() {
  return {"slider_crank_maximal",        "slider-crank as three free bodies with joints, the slider loose in its guide",
          "Flores, Leine, Glocker 2010", true,
          slider_crank_parameters(true), make};
}

}  // namespace carom::analytic
