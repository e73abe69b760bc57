// The phases of an FMU and its numbers, without the library and the socket between (those: tests/cli/fmi_test.py). A
// wheel on a hinge under a constant torque M turns with M t / J.
#include "carom/io/fmi/fmu_instance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "carom/base/errors.h"

namespace carom {
namespace {

constexpr const char* kWheel = R"(schema = 1
[parameters]
J = { value = "0.02 kg*m^2", min = "0.001 kg*m^2" }
[world]
dimension = 2
[ground.points]
O = [0, 0]
[body.wheel]
mass = "1 kg"
inertia = "J"
points = { O = [0, 0] }
[joint.hinge]
type = "revolute"
between = ["ground.O", "wheel.O"]
[input.motor]
joint = "hinge"
[simulation]
t_end = "1 s"
step = "1 ms"
scheme = "moreau_jean"
)";

class Fmu : public ::testing::Test {
 protected:
  void SetUp() override {
    const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("carom_fmu_") + test.name());
    std::filesystem::create_directories(folder_);
    std::ofstream(folder_ / "model.toml") << kWheel;
    std::ofstream(folder_ / "fmu.json") << R"({"guid": "{1}", "model": "model.toml", "overrides": [],
      "outputs": [["rate", "joint.hinge.rate"]]})";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  FmuInstance make() const { return FmuInstance(folder_.string()); }
  static std::uint32_t reference(const FmuInstance& fmu, const std::string& name) {
    for (std::size_t i = 0; i < fmu.variables().size(); ++i)
      if (fmu.variables()[i].name == name) return static_cast<std::uint32_t>(i);
    ADD_FAILURE() << "no variable " << name;
    return 0;
  }
  static void set(FmuInstance& fmu, const std::string& name, double value) {
    const std::uint32_t at = reference(fmu, name);
    fmu.set(std::span(&at, 1), std::span(&value, 1));
  }
  static double get(const FmuInstance& fmu, const std::string& name) { return fmu.values()[reference(fmu, name)]; }
  static void initialize(FmuInstance& fmu) {
    fmu.set_up(0.0, 1.0);
    fmu.enter_initialization();
    fmu.exit_initialization();
  }

  std::filesystem::path folder_;
};

TEST_F(Fmu, turns_as_its_inputs_and_parameters_say) {
  FmuInstance fmu = make();
  EXPECT_EQ(fmu.guid(), "{1}");
  set(fmu, "J", 0.05);
  set(fmu, "motor", 2.0);
  initialize(fmu);
  EXPECT_EQ(get(fmu, "rate"), 0.0);
  for (int k = 0; k < 10; ++k) fmu.do_step(0.01 * k, 0.01);
  EXPECT_NEAR(fmu.t(), 0.1, 1e-12);
  EXPECT_NEAR(get(fmu, "rate"), 2.0 * 0.1 / 0.05, 1e-10);
  set(fmu, "motor", 0.0);
  fmu.do_step(0.1, 0.1);
  EXPECT_NEAR(get(fmu, "rate"), 4.0, 1e-10);
  fmu.terminate();
  EXPECT_NEAR(get(fmu, "rate"), 4.0, 1e-10);
}

TEST_F(Fmu, states_are_kept_and_given_back) {
  FmuInstance fmu = make();
  initialize(fmu);
  set(fmu, "motor", 1.0);
  fmu.do_step(0.0, 0.1);
  const std::uint32_t state = fmu.save();
  EXPECT_NE(state, 0u);
  const std::string bytes = fmu.serialize(state);
  fmu.do_step(0.1, 0.2);
  const double there = get(fmu, "rate");
  fmu.restore(state);
  EXPECT_NEAR(fmu.t(), 0.1, 1e-12);
  fmu.do_step(0.1, 0.2);
  EXPECT_EQ(get(fmu, "rate"), there) << "bit for bit";
  fmu.restore(fmu.deserialize(bytes));
  fmu.do_step(0.1, 0.2);
  EXPECT_EQ(get(fmu, "rate"), there);
  fmu.forget(state);
  EXPECT_THROW(fmu.restore(state), FmuRefusal);
}

TEST_F(Fmu, what_is_out_of_order_is_refused_and_changes_nothing) {
  FmuInstance fmu = make();
  EXPECT_THROW(fmu.do_step(0.0, 0.1), FmuRefusal);
  EXPECT_THROW(fmu.exit_initialization(), FmuRefusal);
  EXPECT_THROW(fmu.set_up(0.5, 1.0), FmuRefusal);
  EXPECT_THROW(set(fmu, "rate", 1.0), FmuRefusal);
  EXPECT_THROW(set(fmu, "motor", std::numeric_limits<double>::quiet_NaN()), FmuRefusal);
  const std::uint32_t beyond = 99;
  const double one = 1.0;
  EXPECT_THROW(fmu.set(std::span(&beyond, 1), std::span(&one, 1)), FmuRefusal);
  initialize(fmu);
  EXPECT_THROW(set(fmu, "J", 0.05), FmuRefusal) << "parameters are set before";
  EXPECT_THROW(fmu.do_step(0.2, 0.1), FmuRefusal) << "not where it is";
  EXPECT_THROW(fmu.do_step(0.0, -0.1), FmuRefusal);
  EXPECT_THROW(fmu.do_step(0.0, 2.0), FmuRefusal) << "beyond the stop time";
  EXPECT_EQ(fmu.t(), 0.0);
  fmu.do_step(0.0, 0.1);
  EXPECT_EQ(get(fmu, "rate"), 0.0) << "none of it had an effect";
  fmu.terminate();
  EXPECT_THROW(fmu.do_step(0.1, 0.1), FmuRefusal);
  fmu.reset();
  initialize(fmu);
  EXPECT_EQ(fmu.t(), 0.0);
}

TEST_F(Fmu, values_that_make_no_model_are_refused_at_the_end_of_the_initialization) {
  FmuInstance fmu = make();
  fmu.set_up(0.0, 1.0);
  fmu.enter_initialization();
  set(fmu, "J", 1e-4);  // below its least
  EXPECT_THROW(fmu.exit_initialization(), InputError);
  set(fmu, "J", 0.01);
  fmu.exit_initialization();
  set(fmu, "motor", 1.0);
  fmu.do_step(0.0, 0.1);
  EXPECT_NEAR(get(fmu, "rate"), 0.1 / 0.01, 1e-9);
}

TEST_F(Fmu, broken_resources_are_told) {
  std::ofstream(folder_ / "fmu.json") << "{";
  EXPECT_THROW(make(), InputError);
}

}  // namespace
}  // namespace carom
