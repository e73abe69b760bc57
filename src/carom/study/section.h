// A bifurcation diagram: what a motion looks like on a section, over a parameter.
//
//   stroboscopic   x at t = k T: a period T by a formula of the parameters
//   impacts        x at the end of every step in which a contact closes
//
// For each value of the parameter the first `skip` points of the section are passed over, the next `keep` are shown. A
// diagram that is followed goes from value to value with the state of the last one, forward, backward or both ways:
// where two motions are possible the two ways show both. Steps are whole parts of the period, no longer than the
// scenario's: impacts then fall alike in every period, and what is periodic is so to the bit. What the parameter itself
// sets at the start (a speed, an angle) it sets again for each value.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "carom/io/picture.h"
#include "carom/study/sweep.h"

namespace carom::inline study {

enum class Follow { none, forward, backward, both };

struct SectionOptions {
  SweepAxis axis;
  std::string period;   // a formula of parameters; empty: at impacts
  std::string contact;  // whose impacts; empty: any contact
  std::string show;     // a formula of the moment: mass.velocity
  std::string against;  // another one: then each run also has a portrait, the first over this; empty: none
  int skip = 100, keep = 50;
  Follow follow = Follow::none;
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const SweepProgress&)> progress = nullptr;  // counts runs
};

struct SectionRun {
  double parameter = 0.0;
  bool backward = false;
  std::vector<double> values;  // at most `keep`
  std::vector<double> across;  // as many, of `against`; or none
  std::string trouble;         // why there are none, or fewer than wanted
};

struct Section {
  std::string parameter, show, against;
  std::vector<SectionRun> runs;  // by the parameter, forward ones first
  bool interrupted = false;
};

// InputError E0161 if a formula cannot be evaluated.
Section section(const ScenarioMaker& make, const SectionOptions& options, Workers& workers);

CsvTable table_of(const Section& section);
Picture picture_of(const Section& section, const std::string& title);
// The sections themselves, `show` over `against`, of at most `most` values of the parameter from the first to the last;
// none without `against`.
std::vector<Panel> portraits_of(const Section& section, std::size_t most);

// How many different points a motion has on the section, up to rounding: its period in periods; 0 if it repeats none of
// them.
int period_of(const SectionRun& run, double tolerance = 1e-6);

}  // namespace carom::inline study
