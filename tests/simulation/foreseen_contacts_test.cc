// A judged run looks for contacts at the end of each step; the next step need not look again, and moves as if nobody
// had looked.
#include <gtest/gtest.h>

#include "carom/model/multibody_scenes.h"
#include "carom/simulation/simulate.h"

namespace carom {
namespace {

// Counts how often contacts are looked for.
class Counting final : public System {
 public:
  explicit Counting(const System& system) : system_(system) {}
  mutable long detections = 0;

  Index nq() const override { return system_.nq(); }
  Index nv() const override { return system_.nv(); }
  Constancy constancy() const override { return system_.constancy(); }
  FeatureSet features() const override { return system_.features(); }
  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override {
    ++detections;
    system_.detect(t, q, v, dt, contacts);
  }
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    system_.evaluate(t, q, v, need, active, out);
  }
  void move(const Vector& q, const Vector& dq, Vector& out) const override { system_.move(q, dq, out); }
  void difference(const Vector& a, const Vector& b, Vector& dq) const override { system_.difference(a, b, dq); }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override { system_.apply_T(q, v, dq); }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override {
    system_.apply_T_transpose(q, p, r);
  }
  const Energetics* energetics() const override { return system_.energetics(); }
  std::string constraint_name(const Constraint& c) const override { return system_.constraint_name(c); }
  std::string coordinate_name(Index i) const override { return system_.coordinate_name(i); }
  std::string velocity_name(Index i) const override { return system_.velocity_name(i); }

 private:
  const System& system_;
};

const Model& box() {
  static const Model model = spheres_in_box({2, 2, 2}, {.restitution = 0.3, .friction = 0.5}).build();
  return model;
}

TEST(ForeseenContacts, AreLookedForOnceAStep) {
  const Counting system(*box().system);
  SimulationOptions options{.t_end = 0.2, .dt = 1e-3};
  const auto summary = simulate(system, *make_scheme("moreau_jean"), *make_solver("automatic"), box().initial, options);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_EQ(summary.halvings, 0);
  EXPECT_EQ(system.detections, summary.steps + 2);  // and for the start, by the judge and by the first step
}

// Bit for bit, whichever the scheme: what is near is the same, whoever looks.
TEST(ForeseenContacts, ChangeNoMotion) {
  int compared = 0;
  for (const SchemeEntry* entry : scheme_registry().entries()) {
    if (untreated(*entry, *box().system) || entry->promises.event_driven) continue;
    SCOPED_TRACE(entry->name);
    SimulationOptions options{.t_end = 0.15, .dt = 3e-3, .on_missed = MissedPolicy::report};
    const auto scheme = make_scheme(entry->name);
    const auto solver = make_solver("automatic");
    const auto judged = simulate(*box().system, *scheme, *solver, box().initial, options);
    options.audit = false;
    const auto alone = simulate(*box().system, *scheme, *solver, box().initial, options);
    EXPECT_TRUE(identical(judged.last, alone.last));
    EXPECT_EQ(judged.solver_iterations, alone.solver_iterations);
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

// Every third attempt at a full step fails; what a step was made with is held against what is found anew.
class Failing final : public Scheme {
 public:
  void start(const System& system, double dt, State& state) const override { scheme_->start(system, dt, state); }
  void step(const System& system, const InclusionSolver& solver, const State& state, double dt, StepWorkspace& ws,
            StepResult& result) const override {
    ContactSet own;
    system.detect(state.t, state.q, state.v, dt, own);
    scheme_->step(system, solver, state, dt, ws, result);
    ASSERT_EQ(own.size(), ws.contacts.size()) << "t = " << state.t << ", dt = " << dt;
    for (Index k = 0; k < own.size(); ++k) EXPECT_EQ(own[k].id, ws.contacts[k].id);
    shortest = std::min(shortest, dt);
    contacts += own.size();
    if (++calls_ % 3 == 0 && dt > 1.5e-3) result.status = StepStatus::newton_failed;
  }
  mutable double shortest = 1.0;
  mutable Index contacts = 0;

 private:
  std::unique_ptr<Scheme> scheme_ = make_scheme("moreau_jean");
  mutable long calls_ = 0;
};

// A step that is repeated with half its length looks for itself, and so does what follows it.
TEST(ForeseenContacts, AreNotThoseOfAnotherStep) {
  const Failing scheme;
  const SimulationOptions options{.t_end = 0.3, .dt = 3e-3};
  const auto summary = simulate(*box().system, scheme, *make_solver("automatic"), box().initial, options);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
  EXPECT_GT(summary.halvings, 10);
  EXPECT_LT(scheme.shortest, 2e-3);
  EXPECT_GT(scheme.contacts, 100);
}

}  // namespace
}  // namespace carom
