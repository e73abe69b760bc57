// Table 3 of Schindler, Rezaei, Kursawe, Acary (2015): the slider-crank with friction over 0.1 s. The error
// is the spectral norm of the matrix with one row a step and one column an angle, against the half-explicit
// scheme at 1e-7 s: order p shows as dt^(p - 1/2), because a finer run has more rows.
#include <Eigen/SVD>
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "schemes/run_scheme.h"

namespace carom::testing {
namespace {

constexpr double t_end = 0.1, fine = 1e-7;

// Angles at the multiples of `keep` steps, one row each.
Matrix angles(const std::string& scheme, double dt, int keep) {
  const Model model = make_analytic_model("slider_crank", {}, {.restitution = 0.4, .friction = 0.01});
  const int steps = static_cast<int>(std::lround(t_end / dt));
  Matrix rows(steps / keep, 3);
  int k = 0;
  run(*model.system, model.initial, scheme, {}, dt, steps, [&](const StepResult& result) {
    if (++k % keep == 0) rows.row(k / keep - 1) = result.next.q.transpose();
  });
  return rows;
}

double error(const std::string& scheme, double dt, const Matrix& reference) {
  const Matrix own = angles(scheme, dt, 1);
  const auto every = static_cast<Eigen::Index>(reference.rows() / own.rows());
  Matrix difference(own.rows(), 3);
  for (Eigen::Index i = 0; i < own.rows(); ++i) difference.row(i) = own.row(i) - reference.row((i + 1) * every - 1);
  return Eigen::JacobiSVD<Eigen::MatrixXd>(difference.transpose() * difference).singularValues()[0];
}

TEST(Schindler2015, TableThree) {
  const Matrix reference = angles("half_explicit_velocity", fine, 100);  // every 1e-5 s
  const auto of = [&](const char* scheme, double dt) { return std::sqrt(error(scheme, dt, reference)); };
  EXPECT_NEAR(of("half_explicit_velocity", 1e-3), 0.47, 0.047);
  EXPECT_NEAR(of("half_explicit_velocity", 1e-4), 0.018, 0.0018);
  EXPECT_NEAR(of("half_explicit_velocity", 1e-5), 0.0033, 0.00033);
  EXPECT_NEAR(of("moreau_jean_explicit", 1e-4), 0.15, 0.015);
  EXPECT_NEAR(of("moreau_jean_explicit", 1e-5), 0.045, 0.0045);
}

// The state at the end of the reference run, known to all digits from an independent implementation.
TEST(Schindler2015, EndOfTheReferenceRun) {
  const Matrix rows = angles("half_explicit_velocity", fine, 1000000);
  EXPECT_NEAR(rows(0, 0), 9.00063787, 2e-8);
  EXPECT_NEAR(rows(0, 1), -0.21058968, 2e-8);
  EXPECT_NEAR(rows(0, 2), 0.0, 1e-12);
}

}  // namespace
}  // namespace carom::testing
