// Figure 10: the energy of the slider-crank over four seconds with Moreau's midpoint rule, the decoupled and the
// unified scheme, and the "reference line", the unified scheme without the position constraint.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <tuple>

#include "carom/study/reproduce/judge.h"
#include "carom/study/reproduce/schoeder_2013.h"
#include "carom/study/reproduce/slider_crank_print.h"

namespace carom::inline study {

namespace {

using namespace schoeder_2013;

constexpr long kKeep = 400;                           // steps between kept points
constexpr double kZoomFrom = 0.100, kZoomTo = 0.125;  // a flight, an impact and a contact

// The energy of every step, summed up; every kKeep-th point kept.
class EnergyMeter final : public Recorder {
 public:
  void begin(const System& system, const State& start) override {
    const Energetics& e = *system.energetics();
    last_ = energy_of(e, start);
    t.push_back(start.t);
    energy.push_back(last_);
  }
  void step(const System&, const StepView& view) override {
    const double now = view.audit.total();
    rises += std::max(0.0, now - last_);
    last_ = now;
    const double t_now = view.result.next.t;
    if (t_now >= kZoomFrom && t_now <= kZoomTo) {
      zoom_t.push_back(t_now);
      zoom_energy.push_back(now);
    }
    if (view.step % kKeep != 0) return;
    t.push_back(t_now);
    energy.push_back(now);
  }

  std::vector<double> t, energy;
  std::vector<double> zoom_t, zoom_energy;
  double rises = 0;  // sum over all steps in which the energy grew

 private:
  static double energy_of(const Energetics& e, const State& s) {
    return e.kinetic_energy(s.t, s.q, s.v) + e.potential_energy(s.t, s.q);
  }
  double last_ = 0;
};

struct Run {
  std::string title;
  EnergyMeter meter;
  double start() const { return meter.energy.front(); }
  double end() const { return meter.energy.back(); }
};

Run run(const std::string& title, const std::string& scheme, const SchemeParameters& parameters, double e) {
  Run run{title, {}};
  const Model model = slider_crank(e);
  summarize_run({model, scheme, parameters, kStep, kLong}, true, &run.meter);
  return run;
}

// Processor time of a step, the least of three runs over the first contacts.
double cost(const std::string& scheme, const SchemeParameters& parameters) {
  const Model model = slider_crank(0.1);
  double least = INFINITY;
  for (int i = 0; i < 3; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    summarize_run({model, scheme, parameters, kStep, 0.1}, false);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

ReproductionReport run_fig_10() {
  ReproductionReport report;
  report.settings = {"slider-crank of Flores, Leine, Glocker 2010 without friction, dt 1e-5 s, T 4 s",
                     "unified scheme with linearised gaps, Euclidean metric everywhere, as printed"};
  const Run moreau = run("Moreau's midpoint rule", "moreau_midpoint", {}, 0.1),
            apart = run("decoupled", "ggl_decoupled", decoupled(), 0.1),
            line = run("reference line", "ggl_unified", reference_line(), 0.1),
            one = run("unified", "ggl_unified", unified(), 0.1), bouncy = run("", "moreau_midpoint", {}, 0.9),
            bouncy_one = run("", "ggl_unified", unified(), 0.9);

  const char* const another = "another implementation";
  report.rows.push_back(judge("energy at the start [J]", derived("table 1"), one.start(),
                              within(1e-10, slider_crank_print::start_energy())));
  report.rows.push_back(judge("reference line over unified after 4 s",
                              says("slightly smaller than for the unified Gear-Gupta-Leimkuhler approach"),
                              line.end() / one.end(), between(0.9, 0.999)));
  report.rows.push_back(judge("reference line over Moreau after 4 s",
                              says("a bit higher than for Moreau's midpoint rule"), line.end() / moreau.end(),
                              between(1.001, 1.2)));
  for (const auto& [found, expected] :
       {std::pair<const Run*, double>{&one, 3.274}, {&line, 3.185}, {&moreau, 2.880}, {&apart, 2.916}})
    report.rows.push_back(judge(found->title + ": energy after 4 s [J]",
                                independent(fmt::format("{:.3f}", expected), another), found->end(),
                                within(0.0005, expected)));
  for (const auto& [found, text, expected] : {std::tuple<const Run*, const char*, double>{&apart, "8.1e-3", 8.1e-3},
                                              {&moreau, "2.0e-4", 2.0e-4},
                                              {&one, "4.2e-2", 4.2e-2}})
    report.rows.push_back(judge(found->title + ": sum of all rises of the energy [J]", independent(text, another),
                                found->meter.rises, within(0.03, expected)));
  report.rows.push_back(judge("decoupled over Moreau: sum of all rises of the energy",
                              says("a fluctuating entire energy content"), apart.meter.rises / moreau.meter.rises,
                              at_least(10.0)));
  report.rows.push_back(judge("decoupled: energy after 4 s over the start",
                              says("not show the expected decreasing trend"), apart.end() / apart.start(),
                              at_least(0.95), Confirmation{another, 2.916 / 7.49555, 2e-4}));
  report.rows.push_back(judge("e 0.9, unified: energy after 4 s [J]", independent("5.632", another), bouncy_one.end(),
                              within(0.0005, 5.632)));
  report.rows.push_back(judge("e 0.9, Moreau's midpoint rule: energy after 4 s [J]", independent("4.73", another),
                              bouncy.end(), within(0.001, 4.73)));
  report.notes.push_back(fmt::format("a step of the unified scheme takes {:.1f} times one of Moreau's (published: 10)",
                                     cost("ggl_unified", unified()) / cost("moreau_midpoint", {})));

  Panel all{"e = 0.1", {"time [s]"}, {"energy [J]"}, {}};
  Panel zoom{"one impact and the contact after it", {"time [s]"}, {"energy, less that at 0.1 s [mJ]"}, {}};
  for (const Run* found : {&moreau, &apart, &line, &one}) {
    all.curves.push_back({found->title, found->meter.t, found->meter.energy});
    std::vector<double> change;
    for (const double energy : found->meter.zoom_energy)
      change.push_back(1e3 * (energy - found->meter.zoom_energy.front()));
    zoom.curves.push_back({found->title, found->meter.zoom_t, change, CurveStyle::line, -1, abrupt_changes(change)});
    report.tables.push_back({found->title, {{"t [s]", found->meter.t}, {"energy [J]", found->meter.energy}}});
  }
  report.picture = {"Energy of the slider-crank, e = 0.1, dt 1e-5 s (Schoeder et al. 2013, figure 10)", {all, zoom}, 2};
  return report;
}

}  // namespace

namespace reproduce_entries {

Reproduction schoeder_2013_fig_10() {
  return {"schoeder-2013-fig-10", "energy over four seconds: Moreau, decoupled, unified, reference line", kPublication,
          run_fig_10};
}

}  // namespace reproduce_entries

}  // namespace carom::inline study
