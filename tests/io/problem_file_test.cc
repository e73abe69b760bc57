#include "carom/io/problem_file.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cstdlib>
#include <fstream>
#include <random>

#include "carom/base/errors.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/laws/bilateral_law.h"
#include "carom/laws/contact_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

fs::path scratch(const std::string& name) {
  const fs::path folder = fs::temp_directory_path() / "carom_problem_file_test";
  fs::create_directories(folder);
  return folder / name;
}

fs::path write_text(const std::string& name, const std::string& text) {
  const fs::path path = scratch(name);
  std::ofstream(path) << text;
  return path;
}

Matrix dense(const Delassus& G) {
  Matrix result(G.rows(), G.rows());
  G.to_dense(result.data());
  return result;
}

TEST(ProblemFile, WritesWhatItReads) {
  const std::vector<std::shared_ptr<const Law>> laws{
      std::make_shared<BilateralLaw>(2), std::make_shared<UnilateralLaw>(0.5),
      std::make_shared<PlanarCoulombLaw>(0.0, 0.25), std::make_shared<SpatialCoulombLaw>(0.0, 0.0)};
  const std::vector<RowRange> partition{{0, 2}, {2, 1}, {3, 2}, {5, 3}};
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  Matrix G(8, 8);
  for (double& entry : G.reshaped()) entry = normal(random);
  DenseDelassus operator_G;
  operator_G.assign(8, partition, G.data(), false);
  InclusionProblem problem;
  problem.G = &operator_G;
  problem.c.resize(8);
  Buffer guess(8);
  for (Index i = 0; i < 8; ++i) {
    problem.c[i] = normal(random);
    guess[i] = normal(random);
  }
  for (const auto& law : laws) problem.laws.push_back(law.get());

  const fs::path path = scratch("mixed.h5");
  write_problem(path, problem, guess);
  const StoredProblem read = read_problem(path);
  EXPECT_EQ(dense(*read.G), G);
  EXPECT_FALSE(read.G->symmetric());
  EXPECT_EQ(read.problem.c, problem.c);
  EXPECT_EQ(read.guess, guess);
  EXPECT_EQ(read.contacts(), 3);
  ASSERT_EQ(read.laws.size(), laws.size());
  for (std::size_t b = 0; b < laws.size(); ++b) {
    EXPECT_EQ(read.laws[b]->kind(), laws[b]->kind());
    EXPECT_EQ(read.laws[b]->dim(), laws[b]->dim());
    EXPECT_EQ(read.laws[b]->friction(), laws[b]->friction());
  }
}

TEST(ProblemFile, HasNoWordForFrictionThatMeetsSpin) {
  const auto law = make_contact_law(Space::spatial, {.friction = 0.3, .spin_radius = 0.1});
  const Matrix G = Matrix::Identity(4, 4);
  DenseDelassus operator_G;
  const std::vector<RowRange> partition{{0, 4}};
  operator_G.assign(4, partition, G.data(), true);
  InclusionProblem problem;
  problem.G = &operator_G;
  problem.c.assign(4, 0.0);
  problem.laws.push_back(law.get());
  try {
    write_problem(scratch("spin.h5"), problem, problem.c);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().code, "E0602");
  }
}

TEST(ProblemFile, ReadsTheThreeTextStorages) {
  // Not symmetric, so that rows cannot pass for columns.
  const Matrix expected{{2.0, 0.5}, {0.25, 3.0}};
  const std::string tail = "-1.0 0.5\n0.3\n";
  const fs::path files[] = {
      write_text("dense.dat", "2\n1\n0\n2\n2\n2 2\n2.0 0.25\n0.5 3.0\n" + tail),
      write_text("blocks.dat", "2\n1\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n0\n2.0\n0.25\n0.5\n3.0\n" + tail),
      write_text("blocks_without_numbers.dat",
                 "2\n1\n1\n2\n2\n1\n1\n1\n2\n2\n2\n1\n0 1\n0\n2.0\n0.25\n0.5\n3.0\n" + tail),
      write_text("columns.dat",
                 "2\n1\n2\n2\n2\n2\nprinted by hand, 2 columns\n2-by-2, nzmax: 4 nnz: 4\n"
                 "  col 0 : locations 0 to 1\n 0 : 2.0\n 1 : 0.25\n  col 1 : locations 2 to 3\n 0 : 0.5\n 1 : 3\n" +
                     tail)};
  for (const fs::path& path : files) {
    SCOPED_TRACE(path.filename().string());
    const StoredProblem stored = read_problem(path);
    EXPECT_EQ(dense(*stored.G), expected);
    EXPECT_EQ(stored.problem.c[0], -1.0);
    EXPECT_EQ(stored.problem.c[1], 0.5);
    ASSERT_EQ(stored.laws.size(), 1u);
    EXPECT_EQ(stored.laws[0]->kind(), LawKind::planar_coulomb);
    EXPECT_EQ(stored.laws[0]->friction(), 0.3);
  }
}

// Two bodies of masses 2 and 4 and a coupled mass matrix, one planar contact: stored by its upper, by its lower and by
// both triangles, in both text formats. W = H' M^-1 H and q = w + H' M^-1 f by hand.
TEST(ProblemFile, ReadsSymmetricMatricesByOneTriangleAndGlobalProblemsAsSuch) {
  const Matrix M{{2.0, 1.0}, {1.0, 4.0}}, H{{1.0, 0.5}, {0.0, 2.0}};
  const Vector f{{3.0, -1.0}}, w{{0.25, 0.5}};
  const Matrix W = H.transpose() * M.inverse() * H;
  const Vector q = w + H.transpose() * M.inverse() * f;
  const std::string rest = "0\n2\n2\n2 2\n1.0 0.0 0.5 2.0\n3.0 -1.0\n0.25 0.5\n0.3\n";
  for (const std::string entries : {"2.0 1.0 1.0 4.0", "2.0 1.0 0.0 4.0", "2.0 0.0 1.0 4.0"}) {
    SCOPED_TRACE(entries);
    // M has the size that W would have: only what follows tells them apart.
    const StoredProblem global = read_problem(write_text("global.dat", "2\n1\n0\n2\n2\n2 2\n" + entries + "\n" + rest));
    EXPECT_LE((dense(*global.G) - W).norm(), 1e-14);
    EXPECT_LE((global.problem.c.vec() - q).norm(), 1e-14);
    EXPECT_EQ(global.laws.at(0)->friction(), 0.3);
    const StoredProblem local =
        read_problem(write_text("local.dat", "2\n1\n0\n2\n2\n2 2\n" + entries + "\n-1.0 0.5\n0.3\n"));
    EXPECT_EQ(dense(*local.G), M);
    EXPECT_TRUE(local.G->symmetric());
  }
  // A flag, and a guess after it, may follow a local problem; other data may not.
  const std::string local = "2\n1\n0\n2\n2\n2 2\n2.0 1.0 1.0 4.0\n-1.0 0.5\n0.3\n";
  EXPECT_NO_THROW(read_problem(write_text("flag.dat", local + "1\n")));
  EXPECT_NO_THROW(read_problem(write_text("guess.dat", local + "1\n0.1 0.2\n")));
  EXPECT_THROW(read_problem(write_text("trailing.dat", local + "1 2\n")), InputError);
  EXPECT_THROW(read_problem(write_text("trailing_global.dat", "2\n1\n0\n2\n2\n2 2\n2.0 1.0 1.0 4.0\n" + rest + "7\n")),
               InputError);
  EXPECT_THROW(read_problem(write_text("not_symmetric.dat", "2\n1\n0\n2\n2\n2 2\n2.0 1.0 0.5 4.0\n" + rest)),
               InputError);
}

TEST(ProblemFile, NamesWhatIsWrong) {
  EXPECT_THROW(read_problem(scratch("missing.dat")), InputError);
  EXPECT_THROW(read_problem(write_text("empty.dat", "")), InputError);
  EXPECT_THROW(read_problem(write_text("word.dat", "2\n1\n0\n2\n2\n2 2\n2.0 spam\n")), InputError);
  EXPECT_THROW(read_problem(write_text("short.dat", "2\n1\n0\n2\n2\n2 2\n2.0 0.5 0.25")), InputError);
  EXPECT_THROW(read_problem(write_text("dimension.dat", "4\n1\n0\n")), InputError);
  EXPECT_THROW(read_problem(write_text("friction.dat", "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n-1 0\n-0.3\n")), InputError);
  EXPECT_THROW(read_problem(write_text("broken.h5", "\x89HDF\r\n\x1a\nnothing follows")), InputError);
}

// The collection of real problems beside the repository, if it is there: everything up to 200 contacts
// is solved, and whatever is called solved is.
TEST(ProblemFile, RealProblemsAreSolvedOrSaidToBeUnsolved) {
  const char* source = std::getenv("CAROM_SOURCE");
  const fs::path folder = fs::path(source ? source : ".") / ".." / "shared" / "data" / "friction";
  if (!fs::exists(folder)) GTEST_SKIP() << "no collection of problems at " << folder;
  constexpr double tolerance = 1e-8;
  const auto solver = make_solver("automatic", {{"tolerance", tolerance}});
  SolverWorkspace workspace;  // one for all: sizes come and go
  int small = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename().string());
    const StoredProblem stored = read_problem(entry.path());
    if (stored.contacts() > 200) continue;
    ++small;
    InclusionResult result;
    solver->solve(stored.problem, workspace, result);
    EXPECT_EQ(result.status, SolveStatus::solved) << result.residual;

    // Judged once more, feature by feature: cone, gap and opposition, relative to the problem's size.
    const Matrix G = dense(*stored.G);
    const Vector lambda = result.lambda.vec();
    const Vector xi = G * lambda + stored.problem.c.vec();
    const double force = lambda.cwiseAbs().maxCoeff(), speed = stored.problem.c.vec().cwiseAbs().maxCoeff();
    for (Index b = 0; b < stored.G->block_count(); ++b) {
      const RowRange at = stored.G->block(b);
      const double mu = stored.laws[static_cast<std::size_t>(b)]->friction();
      const double l_N = lambda[at.row], xi_N = xi[at.row];
      const Vector l_T = lambda.segment(at.row + 1, at.rows - 1), xi_T = xi.segment(at.row + 1, at.rows - 1);
      EXPECT_GE(l_N, -1e-6 * force);
      EXPECT_GE(xi_N, -1e-5 * speed);
      EXPECT_LE(std::abs(l_N * xi_N), 1e-5 * force * speed);
      EXPECT_LE(l_T.norm(), mu * l_N + 1e-6 * force);
      EXPECT_LE(std::abs(l_T.dot(xi_T) + mu * l_N * xi_T.norm()), 1e-5 * force * speed);
    }
  }
  EXPECT_GE(small, 20);
}

}  // namespace
}  // namespace carom
