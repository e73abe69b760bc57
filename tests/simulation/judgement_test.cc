// What a run is judged by: the audit of small runs whose every number is known, and limits.
#include "carom/simulation/judgement.h"

#include <gtest/gtest.h>

#include "carom/simulation/simulate.h"
#include "simulation/falling_mass.h"

namespace carom {
namespace {

using testing::dropped_from;
using testing::ExactFlight;
using testing::FallingMass;

const testing::NoSolver no_solver;

std::vector<std::string> flaws(const Judgement& judgement) {
  std::vector<std::string> words;
  for (const Finding& finding : judgement.findings) words.emplace_back(to_word(finding.flaw));
  return words;
}
using Words = std::vector<std::string>;

// Falls to the floor in 0.6 s and 1.8 m; the step to 0.7 ends 0.55 m below it and bounces.
SimulationSummary fall(const ExactFlight& scheme, const JudgementLimits& limits, double speed = 0.0) {
  const FallingMass system;
  SimulationOptions options{.t_end = 0.7, .dt = 0.1};
  options.limits = limits;
  return simulate(system, scheme, no_solver, dropped_from(1.9, speed), options);
}

TEST(Judgement, APlainBounceIsSound) {
  ExactFlight scheme;
  scheme.friction = 0.1;
  const auto summary = fall(scheme, {.penetration = 0.6}, 3.0);
  EXPECT_TRUE(summary.judgement.judged);
  EXPECT_EQ(flaws(summary.judgement), Words{});
}

// An impact that gives back twice the speed is not one the law knows: the scheme made the energy.
TEST(Judgement, EnergyAgainstTheLawIsTheSchemes) {
  ExactFlight scheme;
  scheme.restitution = 2.0;
  const auto summary = fall(scheme, {.penetration = 0.6});
  ASSERT_EQ(flaws(summary.judgement), Words{"scheme_energy"});
  const Finding& finding = summary.judgement.findings[0];
  const double made = 0.5 * 2.0 * 3.0 * 49.0;
  EXPECT_NEAR(finding.value, made, 1e-11);
  EXPECT_DOUBLE_EQ(finding.t, 0.7);
  EXPECT_NE(to_text(finding).find("the scheme made"), std::string::npos) << to_text(finding);
}

TEST(Judgement, TheLimitDecides) {
  ExactFlight scheme;
  scheme.restitution = 1.05;  // gives 10 % of 49 J
  const auto words = [&](double limit) { return flaws(fall(scheme, {.energy = limit, .penetration = 0.6}).judgement); };
  EXPECT_EQ(words(0.2), Words{});
  EXPECT_EQ(words(0.02), Words{"scheme_energy"});
}

TEST(Judgement, PenetrationNamesTheContactAndItsShare) {
  const auto summary = fall(ExactFlight(), {});
  ASSERT_EQ(flaws(summary.judgement), Words{"penetration"});
  const Finding& finding = summary.judgement.findings[0];
  EXPECT_EQ(finding.name, "floor");
  EXPECT_NEAR(finding.value, 0.55, 1e-12);
  EXPECT_NEAR(finding.share, 0.55, 1e-12);  // the length scale is 1
  EXPECT_DOUBLE_EQ(finding.t, 0.7);
}

// In a play of 0.4 m the same 0.55 m are more than all of it.
TEST(Judgement, PenetrationIsJudgedByThePlayToo) {
  const auto judged = [](double clearance, const JudgementLimits& limits) {
    FallingMass system;
    system.clearance = clearance;
    SimulationOptions options{.t_end = 0.7, .dt = 0.1};
    options.limits = limits;
    return simulate(system, ExactFlight(), no_solver, dropped_from(1.9), options).judgement;
  };
  const Judgement tight = judged(0.4, {.penetration = 0.6});
  ASSERT_EQ(flaws(tight), Words{"play"});
  const Finding& finding = tight.findings[0];
  EXPECT_EQ(finding.name, "floor");
  EXPECT_NEAR(finding.value, 0.55, 1e-12);
  EXPECT_NEAR(finding.share, 0.55 / 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(finding.limit, JudgementLimits{}.play);
  EXPECT_DOUBLE_EQ(finding.t, 0.7);
  EXPECT_NE(to_text(finding).find("of its play"), std::string::npos) << to_text(finding);
  EXPECT_EQ(flaws(judged(0.4, {.penetration = 0.6, .play = 1.4})), Words{});
  EXPECT_EQ(flaws(judged(0.4, {})), (Words{"penetration", "play"}));
  EXPECT_EQ(flaws(judged(0.0, {.penetration = 0.6})), Words{});  // no play, nothing to judge by it
}

// Energy lost to the scheme is no rise; energy gained in small parts adds up to one.
class Drifting final : public Scheme {
 public:
  double factor = 1.0;  // of the velocity in every step
  void step(const System&, const InclusionSolver&, const State& state, double dt, StepWorkspace&,
            StepResult& result) const override {
    result = {};
    result.next = state;
    result.next.t += dt;
    result.next.v *= factor;
    result.dt_taken = dt;
  }
};

TEST(Judgement, SmallGainsAddUp) {
  FallingMass system;
  Drifting scheme;
  const auto words = [&](double factor) {
    scheme.factor = factor;
    return flaws(simulate(system, scheme, no_solver, dropped_from(1.0, 1.0), {.t_end = 1.0, .dt = 1e-3}).judgement);
  };
  EXPECT_EQ(words(0.9999), Words{});
  EXPECT_EQ(words(1.00001), Words{});  // 2 % in a thousand steps
  EXPECT_EQ(words(1.0001), Words{"scheme_energy"});
}

// What Newton's law gives (an audit says so) is named as such, and not laid upon the scheme.
TEST(Judgement, TellsTheLawFromTheScheme) {
  Audit audit;
  audit.has_energy = true;
  audit.energy_scale = 10.0;
  audit.rise = {4.0, 0.25, 3.9};
  audit.scheme_rise = {0.1, 0.5, 0.0};
  audit.largest_law_gain_name = "bob-floor";
  Judgement judgement = judge(audit, {});
  ASSERT_EQ(flaws(judgement), Words{"law_energy"});
  EXPECT_NE(to_text(judgement.findings[0]).find("not the scheme"), std::string::npos);
  EXPECT_EQ(judgement.findings[0].name, "bob-floor");
  audit.scheme_rise.value = 2.0;
  EXPECT_EQ(flaws(judge(audit, {})), (Words{"law_energy", "scheme_energy"}));
  // Neither alone is beyond its limit, both together are: the rise is a finding all the same.
  audit.rise = {0.6, 0.25, 0.25};
  audit.scheme_rise.value = 0.4;
  EXPECT_EQ(flaws(judge(audit, {})), Words{"scheme_energy"});
}

TEST(Judgement, WithoutAnAuditThereIsNone) {
  const FallingMass system;
  const auto summary =
      simulate(system, ExactFlight(), no_solver, dropped_from(1.9), {.t_end = 0.7, .dt = 0.1, .audit = false});
  EXPECT_FALSE(summary.judgement.judged);
  EXPECT_TRUE(summary.judgement.findings.empty());
}

// A fast mass is behind the floor after one step in which nothing pushed: the step is repeated with half its length
// until the floor is met within the length of the contact.
class LateBounce final : public Scheme {  // bounces in the step after the one that went through
 public:
  void step(const System& system, const InclusionSolver&, const State& state, double dt, StepWorkspace&,
            StepResult& result) const override {
    const auto& mass = static_cast<const FallingMass&>(system);
    result = {};
    result.next = state;
    result.next.t += dt;
    result.dt_taken = dt;
    double& w = result.next.v[1];
    if (state.q[1] <= 0.0 && w < 0.0) {
      result.contacts.push_back({{.id = 7, .law = &mass.law()}, 0});
      for (Buffer* buffer : {&result.impulse, &result.gamma_minus, &result.gamma_plus}) buffer->assign(2, 0.0);
      result.impulse[0] = -2.0 * mass.m * w;
      result.gamma_minus[0] = w;
      w = -w;
      result.gamma_plus[0] = w;
    }
    result.next.q += dt * result.next.v;
  }
};

TEST(MissedContacts, AreMetByShorterSteps) {
  FallingMass system;
  system.g = 0.0;
  State start = dropped_from(35.0);
  start.v[1] = -1000.0;
  SimulationOptions options{.t_end = 0.1, .dt = 0.01};
  const auto halved = simulate(system, LateBounce(), no_solver, start, options);
  EXPECT_EQ(halved.audit.missed_contacts, 0);
  EXPECT_GT(halved.missed_halvings, 0);
  EXPECT_LT(-halved.audit.deepest_gap, 1.0);
  EXPECT_NEAR(halved.last.q[1], 65.0, 2.0);

  options.on_missed = MissedPolicy::report;
  const auto reported = simulate(system, LateBounce(), no_solver, start, options);
  EXPECT_EQ(reported.halvings, 0);
  EXPECT_EQ(reported.audit.missed_contacts, 1);
  EXPECT_EQ(flaws(reported.judgement), (Words{"behind", "missed_contact"}));
  EXPECT_EQ(reported.judgement.findings[1].name, "floor");
  EXPECT_NEAR(reported.judgement.findings[1].value, 5.0, 1e-9);
}

// A scheme that never pushes: halving is tried once and given up, not in every step again.
TEST(MissedContacts, AreGivenUp) {
  FallingMass system;
  system.g = 0.0;
  class Blind final : public Scheme {
   public:
    void step(const System&, const InclusionSolver&, const State& state, double dt, StepWorkspace&,
              StepResult& result) const override {
      result = {};
      result.next = state;
      result.next.t += dt;
      result.dt_taken = dt;
      result.next.q += dt * state.v;
    }
  };
  State start = dropped_from(35.0);
  start.v[1] = -1e6;
  const auto summary = simulate(system, Blind(), no_solver, start, {.t_end = 0.1, .dt = 0.01});
  EXPECT_EQ(summary.outcome, Outcome::finished);
  EXPECT_EQ(summary.audit.missed_contacts, 1);
  EXPECT_LT(summary.steps, 40);
}

}  // namespace
}  // namespace carom
