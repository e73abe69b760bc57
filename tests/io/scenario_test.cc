#include "carom/io/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "carom/base/errors.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

const std::string kBall = R"toml(schema = 1
title = "ball"
units.bare = "SI"
[parameters]
h = { value = "2*r", min = 0, doc = "drop height" }
r = 0.5
e = 0.25
[analytic]
model = "bouncing-ball"
law = "floor"
height = "h"
[law.floor]
normal = { type = "newton", restitution = "e" }
[simulation]
t_end = 1
step = "1/1000"
scheme = "moreau-jean"
[simulation.moreau-jean]
theta = "r"
[simulation.contact]
tolerance = 1e-11
on-failure = "stop"
[expect]
low = "min(floor.gap) > -h"
)toml";

std::vector<InputProblem> problems(const std::string& text, const std::vector<Override>& overrides = {}) {
  try {
    parse_scenario("test.toml", text, overrides);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Scenario, ReadsEveryTable) {
  const Scenario s = parse_scenario("dir/ball.toml", kBall);
  EXPECT_EQ(s.name, "ball");
  EXPECT_EQ(s.title, "ball");
  ASSERT_EQ(s.parameters.size(), 3u);
  EXPECT_EQ(s.parameters[0].name, "h");
  EXPECT_EQ(s.parameters[0].value, 1.0);
  EXPECT_EQ(s.parameters[0].doc, "drop height");
  EXPECT_EQ(s.model_name, "bouncing_ball");
  EXPECT_EQ(s.model.initial.q[0], 1.0);
  EXPECT_EQ(s.laws.at("floor").restitution, 0.25);
  EXPECT_EQ(s.simulation.scheme, "moreau_jean");
  EXPECT_EQ(s.simulation.step, 1e-3);
  EXPECT_EQ(std::get<double>(s.simulation.scheme_parameters.at("moreau_jean").at("theta")), 0.5);
  EXPECT_EQ(std::get<double>(s.simulation.solver_parameters.at("tolerance")), 1e-11);
  EXPECT_EQ(s.simulation.on_failure, FailurePolicy::stop);
  EXPECT_EQ(s.output.file, "ball.h5");
  ASSERT_EQ(s.expectations.size(), 1u);
  EXPECT_NO_THROW(make_scheme(s));
  EXPECT_NO_THROW(make_solver(s));
  EXPECT_THAT(resolved_json(s), HasSubstr("\"restitution\": 0.25"));
}

TEST(Scenario, TakesOverridesOfParametersModelAndAnyKey) {
  const Scenario s = parse_scenario("ball.toml", kBall,
                                    {{"r", "0.75"},
                                     {"mass", "3"},
                                     {"simulation.step", "h/100"},
                                     {"law.floor.normal.restitution", "1"},
                                     {"simulation.contact.solver", "projected-gauss-seidel"},
                                     {"output.file", "other.h5"}});
  EXPECT_EQ(s.model.initial.q[0], 1.5);
  EXPECT_EQ(std::get<double>(s.model_parameters.at("mass")), 3.0);
  EXPECT_EQ(s.simulation.step, 0.015);
  EXPECT_EQ(s.laws.at("floor").restitution, 1.0);
  EXPECT_EQ(s.simulation.solver, "projected_gauss_seidel");
  EXPECT_EQ(s.output.file, "other.h5");
}

TEST(Scenario, AnOverrideIsNamedInItsMessage) {
  const auto found = problems(kBall, {{"simulation.step", "-1"}});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].file, "--set simulation.step=-1");
  const auto unknown = problems(kBall, {{"masss", "1"}});
  ASSERT_EQ(unknown.size(), 1u);
  EXPECT_THAT(unknown[0].hint, HasSubstr("did you mean 'mass'"));
}

TEST(Scenario, ReportsAllProblemsOfAFileAtOnceInSourceOrder) {
  std::string text = replaced(kBall, "model = \"bouncing-ball\"", "model = \"bouncing-bal\"");
  text = replaced(text, "restitution = \"e\"", "resitution = \"e\"");
  text = replaced(text, "t_end = 1", "t_end = 0");
  text = replaced(text, "theta = \"r\"", "theta = \"q\"");
  const auto found = problems(text);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].code, "E0110");
  EXPECT_EQ(found[0].line, 9);
  EXPECT_THAT(found[0].hint, HasSubstr("bouncing_ball"));
  EXPECT_EQ(found[1].code, "E0102");
  EXPECT_EQ(found[1].line, 13);
  EXPECT_EQ(found[1].column, 29);
  EXPECT_THAT(found[1].hint, HasSubstr("did you mean 'restitution'"));
  EXPECT_EQ(found[2].code, "E0126");
  EXPECT_EQ(found[3].code, "E0131");
  EXPECT_EQ(found[3].column, 10);  // the name inside the quotes
}

TEST(Scenario, ParametersInACircleShowTheCircle) {
  const auto found = problems(replaced(kBall, "r = 0.5", "r = \"h/2\""));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "E0133");
  EXPECT_THAT(found[0].message, HasSubstr("h -> r -> h"));
  for (const InputProblem& problem : found) EXPECT_EQ(problem.code, "E0133") << describe(problem);
}

TEST(Scenario, ParameterLimitsAreHeld) {
  const auto found = problems(kBall, {{"r", "-1"}});
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "E0126");
  EXPECT_THAT(found[0].hint, HasSubstr("h >= 0"));
}

// A value without unit beside limits with units is what is wrong, not the limits.
TEST(Scenario, ALimitWithAUnitTellsTheUnitOfTheValue) {
  const std::string text = replaced(replaced(kBall, "bare = \"SI\"", "bare = \"forbid\""), "r = 0.5",
                                    "r = 0.5\nc = { value = 1e-3, min = \"0 mm\", max = \"5 mm\" }");
  const auto found = problems(text);
  const auto of_c = std::find_if(found.begin(), found.end(), [](const InputProblem& problem) {
    return problem.message.find("parameters.c") != std::string::npos;
  });
  ASSERT_NE(of_c, found.end());
  EXPECT_EQ(of_c->code, "E0124");
  EXPECT_THAT(of_c->message, HasSubstr("parameters.c.value wants a length"));
}

const std::string kBlock = R"toml(schema = 1
[units]
bare = "SI"
[world]
dimension = 3
gravity = [0, 0, -9.81]
[body.block]
density = 500
shape = { type = "box", size = [0.4, 0.2, 0.1] }
position = [0, 0, "0.1/2"]
orientation = { axis = [0, 0, 2], angle = "pi/2" }
velocity = [1, 0, 0]
[body.bob]
mass = 2
inertia = [1, 1, 1]
shape = { type = "sphere", radius = 0.1 }
position = [3, 0, 1]
[plane.floor]
normal = [0, 0, 2]
[joint.pin]
type = "spherical"
between = ["ground", "bob"]
point = [3, 0, 2]
[contact.all]
law = "dry"
[contact.apart]
between = ["block", "bob"]
law = "none"
[law.dry]
normal = { restitution = 0.1 }
tangential = { friction = 0.3 }
[simulation]
t_end = 1
step = 1e-3
[output.signal]
load = "sum(floor.impulse_normal)"
[expect]
up = "min(block.gap) > -1 and body.bob.z(0) == 1"
)toml";

TEST(Scenario, ReadsBodiesJointsAndContacts) {
  const Scenario s = parse_scenario("block.toml", kBlock);
  const System* system = s.model.system.get();
  ASSERT_NE(system, nullptr);
  ASSERT_EQ(system->nv(), 12);
  EXPECT_EQ(system->coordinate_name(0), "block.x");
  EXPECT_NEAR(s.model.initial.q[3], std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(s.model.initial.q[6], std::sqrt(0.5), 1e-15);
  EXPECT_TRUE(system->features().contains(Feature::joints));
  EXPECT_TRUE(system->features().contains(Feature::friction));
  ContactSet contacts;
  system->detect(0.0, s.model.initial.q, s.model.initial.v, 1e-3, contacts);
  EXPECT_EQ(contacts.size(), 5);  // the joint and four corners
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  system->evaluate(0.0, s.model.initial.q, s.model.initial.v, Need::inertia, all, at);
  EXPECT_NEAR(at.M.blocks()[0](0, 0), 500 * 0.4 * 0.2 * 0.1, 1e-12);
}

TEST(Scenario, PlacesProblemsOfBodiesAtTheirKeys) {
  auto found = problems(replaced(kBlock, "mass = 2", "mass = -2"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].line, 14);
  EXPECT_EQ(found[0].column, 8);
  found = problems(replaced(kBlock, "\"ground\", \"bob\"", "\"ground\", \"bop\""));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].line, 22);
  EXPECT_THAT(found[0].hint, HasSubstr("did you mean 'bob'"));
  found = problems(replaced(kBlock, "\"0.1/2\"", "0.04"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].code, "E0218");
  EXPECT_EQ(found[0].line, 7);
  found = problems(replaced(kBlock, "law = \"dry\"", "law = \"drie\""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].hint, HasSubstr("did you mean 'dry'"));
}

}  // namespace
}  // namespace carom
