// Two results: equal ones are equal, and one that was changed is caught where it was changed.
#include "carom/study/diff.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "carom/io/hdf5_file.h"
#include "carom/io/run_scenario.h"

namespace carom {
namespace {

class Diff : public ::testing::Test {
 protected:
  Diff() {
    directory = std::filesystem::temp_directory_path() / ("carom_diff_" + std::to_string(getpid()));
    std::filesystem::create_directory(directory);
  }
  ~Diff() override { std::filesystem::remove_all(directory); }

  std::string run(const std::string& name, const std::vector<Override>& overrides = {}) {
    std::vector<Override> all = {{"simulation.t_end", "0.02"}};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return run_scenario(read_scenario("scenarios/slider_crank.toml", all), {.out = (directory / name).string()}).file;
  }

  std::filesystem::path directory;
};

TEST_F(Diff, TheSameRunTwiceIsEqual) {
  const ResultDifference d = diff_results(run("a.h5"), run("b.h5"));
  EXPECT_TRUE(d.equal());
  EXPECT_TRUE(d.same_model);
  EXPECT_GT(d.compared, 30u);
  EXPECT_EQ(d.first(), nullptr);
}

TEST_F(Diff, TheFirstDifferenceIsTheFirstBlowWithOtherRestitution) {
  const std::string a = run("a.h5"), b = run("b.h5", {{"law.steel.normal.restitution", "0.39"}});
  const ResultDifference d = diff_results(a, b);
  EXPECT_FALSE(d.equal());
  EXPECT_FALSE(d.same_model);
  ASSERT_NE(d.first(), nullptr);
  const double first_blow = Hdf5File::open(a).read_column("/contact/table", "t").front();
  EXPECT_NEAR(d.first()->first_t, first_blow, 1e-12);
  for (const FieldDifference& field : d.fields) EXPECT_TRUE(field.different == 0 || field.largest > 0.0) << field.field;
}

TEST_F(Diff, AShorterRunIsNotEqual) {
  const ResultDifference d = diff_results(run("a.h5"), run("b.h5", {{"simulation.t_end", "0.01"}}));
  EXPECT_FALSE(d.equal());
  for (const FieldDifference& field : d.fields) {
    EXPECT_EQ(field.different, 0u) << field.field;
    EXPECT_GT(field.rows_a, field.rows_b) << field.field;
  }
}

}  // namespace
}  // namespace carom
