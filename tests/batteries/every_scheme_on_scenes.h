// Random scenes run by every scheme that takes them, held against the observer's own measure.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "batteries/battery.h"
#include "batteries/random_scenes.h"

namespace carom::batteries {

struct SceneTally {
  int runs = 0, jammed = 0, marked = 0;
};

struct SceneRun {
  SimulationSummary summary;
  OwnMeasure own;
};

inline SceneRun run_scene(const RandomScene& scene, const SchemeEntry& entry, const System& system,
                          const InclusionSolver& contact_solver) {
  SimulationOptions options{.t_end = scene.t_end, .dt = scene.dt};
  OwnObserver observer(scene);
  const auto scheme = make_scheme(entry.name);
  SceneRun run{simulate(system, *scheme, contact_solver, scene.model.initial, options, &observer), {}};
  run.own = observer.measure();
  return run;
}

// `count` scenes of one kind; event-driven schemes take every tenth.
inline void hold_to_their_word(SceneKind kind, std::uint64_t seed, int count,
                               std::map<std::string, SceneTally>& tally) {
  std::mt19937_64 random(seed);
  for (int k = 0; k < count; ++k) {
    const RandomScene scene = draw_scene(kind, random);
    for (const SchemeEntry* entry : scheme_registry().entries()) {
      if (untreated(*entry, *scene.model.system) || (entry->promises.event_driven && k % 10 != 3)) continue;
      const SceneRun run = run_scene(scene, *entry, *scene.model.system, solver());
      SceneTally& sums = tally[entry->name];
      ++sums.runs;
      sums.jammed += jammed(run.summary);
      sums.marked += !run.summary.judgement.sound();
      for (const std::string& what : contradictions(run.summary, run.own, {}))
        ADD_FAILURE() << "scene " << k << " of seed " << seed << ", " << entry->name << ": " << what << "\n  "
                      << scene.text;
      // If it was the restitution, it is gone without.
      if (!jammed(run.summary)) continue;
      RandomScene inelastic = scene;
      inelastic.contact.restitution = 0.0;
      build_model(inelastic);
      EXPECT_EQ(run_scene(inelastic, *entry, *inelastic.model.system, solver()).summary.outcome, Outcome::finished)
          << "scene " << k << " of seed " << seed << ", " << entry->name << " without restitution";
    }
  }
}

inline void print(const std::map<std::string, SceneTally>& tally) {
  for (const auto& [scheme, sums] : tally)
    fmt::print("{:<40} {:>5} runs {:>5} marked {:>5} jammed\n", scheme, sums.runs, sums.marked, sums.jammed);
}

}  // namespace carom::batteries
