// The norms of studies against motions whose distance is known by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/study/jitter.h"
#include "carom/study/norms_fit.h"
#include "carom/study/norms_graph.h"

namespace carom {
namespace {

const Vector one = Vector::Ones(1);

Vector scalar(double x) { return Vector::Constant(1, x); }

// A velocity that jumps from -1 to 1 at t = `at`.
FilledGraph jump(double at, double above = 1.0) {
  FilledGraph graph(1.0, 1.0, one);
  graph.add(0.0, scalar(-1.0));
  graph.add(at, scalar(-1.0));
  graph.add(at, scalar(above));
  graph.add(1.0, scalar(above));
  return graph;
}

TEST(FilledGraph, ALateJumpIsAsFarAsItIsLate) {
  EXPECT_DOUBLE_EQ(hausdorff_distance(jump(0.5), jump(0.5)), 0.0);
  EXPECT_NEAR(hausdorff_distance(jump(0.5), jump(0.53)), 0.03, 1e-15);
  EXPECT_NEAR(hausdorff_distance(jump(0.53), jump(0.5)), 0.03, 1e-15);
}

TEST(FilledGraph, AWrongJumpIsAsFarAsItIsWrong) {
  EXPECT_NEAR(hausdorff_distance(jump(0.5, 1.0), jump(0.5, 1.1)), 0.1, 1e-15);
}

TEST(FilledGraph, AMissedJumpIsFar) {
  FilledGraph flat(1.0, 1.0, one);
  flat.add(0.0, scalar(-1.0));
  flat.add(1.0, scalar(-1.0));
  EXPECT_NEAR(hausdorff_distance(jump(0.5), flat), 2.0, 1e-15);
}

// A spike that returns: only one of the two one-sided distances sees it.
TEST(FilledGraph, ASpikeIsSeenInBothOrders) {
  FilledGraph flat(1.0, 1.0, one), spike(1.0, 1.0, one);
  flat.add(0.0, scalar(0.0));
  flat.add(1.0, scalar(0.0));
  spike.add(0.0, scalar(0.0));
  spike.add(0.5, scalar(0.0));
  spike.add(0.5, scalar(0.25));
  spike.add(0.5, scalar(0.0));
  spike.add(1.0, scalar(0.0));
  EXPECT_NEAR(hausdorff_distance(flat, spike), 0.25, 1e-15);
  EXPECT_NEAR(hausdorff_distance(spike, flat), 0.25, 1e-15);
}

// Against the definition, on dense samples of random polylines.
TEST(FilledGraph, AgreesWithTheDefinition) {
  unsigned s = 12345;
  const auto draw = [&] { return static_cast<double>((s = 1664525u * s + 1013904223u) >> 8) / 16777216.0; };
  for (int trial = 0; trial < 20; ++trial) {
    FilledGraph graphs[2] = {FilledGraph(1.0, 1.0, one), FilledGraph(1.0, 1.0, one)};
    std::vector<std::array<double, 2>> samples[2];
    for (int k = 0; k < 2; ++k) {
      double t = 0, v = 0, t_0 = 0, v_0 = 0;
      for (int i = 0; i <= 10; ++i) {
        if (i % 3 != 2) t = i / 10.0;  // every third piece is upright
        v = 0.3 * draw();
        graphs[k].add(t, scalar(v));
        for (int j = 0; i > 0 && j <= 400; ++j)
          samples[k].push_back({t_0 + (t - t_0) * j / 400.0, v_0 + (v - v_0) * j / 400.0});
        t_0 = t;
        v_0 = v;
      }
    }
    double expected = 0;
    for (int k = 0; k < 2; ++k)
      for (const auto& a : samples[k]) {
        double nearest = 1e9;
        for (const auto& b : samples[1 - k]) nearest = std::min(nearest, std::hypot(a[0] - b[0], a[1] - b[1]));
        expected = std::max(expected, nearest);
      }
    // Interior points of pieces are sampled by an eighth of the piece at worst.
    EXPECT_NEAR(hausdorff_distance(graphs[0], graphs[1]), expected, 0.025);
    EXPECT_LE(hausdorff_distance(graphs[0], graphs[1]), expected + 1e-3);
  }
}

TEST(FilledGraph, OfAFormulaFindsItsJumps) {
  const auto velocity = [](double t, Vector& v) { v = scalar(t < 1.0 / 3.0 ? -std::sin(t) : std::cos(t)); };
  const FilledGraph graph = graph_of(velocity, 1.0, 1.0, one);
  bool found = false;
  for (std::size_t i = 0; i + 1 < graph.size(); ++i) {
    const double rise = graph.point(i + 1)[1] - graph.point(i)[1];
    if (std::abs(rise) < 0.01) continue;
    found = true;
    EXPECT_NEAR(graph.point(i)[0], 1.0 / 3.0, 1e-13);
    EXPECT_NEAR(rise, std::cos(1.0 / 3.0) + std::sin(1.0 / 3.0), 1e-12);
  }
  EXPECT_TRUE(found);
}

TEST(JitteredSteps, KeepTheirRangeAndOrderAndAreNotCommensurate) {
  const auto steps = jittered_steps(1e-2, 1e-5, 31);
  EXPECT_EQ(steps.front(), 1e-2);
  EXPECT_EQ(steps.back(), 1e-5);
  EXPECT_EQ(steps, jittered_steps(1e-2, 1e-5, 31));
  int whole = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_TRUE(i == 0 || steps[i] < steps[i - 1]);
    const double n = 1.0 / steps[i];
    whole += std::abs(n - std::round(n)) < 1e-6;
  }
  EXPECT_LE(whole, 2);  // the two ends
}

TEST(OrderFit, FindsASlopeAndItsUncertainty) {
  std::vector<double> steps, errors, rounding;
  for (int i = 0; i < 30; ++i) {
    steps.push_back(std::pow(10.0, -2.0 - 0.1 * i));
    errors.push_back(3.0 * std::pow(steps.back(), 1.5) * (i % 2 ? 1.2 : 1.0 / 1.2));
    rounding.push_back(1e-16);
  }
  const OrderFit fit = fit_order(steps, errors, rounding);
  EXPECT_EQ(fit.quality, OrderFit::Quality::fitted);
  EXPECT_NEAR(fit.order, 1.5, 0.02);
  // Scatter s = log10(1.2) about the line, x spread evenly over 2.9: s / sqrt(sum (x - mean)^2).
  EXPECT_NEAR(fit.standard_error, std::log10(1.2) / std::sqrt(30 * 2.9 * 2.9 / 12.0), 0.002);
  EXPECT_NEAR(fit.decades, 2.9, 1e-12);
}

TEST(OrderFit, SaysWhenThereIsNothingToFit) {
  const std::vector<double> steps = {1e-1, 1e-2, 1e-3, 1e-4}, rounding(4, 1e-13);
  EXPECT_EQ(fit_order(steps, {1e-15, 2e-15, 1e-16, 0.0}, rounding).quality, OrderFit::Quality::exact);
  EXPECT_EQ(fit_order(steps, {1e-1, 1e-5, 1e-1, 1e-4}, rounding).quality, OrderFit::Quality::scattered);
  EXPECT_EQ(fit_order({1e-1, 1e-2}, {1e-1, 1e-2}, {0, 0}).quality, OrderFit::Quality::too_few);
}

}  // namespace
}  // namespace carom
