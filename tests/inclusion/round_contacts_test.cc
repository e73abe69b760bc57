// Random piles of spheres of many sizes, some of them on a floor, each seen from axes of its own.
#include "carom/inclusion/round_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <random>
#include <string>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)  // which counts by itself
#include <malloc.h>
#endif

#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/sweeps.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "inclusion/counting_allocator.h"

namespace carom {
namespace {

struct PileOptions {
  Index side = 5;  // spheres along each edge of a lattice with random radii
  double friction = 0.5;
  double longer_lever = 1.0;  // of one contact along one tangent: 1, a sphere
};

class RandomPile {
 public:
  RandomPile(unsigned seed, const PileOptions& options) : random_(seed), law_(0.0, options.friction) {
    const Index side = options.side, bodies = side * side * side;
    Inertia M;
    Matrix3* blocks = M.block_diagonal(6 * bodies);
    for (Index b = 0; b < bodies; ++b) {
      radii_.push_back(between(0.3, 0.5));
      axes_.push_back(
          Eigen::Quaterniond(Eigen::Vector4d(normal(), normal(), normal(), normal()).normalized()).toRotationMatrix());
      const double mass = between(0.5, 2.0);
      blocks[2 * b] = mass * Matrix3::Identity();
      blocks[2 * b + 1] = 0.4 * mass * radii_.back() * radii_.back() * Matrix3::Identity();
    }
    A.factor(M);
    for (Index k = 0; k < side; ++k)
      for (Index j = 0; j < side; ++j)
        for (Index i = 0; i < side; ++i) {
          const Index b = i + side * (j + side * k);
          if (k == 0) add(b, -1, {0, 0, 1});
          if (i > 0) add(b, b - 1, {1, 0, 0});
          if (j > 0) add(b, b - side, {0, 1, 0});
          if (k > 0) add(b, b - side * side, {0, 0, 1});
        }
    if (options.longer_lever != 1.0)
      for (int i = 3; i < 6; ++i) W.entries(W.segment(0))[6 + i] *= options.longer_lever;
    Vector v(6 * bodies);
    for (Index i = 0; i < v.size(); ++i) v[i] = 0.3 * normal() - (i % 6 == 2 ? 0.5 : 0.0);
    problem.c.resize(W.rows());
    W.transpose_multiply(v.data(), problem.c.data());
    problem.laws.assign(static_cast<std::size_t>(W.block_count()), &law_);
    problem.G = &factory_.build(W, A);
  }

  InclusionProblem problem;
  ConstraintJacobian W;
  IterationMatrix A;

 private:
  double normal() { return std::normal_distribution<double>()(random_); }
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(random_); }

  void add(Index first, Index second, const Vector3& towards) {
    const Vector3 n = (towards + 0.3 * Vector3(normal(), normal(), normal())).normalized();
    const Vector3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    W.add_block(3);
    for (const auto& [body, sign] : {std::pair(first, 1.0), std::pair(second, -1.0)}) {
      if (body < 0) continue;
      const auto b = static_cast<std::size_t>(body);
      double* entries = W.add_segment(6 * body, 6);
      for (int r = 0; r < 3; ++r) {
        const Vector3 direction = r == 0 ? n : r == 1 ? t1 : t2;
        Eigen::Map<Vector3>(entries + 6 * r) = sign * direction;
        Eigen::Map<Vector3>(entries + 6 * r + 3) = axes_[b] * (-radii_[b] * n.cross(direction));
        if (r == 0) Eigen::Map<Vector3>(entries + 3).setZero();
      }
    }
  }

  std::mt19937 random_;
  SpatialCoulombLaw law_;
  std::vector<double> radii_;
  std::vector<Matrix3> axes_;
  DelassusFactory factory_;
};

constexpr SweepWay ways[] = {SweepWay::plain, SweepWay::momentum, SweepWay::calmed, SweepWay::relaxed};

InclusionResult solve(const RandomPile& pile, double threads, double tolerance = 1e-10) {
  SolverWorkspace workspace;
  InclusionResult result;
  make_solver("automatic", {{"tolerance", tolerance}, {"threads", threads}})->solve(pile.problem, workspace, result);
  return result;
}

// A point that is no solution is led towards it by relaxed sweeps, more slowly than by plain ones. Momentum that is
// limited leads to the same point as momentum that is not, and on another way.
TEST(RoundContacts, AllWaysLeadToTheSolution) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomPile pile(seed, {.side = 4});
    Buffer weight, lambda[4];
    weight.assign(pile.problem.block_count(), 1.0);
    double changes[4];
    for (const SweepWay way : ways) {
      RoundContacts contacts;
      ASSERT_TRUE(contacts.build(pile.problem, 1e-11));
      const auto k = static_cast<std::size_t>(way);
      lambda[k].assign(pile.problem.rows(), 0.0);
      contacts.load(lambda[k].data());
      contacts.weigh(weight.data());
      for (int sweep = 0; sweep < 40; ++sweep) changes[k] = contacts.sweep(way);
      const double early = changes[k];
      for (int sweep = 0; sweep < 960; ++sweep) changes[k] = contacts.sweep(way);
      const bool slow = way == SweepWay::relaxed;  // five sweeps for one
      EXPECT_LT(changes[k], (slow ? 0.1 : 1e-6) * early) << seed << ' ' << k;
      contacts.store(lambda[k].data());
      ResidualWorkspace workspace;
      Buffer xi;
      EXPECT_LT(residual(pile.problem, lambda[k], xi, workspace), slow ? 1e-2 : 1e-4) << seed << ' ' << k;
    }
    EXPECT_FALSE(lambda[1] == lambda[2]) << seed;
  }
}

// A sweep without momentum changes every contact to the solution of that contact with all others held: the law's own
// solution, contact by contact, in the order of the colours.
TEST(RoundContacts, AFixedPointOfTheSweepSolvesTheProblem) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const RandomPile pile(seed, {.side = 4, .friction = 0.1 * seed});
    const InclusionResult solved = solve(pile, 1.0, 1e-12);
    ASSERT_EQ(solved.status, SolveStatus::solved) << seed;
    RoundContacts contacts;
    if (seed % 2 == 0) contacts.use_cells(10, 0);
    ASSERT_TRUE(contacts.build(pile.problem, 1e-13));
    contacts.load(solved.lambda.data());
    const Buffer unit = [&] {
      Buffer ones;
      ones.assign(pile.problem.block_count(), 1.0);
      return ones;
    }();
    contacts.weigh(unit.data());
    double change = 0.0;
    for (const SweepWay way : ways) change = std::max(change, std::sqrt(contacts.sweep(way)));
    Buffer lambda;
    lambda.resize(pile.problem.rows());
    contacts.store(lambda.data());
    const double size = lambda.vec().lpNorm<Eigen::Infinity>();
    // An error of 1e-12 of what acts on a contact moves it by that, times the ratio of the largest to its own mobility.
    EXPECT_LT(change, 1e-9 * size) << seed;
    EXPECT_LT((lambda.vec() - solved.lambda.vec()).lpNorm<Eigen::Infinity>(), 1e-9 * size) << seed;
    // And a point that is no solution is none of its fixed points.
    Buffer wrong = solved.lambda;
    for (Index i = 0; i < wrong.size(); i += 3) wrong[i] += 0.1 * size;
    contacts.load(wrong.data());
    EXPECT_GT(std::sqrt(contacts.sweep(SweepWay::plain)), 1e-3 * size) << seed;
  }
}

// With much friction sweeps and all others may fail (docs/theory/large_problems.md); then they have to say so.
TEST(RoundContacts, SolvedIsSolvedByTheResidual) {
  for (unsigned seed = 1; seed <= 8; ++seed)
    for (const double friction : {0.0, 0.3, 0.8}) {
      const RandomPile pile(seed, {.friction = friction});
      const InclusionResult result = solve(pile, 1.0);
      ResidualWorkspace workspace;
      Buffer xi;
      const double judged = residual(pile.problem, result.lambda, xi, workspace);
      EXPECT_EQ(judged, result.residual);
      EXPECT_EQ(result.status == SolveStatus::solved, judged <= 1e-10) << seed << ' ' << friction;
      EXPECT_TRUE(friction > 0.5 || result.status == SolveStatus::solved) << seed << ' ' << friction;
    }
}

// The velocities that sweeps keep are those of their points: made anew they change nothing but rounding.
TEST(RoundContacts, VelocitiesFollowTheImpulses) {
  const RandomPile pile(4, {.side = 5});
  Buffer start, weight;
  start.assign(pile.problem.rows(), 0.1);
  weight.assign(pile.problem.block_count(), 1.0);
  for (const SweepWay way : ways) {
    Buffer lambda[2];
    for (const bool anew : {false, true}) {
      RoundContacts contacts;
      ASSERT_TRUE(contacts.build(pile.problem, 1e-11));
      contacts.load(start.data());
      contacts.weigh(weight.data());
      for (int k = 0; k < 5; ++k) contacts.sweep(way);
      if (anew) contacts.refresh();
      contacts.sweep(way);
      contacts.store(lambda[anew].resized(pile.problem.rows()));
    }
    EXPECT_LT((lambda[0].vec() - lambda[1].vec()).lpNorm<Eigen::Infinity>(),
              1e-12 * lambda[0].vec().lpNorm<Eigen::Infinity>())
        << static_cast<int>(way);  // some hundred roundings of terms of this size
  }
}

// What sweeps judge themselves by is the residual of all solvers, and counts the same contacts; after that a sweep
// weighs changes by the same scales.
TEST(RoundContacts, TheJudgementIsTheResidual) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const RandomPile pile(seed, {.side = 4, .friction = 0.15 * seed});
    const InclusionProblem& problem = pile.problem;
    for (const bool momentum : {false, true}) {
      Buffer lambda, xi;
      lambda.assign(problem.rows(), 0.02 * seed);
      RoundContacts contacts;
      if (seed % 2 == 0) contacts.use_cells(10, 0);
      ASSERT_TRUE(contacts.build(problem, 1e-11));
      contacts.use_threads(momentum ? 2 : 1);
      contacts.load(lambda.data());
      for (int k = 0; k < 3 + 5 * static_cast<int>(seed); ++k)
        contacts.sweep(momentum ? SweepWay::momentum : SweepWay::plain);
      contacts.store(lambda.data());
      ResidualWorkspace judged;
      const double expected = residual(problem, lambda, xi, judged), tolerance = 0.03 * expected;
      Index in_error = 0;
      Buffer weight;
      weight.resize(problem.block_count());
      for (Index b = 0; b < problem.block_count(); ++b) {
        weight[b] = std::pow(problem.G->rho(b) / judged.scale[b], 2);
        if (Eigen::Map<const Vector3>(judged.defect.data() + 3 * b).squaredNorm() * weight[b] > tolerance * tolerance)
          ++in_error;
      }
      const SweepJudgement judgement = contacts.judge(tolerance);
      EXPECT_NEAR(judgement.residual, expected, 1e-9 * expected) << seed;  // a defect of 1e-5 of what cancels in it
      EXPECT_EQ(judgement.in_error, in_error) << seed;
      EXPECT_GT(in_error, 1);
      const double change = contacts.sweep(SweepWay::plain);
      contacts.load(lambda.data());
      contacts.weigh(weight.data());
      EXPECT_NEAR(momentum ? change : contacts.sweep(SweepWay::plain), change, 1e-9 * change) << seed;
    }
  }
}

// With momentum, without, and the velocities made anew between; in one cell and in many, whose order is another one.
TEST(RoundContacts, TheSameBitsForAnyNumberOfThreads) {
  const RandomPile pile(1, {.side = 8});
  Buffer start, weight;
  start.assign(pile.problem.rows(), 0.1);
  weight.assign(pile.problem.block_count(), 1.0);
  const auto sweep = [&](std::size_t cell, int threads, double& change) {
    RoundContacts contacts;
    contacts.use_cells(cell, 0);
    EXPECT_TRUE(contacts.build(pile.problem, 1e-11));
    contacts.use_threads(threads);
    contacts.load(start.data());
    contacts.weigh(weight.data());
    for (int k = 0; k < 6; ++k) change = contacts.sweep(ways[static_cast<std::size_t>(k % 4)]);
    contacts.refresh();
    change += contacts.sweep(SweepWay::momentum);
    Buffer lambda;
    lambda.resize(pile.problem.rows());
    contacts.store(lambda.data());
    return lambda;
  };
  Buffer of_cells[2];
  for (const std::size_t cell : {512, 60}) {
    double change = 0.0;
    const Buffer one = of_cells[cell == 60] = sweep(cell, 1, change);
    EXPECT_GT(change, 0.0);
    for (const int threads : {2, 3, 4, 8}) {
      double of_many = 0.0;
      EXPECT_TRUE(one == sweep(cell, threads, of_many)) << threads;
      EXPECT_EQ(change, of_many) << threads;
    }
  }
  EXPECT_FALSE(of_cells[0] == of_cells[1]);
}

// Cells decide about the order of sweeps, not about where they lead.
TEST(RoundContacts, CellsTakeAsManySweeps) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const RandomPile pile(seed, {.side = 7, .friction = 0.3});
    int sweeps[2] = {0, 0};
    for (const bool cells : {false, true}) {
      RoundContacts contacts;
      contacts.use_cells(cells ? 40 : 343, 0);
      ASSERT_TRUE(contacts.build(pile.problem, 1e-11));
      Buffer start;
      start.assign(pile.problem.rows(), 0.0);
      contacts.load(start.data());
      double reached = 1.0;
      for (int& k = sweeps[cells]; k < 3000 && reached > 1e-4; k += 10) {
        for (int turn = 0; turn < 10; ++turn) contacts.sweep(SweepWay::momentum);
        reached = contacts.judge(1e-4).residual;
      }
      EXPECT_LE(reached, 1e-4) << seed;
    }
    EXPECT_LT(sweeps[1], 2 * sweeps[0]) << seed;
    EXPECT_LT(sweeps[0], 2 * sweeps[1]) << seed;
  }
}

// One contact of a solved pile is changed: sweeps that go near its error reach the bodies around it and leave all other
// contacts as they are, with the same bits for any number of threads.
TEST(RoundContacts, SweepsNearErrors) {
  const RandomPile pile(7, {.side = 7, .friction = 0.4});
  const InclusionResult solved = solve(pile, 1.0, 1e-8);
  ASSERT_EQ(solved.status, SolveStatus::solved);
  constexpr Index changed = 200;
  Buffer start = solved.lambda;
  start[3 * changed] += 0.1 * start.vec().lpNorm<Eigen::Infinity>();
  const auto bodies_of = [&](Index b) {
    std::vector<Index> bodies;
    for (Index s = pile.W.block(b).segment_begin; s < pile.W.block(b).segment_end; ++s)
      bodies.push_back(pile.W.segment(s).offset / 6);
    return bodies;
  };
  const auto meet = [&](Index a, Index b) {
    const std::vector<Index> one = bodies_of(a), other = bodies_of(b);
    return std::find_first_of(one.begin(), one.end(), other.begin(), other.end()) != one.end();
  };
  for (const std::size_t cell : {400, 60}) {
    const auto sweep = [&](double most, int threads, double& share) {
      RoundContacts contacts;
      contacts.use_cells(cell, cell == 60 ? 0 : 400);
      EXPECT_TRUE(contacts.build(pile.problem, 1e-11));
      contacts.use_threads(threads);
      contacts.load(start.data());
      EXPECT_GT(contacts.judge(1e-6).in_error, 1);
      share = contacts.focus(1e-3, 1, most);
      contacts.refresh();
      for (int k = 0; k < 10; ++k) contacts.sweep(SweepWay::momentum);
      Buffer lambda;
      lambda.resize(pile.problem.rows());
      contacts.store(lambda.data());
      return lambda;
    };
    double share = 0.0, all = 0.0;
    const Buffer near = sweep(0.9, 1, share);
    const Buffer everywhere = sweep(0.0, 1, all);
    EXPECT_EQ(all, 1.0);
    EXPECT_LT(share, 0.9);
    Index still = 0, moved = 0, around = 0;
    for (Index b = 0; b < pile.problem.block_count(); ++b) {
      // Stored impulses have been vectors of the world: equal up to the rounding of that.
      const double moves = (near.vec() - start.vec()).segment(3 * b, 3).lpNorm<Eigen::Infinity>();
      const bool stays = moves <= 1e-12 * start.vec().lpNorm<Eigen::Infinity>();
      (stays ? still : moved) += 1;
      if (meet(b, changed)) around += stays ? 0 : 1;
    }
    EXPECT_GE(still, static_cast<Index>((1.0 - share) * 0.8 * pile.problem.block_count())) << cell;  // fours are padded
    EXPECT_GT(moved, 3) << cell;
    EXPECT_GT(around, 1) << cell;
    EXPECT_FALSE(near == everywhere) << cell;
    for (const int threads : {2, 3}) EXPECT_TRUE(near == sweep(0.9, threads, share)) << threads;
  }
}

TEST(RoundContacts, TheSolverTakesThreads) {
  const RandomPile pile(2, {.side = 6});
  EXPECT_TRUE(solve(pile, 1.0, 1e-3).lambda == solve(pile, 2.0, 1e-3).lambda);
}

// Both accelerations and patches, piles of two sizes in turn.
TEST(RoundContacts, NoAllocationAfterWarmUp) {
  const RandomPile small(5, {.side = 4}), large(6, {.side = 7, .friction = 0.8});
  const auto solver = make_solver("automatic", {{"tolerance", 1e-14}, {"max_iterations", 900.0}});
  SolverWorkspace workspace;
  InclusionResult result;
  const auto solve_both = [&] {
    for (const RandomPile* pile : {&large, &small}) {
      result.lambda.assign(pile->problem.rows(), 0.0);
      solver->solve(pile->problem, workspace, result);
    }
  };
  solve_both();
  const long before = test::allocation_count();
  solve_both();
  EXPECT_EQ(test::allocation_count() - before, 0);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)  // which counts by itself
// What a solve keeps for the next, both accelerations used: below 2 KiB a contact.
TEST(RoundContacts, MemoryOfALargePile) {
  const RandomPile pile(3, {.side = 15});
  ASSERT_GT(pile.problem.block_count(), 9000);
  const auto in_use = [] {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
  };
  const double before = in_use();
  SolverWorkspace workspace;
  InclusionResult result;
  make_solver("automatic", {{"tolerance", 1e-14}, {"max_iterations", 400.0}})->solve(pile.problem, workspace, result);
  EXPECT_EQ(result.iterations, 400);  // both had turns
  EXPECT_EQ(workspace.body_sweeps->pile, BodySweepMemory::Pile::round);
  const double a_contact = (in_use() - before) / static_cast<double>(pile.problem.block_count());
  RecordProperty("bytes_per_contact", std::to_string(a_contact));
  EXPECT_GT(a_contact, 300.0);  // the records themselves: what is counted is counted
  EXPECT_LT(a_contact, 2048.0);
}
#endif

TEST(RoundContacts, RefusesWhatIsNotRound) {
  RoundContacts contacts;
  EXPECT_TRUE(contacts.build(RandomPile(1, {.side = 3}).problem, 1e-9));
  EXPECT_FALSE(contacts.build(RandomPile(1, {.side = 3, .longer_lever = 1.0 + 1e-6}).problem, 1e-9));
  EXPECT_TRUE(contacts.build(RandomPile(1, {.side = 3, .longer_lever = 1.0 + 1e-12}).problem, 1e-9));
}

// A body with more neighbours than there are colours: what is left over is swept alone.
TEST(RoundContacts, AHundredContactsOnOneBody) {
  constexpr Index around = 100;
  Inertia M;
  Matrix3* blocks = M.block_diagonal(6 * (around + 1));
  for (Index b = 0; b <= around; ++b) {
    blocks[2 * b] = (b == 0 ? 50.0 : 1.0) * Matrix3::Identity();
    blocks[2 * b + 1] = (b == 0 ? 20.0 : 0.1) * Matrix3::Identity();
  }
  IterationMatrix A;
  A.factor(M);
  ConstraintJacobian W;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (Index b = 1; b <= around; ++b) {
    const Vector3 n = Vector3(normal(random), normal(random), normal(random)).normalized();
    const Vector3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
    W.add_block(3);
    for (const Index body : {b, Index{0}}) {
      double* entries = W.add_segment(6 * body, 6);
      for (int r = 0; r < 3; ++r) {
        const Vector3 direction = r == 0 ? n : r == 1 ? t1 : t2;
        Eigen::Map<Vector3>(entries + 6 * r) = (body == 0 ? -1.0 : 1.0) * direction;
        Eigen::Map<Vector3>(entries + 6 * r + 3) = (body == 0 ? -1.0 : -0.5) * n.cross(direction);
      }
    }
  }
  const SpatialCoulombLaw law(0.0, 0.5);
  InclusionProblem problem;
  problem.c.resize(W.rows());
  for (Index i = 0; i < W.rows(); ++i) problem.c[i] = normal(random);
  problem.laws.assign(around, &law);
  DelassusFactory factory;
  problem.G = &factory.build(W, A);
  SweepOptions options;
  options.tolerance = 1e-10;
  SolverWorkspace workspace;
  InclusionResult result;
  result.lambda.resize(W.rows());
  RoundContacts contacts;
  ASSERT_TRUE(contacts.build(problem, 1e-11));
  EXPECT_TRUE(body_sweeps(problem, options, workspace, result));
  EXPECT_LE(result.residual, 1e-10);
}

}  // namespace
}  // namespace carom
