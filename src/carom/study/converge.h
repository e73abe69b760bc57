// Errors of schemes over many step sizes, and the orders they fall with.
//
// Every scheme runs the scenario up to `until` with every step; the errors against the reference
// (norms.h) are fitted by a line in the logarithms. A fitted order is held against the order the scheme
// declares for what happened in its runs: free flight, persistent constraints (also contacts that push all
// the time and neither begin nor cease to slide), or impacts.
//
// Numbers that mean nothing are not printed: errors at the level of rounding have no order, neither
// have points that scatter; and where neighbouring motions part quickly, no step is short enough.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "carom/io/scenario.h"
#include "carom/study/norms.h"
#include "carom/study/norms_fit.h"

namespace carom::inline study {

struct ConvergeOptions {
  std::vector<std::string> schemes;  // words as in scheme_word.h
  std::vector<double> steps;         // longest first
  // The window. If it begins later than the scenario, all runs start where the reference is then: errors made
  // before do not count, so that orders between impacts can be told from those across impacts.
  double from = 0.0, until = 0.0;
  // Used if the model has no exact solution.
  std::string reference_scheme =
      {};                       // empty: of those compared, the one of highest order in persistent contact that runs
  double reference_step = 0.0;  // 0: an eighth of the shortest step; of an event-driven scheme: what it is stored with
  double tolerance = 0.15;      // how far below the declared order a fitted one may be
  const std::atomic<bool>* interrupt = nullptr;  // once set from outside, what is finished is returned
};

// Three decades around the scenario's step, ten jittered steps in each.
ConvergeOptions default_converge_options(const Scenario& scenario);

struct ConvergeRun {
  double dt = 0;
  bool finished = false;
  MotionErrors errors;
  double deepest_gap = 0, normal_impulse = 0;
  long steps = 0, failed_steps = 0;
  double step_seconds = 0;
};

enum class ConvergeVerdict {
  met,           // every judged norm falls with the declared order
  better,        // a norm falls faster than declared, none slower
  failed,        // a norm falls more slowly, or a run did not finish
  no_statement,  // there is no order to speak of; the remark says why
  refused        // the scheme cannot run the model
};
const char* to_text(ConvergeVerdict verdict);

struct ConvergeScheme {
  std::string scheme;
  std::string remark;             // why refused, failed or without statement
  std::string phase;              // "free flight", "persistent constraints", "impacts"
  double declared = 0;            // order in that phase
  std::vector<ConvergeRun> runs;  // one per step
  std::vector<OrderFit> orders;   // one per norm of error_norms()
  ConvergeVerdict verdict = ConvergeVerdict::no_statement;
};

struct ConvergeReport {
  std::string reference;  // "exact solution"
  bool reference_complete = true;
  double from = 0, until = 0;
  double position_size = 0, velocity_size = 0;  // of the reference
  // How much further apart two motions get whose starts differ slightly.
  double growth = 0;
  bool chaotic = false;
  std::vector<ConvergeScheme> schemes;
  // The scheme, or "reference", in whose runs the study was ended from outside. Runs that were finished are there;
  // nothing is judged by them.
  std::string interrupted;

  bool fine() const;  // nothing failed
};

struct ConvergeProgress {
  std::string scheme;  // or "reference"
  double dt;
};

ConvergeReport converge(const Scenario& scenario, const ConvergeOptions& options,
                        const std::function<void(const ConvergeProgress&)>& before_run = nullptr);

// Comma-separated, one line per run.
std::string to_csv(const ConvergeReport& report);

}  // namespace carom::inline study
