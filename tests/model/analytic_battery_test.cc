// What every analytic model must fulfil, whatever it describes: its matrices follow from its energies by
// Lagrange's equations, its derivatives from its functions, what it declares from both.
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <optional>
#include <set>

#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"
#include "carom/model/consistency.h"
#include "model/dense_view.h"

namespace carom {
namespace {

using testing::DenseView;
using testing::derivative;
using testing::Random;
using testing::scalar_derivative;
using testing::view;

bool accepts_friction(const AnalyticEntry& entry) {
  try {
    make_analytic_model(entry.name, {}, {.friction = 0.3});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// A structure is as good with few elements; dense differences of its matrices are not for many.
std::map<std::string, ParameterValue> small(const AnalyticEntry& entry) {
  for (const ParameterSpec& spec : entry.parameters)
    if (spec.name == "elements") return {{"elements", 7.0}};
  return {};
}

class AnalyticModel : public ::testing::TestWithParam<const AnalyticEntry*> {
 protected:
  AnalyticModel() {
    ContactParameters contact{.restitution = 0.4};
    if (accepts_friction(*GetParam())) contact.friction = 0.3;
    model = make_analytic_model(GetParam()->name, small(*GetParam()), contact);
    n = system().nv();
    if (n > 20) samples = 2;
  }

  const System& system() const { return *model.system; }
  const Energetics& energy() const { return *model.system->energetics(); }
  // In space neighbours in a beam stay within half a turn of each other: beyond, their relative turn jumps.
  Vector random_q() {
    return moved(model.initial.q, random.vector(n, system().features().contains(Feature::quaternions) ? 0.8 : 1.5));
  }
  Vector random_v() { return random.vector(n, 3.0); }

  Vector moved(const Vector& q, const Vector& dq) const {
    Vector next;
    system().move(q, dq, next);
    return next;
  }

  Vector momentum(const Vector& q, const Vector& v) const {  // dT/dv; exact, T is quadratic in v
    Vector p(n);
    for (Index i = 0; i < n; ++i) {
      const Vector e = Vector::Unit(n, i);
      p[i] = 0.5 * (energy().kinetic_energy(0, q, v + e) - energy().kinetic_energy(0, q, v - e));
    }
    return p;
  }

  Model model;
  Index n = 0;
  int samples = 20;  // fewer of large models
  Random random{7};
};

TEST_P(AnalyticModel, InertiaIsTheHessianOfTheKineticEnergy) {
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q(), v = random_v();
    const Matrix M = view(system(), q, v).M;
    Matrix hessian(n, n);
    for (Index j = 0; j < n; ++j) {
      const Vector e = Vector::Unit(n, j);
      hessian.col(j) = 0.5 * (momentum(q, v + e) - momentum(q, v - e));
    }
    EXPECT_LE((M - hessian).norm(), 1e-11 * M.norm());
    EXPECT_EQ(M, M.transpose());
    EXPECT_EQ(Eigen::LLT<Matrix>(M).info(), Eigen::Success);
  }
}

// h = -d/dt(dT/dv) + dT/dq - dV/dq + Q at v' = 0, where Q'v is the power of the forces without potential.
TEST_P(AnalyticModel, ForceFollowsFromTheEnergies) {
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q(), v = random_v();
    Vector expected = -derivative([&](double x) { return momentum(moved(q, x * v), v); });
    for (Index i = 0; i < n; ++i)
      expected[i] += scalar_derivative([&](double x) {
        const Vector at = moved(q, x * Vector::Unit(n, i));
        return energy().kinetic_energy(0, at, v) - energy().potential_energy(0, at);
      });
    const Vector Q = view(system(), q, v).h - expected;
    const double scale = 1.0 + expected.norm();
    const double power = energy().other_power(0, q, v);
    EXPECT_NEAR(Q.dot(v), power, 1e-9 * scale * v.norm());
    // Body angular velocities are no rates of coordinates: their gyroscopic force does no work, and is not seen here.
    if (!system().features().contains(Feature::quaternions) && energy().other_power(0, q, random_v()) == 0.0) {
      EXPECT_LE(Q.norm(), 1e-9 * scale);
    }
  }
}

TEST_P(AnalyticModel, PotentialGradientMatchesDifferences) {
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q();
    Vector in_coordinates, gradient;
    energy().potential_gradient(0, q, in_coordinates);
    system().apply_T_transpose(q, in_coordinates, gradient);
    for (Index i = 0; i < n; ++i) {
      const double slope =
          scalar_derivative([&](double x) { return energy().potential_energy(0, moved(q, x * Vector::Unit(n, i))); });
      EXPECT_NEAR(gradient[i], slope, 1e-8 * (1.0 + gradient.norm())) << i;
    }
    if (energy().conservative()) {
      EXPECT_EQ(energy().other_power(0, q, random_v()), 0.0);
    }
  }
}

TEST_P(AnalyticModel, ForceDerivativesMatchDifferences) {
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q(), v = random_v();
    const DenseView at = view(system(), q, v);
    const double rounding = 1e-12 * at.h.norm();  // of the difference quotients
    for (Index j = 0; j < n; ++j) {
      const Vector e = Vector::Unit(n, j);
      const Vector in_q = derivative([&](double x) { return view(system(), moved(q, x * e), v).h; });
      const Vector in_v = derivative([&](double x) { return view(system(), q, v + x * e).h; });
      EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-9 * (1.0 + in_q.norm()) + rounding);
      EXPECT_LE((at.dh_dv.col(j) - in_v).norm(), 1e-9 * (1.0 + in_v.norm()) + rounding);
    }
  }
}

TEST_P(AnalyticModel, PositionRowsAreGradientsOfTheGaps) {
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q(), v = random_v();
    const DenseView at = view(system(), q, v);
    for (Index j = 0; j < n; ++j) {
      const Vector slope = derivative([&](double x) { return view(system(), moved(q, x * Vector::Unit(n, j)), v).g; });
      Index row = 0;
      for (const Constraint& c : at.contacts.constraints) {
        for (Index r = 0; r < c.position_rows; ++r)
          EXPECT_NEAR(at.Wt(row + r, j), slope[row + r], 1e-11) << system().constraint_name(c);
        row += c.law->dim();
      }
    }
  }
}

TEST_P(AnalyticModel, GapRatesAreThoseOfTheRows) {
  const Vector q = random_q(), v = random_v();
  const DenseView at = view(system(), q, v);
  const Vector gamma = at.Wt * v + at.chi;
  ActiveSet all;
  all.reset(at.contacts);
  all.add_all();
  Evaluation e;
  system().evaluate(0, q, v, Need::gap_rate, all, e);
  Index row = 0;
  for (const Constraint& c : at.contacts.constraints) {
    for (Index r = 0; r < c.position_rows; ++r) EXPECT_NEAR(e.g_rate[row + r], gamma[row + r], 1e-14);
    row += c.law->dim();
  }
}

// In the plane every tangential velocity of these models is the rate of a position: its row is a
// gradient, too, and d W_ri / d q_j is symmetric. (Not in the rotor: its journal rolls around a bearing.)
TEST_P(AnalyticModel, AllRowsAreGradients) {
  if (system().features().contains(Feature::quaternions)) return;  // not in space
  if (GetParam()->name == "rotor") return;
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q(), v = random_v();
    const Index rows = static_cast<Index>(view(system(), q, v).Wt.rows());
    std::vector<Matrix> slope;  // slope[j](r, i) = d W_ri / d q_j
    for (Index j = 0; j < n; ++j)
      slope.push_back(
          derivative([&](double x) -> Matrix { return view(system(), moved(q, x * Vector::Unit(n, j)), v).Wt; }));
    for (Index r = 0; r < rows; ++r)
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < i; ++j) EXPECT_NEAR(slope[j](r, i), slope[i](r, j), 1e-10);
  }
}

// gamma' = W'v' + zeta: along a motion of constant v, zeta is the derivative of gamma.
TEST_P(AnalyticModel, ConvectiveTermMatchesDifferences) {
  for (int s = 0; s < samples; ++s) {
    const Vector q = random_q(), v = random_v();
    const Vector expected = derivative([&](double x) -> Vector {
      const DenseView at = view(system(), moved(q, x * v), v);
      return at.Wt * v + at.chi;
    });
    EXPECT_LE((view(system(), q, v).zeta - expected).norm(), 1e-8 * (1.0 + expected.norm()));
  }
}

TEST_P(AnalyticModel, FeaturesAndConstancyAreExact) {
  bool inertia = true, force = true, jacobian = true;
  const DenseView first = view(system(), random_q(), random_v());
  for (int s = 0; s < samples; ++s) {
    const DenseView at = view(system(), random_q(), random_v());
    inertia = inertia && at.M == first.M;
    force = force && at.dh_dq == first.dh_dq && at.dh_dv == first.dh_dv;
    jacobian = jacobian && at.Wt == first.Wt;
  }
  const Constancy constancy = system().constancy();
  const FeatureSet features = system().features();
  EXPECT_EQ(constancy.inertia, inertia);
  EXPECT_EQ(constancy.affine_force, force);
  // Parts say it of their own formulas; that a contact of theirs happens to be constant they need not know.
  EXPECT_LE(constancy.jacobian, jacobian);
  EXPECT_EQ(features.contains(Feature::quaternions), system().nq() != system().nv());
  bool friction = false, bilateral = false, contacts = false;
  for (const Constraint& c : first.contacts.constraints) {
    friction = friction || c.law->friction() > 0.0;
    bilateral = bilateral || c.bilateral;
    contacts = contacts || !c.bilateral;
  }
  EXPECT_EQ(features.contains(Feature::friction), friction);
  EXPECT_EQ(features.contains(Feature::joints), bilateral);
  EXPECT_EQ(features.contains(Feature::contacts), contacts);
}

TEST_P(AnalyticModel, FillsOnlyWhatIsNeeded) {
  const Vector q = random_q(), v = random_v();
  ContactSet contacts;
  system().detect(0, q, v, 0, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  for (const Need need :
       {Need::none, Need::inertia, Need::force, Need::force_jacobian, Need::gap, Need::jacobian, Need::convective}) {
    Evaluation e;
    system().evaluate(0, q, v, need, all, e);
    EXPECT_EQ(e.M.size() > 0, need == Need::inertia);
    EXPECT_EQ(e.h.size() > 0, need == Need::force);
    EXPECT_EQ(e.dh_dq.size() > 0, need == Need::force_jacobian);
    EXPECT_EQ(e.dh_dv.size() > 0, need == Need::force_jacobian);
    const bool any = all.rows() > 0;
    EXPECT_EQ(e.g.size() > 0, any && need == Need::gap);
    EXPECT_EQ(e.W.rows() > 0, any && need == Need::jacobian);
    EXPECT_EQ(e.chi.size() > 0, any && need == Need::jacobian);
    EXPECT_EQ(e.zeta.size() > 0, any && need == Need::convective);
  }
}

TEST_P(AnalyticModel, AnActiveSetSelectsRows) {
  const Vector q = random_q(), v = random_v();
  const DenseView full = view(system(), q, v);
  Evaluation e;  // reused: sizes must follow the active set
  ActiveSet some;
  Index row = 0;
  for (Index k = 0; k < full.contacts.size(); ++k) {
    some.reset(full.contacts);
    some.add(k);
    system().evaluate(0, q, v, Need::gap | Need::jacobian | Need::convective, some, e);
    const Index rows = full.contacts[k].law->dim();
    ASSERT_EQ(e.W.rows(), rows);
    ASSERT_EQ(e.g.size(), rows);
    EXPECT_EQ(testing::to_dense(e.W, n), full.Wt.middleRows(row, rows));
    EXPECT_EQ(Vector(e.g.vec()), full.g.segment(row, rows));
    EXPECT_EQ(Vector(e.chi.vec()), full.chi.segment(row, rows));
    EXPECT_EQ(Vector(e.zeta.vec()), full.zeta.segment(row, rows));
    row += rows;
  }
  some.reset(full.contacts);
  system().evaluate(0, q, v, Need::gap | Need::jacobian | Need::convective, some, e);
  EXPECT_EQ(e.W.block_count(), 0);
  EXPECT_TRUE(e.g.empty() && e.chi.empty() && e.zeta.empty());
}

TEST_P(AnalyticModel, MovesAndMeasuresDifferences) {
  const Vector q = random_q(), dq = 0.5 * random_v();
  const Vector next = moved(q, dq);
  Vector back, rate;
  system().difference(q, next, back);
  EXPECT_LE((back - dq).norm(), 1e-14 * n);
  system().apply_T(q, dq, rate);
  EXPECT_LE((rate - derivative([&](double x) { return moved(q, x * dq); })).norm(), 1e-10);
  const Vector p = random.vector(system().nq(), 1.0);
  system().apply_T_transpose(q, p, back);
  EXPECT_NEAR(back.dot(dq), p.dot(rate), 1e-13 * n);
  Vector in_place = q;
  system().move(in_place, dq, in_place);
  EXPECT_EQ(in_place, next);
}

TEST_P(AnalyticModel, HasNamesAndOrderedIds) {
  std::set<std::string> names;
  ContactSet contacts;
  system().detect(0, model.initial.q, model.initial.v, 0, contacts);
  std::optional<ConstraintId> last;
  for (const Constraint& c : contacts.constraints) {
    if (last) {
      EXPECT_GT(c.id, *last);
    }
    last = c.id;
    EXPECT_GT(c.length_scale, 0.0);
    EXPECT_EQ(c.law->dim() > 1 && !c.bilateral, accepts_friction(*GetParam()) && !c.bilateral);
    EXPECT_TRUE(names.insert(system().constraint_name(c)).second);
  }
  for (Index i = 0; i < system().nq(); ++i) EXPECT_TRUE(names.insert(system().coordinate_name(i)).second);
  for (Index i = 0; i < n; ++i) EXPECT_TRUE(names.insert(system().velocity_name(i)).second);
}

TEST_P(AnalyticModel, StartsConsistently) {
  EXPECT_EQ(model.initial.q.size(), system().nq());
  EXPECT_EQ(model.initial.v.size(), n);
  for (const StartViolation& violation : check_start(system(), model.initial)) ADD_FAILURE() << describe(violation);
}

// Without friction a contact has its normal row only, the same as with friction.
TEST_P(AnalyticModel, FrictionOnlyAddsRows) {
  const Model smooth = make_analytic_model(GetParam()->name, small(*GetParam()), {.restitution = 0.4});
  const Vector q = random_q(), v = random_v();
  const DenseView with = view(system(), q, v), without = view(*smooth.system, q, v);
  EXPECT_FALSE(smooth.system->features().contains(Feature::friction));
  Index row = 0, row_without = 0;
  for (const Constraint& c : with.contacts.constraints) {
    for (Index r = 0; r < c.position_rows; ++r, ++row_without) {
      EXPECT_EQ(with.Wt.row(row + r), without.Wt.row(row_without));
      EXPECT_EQ(with.g[row + r], without.g[row_without]);
      EXPECT_EQ(with.zeta[row + r], without.zeta[row_without]);
    }
    row += c.law->dim();
  }
  EXPECT_EQ(row_without, without.Wt.rows());
}

// Where only joints act: they hold, and what the accelerations want beyond h is a force along W.
TEST_P(AnalyticModel, ExactSolutionKeepsItsJoints) {
  if (!model.exact || system().features().contains(Feature::contacts)) return;
  Vector q, v, v_before, v_after, unused;
  const double dt = 1e-6;
  for (int k = 0; k < 200; ++k) {
    const double t = 1e-3 + 1e-3 * k;
    model.exact(t - dt, unused, v_before);
    model.exact(t + dt, unused, v_after);
    model.exact(t, q, v);
    const DenseView at = view(system(), q, v);
    EXPECT_LE(at.g.norm(), 1e-13) << t;
    EXPECT_LE((at.Wt * v).norm(), 1e-11) << t;
    const Vector force = at.M * (v_after - v_before) / (2.0 * dt) - at.h;
    const Vector lambda = at.Wt.transpose().colPivHouseholderQr().solve(force);
    EXPECT_LE((at.Wt.transpose() * lambda - force).norm(), 1e-5) << t;  // forces are 1 to 50; dt^2 of the difference
  }
}

// Over any short interval the exact motion takes an impulse M dv - int h dt = W Lambda that the contact can give:
// pushing, inside the friction cone, and none while it is open.
TEST_P(AnalyticModel, ExactSolutionKeepsTheBalanceOfMomentum) {
  if (!model.exact || !system().features().contains(Feature::contacts))
    return;  // no closed form, or one with a joint: below
  Vector q_0, v_0, q_mid, v_mid, q_1, v_1;
  model.exact(0.0, q_0, v_0);
  EXPECT_LE((q_0 - model.initial.q).norm() + (v_0 - model.initial.v).norm(), 1e-15);
  const double dt = 1e-3;
  int open = 0, closed = 0;
  for (int k = 0; k < 4000; ++k) {
    const double t = k * dt;
    model.exact(t, q_0, v_0);
    model.exact(t + 0.5 * dt, q_mid, v_mid);
    model.exact(t + dt, q_1, v_1);
    const DenseView a = view(system(), q_0, v_0), b = view(system(), q_mid, v_mid), c = view(system(), q_1, v_1);
    ASSERT_GE(a.g[0], -1e-12);
    const Vector impulse = b.M * (v_1 - v_0) - dt / 6.0 * (a.h + 4.0 * b.h + c.h);
    const bool stays_open = std::min({a.g[0], b.g[0], c.g[0]}) > 0.01;
    const Vector Lambda = b.Wt.transpose().colPivHouseholderQr().solve(impulse);
    EXPECT_LE((b.Wt.transpose() * Lambda - impulse).norm(), 1e-12);
    EXPECT_GE(Lambda[0], -1e-9) << t;
    if (stays_open) {
      EXPECT_LE(Lambda.norm(), 1e-9) << t;
    }
    if (Lambda.size() > 1) {
      EXPECT_LE(std::abs(Lambda[1]), 0.3 * Lambda[0] + 1e-12);
    }
    // Positions follow velocities; where there was no impact, to the order of Simpson's rule.
    if (Lambda.norm() < 1e-9) {
      EXPECT_LE((q_1 - q_0 - dt / 6.0 * (v_0 + 4.0 * v_mid + v_1)).norm(), 1e-12) << t;
    }
    ++(stays_open ? open : closed);
  }
  EXPECT_GT(open + closed, 0);
  EXPECT_GT(closed, 0);
}

INSTANTIATE_TEST_SUITE_P(All, AnalyticModel, ::testing::ValuesIn(analytic_models().entries()),
                         [](const auto& tested) { return tested.param->name; });

TEST(AnalyticRegistry, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(make_analytic_model("slider_crnk", {}, {}), InputError);
  EXPECT_THROW(make_analytic_model("slider_crank", {{"m1", -1.0}}, {}), InputError);
  EXPECT_THROW(make_analytic_model("slider_crank", {{"m1", 0.0}}, {}), InputError);
  EXPECT_THROW(make_analytic_model("slider_crank", {{"mass", 1.0}}, {}), InputError);
  EXPECT_THROW(make_analytic_model("bouncing_ball", {}, {.friction = 0.1}), InputError);
  EXPECT_NO_THROW(make_analytic_model("slider-crank", {{"clearance", 0.0}}, {}));
}

}  // namespace
}  // namespace carom
