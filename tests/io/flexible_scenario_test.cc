// The table [flexible.NAME]: what it makes and what it says of mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "carom/base/errors.h"
#include "carom/io/scenario.h"

namespace carom {
namespace {

using ::testing::HasSubstr;

class FlexibleScenario : public ::testing::Test {
 protected:
  FlexibleScenario() {
    write("m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 2\n2 2 2\n3 3 2\n");
    write("k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n");
  }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  std::string text(const std::string& body = "", const std::string& contact = "dof = 2\ngap = 0.1\nlaw = 'l'\n") const {
    return "schema = 1\nunits.bare = 'SI'\n[flexible.chain]\ntype = 'linear-body'\nmass = 'm.mtx'\n"
           "stiffness = 'k.mtx'\n" +
           body + "[contact.wall]\n" + contact +
           "[law.l]\nnormal = { type = 'newton', restitution = 0.5 }\n[simulation]\nt_end = 1\nstep = 0.01\n";
  }
  Scenario parse(const std::string& t) const { return parse_scenario((folder_ / "s.toml").string(), t); }
  std::vector<InputProblem> problems(const std::string& t) const {
    try {
      parse(t);
    } catch (const InputError& error) {
      return error.problems();
    }
    return {};
  }

  std::filesystem::path folder_ = [] {
    // A folder for every test: they run side by side.
    const auto folder = std::filesystem::path(::testing::TempDir()) / "carom_flexible_scenario" /
                        ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder);
    return folder;
  }();
};

TEST_F(FlexibleScenario, MakesTheBodyFromItsFiles) {
  const Scenario full = parse(text("velocity = -1\nstiffness_damping = 0.1\n"));
  EXPECT_EQ(full.model_name, "linear_body");
  EXPECT_EQ(full.model.system->nv(), 3);
  EXPECT_EQ(full.model.initial.v, Vector::Constant(3, -1.0));
  const Scenario modal = parse(text("modes = 1\nvelocity = [0, -1, 0]\n"));
  EXPECT_EQ(modal.model.system->nv(), 2);  // one mode and the correction
  const Energetics& energy = *modal.model.system->energetics();
  EXPECT_NEAR(energy.kinetic_energy(0, modal.model.initial.q, modal.model.initial.v), 1.0, 0.2);
  EXPECT_EQ(parse(text("modes = 1\nstatic_correction = false\n")).model.system->nv(), 1);
}

TEST_F(FlexibleScenario, NamesFileAndLineOfABadMatrix) {
  write("k.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 2\n4 1 -1\n");
  const auto found = problems(text());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].file, HasSubstr("k.mtx"));
  EXPECT_EQ(found[0].line, 4);
  EXPECT_THAT(found[0].message, HasSubstr("outside"));
}

TEST_F(FlexibleScenario, RefusesWhatDoesNotFit) {
  EXPECT_THAT(problems(text("modes = 4\n")).at(0).message, HasSubstr("4 modes of 3"));
  EXPECT_THAT(problems(text("modes = 1.5\n")).at(0).key, HasSubstr("modes"));
  EXPECT_THAT(problems(text("velocity = [1, 2]\n")).at(0).message, HasSubstr("2 entries for 3"));
  EXPECT_THAT(problems(text("modus = 4\n")).at(0).message, HasSubstr("modus"));
  EXPECT_THAT(problems(text("", "dof = 9\ngap = 0.1\nlaw = 'l'\n")).at(0).message, HasSubstr("no degree of freedom 9"));
  EXPECT_THAT(problems(text("", "dof = 1\ngap = 0.1\nlaw = 'm'\n")).at(0).message, HasSubstr("no law 'm'"));
  write("m.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 2\n2 2 2\n");
  EXPECT_THAT(problems(text()).at(0).message, HasSubstr("3 x 3"));
}

}  // namespace
}  // namespace carom
