#include "carom/study/reproduce/schindler_2015.h"

#include <algorithm>
#include <cmath>

#include "carom/base/dense_solve.h"
#include "carom/base/errors.h"
#include "carom/model/analytic/analytic_model.h"

namespace carom::inline study::schindler_2015 {

namespace {

// Step ends at multiples of a time.
class GridRecorder final : public Recorder {
 public:
  explicit GridRecorder(Angles& run) : run_(run) {}

  void begin(const System&, const State& start) override { run_.rows.row(0) = start.q.transpose(); }
  void step(const System& system, const StepView& view) override {
    const State& state = view.result.next;
    if (view.result.impact) run_.impacts.push_back(state.t);
    const double k = state.t / run_.dt;
    if (std::abs(k - std::round(k)) > 1e-6) return;
    run_.rows.row(std::lround(k)) = state.q.transpose();
    if (std::lround(k) + 1 < run_.rows.rows()) return;
    const Energetics& energetics = *system.energetics();
    run_.end_energy =
        energetics.kinetic_energy(state.t, state.q, state.v) + energetics.potential_energy(state.t, state.q);
  }

 private:
  Angles& run_;
};

}  // namespace

Model slider_crank(double restitution, double friction, double clearance) {
  return make_analytic_model("slider_crank", {{"clearance", clearance}},
                             {.restitution = restitution, .friction = friction});
}

Angles angles(const Model& model, const std::string& scheme, double dt, double t_end, long every,
              const SchemeParameters& parameters) {
  const long steps = std::lround(t_end / dt);
  Angles run{dt * static_cast<double>(every), Matrix(steps / every + 1, model.system->nq())};
  GridRecorder recorder(run);
  summarize_run({model, scheme, parameters, dt, dt * static_cast<double>(steps)}, false, &recorder);
  return run;
}

Angles ideal_guide(double dt, double t_end) {
  const Model model = make_analytic_model("slider_crank_bilateral", {}, {});
  const long steps = std::lround(t_end / dt);
  Angles run{dt, Matrix::Zero(steps + 1, 3)};
  Vector q, v;
  for (long k = 0; k <= steps; ++k) {
    model.exact(dt * static_cast<double>(k), q, v);
    run.rows.row(k).head(2) = q.transpose();
  }
  return run;
}

double error(const Angles& run, const Angles& reference) {
  const auto every = std::lround(run.dt / reference.dt);
  if (std::abs(run.dt - static_cast<double>(every) * reference.dt) > 1e-9 * run.dt)
    throw LogicError("schindler_2015::error: the reference has no rows at these times");
  Matrix difference(run.rows.rows(), run.rows.cols());
  for (Eigen::Index i = 0; i < run.rows.rows(); ++i)
    difference.row(i) = run.rows.row(i) - reference.rows.row(i * every);
  const Matrix square = difference.transpose() * difference;
  return std::sqrt(SymmetricEigen(square).values.maxCoeff());
}

double closed_gap_variation(const Trace& trace, double shortest) {
  double worst = 0;
  for (std::size_t k = 0; k < trace.gap.size(); ++k) {
    const Trace::Series &gap = trace.gap[k], &impulse = trace.normal_impulse[k];
    for (std::size_t i = 0; i < gap.size(); ++i) {
      const std::size_t begin = i;
      double low = gap[i], high = gap[i];
      for (; i < gap.size() && gap[i] <= 0.0 && impulse[i] > 0.0; ++i) {
        low = std::min(low, gap[i]);
        high = std::max(high, gap[i]);
      }
      if (i > begin && trace.t[i - 1] - trace.t[begin] > shortest) worst = std::max(worst, high - low);
    }
  }
  return worst;
}

double largest_energy_rise(const Trace& trace) {
  double lowest = INFINITY, rise = 0;
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const double energy = trace.kinetic[i] + trace.potential[i];
    lowest = std::min(lowest, energy);
    rise = std::max(rise, energy - lowest);
  }
  return rise;
}

}  // namespace carom::inline study::schindler_2015
