// Pages of sweeps: every number stands where its parameters are.
#include "carom/study/sweep_chapters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace carom {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SweepRow finished(double value, bool sound = true) {
  SweepRow row;
  row.outcome = SweepRow::Outcome::finished;
  row.sound = sound;
  row.measures = {value};
  return row;
}

// f(c, mu) = 10 c + mu over c = 1, 2, 3 mm and mu = 0.5, 0.1, in this order of the design; the run at c = 2 mm, mu =
// 0.1 failed.
SweepTable grid() {
  SweepTable table;
  table.axes = {"c", "mu"};
  table.measures = {"f"};
  for (const int c : {1, 2, 3})
    for (const char* mu : {"0.5", "0.1"}) {
      table.points.push_back({std::to_string(c) + " mm", mu});
      table.rows.push_back(finished(10.0 * c + std::stod(mu), c != 3));
    }
  table.rows[3].outcome = SweepRow::Outcome::failed;
  table.rows[3].measures = {std::nullopt};
  table.rows[3].trouble = "E0501";
  return table;
}

TEST(SweepChapters, HeatMapOfTwoParameters) {
  const std::vector<Chapter> chapters = chapters_of(grid());
  ASSERT_EQ(chapters.size(), 2u);
  ASSERT_EQ(chapters[1].maps.size(), 1u);
  const HeatMap& map = chapters[1].maps[0];
  EXPECT_EQ(map.x_label, "c [mm]");
  EXPECT_THAT(map.x, ElementsAre(1.0, 2.0, 3.0));
  EXPECT_THAT(map.y, ElementsAre(0.1, 0.5));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const double value = map.values[i + 3 * j];
      if (i == 1 && j == 0)
        EXPECT_TRUE(std::isnan(value));
      else
        EXPECT_DOUBLE_EQ(value, 10.0 * map.x[i] + map.y[j]);
    }
}

TEST(SweepChapters, CurvesForTheFewValuesOfTheOther) {
  const Chapter chapter = chapters_of(grid())[1];
  const Panel& lines = chapter.picture.panels.at(0);
  ASSERT_EQ(lines.curves.size(), 2u);
  EXPECT_EQ(lines.curves[0].label, "mu = 0.1");
  EXPECT_THAT(lines.curves[0].x, ElementsAre(1.0, 3.0)) << "the failed run leaves a hole, not a zero";
  EXPECT_THAT(lines.curves[1].y, ElementsAre(10.5, 20.5, 30.5));
}

TEST(SweepChapters, TablesTellOfFailedAndUnsoundRuns) {
  const std::vector<Chapter> chapters = chapters_of(grid());
  EXPECT_THAT(chapters[0].text, HasSubstr("6 runs over c, mu: 5 finished, 2 of them not sound, 1 without a result"));
  ASSERT_EQ(chapters[0].tables.size(), 2u);
  EXPECT_THAT(chapters[0].tables[0].rows.at(0),
              ElementsAre("f", "10.1", "10.1", "10.5", "20.5", "30.1", "30.5", "30.5"));
  EXPECT_THAT(chapters[0].tables[1].rows.at(0), ElementsAre("failed", "c=2 mm mu=0.1", "E0501"));
  EXPECT_THAT(chapters[1].tables.at(0).rows.at(0), ElementsAre("30.5", "c=3 mm mu=0.5", "not sound"));
}

TEST(SweepChapters, DrawnParametersAreClouds) {
  SweepTable table;
  table.axes = {"a", "b"};
  table.measures = {"f"};
  for (int i = 0; i < 7; ++i) {
    table.points.push_back({std::to_string(0.1 * i), std::to_string(1.0 - 0.05 * i * i)});
    table.rows.push_back(finished(i));
  }
  const Chapter chapter = chapters_of(table)[1];
  EXPECT_TRUE(chapter.maps.empty());
  ASSERT_EQ(chapter.picture.panels.size(), 3u) << "two clouds and the distribution";
  EXPECT_EQ(chapter.picture.panels[0].curves[0].style, CurveStyle::points);
  EXPECT_DOUBLE_EQ(chapter.picture.panels[2].curves[0].y.back(), 100.0);
}

TEST(SweepChapters, WordsAreCounted) {
  SweepTable table;
  table.axes = {"simulation.scheme"};
  table.measures = {"f"};
  for (const char* word : {"moreau_jean", "ggl_unified"}) {
    table.points.push_back({word});
    table.rows.push_back(finished(1.0));
  }
  const Panel panel = chapters_of(table)[1].picture.panels.at(0);
  EXPECT_THAT(panel.x.label, HasSubstr("moreau_jean, ggl_unified"));
  EXPECT_THAT(panel.curves.at(0).x, ElementsAre(0.0, 1.0));
}

TEST(SweepChapters, PercentileIsTheNearestValue) {
  const std::vector<double> x = {1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(percentile(x, 0.0), 1.0);
  EXPECT_DOUBLE_EQ(percentile(x, 0.5), 3.0);
  EXPECT_DOUBLE_EQ(percentile(x, 0.95), 5.0);
}

TEST(SweepChapters, ADiagramKeepsEveryDotThatAScreenCanShow) {
  Section section{"omega", "v", {}, {}, false};
  for (int i = 0; i < 300; ++i) {
    SectionRun run;
    run.parameter = 1.0 + 0.01 * i;
    for (int k = 0; k < 20; ++k) run.values.push_back(std::sin(12.9898 * (i + 17 * k)));
    section.runs.push_back(run);
  }
  const auto json = to_json(chapters_of(section, "title").at(0));
  EXPECT_GT(json["charts"][0]["curves"][0]["x"].size(), 5900u);
  section.runs.assign(2000, section.runs.front());  // all on the same places
  EXPECT_LE(to_json(chapters_of(section, "title").at(0))["charts"][0]["curves"][0]["x"].size(), 20u);
}

TEST(SweepChapters, SectionsOfSomeValuesShowOneFormulaOverTheOther) {
  Section section{"omega", "v", "x", {}, false};
  for (const bool backward : {false, true})
    for (int i = 0; i < 50; ++i)
      section.runs.push_back({.parameter = 1.0 + i,
                              .backward = backward,
                              .values = {1.0 * i, 2.0 * i},
                              .across = {3.0, 4.0 + i},
                              .trouble = {}});
  section.runs[49].values.clear();  // forward, the last value: a run that failed
  section.runs[49].across.clear();
  const std::vector<Panel> portraits = chapters_of(section, "title").at(1).picture.panels;
  ASSERT_EQ(portraits.size(), 9u);
  EXPECT_EQ(portraits.front().title, "omega = 1");
  EXPECT_EQ(portraits.back().title, "omega = 50");
  EXPECT_EQ(portraits.front().x.label, "x");
  EXPECT_EQ(portraits.front().y.label, "v");
  ASSERT_EQ(portraits[4].curves.size(), 2u);  // forward and backward
  EXPECT_THAT(portraits[4].title, HasSubstr("25"));
  EXPECT_THAT(portraits[4].curves[1].x, ElementsAre(3.0, 28.0));
  EXPECT_THAT(portraits[4].curves[1].y, ElementsAre(24.0, 48.0));
  EXPECT_EQ(portraits.back().curves.size(), 1u);
  section.against.clear();
  EXPECT_EQ(chapters_of(section, "title").size(), 1u);
}

}  // namespace
}  // namespace carom
