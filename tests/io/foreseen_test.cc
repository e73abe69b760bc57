// What a user forgets is told, and what is left out is chosen with a reason.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "carom/io/time_scales.h"
#include "io/model_text.h"

namespace carom {
namespace {

using ::testing::HasSubstr;
using testing::measured_value;
using ::testing::Not;
using testing::warnings;
using testing::with;

// A crank of 0.1 m at 50 rad/s whose end moves in a ring with play.
const char* const crank = R"(schema = 1
ALLOW
[world]
dimension = 2
[ground.points]
O = [0, 0]
[body.crank]
mass = "1 kg"
inertia = "0.01 kg*m^2"
points = { O = ["-50 mm", 0], P = ["50 mm", 0] }
[body.bob]
mass = "0.1 kg"
inertia = "1e-4 kg*m^2"
points = { P = [0, 0] }
velocity = [0, "BOB m/s"]
position = ["100 mm", 0]
[joint.root]
type = "revolute"
between = ["ground.O", "crank.O"]
[joint.ring]
type = "revolute-clearance"
between = ["crank.P", "bob.P"]
pin_radius = "5 mm"
clearance = "0.5 mm"
law = "steel"
[initial]
root = { angle = 0, rate = "50 rad/s" }
[law.steel]
normal = { restitution = RESTITUTION }
[simulation]
t_end = "0.2 s"
STEP
SCHEME
)";

std::string crank_with(const char* bob, const char* step, const char* scheme, const char* allow = "",
                       const char* restitution = "0.5") {
  return with(crank,
              {{"ALLOW", allow}, {"BOB", bob}, {"RESTITUTION", restitution}, {"STEP", step}, {"SCHEME", scheme}});
}

TEST(Foreseen, AStepThroughAClearance) {
  // Relative speed 5 m/s: 0.5 mm take 0.1 ms.
  const std::string told = warnings(crank_with("0", "step = \"0.5 ms\"", "scheme = \"ggl_unified\""));
  EXPECT_THAT(told, HasSubstr("W0306 32: a step moves ring"));
  EXPECT_THAT(told, HasSubstr("its clearance is 500"));
  EXPECT_THAT(warnings(crank_with("5", "step = \"0.5 ms\"", "scheme = \"ggl_unified\"")), Not(HasSubstr("W0306")));
  EXPECT_THAT(warnings(crank_with("0", "step = \"50 us\"", "scheme = \"ggl_unified\"")), Not(HasSubstr("W0306")));
  EXPECT_THAT(warnings(crank_with("0", "step = \"0.5 ms\"", "scheme = \"ggl_unified\"", "allow = [\"W0306\"]")),
              Not(HasSubstr("W0306")));
}

TEST(Foreseen, AStepOfItsOwnIsShortForTheClearance) {
  const Scenario s = parse_scenario("test.toml", crank_with("0", "", ""));
  EXPECT_LE(s.simulation.step, 0.25e-4);
  EXPECT_THAT(s.choices.back(), HasSubstr("clearance"));
  EXPECT_TRUE(s.warnings.empty());
  const TimeScales scales(s.model);
  EXPECT_NEAR(scales.crossing().speed, 5.0, 1e-9);
  EXPECT_NEAR(scales.crossing().moved(scales.crossing().time()), 5e-4, 1e-15);
  EXPECT_NEAR(scales.turning(), 50.0, 1e-12);
}

TEST(Foreseen, AFastBodyMovesByATenthOfItsSize) {
  const Scenario s = parse_scenario("test.toml", R"(schema = 1
[plane.floor]
[body.ball]
density = "1000 kg/m^3"
shape = { type = "sphere", radius = "5 mm" }
position = [0, 0, "1 m"]
velocity = [0, 0, "-100 m/s"]
[contact.all]
law = "rubber"
[law.rubber]
normal = { restitution = 0.5 }
[simulation]
t_end = "1 s"
)");
  EXPECT_EQ(s.simulation.step, 1e-5);
  EXPECT_THAT(s.choices.back(), HasSubstr("a tenth of its size"));
}

TEST(Foreseen, ASchemeThatLosesEnergyInJoints) {
  const std::string step = "step = \"1 ms\"";
  const std::string told = warnings(crank_with("5", step.c_str(), "scheme = \"moreau_jean\""));
  EXPECT_THAT(told, HasSubstr("W0307 33: moreau_jean loses energy in joints"));
  EXPECT_THAT(told, HasSubstr("about "));
  EXPECT_THAT(told, HasSubstr("simulation.moreau_jean.directions = \"midpoint\""));
  EXPECT_THAT(warnings(crank_with("5", step.c_str(), "scheme = \"moreau_jean\"", "allow = [\"W0307\"]")),
              Not(HasSubstr("W0307")));
  for (const char* good :
       {"scheme = \"moreau_jean\"\nmoreau_jean = { directions = \"midpoint\" }", "scheme = \"ggl_unified\""})
    EXPECT_THAT(warnings(crank_with("5", step.c_str(), good)), Not(HasSubstr("W0307"))) << good;
  EXPECT_THAT(warnings(crank_with("5", "step = \"1 us\"", "scheme = \"moreau_jean\"")), Not(HasSubstr("W0307")));
}

TEST(Foreseen, StiffForcesWithAnExplicitScheme) {
  const char* const spring = R"(schema = 1
ALLOW
[world]
dimension = 2
[ground.points]
O = [0, 0]
[body.mass]
mass = "1 kg"
inertia = "1 kg*m^2"
position = ["1 m", 0]
[force.spring]
type = "spring-damper"
between = ["ground.O", "mass"]
stiffness = "4e6 N/m"
[simulation]
t_end = "0.1 s"
step = "1 ms"
scheme = "SCHEME"
)";
  const std::string told = warnings(with(spring, {{"ALLOW", ""}, {"SCHEME", "moreau_jean_explicit"}}));
  EXPECT_THAT(told, HasSubstr("W0308 18: moreau_jean_explicit is explicit"));
  EXPECT_THAT(told, HasSubstr("2e+03 rad/s"));
  EXPECT_THAT(told, HasSubstr("step = \"0.0001 s\""));
  EXPECT_EQ(warnings(with(spring, {{"ALLOW", ""}, {"SCHEME", "moreau_jean"}})), "");
  EXPECT_EQ(warnings(with(spring, {{"ALLOW", "allow = [\"W0308\"]"}, {"SCHEME", "moreau_jean_explicit"}})), "");
}

TEST(Foreseen, APairWithoutALaw) {
  const char* const two = R"(schema = 1
[plane.floor]
[body.a]
density = "1000 kg/m^3"
shape = { type = "sphere", radius = "5 mm" }
position = [0, 0, "1 m"]
[body.b]
density = "1000 kg/m^3"
shape = { type = "sphere", radius = "5 mm" }
position = [0, 0, "2 m"]
[contact.fa]
between = ["a", "floor"]
law = "rubber"
[contact.fb]
between = ["b", "floor"]
law = "rubber"
MORE
[law.rubber]
normal = { restitution = 0.5 }
[simulation]
t_end = "1 s"
)";
  EXPECT_THAT(warnings(with(two, {{"MORE", ""}})), HasSubstr("W0136 3: no law between a and b"));
  EXPECT_EQ(warnings(with(two, {{"MORE", "[contact.ab]\nbetween = [\"a\", \"b\"]\nlaw = \"none\""}})), "");
  EXPECT_EQ(warnings(with(two, {{"MORE", "[contact.others]\nlaw = \"rubber\""}})), "");
}

TEST(Automatic, TakesWhatKeepsMostOfWhatTheModelNeeds) {
  const auto chosen = [](const std::string& text) { return parse_scenario("test.toml", text); };
  const Scenario joints = chosen(crank_with("5", "", ""));
  EXPECT_EQ(joints.simulation.scheme, "ggl_unified");
  EXPECT_THAT(joints.choices.front(), HasSubstr("joints stay closed, joints keep their energy to order 2"));
  EXPECT_THAT(joints.choices.front(), HasSubstr("impacts follow their law in every step, bodies come to rest"));
  // Poisson's law is not for ggl_unified: the projections with joints at midpoints keep the rest.
  const Scenario poisson = chosen(crank_with("5", "", "", "", "0.5, type = \"poisson\""));
  EXPECT_EQ(poisson.simulation.scheme, "projection_combined");
  EXPECT_EQ(std::get<std::string>(poisson.simulation.scheme_parameters.at("projection_combined").at("directions")),
            "midpoint");
  EXPECT_THAT(poisson.choices.front(), HasSubstr("with directions = \"midpoint\""));
  const std::string ball = R"(schema = 1
[plane.floor]
[body.ball]
density = "1000 kg/m^3"
shape = { type = "sphere", radius = "5 mm" }
position = [0, 0, "1 m"]
[contact.all]
law = "rubber"
[law.rubber]
normal = { restitution = E }
[simulation]
t_end = "1 s"
)";
  EXPECT_EQ(chosen(with(ball, {{"E", "0.5"}})).simulation.scheme, "moreau_jean");
  // Plain Newton's law asks the scheme to bring in no energy; the passive one sees to it itself.
  const Scenario elastic = chosen(with(ball, {{"E", "1, type = \"newton\""}}));
  EXPECT_EQ(elastic.simulation.scheme, "ggl_unified");
  EXPECT_THAT(elastic.choices.front(), HasSubstr("contacts bring in no energy"));
  const Scenario passive = chosen(with(ball, {{"E", "1"}}));
  EXPECT_EQ(passive.simulation.scheme, "moreau_jean");
  EXPECT_THAT(passive.choices.front(), HasSubstr("contacts bring in no energy"));
}

TEST(Automatic, TellsTheImpactLawThatWasLeftOut) {
  const std::string ball = R"(schema = 1
[plane.floor]
[body.ball]
density = "1000 kg/m^3"
shape = { type = "sphere", radius = "5 mm" }
position = [0, 0, "1 m"]
[contact.all]
law = "rubber"
[law.rubber]
normal = { TYPE restitution = 0.5 }
tangential = { friction = MU }
[simulation]
t_end = "1 s"
SCHEME
)";
  const auto told = [&](const char* type, const char* mu, const char* scheme = "") {
    std::string all;
    for (const std::string& choice :
         parse_scenario("test.toml", with(ball, {{"TYPE", type}, {"MU", mu}, {"SCHEME", scheme}})).choices)
      all += choice + "\n";
    return all;
  };
  EXPECT_THAT(told("", "0.3"), HasSubstr("impact law passive (law.rubber)"));
  EXPECT_THAT(told("", "0.3", "scheme = \"nonsmooth_generalized_alpha\""), HasSubstr("impact law newton (law.rubber)"));
  EXPECT_THAT(told("", "0"), Not(HasSubstr("impact law")));  // the same as Newton's
  EXPECT_THAT(told("type = \"newton\", ", "0.3"), Not(HasSubstr("impact law")));
}

// Random chains, with gravity and without, from rest and in motion: what is foretold is lost within a factor of two, of
// the largest kinetic energy.
TEST(Foreseen, TheLossInJointsIsAboutWhatIsTold) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(0.0, 1.0);
  int told = 0;
  for (int run = 0; run < 12; ++run) {
    const int links = 1 + run % 3;
    std::string text = fmt::format("schema = 1\n[units]\nbare = \"SI\"\n[world]\ndimension = 2\ngravity = [0, {}]\n",
                                   run % 2 == 0 ? 0.0 : -9.81);
    for (int i = 0; i < links; ++i)
      text += fmt::format(
          "[body.b{0}]\nmass = 0.1\ninertia = {1}\npoints = {{ A = [-0.05, 0], B = [0.05, 0] }}\n[joint.j{0}]\ntype = "
          "\"revolute\"\nbetween = [\"{2}\", \"b{0}.A\"]\n",
          i, 8e-5 * (0.5 + 4.0 * any(random)), i == 0 ? "ground" : fmt::format("b{}.B", i - 1));
    text += fmt::format(
        "[initial]\nj0 = {{ angle = {}, rate = {} }}\n[simulation]\nt_end = {}\nstep = {}\nscheme = \"moreau_jean\"\n",
        any(random), run % 4 == 3 ? 0.0 : 5.0 + 15.0 * any(random), 0.5 + any(random), 5e-4 + 2e-3 * any(random));
    const Scenario s = parse_scenario("chain.toml", text);
    const double kinetic = measured_value(s, "max(steps, energy.kinetic)"),
                 lost = 100.0 * measured_value(s, "energy.total(0) - last(steps, energy.total)") / kinetic;
    const std::string all = warnings(text);
    const std::size_t at = all.find("about ");
    if (at == std::string::npos) {
      EXPECT_LT(lost, 10.0) << text;
      continue;
    }
    ++told;
    const double share = std::stod(all.substr(at + 6));
    EXPECT_LT(lost, 2.0 * share) << all << text;
    EXPECT_GT(lost, 0.5 * share) << all << text;
  }
  EXPECT_GE(told, 6);
}

// Joints whose friction is a row of theirs are left out of the trial; where there are no others, it shows nothing.
TEST(Foreseen, OnlyJointsThatRubAreNoReasonToWarn) {
  const std::string all = warnings(R"toml(schema = 1
[world]
dimension = 2
[ground.points]
O = [0, 0]
[body.wheel]
mass = "2 kg"
inertia = "0.05 kg*m^2"
points = { O = [0, 0] }
[joint.bearing]
type = "revolute"
between = ["ground.O", "wheel.O"]
friction = { torque = "0.5 N*m" }
[initial]
bearing = { rate = "4 rad/s" }
[simulation]
scheme = "moreau_jean"
step = "1 ms"
t_end = "1 s"
)toml");
  EXPECT_EQ(all.find("W0307"), std::string::npos) << all;
}

}  // namespace
}  // namespace carom
