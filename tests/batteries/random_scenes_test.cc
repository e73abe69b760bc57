// A dozen random scenes by every scheme: nothing wrong without a mark, nothing failed but by a jam. And the test itself
// is tested: errors put in on purpose are marked by the run, and runs that lie about themselves are caught by the
// observer.
#include <atomic>
#include <chrono>
#include <thread>

#include "batteries/every_scheme_on_scenes.h"

namespace carom::batteries {
namespace {

TEST(RandomScenes, SayWhatIsWrongWithThem) {
  std::map<std::string, SceneTally> tally;
  hold_to_their_word(SceneKind::column, 1, 3, tally);
  hold_to_their_word(SceneKind::cloud, 2, 3, tally);
  hold_to_their_word(SceneKind::boxes, 3, 3, tally);
  hold_to_their_word(SceneKind::chain, 4, 3, tally);
  EXPECT_GT(tally["moreau_jean"].runs, 10);
}

// A light ball pressed between heavy ones, by impulses that would give it 1e5 m/s: the passes of the one-step scheme
// stand still as far as the contact solver's tolerance, not only rounding, lets them.
TEST(RandomScenes, ALightBallBetweenHeavyOnesIsNoTrouble) {
  std::mt19937_64 random(3001);
  for (int k = 0; k < 150; ++k) {
    const RandomScene scene = draw_scene(SceneKind::column, random);
    if (k != 54 && k != 149) continue;
    const SceneRun run =
        run_scene(scene, scheme_registry().find("consistent_quaternion_one_step"), *scene.model.system, solver());
    EXPECT_EQ(run.summary.outcome, Outcome::finished) << scene.text << ": " << run.summary.advice;
    EXPECT_TRUE(contradictions(run.summary, run.own, {}).empty());
  }
}

// Sliding that begins while a little of the old velocity is left, in another direction: the direction of friction goes
// over from one to the other, or the motion stays between both in steps that time does not notice.
TEST(RandomScenes, SlidingThatBeginsDoesNotStandStill) {
  std::mt19937_64 random(3001);
  RandomScene scene;
  for (int k = 0; k <= 54; ++k) scene = draw_scene(SceneKind::column, random);
  std::atomic<bool> late = false;
  std::jthread watch([&](std::stop_token done) {
    for (int tenths = 0; tenths < 200 && !done.stop_requested(); ++tenths)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    late = true;
  });
  SimulationOptions options{.t_end = 0.2, .dt = scene.dt, .interrupt = &late};
  const auto scheme = make_scheme("event_driven");
  const auto summary = simulate(*scene.model.system, *scheme, solver(), scene.model.initial, options);
  EXPECT_EQ(summary.outcome, Outcome::finished) << summary.advice;
}

// Friction with the wrong sign: pushes along with the sliding.
class ReversedFriction final : public InclusionSolver {
 public:
  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    solver().solve(problem, workspace, result);
    Index row = 0;
    for (const Law* law : problem.laws) {
      for (Index i = 1; i < law->dim() && law->is_contact(); ++i) result.lambda[row + i] *= -1.0;
      row += law->dim();
    }
    problem.G->multiply(result.lambda.data(), result.xi.data());
    for (Index i = 0; i < result.xi.size(); ++i) result.xi[i] += problem.c[i];
  }
};

// A system that is not honest with the audit: energies that do not change, or gaps wider than they are.
class Dishonest final : public System, public Energetics {
 public:
  explicit Dishonest(const System& system) : system_(system) {}
  bool hides_energy = false;
  double widened = 0.0;  // in length scales

  Index nq() const override { return system_.nq(); }
  Index nv() const override { return system_.nv(); }
  Constancy constancy() const override { return system_.constancy(); }
  FeatureSet features() const override { return system_.features(); }
  void detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const override {
    system_.detect(t, q, v, dt, contacts);
  }
  void evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                Evaluation& out) const override {
    system_.evaluate(t, q, v, need, active, out);
    if (!has(need, Need::gap)) return;
    Index row = 0;
    for (Index i = 0; i < active.size(); ++i) {
      if (!active.constraint(i).bilateral) out.g[row] += widened * active.constraint(i).length_scale;
      row += active.constraint(i).law->dim();
    }
  }
  void move(const Vector& q, const Vector& dq, Vector& out) const override { system_.move(q, dq, out); }
  void rational_move(const Vector& q, const Vector& dq, Vector& out) const override {
    system_.rational_move(q, dq, out);
  }
  void difference(const Vector& a, const Vector& b, Vector& dq) const override { system_.difference(a, b, dq); }
  void apply_T(const Vector& q, const Vector& v, Vector& dq) const override { system_.apply_T(q, v, dq); }
  void apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const override {
    system_.apply_T_transpose(q, p, r);
  }
  const Energetics* energetics() const override { return hides_energy ? this : system_.energetics(); }
  std::string constraint_name(const Constraint& c) const override { return system_.constraint_name(c); }
  std::string coordinate_name(Index i) const override { return system_.coordinate_name(i); }
  std::string velocity_name(Index i) const override { return system_.velocity_name(i); }
  double kinetic_energy(double, const Vector&, const Vector&) const override { return 1.0; }
  double potential_energy(double, const Vector&) const override { return 0.0; }
  double other_power(double, const Vector&, const Vector&) const override { return 0.0; }

 private:
  const System& system_;
};

// A box that slides on the floor.
RandomScene sliding_scene() {
  RandomScene scene;
  BodySpec box;
  box.name = "box";
  box.mass = 2.0;
  box.inertia = Vector3::Constant(0.02);
  box.shape = Shape::box({0.4, 0.4, 0.1});
  box.position = {0, 0, 0.05};
  box.velocity = {3, 0, 0};
  scene.bodies = {box};
  scene.planes = {{"floor", Vector3::Zero(), Vector3::UnitZ()}};
  scene.spheres_touch = false;
  scene.t_end = 0.4;
  scene.text = "a sliding box";
  scene.contact.friction = 0.5;
  build_model(scene);
  return scene;
}

bool speaks_of(const std::vector<std::string>& list, const std::string& word) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& line) { return line.find(word) != std::string::npos; });
}

TEST(RandomScenes, FrictionOfTheWrongSignIsMarked) {
  const RandomScene scene = sliding_scene();
  const SchemeEntry& entry = scheme_registry().find("moreau_jean");
  const SceneRun honest = run_scene(scene, entry, *scene.model.system, solver());
  EXPECT_TRUE(honest.summary.judgement.sound());
  const SceneRun wrong = run_scene(scene, entry, *scene.model.system, ReversedFriction());
  EXPECT_GT(wrong.own.rise, 0.1 * wrong.own.turned_over) << "the error has no effect: " << scene.text;
  EXPECT_FALSE(wrong.summary.judgement.sound());
  EXPECT_TRUE(contradictions(wrong.summary, wrong.own, {}).empty());
}

TEST(RandomScenes, ARunThatHidesItsEnergyIsCaught) {
  const RandomScene scene = sliding_scene();
  Dishonest system(*scene.model.system);
  system.hides_energy = true;
  const SceneRun run = run_scene(scene, scheme_registry().find("moreau_jean"), system, ReversedFriction());
  EXPECT_TRUE(speaks_of(contradictions(run.summary, run.own, {}), "energy rose"));
}

TEST(RandomScenes, ARunThatHidesItsPenetrationIsCaught) {
  const RandomScene scene = sliding_scene();
  Dishonest system(*scene.model.system);
  system.widened = 0.4;
  const SceneRun run = run_scene(scene, scheme_registry().find("moreau_jean"), system, solver());
  EXPECT_TRUE(speaks_of(contradictions(run.summary, run.own, {}), "penetration"));
}

// Two spheres that pass through each other between two steps: noticed if the step may not be halved.
TEST(RandomScenes, APassageIsSeenByBoth) {
  RandomScene scene;
  BodySpec a;
  a.name = "a";
  a.mass = 1.0;
  a.inertia = Vector3::Constant(1e-3);
  a.shape = Shape::sphere(0.05);
  a.position = {-9.73, 0, 0.01};
  a.velocity = {1000, 0, 0};
  BodySpec b = a;
  b.name = "b";
  b.position = b.velocity = Vector3::Zero();
  scene.bodies = {a, b};
  scene.gravity.setZero();
  scene.contact.restitution = 1.0;
  build_model(scene);
  OwnObserver observer(scene);
  const auto scheme = make_scheme("moreau_jean");
  SimulationOptions options{.t_end = 0.02, .dt = 1e-3, .on_missed = MissedPolicy::report};
  const auto summary = simulate(*scene.model.system, *scheme, solver(), scene.model.initial, options, &observer);
  EXPECT_NEAR(observer.measure().passed, 0.09 / 0.05, 1e-9);
  ASSERT_EQ(summary.judgement.findings.size(), 1u);
  EXPECT_EQ(summary.judgement.findings[0].flaw, Flaw::missed_contact);
  EXPECT_EQ(summary.judgement.findings[0].name, "a-b");
  EXPECT_NEAR(summary.judgement.findings[0].value, 0.09, 1e-9);
  EXPECT_NEAR(summary.judgement.findings[0].t, 9.73e-3, 1e-9);
}

}  // namespace
}  // namespace carom::batteries
