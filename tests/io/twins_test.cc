// Scenarios of bodies and joints beside the same mechanism by formulas: scheme, step and data alike, the motion is the
// same up to rounding and the tolerances of the steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "carom/model/analytic/analytic_model.h"
#include "io/model_text.h"

namespace carom {
namespace {

using testing::text_of;

struct Twins {
  const char* name;                            // NAME.toml and NAME_bodies.toml
  std::vector<std::pair<Index, Index>> alike;  // coordinates of the bodies, of the formulas
  double tolerance;
  std::vector<Override> changes = {};  // to both
};

void PrintTo(const Twins& twins, std::ostream* out) { *out << twins.name; }

class TwinScenarios : public ::testing::TestWithParam<Twins> {};

TEST_P(TwinScenarios, MoveAlike) {
  const auto read = [&](const std::string& file) {
    return parse_scenario(file, text_of("scenarios/" + file), GetParam().changes);
  };
  const std::string name = GetParam().name;
  Scenario formulas = read(name + ".toml");
  const Scenario bodies = read(name + "_bodies.toml");
  formulas.simulation = bodies.simulation;
  const SimulationSummary a = simulate(bodies), b = simulate(formulas);
  ASSERT_EQ(a.failed_steps + b.failed_steps, 0);
  for (const auto& [i, j] : GetParam().alike) {
    EXPECT_NEAR(bodies.model.initial.q[i], formulas.model.initial.q[j], 1e-14);
    EXPECT_NEAR(a.last.q[i], b.last.q[j], GetParam().tolerance) << "coordinates " << i << ", " << j;
    EXPECT_GT(std::abs(b.last.q[j] - formulas.model.initial.q[j]), 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, TwinScenarios,
    ::testing::Values(Twins{"pendulum", {{0, 0}, {1, 1}, {2, 2}}, 1e-8},  // 1000 steps of Newton to 1e-12
                      Twins{"bouncing_pendulum", {{0, 0}, {1, 1}, {2, 2}}, 1e-9},
                      Twins{"double_pendulum", {{0, 0}, {1, 1}, {3, 2}, {4, 3}}, 1e-7},
                      Twins{"impact_oscillator", {{1, 0}}, 1e-9}, Twins{"driven_impact_oscillator", {{0, 0}}, 1e-9},
                      Twins{"two_mass_oscillator", {{1, 0}, {4, 1}}, 1e-9},
                      Twins{"rocking_block", {{1, 1}, {2, 2}}, 1e-9},
                      Twins{"overbalanced_wheel",  // phi; x, y of masses that rest, hang and swing
                            {{2, 0}, {3, 1}, {4, 2}, {15, 9}, {16, 10}, {24, 15}, {25, 16}, {36, 23}, {37, 24}},
                            1e-8,
                            {{"simulation.t_end", "0.8 s"}}},
                      Twins{"slider_crank_bilateral", {{2, 0}, {5, 1}}, 1e-8}),
    [](const auto& twins) { return std::string(twins.param.name); });

// Its formulas in maximal coordinates are a model without a scenario of its own step and scheme.
TEST(TwinModels, SliderCrankOfBodiesMovesLikeItsFormulas) {
  const Scenario file = parse_scenario("slider_crank_bodies.toml", text_of("scenarios/slider_crank_bodies.toml"),
                                       {{"simulation.t_end", "0.03 s"}});
  const Model by_hand = make_analytic_model("slider_crank_maximal", {}, {.restitution = 0.4, .friction = 0.01});
  ASSERT_EQ(file.model.initial.q.size(), 9);
  EXPECT_LT((file.model.initial.q - by_hand.initial.q).norm(), 1e-14);
  EXPECT_LT((file.model.initial.v - by_hand.initial.v).norm(), 1e-11);
  const SimulationSummary a = simulate(file), b = simulate(scenario_of("twin", by_hand, file.simulation));
  EXPECT_LT((a.last.q - b.last.q).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((a.last.v - b.last.v).cwiseAbs().maxCoeff(), 1e-7);
}

// The formulas of the woodpecker are for small angles: all its plays, gravity and start made small by a factor, the
// toy from bodies moves like them times the factor, and what differs goes with its square.
TEST(TwinModels, TheWoodpeckersFormulasAreTheLimitOfSmallAngles) {
  double off[2];
  int k = 0;
  for (const double s : {1e-3, 1e-5}) {
    const Scenario bodies = parse_scenario("woodpecker_bodies.toml", text_of("scenarios/woodpecker_bodies.toml"),
                                           {{"smallness", fmt::format("{}", s)}, {"simulation.t_end", "0.2 s"}});
    Scenario formulas = parse_scenario("woodpecker.toml", text_of("scenarios/woodpecker.toml"),
                                       {{"analytic.rM", fmt::format("{}", 0.0025 + s * 0.0006)},
                                        {"analytic.lS", fmt::format("{}", 0.0225 - s * 0.0024)},
                                        {"analytic.gravity", fmt::format("{}", s * 9.81)},
                                        {"analytic.sleeve_angle", fmt::format("{}", -s * 0.1)},
                                        {"analytic.bird_angle", fmt::format("{}", -s * 0.2788)},
                                        {"analytic.speed", fmt::format("{}", -s * 0.3411)},
                                        {"analytic.bird_rate", fmt::format("{}", -s * 7.4583)}});
    formulas.simulation = bodies.simulation;
    const SimulationSummary a = simulate(bodies), b = simulate(formulas);
    ASSERT_EQ(a.failed_steps + b.failed_steps, 0);
    // Height of the sleeve, its angle, that of the bird.
    off[k++] = std::max({std::abs(a.last.q[1] - b.last.q[0]) / 0.02, std::abs(a.last.q[2] - b.last.q[1]),
                         std::abs(a.last.q[5] - b.last.q[2])}) /
               s;
  }
  EXPECT_LT(off[0], 0.05);
  EXPECT_LT(off[1], 0.03 * off[0] + 1e-6) << off[0] << " " << off[1];
}

}  // namespace
}  // namespace carom
