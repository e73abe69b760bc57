// The axle against closed forms of beams and shafts; the rotor's contact and gyroscopic force against differences.
#include "carom/model/flexible/rotor.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "model/dense_view.h"

namespace carom {
namespace {

using testing::DenseView;
using testing::derivative;
using testing::view;

constexpr double pi = std::numbers::pi;

Vector squared_frequencies(const Matrix& K, const Matrix& M) {
  return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix>(K, M).eigenvalues();
}

// Rows and columns of one kind of motion, from node `first` on.
Matrix part(const Eigen::SparseMatrix<double>& A, const std::vector<AxleMotion>& motions, Index nodes, Index first) {
  std::vector<Index> kept;
  for (Index node = first; node < nodes; ++node)
    for (const AxleMotion motion : motions) kept.push_back(Axle::node_size * node + static_cast<Index>(motion));
  return Matrix(A)(kept, kept);
}

struct Section {
  explicit Section(const AxleData& d) : A(pi * d.radius * d.radius), I(pi * std::pow(d.radius, 4) / 4.0) {}
  double A, I;
};

// A cantilever: cos x cosh x = -1. A free beam: cos x cosh x = 1. w = x^2 / L^2 sqrt(E I / (rho A)).
TEST(Axle, BendingFrequenciesConvergeToThoseOfTheBeamInBothPlanes) {
  AxleData data;
  const Section section(data);
  const double unit =
      std::sqrt(data.youngs_modulus * section.I / (data.density * section.A)) / (data.length * data.length);
  const double clamped[] = {1.875104068711961, 4.694091132974175, 7.854757438237613};
  const double free[] = {4.730040744862704, 7.853204624095838};
  for (const auto& motions :
       {std::vector{AxleMotion::v, AxleMotion::theta_z}, std::vector{AxleMotion::w, AxleMotion::theta_y}}) {
    std::vector<double> error;
    for (const Index n : {4, 8, 16}) {
      data.elements = n;
      const StructureMatrices m = Axle(data).matrices();
      const Vector w2 = squared_frequencies(part(m.K, motions, n + 1, 1), part(m.M, motions, n + 1, 1));
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(std::sqrt(w2[k]), clamped[k] * clamped[k] * unit, 2e-2 * clamped[k] * clamped[k] * unit);
      error.push_back(std::sqrt(w2[2]) / (clamped[2] * clamped[2] * unit) - 1.0);
      const Vector f2 = squared_frequencies(part(m.K, motions, n + 1, 0), part(m.M, motions, n + 1, 0));
      EXPECT_NEAR(std::sqrt(f2[2]), free[0] * free[0] * unit, 5e-3 * free[0] * free[0] * unit);
      EXPECT_NEAR(std::sqrt(f2[3]), free[1] * free[1] * unit, 2e-2 * free[1] * free[1] * unit);
      EXPECT_LE(std::abs(f2[0]) + std::abs(f2[1]), 1e-4 * f2[2]) << "two rigid motions";
    }
    EXPECT_NEAR(std::log2(error[0] / error[1]), 4.0, 0.4);
    EXPECT_NEAR(std::log2(error[1] / error[2]), 4.0, 0.2);
  }
}

TEST(Axle, TorsionFrequenciesAreThoseOfAShaft) {
  AxleData data;
  data.elements = 40;
  const StructureMatrices m = Axle(data).matrices();
  const Vector w2 = squared_frequencies(part(m.K, {AxleMotion::phi}, 41, 0), part(m.M, {AxleMotion::phi}, 41, 0));
  const double unit = pi * std::sqrt(data.shear_modulus / data.density) / data.length;
  for (int k = 1; k <= 3; ++k) EXPECT_NEAR(std::sqrt(w2[k]), k * unit, 0.004 * k * unit);
}

// A cantilever under its weight sinks by rho A g L^4 / (8 E I), exactly at the nodes.
TEST(Axle, BendsUnderItsWeight) {
  AxleData data;
  data.elements = 3;
  const Section section(data);
  const Axle axle(data);
  const StructureMatrices m = axle.matrices();
  Vector f = Vector::Zero(axle.size());
  axle.add_weight(9.81, f);
  std::vector<Index> kept;
  for (Index node = 1; node <= 3; ++node)
    for (const AxleMotion motion : {AxleMotion::w, AxleMotion::theta_y}) kept.push_back(axle.coordinate(node, motion));
  const Vector x = Matrix(Matrix(m.K)(kept, kept)).ldlt().solve(Vector(f(kept)));
  const double load = data.density * section.A * 9.81, EI = data.youngs_modulus * section.I;
  EXPECT_NEAR(x[4], -load * std::pow(data.length, 4) / (8.0 * EI), 1e-9 * std::abs(x[4]));
  EXPECT_NEAR(x[5], load * std::pow(data.length, 3) / (6.0 * EI), 1e-9 * std::abs(x[5])) << "theta_y = -w'";
}

TEST(Axle, ShapesInterpolate) {
  AxleData data;
  const Axle axle(data);
  testing::Random random(2);
  const Vector q = random.vector(axle.size(), 1.0);
  const auto at = [&](double x, AxleMotion motion) {
    double sum = 0.0;
    for (const auto& [i, weight] : axle.shape(x, motion)) sum += weight * q[i];
    return sum;
  };
  for (Index node = 0; node <= data.elements; ++node)
    for (const AxleMotion motion :
         {AxleMotion::v, AxleMotion::theta_z, AxleMotion::w, AxleMotion::theta_y, AxleMotion::phi})
      EXPECT_NEAR(at(node * data.length / data.elements, motion), q[axle.coordinate(node, motion)], 1e-12);
  const double x = 0.18, d = 1e-6;
  EXPECT_NEAR((at(x + d, AxleMotion::v) - at(x - d, AxleMotion::v)) / (2 * d), at(x, AxleMotion::theta_z), 1e-7);
  EXPECT_NEAR((at(x + d, AxleMotion::w) - at(x - d, AxleMotion::w)) / (2 * d), -at(x, AxleMotion::theta_y), 1e-7);
}

class RotorRig : public ::testing::Test {
 protected:
  // Somewhere near its working conditions: deflections of the clearance's size, spinning.
  Vector position() {
    Vector q = random.vector(rotor.nq(), 1e-4);
    return q;
  }
  Vector velocity() {
    Vector v = random.vector(rotor.nv(), 0.1);
    for (Index node = 0; node <= 5; ++node) v[5 * node + 4] += 490.0;
    return v;
  }

  // The matrices of a rotor at rest: h = f - C v - K q.
  Matrix stiffness() const { return -view(rotor, Vector::Zero(rotor.nq()), Vector::Zero(rotor.nv())).dh_dq; }
  Matrix damping() const { return -view(rotor, Vector::Zero(rotor.nq()), Vector::Zero(rotor.nv())).dh_dv; }

  Model model = make_rotor(RotorData{}, {.restitution = 0.0, .friction = 0.01});
  const System& rotor = *model.system;
  testing::Random random{9};
};

TEST_F(RotorRig, GapAndDirectionsAgreeWithDifferences) {
  for (int sample = 0; sample < 10; ++sample) {
    const Vector q = position(), v = velocity();
    const DenseView at = view(rotor, q, v);
    for (Index j = 0; j < rotor.nq(); ++j) {
      const Vector slope =
          derivative([&](double x) { return view(rotor, q + x * Vector::Unit(rotor.nq(), j), v).g; }, 1e-7);
      EXPECT_NEAR(at.Wt(0, j), slope[0], 1e-6);
    }
    // Along a motion of constant v, zeta is the rate of gamma.
    const Vector rate = derivative(
        [&](double x) -> Vector {
          const DenseView moved = view(rotor, q + x * v, v);
          return moved.Wt * v;
        },
        1e-8);
    EXPECT_LE((at.zeta - rate).norm(), 1e-4 * (1.0 + rate.norm()));
  }
}

// Circling of the centre and spin: where the journal rolls on the bearing there is no slip.
TEST_F(RotorRig, SlipVanishesWhereTheJournalRolls) {
  Vector q = Vector::Zero(rotor.nq()), v = q;
  const Index y_B = rotor.nq() - 2;
  q[y_B + 1] = 1e-4;  // the bearing has moved up: the journal lies at its bottom, e = (0, -1e-4)
  const DenseView resting = view(rotor, q, v);
  EXPECT_NEAR(resting.g[0], 0.0, 1e-18);
  v[4] = 3.0;           // phi' of node 0
  v[y_B] = 3.0 * 1e-2;  // the bearing follows the surface: t = (1, 0) at the bottom, slip = -v_B + r phi'
  EXPECT_NEAR((view(rotor, q, v).Wt * v)[1], 0.0, 1e-16);
  v[y_B] = 0.0;
  EXPECT_NEAR((view(rotor, q, v).Wt * v)[1], -0.03, 1e-16) << "against the tangent e_z x n, n upwards";
}

TEST_F(RotorRig, GyroscopicForceHasNoPowerAndTurnsTheWheelSidewards) {
  const RotorData data;
  for (int sample = 0; sample < 10; ++sample) {
    const Vector q = Vector::Zero(rotor.nq());
    const Vector v = velocity();
    // All of h that is no potential force at q = 0 is the load, damping, drive and gyroscopic force.
    const Vector load = view(rotor, q, Vector::Zero(rotor.nv())).h;
    const Vector force = view(rotor, q, v).h - load;
    const double damping = -v.dot(this->damping() * v);
    const Vector gyroscopic = force + this->damping() * v;
    EXPECT_NEAR(gyroscopic.dot(v), 0.0, 1e-12 * gyroscopic.norm() * v.norm());
    EXPECT_NEAR(force.dot(v), damping, 1e-9 * std::abs(damping));
    EXPECT_GT(gyroscopic.norm(), 1e-3);
  }
}

// The whole force, the wheel spinning at 490 rad/s.
TEST_F(RotorRig, ForceDerivativesMatchDifferences) {
  for (int sample = 0; sample < 5; ++sample) {
    const Vector q = position(), v = velocity();
    const DenseView at = view(rotor, q, v);
    for (Index j = 0; j < rotor.nv(); ++j) {
      const Vector e = Vector::Unit(rotor.nv(), j);
      const Vector in_v = derivative([&](double x) { return view(rotor, q, v + x * e).h; });
      const Vector in_q = derivative([&](double x) { return view(rotor, q + x * e, v).h; });
      EXPECT_LE((at.dh_dv.col(j) - in_v).norm(), 1e-8 * (1.0 + in_v.norm()));
      EXPECT_LE((at.dh_dq.col(j) - in_q).norm(), 1e-8 * (1.0 + in_q.norm()));
    }
  }
}

// What the drive does is booked as its work, and only while it acts.
TEST_F(RotorRig, DriveActsForItsTime) {
  const RotorData data;
  const Vector q = Vector::Zero(rotor.nq()), v = Vector::Unit(rotor.nv(), 29);  // phi' of the last node
  EXPECT_EQ(rotor.coordinate_name(29), "node5.phi");
  const double damped = rotor.energetics()->other_power(data.drive_time, q, v);
  EXPECT_LT(damped, 0.0);
  EXPECT_NEAR(rotor.energetics()->other_power(0.99 * data.drive_time, q, v) - damped, data.drive_torque, 1e-12);
}

TEST_F(RotorRig, MassesAddUp) {
  const RotorData data;
  const Matrix M = view(rotor, Vector::Zero(rotor.nq()), Vector::Zero(rotor.nv())).M;
  Vector lift = Vector::Zero(rotor.nq()), spin = lift;
  for (Index node = 0; node <= 5; ++node) {
    lift[5 * node + 2] = 1.0;
    spin[5 * node + 4] = 1.0;
  }
  const Section section(data.axle);
  const double axle = data.axle.density * section.A * data.axle.length;
  EXPECT_NEAR(lift.dot(M * lift), axle + data.wheel_mass + data.journal_mass, 1e-9);
  EXPECT_NEAR(spin.dot(M * spin),
              data.axle.density * 2.0 * section.I * data.axle.length + data.wheel_polar_inertia + data.journal_inertia,
              1e-12);
}

// The largest frequency sets the step of explicit schemes: 1.38e5 rad/s with 5 elements, dt < 1.45e-5 s.
TEST_F(RotorRig, LargestFrequencyIsThatOfThePublishedStep) {
  const Vector w2 = squared_frequencies(stiffness(), view(rotor, Vector::Zero(rotor.nq()), Vector::Zero(rotor.nv())).M);
  EXPECT_NEAR(2.0 / std::sqrt(w2[rotor.nq() - 1]), 1.45e-5, 0.01e-5);
}

}  // namespace
}  // namespace carom
