// What a picture shows is what was measured: jumps stay jumps, published values are marks, every number is in the
// table.
#include "carom/io/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>

#include "carom/io/png_resolution.h"

namespace carom {
namespace {

// A velocity that falls and is turned back at every hundredth point.
Curve bouncing(std::size_t points, std::size_t period) {
  Curve curve{"v", {}, {}};
  for (std::size_t i = 0; i < points; ++i) {
    curve.x.push_back(1e-3 * static_cast<double>(i));
    curve.y.push_back(1.0 - 0.02 * static_cast<double>(i % period));
    if (i > 0 && i % period == 0) curve.jumps.push_back(i);
  }
  return curve;
}

std::string block(const std::string& script, const std::string& name) {
  const std::size_t begin = script.find(name + " << END_OF_DATA\n");
  return begin == std::string::npos
             ? ""
             : script.substr(begin, script.find("END_OF_DATA\n", begin + name.size() + 18) - begin);
}

TEST(Picture, AJumpIsAVerticalAndTheLineIsBroken) {
  const Curve curve{"v", {0, 1, 2, 3}, {0, -1, 5, 4}, CurveStyle::line, -1, {2}};
  const std::string script = gnuplot_script({"t", {{"p", {"x"}, {"y"}, {curve}}}}, "a");
  // The value before is held to the place of the jump; then an empty line, which gnuplot does not draw over.
  EXPECT_NE(block(script, "$p0c0").find("1 -1\n2 -1\n\n2 5\n3 4\n"), std::string::npos) << script;
  EXPECT_NE(block(script, "$p0c0jumps").find("2 -1\n2 5\n"), std::string::npos) << script;
  EXPECT_NE(script.find("$p0c0jumps using 1:2 with lines dt 3"), std::string::npos);
}

TEST(Picture, AbruptChangesAreFoundAndSlopesAreNot) {
  const Curve curve = bouncing(1000, 100);
  EXPECT_EQ(abrupt_changes(curve.y), curve.jumps);
  std::vector<double> smooth, resting(300, 0.0);
  for (int i = 0; i < 400; ++i) smooth.push_back(std::sin(0.05 * i));
  EXPECT_TRUE(abrupt_changes(smooth).empty());
  EXPECT_TRUE(abrupt_changes(resting).empty());
  EXPECT_TRUE(abrupt_changes({}).empty());
  EXPECT_EQ(jumps_where({1, 0, 1, 0, 0.5}), (std::vector<std::size_t>{2, 4}));
}

TEST(Picture, ThinningKeepsJumpsAndBothTheirEnds) {
  const Curve curve = bouncing(200000, 1000), thin = thinned(curve, 1500);
  EXPECT_LT(thin.x.size(), 6000u);
  ASSERT_EQ(thin.jumps.size(), curve.jumps.size());
  for (std::size_t j = 0; j < thin.jumps.size(); ++j) {
    EXPECT_EQ(thin.x[thin.jumps[j]], curve.x[curve.jumps[j]]);
    EXPECT_EQ(thin.y[thin.jumps[j]], curve.y[curve.jumps[j]]);
    EXPECT_EQ(thin.y[thin.jumps[j] - 1], curve.y[curve.jumps[j] - 1]);
  }
  EXPECT_EQ(thin.x.front(), curve.x.front());
  EXPECT_EQ(thin.x.back(), curve.x.back());
}

// Random curves with random jumps: the thinned one has the same range, is ordered, and of too many jumps the largest
// stay.
TEST(Picture, ThinningAnyCurveKeepsItsRangeAndItsLargestJump) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    Curve curve{"", {}, {}};
    double y = 0, largest = 0;
    for (std::size_t i = 0; i < 20000; ++i) {
      const bool jump = i > 0 && random() % 7 == 0;
      const double change = jump ? 3.0 * normal(random) : 0.01 * normal(random);
      y += change;
      curve.x.push_back(static_cast<double>(i));
      curve.y.push_back(y);
      if (jump) curve.jumps.push_back(i);
      if (jump) largest = std::max(largest, std::abs(curve.y[i] - curve.y[i - 1]));
    }
    const Curve thin = thinned(curve, 200);
    EXPECT_LE(thin.x.size(), 1500u);
    EXPECT_TRUE(std::is_sorted(thin.x.begin(), thin.x.end()));
    EXPECT_EQ(*std::max_element(thin.y.begin(), thin.y.end()), *std::max_element(curve.y.begin(), curve.y.end()));
    EXPECT_EQ(*std::min_element(thin.y.begin(), thin.y.end()), *std::min_element(curve.y.begin(), curve.y.end()));
    double kept = 0;
    for (const std::size_t i : thin.jumps) kept = std::max(kept, std::abs(thin.y[i] - thin.y[i - 1]));
    EXPECT_EQ(thin.jumps.size(), 200u);
    EXPECT_EQ(kept, largest);
  }
}

TEST(Picture, PublishedValuesAreMarksOrALevel) {
  const Curve marks = published_points("published", {1, 2}, {3, 4}, 1),
              level = published_level("published", 7.0, 0.0, 2.0);
  const std::string script = gnuplot_script({"t", {{"p", {"x"}, {"y"}, {marks, level}}}}, "a");
  EXPECT_NE(script.find("$p0c0 using 1:2 with points pt 6"), std::string::npos) << script;
  EXPECT_NE(block(script, "$p0c1").find("0 7\n2 7\n"), std::string::npos) << script;
}

// Titles come from files of others; gnuplot can start programs.
TEST(Picture, ATitleIsNoCommand) {
  const Curve curve{"it's\nsystem 'label'", {1, 2}, {3, 4}, CurveStyle::line, 1};
  const std::string script = gnuplot_script(
      {"a\nsystem 'title'", {{"b\r\nsystem 'panel'", {"x\nsystem 'x'"}, {"y"}, {curve}}}}, "c\nsystem 'stem'");
  EXPECT_NE(script.find("system"), std::string::npos);
  EXPECT_EQ(script.find("\nsystem"), std::string::npos) << script;
}

TEST(Picture, ImpulsesAreBarsAndStepsWithoutOneHaveNone) {
  const Curve bars{"", {0, 1, 2, 3, 4}, {0, 0, 5, 0, 0}, CurveStyle::impulses},
      forces{"", {1, 2, 3}, {0, 5, 0}, CurveStyle::steps};
  const std::string script = gnuplot_script({"t", {{"p", {"x"}, {"y"}, {bars, forces}}}}, "a");
  EXPECT_EQ(block(script, "$p0c0"), "$p0c0 << END_OF_DATA\n0 0\n2 5\n4 0\n") << "the ends hold the range of time";
  EXPECT_NE(script.find("$p0c0 using 1:2 with impulses"), std::string::npos);
  EXPECT_NE(script.find("$p0c1 using 1:2 with fsteps"), std::string::npos);
}

TEST(Picture, TheTableHoldsEveryCurveWithItsOwnTimes) {
  const Curve one{"one", {0, 1}, {2, 3}}, two{"two", {0, 1}, {4, 5}},
      other = published_points("published", {0.5}, {9}, 0);
  const CsvTable table = curves_table({"t", {{"p", {"x"}, {"y"}, {one, two, other}}, {"", {"x"}, {"z"}, {one}}}});
  std::vector<std::string> names;
  for (const CsvColumn& column : table.columns) names.push_back(column.name);
  EXPECT_EQ(names, (std::vector<std::string>{"p, one: x", "p, one: y", "p, two: y", "p, published: x",
                                             "p, published: y", "one: x", "one: z"}));
  EXPECT_EQ(table.columns[4].values, std::vector<double>{9});
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// 300 dots an inch are 11811 a metre: 0x00002e23. The check sum was computed by zlib.
TEST(Picture, ThePngSaysHowLargeItIsOnPaper) {
  const Picture picture{"t", {{"p", {"x"}, {"y"}, {{"c", {1, 10}, {3, 4}}}}}};
  const std::filesystem::path stem = std::filesystem::temp_directory_path() / "carom_print_test";
  const PictureResult drawn = write_picture(picture, stem);
  if (!drawn.trouble.empty()) GTEST_SKIP() << drawn.trouble;
  const std::string png = bytes_of(drawn.files[0]);
  const std::size_t chunk = png.find("pHYs");
  ASSERT_EQ(chunk, 37u);
  using namespace std::string_literals;
  EXPECT_EQ(png.substr(chunk + 4, 9), "\0\0\x2e\x23\0\0\x2e\x23\x01"s);
  EXPECT_EQ(png.substr(chunk + 13, 4), "\x78\xa5\x3f\x76"s);
  EXPECT_EQ(png.substr(16, 4), "\0\0\x04\xb0"s) << "a panel of 4 inches is 1200 dots wide";
  declare_png_resolution(drawn.files[0], 300);
  EXPECT_EQ(bytes_of(drawn.files[0]), png) << "said once";
  ASSERT_EQ(drawn.files.size(), 3u);
  EXPECT_TRUE(bytes_of(drawn.files[2]).starts_with("%PDF"));
  for (const auto& file : drawn.files) std::filesystem::remove(file);
}

TEST(Picture, FilesThatAreNoPngAreLeftAlone) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "carom_no_picture.png";
  std::ofstream(path) << "text";
  declare_png_resolution(path, 300);
  EXPECT_EQ(bytes_of(path), "text");
  std::filesystem::remove(path);
  declare_png_resolution(path, 300);
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace carom
