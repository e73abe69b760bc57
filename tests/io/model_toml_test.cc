// Models written back as TOML: read again the same bits, written again the same text.
#include "carom/io/export/model_toml.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>

namespace carom {
namespace {

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

// The state and energy after a few steps of what is already moving.
SimulationSummary short_run(Scenario scenario) {
  scenario.simulation.t_end = std::min(scenario.simulation.t_end, 20.0 * scenario.simulation.step);
  return simulate(scenario);
}

std::vector<std::string> all_models() {
  std::vector<std::string> files;
  for (const char* folder : {"scenarios", "scenarios/gallery", "scenarios/benchmarks"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

class EveryModel : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryModel, IsTheSameWhenReadAgain) {
  const ScenarioSource first = read_scenario_source(GetParam());
  const std::string folder = std::filesystem::path(GetParam()).parent_path().string();
  const std::string text = model_toml(first, folder).toml;
  const ScenarioSource second = parse_scenario_source(folder + "/again.toml", text);
  EXPECT_EQ(model_toml(second, folder).toml, text);
  const Scenario &a = first.scenario, &b = second.scenario;
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.simulation.scheme, b.simulation.scheme);
  EXPECT_EQ(a.simulation.step, b.simulation.step);
  EXPECT_EQ(a.signals.size(), b.signals.size());
  EXPECT_EQ(a.measures.size(), b.measures.size());
  EXPECT_EQ(a.expectations.size(), b.expectations.size());
  EXPECT_EQ(a.warnings.size(), b.warnings.size());
  ASSERT_TRUE(same_bits(a.model.initial.q, b.model.initial.q));
  ASSERT_TRUE(same_bits(a.model.initial.v, b.model.initial.v));
  const SimulationSummary run_a = short_run(a), run_b = short_run(b);
  EXPECT_EQ(run_a.steps, run_b.steps);
  EXPECT_TRUE(same_bits(run_a.last.q, run_b.last.q));
  EXPECT_TRUE(same_bits(run_a.last.v, run_b.last.v));
}

INSTANTIATE_TEST_SUITE_P(Shipped, EveryModel, testing::ValuesIn(all_models()), [](const auto& model) {
  std::string name = model.param.substr(10);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

const char* const rotor = R"toml(schema = 1
[parameters]
m = { value = "200 g", min = "1 g", doc = "mass of the \"wheel\"" }
w = "90 rpm"
third = "1 m/3"
n = 3
[world]
dimension = 2
[body.wheel]
mass = "m"
inertia = "m*third^2"
position = ["i*third", 0]
spin = "w"
count = "n"
[force.push]
type = "load"
at = "wheel1"
force = ["m*9.81 m/s^2*sin(w*t)", 0]
[simulation]
t_end = "10 ms"
step = "1 ms"
[measure]
reach = "max(wheel1.x) / third"
[study.masses]
kind = "sweep"
over = { m = ["100 g", "200 g"] }
[study.steps]
kind = "convergence"
steps = "geomspace(1 ms, 1 ms/n, 3)"
schemes = ["moreau_jean"]
)toml";

TEST(ModelToml, PutsNumbersInAndKeepsWhatFormulasName) {
  const ModelText text = model_toml(parse_scenario_source("rotor.toml", rotor), "");
  EXPECT_EQ(text.left_out, std::vector<std::string>{"study.masses"});
  EXPECT_EQ(text.toml,
            R"toml(# Written by carom export: one file, numbers in SI units.
schema = 1
title = "rotor"

[units]
bare = "SI"

[parameters]
m = { value = "0.2 kg", doc = "mass of the \"wheel\"" }
w = "9.42477796076938 rad/s"
third = "0.3333333333333333 m"
n = 3

[world]
dimension = 2

[body.wheel0]
mass = 0.2
inertia = 0.022222222222222223
position = [0, 0]
spin = 9.42477796076938

[body.wheel1]
mass = 0.2
inertia = 0.022222222222222223
position = [0.3333333333333333, 0]
spin = 9.42477796076938

[body.wheel2]
mass = 0.2
inertia = 0.022222222222222223
position = [0.6666666666666666, 0]
spin = 9.42477796076938

[force.push]
type = "load"
at = "wheel1"
force = ["m*9.81 m/s^2*sin(w*t)", 0]

[simulation]
t_end = 0.01
step = 0.001

[measure]
reach = "max(wheel1.x) / third"

[study.steps]
kind = "convergence"
steps = "geomspace(1 ms, 1 ms/n, 3)"
schemes = ["moreau_jean"]
)toml");
}

TEST(ModelToml, WhatNamesAnotherFileStaysBesideIt) {
  const ScenarioSource bar = read_scenario_source("scenarios/modal_bar.toml");
  EXPECT_NO_THROW(model_toml(bar, "scenarios"));
  try {
    model_toml(bar, "/tmp");
    FAIL() << "was written where its matrices are not";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 2u);
    EXPECT_EQ(error.problems().front().code, "E0117");
    EXPECT_GT(error.problems().front().line, 0);
  }
}

}  // namespace
}  // namespace carom
