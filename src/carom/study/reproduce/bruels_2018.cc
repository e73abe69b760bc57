#include "carom/study/reproduce/bruels_2018.h"

#include <algorithm>
#include <cmath>

#include "carom/model/analytic/analytic_model.h"
#include "carom/schemes/alpha/coefficients.h"
#include "carom/schemes/alpha/past.h"

namespace carom::inline study::bruels_2018 {

Model pendulum() { return make_analytic_model("pendulum", {}, {}); }
Model bouncing_pendulum() { return make_analytic_model("bouncing_pendulum", {}, {.restitution = 0.8}); }
Model flexible_pendulum(double elements) {
  return make_analytic_model("flexible_pendulum", {{"elements", elements}}, {.restitution = 0.0});
}
Model horizontal_bar() { return make_analytic_model("horizontal_bar", {}, {.restitution = 0.0}); }

SchemeParameters method(const std::string& strategy, double spectral_radius, const std::string& inactive,
                        double newton_tolerance) {
  return {{"strategy", strategy},
          {"inactive", inactive},
          {"spectral_radius", spectral_radius},
          {"newton_tolerance", newton_tolerance}};
}

double LevelTrace::mean_newton() const {
  return static_cast<double>(summary.newton_iterations) / static_cast<double>(summary.steps);
}

namespace {

class LevelTracer final : public Recorder {
 public:
  LevelTracer(LevelTrace& trace, double spectral_radius) : trace_(trace), spectral_radius_(spectral_radius) {}

  void step(const System& system, const StepView& view) override {
    const State &before = view.before, &after = view.result.next;
    const double dt = view.result.dt_taken;
    system.detect(after.t, after.q, after.v, 0.0, contacts_);
    all_.reset(contacts_);
    all_.add_all();
    system.evaluate(after.t, after.q, after.v, Need::gap | Need::jacobian | Need::convective, all_, at_);
    const Index rows = all_.rows();
    alpha::recall(before, all_, dt, system.nv(), past_);
    alpha::recall(after, all_, dt, system.nv(), next_);
    at_.W.transpose_multiply(after.v.data(), gamma_.resized(rows));
    at_.W.transpose_multiply(next_.a.data(), rate_.resized(rows));
    for (Index i = 0; i < rows; ++i) {
      gamma_[i] += at_.chi[i];
      rate_[i] += i < at_.zeta.size() ? at_.zeta[i] : 0.0;
    }
    impulse_.assign(rows, 0.0);
    for (const StepContact& contact : view.result.contacts) {
      Index row = 0;
      for (Index k = 0; k < all_.size(); ++k) {
        const Index dim = all_.constraint(k).law->dim();
        if (all_.constraint(k).id == contact.constraint.id)
          for (Index r = 0; r < dim; ++r) impulse_[row + r] = view.result.impulse[contact.row + r];
        row += dim;
      }
    }

    trace_.t.push_back(after.t);
    trace_.energy.push_back(view.audit.total());
    trace_.newton.push_back(view.result.newton_iterations);
    const alpha::Coefficients c(spectral_radius_, dt);
    Index row = 0;
    double g = 0, gamma = 0, rate = 0;
    bool joint = false;
    for (Index k = 0; k < all_.size(); ++k) {
      const Index dim = all_.constraint(k).law->dim();
      if (all_.constraint(k).bilateral) {
        for (Index r = row; r < row + dim; ++r) {
          g = std::max(g, std::abs(at_.g[r]));
          gamma = std::max(gamma, std::abs(gamma_[r]));
          rate = std::max(rate, std::abs(rate_[r]));
        }
        if (!joint) {
          trace_.joint_force.push_back(impulse_[row] / dt);
          trace_.smooth_multiplier.push_back(next_.lambda[row]);
          trace_.relative_impulse.push_back((impulse_[row] - c.once(past_.eta[row], next_.eta[row])) / dt);
        }
        joint = true;
      } else {
        trace_.gap.push_back(at_.g[row]);
        trace_.gap_rate.push_back(gamma_[row]);
        trace_.gap_acceleration.push_back(rate_[row]);
        trace_.force.push_back(impulse_[row] / dt);
        trace_.smooth_force.push_back(next_.lambda[row]);
      }
      row += dim;
    }
    trace_.joint_gap.push_back(g);
    trace_.joint_rate.push_back(gamma);
    trace_.joint_acceleration.push_back(rate);
  }

 private:
  LevelTrace& trace_;
  double spectral_radius_;
  ContactSet contacts_;
  ActiveSet all_;
  Evaluation at_;
  Buffer gamma_, rate_, impulse_;
  alpha::Past past_, next_;
};

}  // namespace

LevelTrace trace_levels(const PublishedRun& run) {
  LevelTrace trace;
  const auto given = run.parameters.find("spectral_radius");
  LevelTracer tracer(trace, given == run.parameters.end() ? 0.9 : std::get<double>(given->second));
  trace.summary = summarize_run(run, true, &tracer);
  return trace;
}

double largest_second_difference(const std::vector<double>& t, const std::vector<double>& x, double from, double to) {
  double largest = 0;
  for (std::size_t i = 1; i + 1 < x.size(); ++i)
    if (t[i - 1] >= from && t[i + 1] <= to) largest = std::max(largest, std::abs(x[i + 1] - 2.0 * x[i] + x[i - 1]));
  return largest;
}

std::vector<double> sparse(const std::vector<double>& x, std::size_t every) {
  std::vector<double> kept;
  for (std::size_t i = 0; i < x.size(); i += every) kept.push_back(x[i]);
  return kept;
}

Part part(const std::vector<double>& t, const std::vector<double>& x, double from, double to) {
  Part kept;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (t[i] >= from && t[i] <= to) {
      kept.t.push_back(t[i]);
      kept.x.push_back(x[i]);
    }
  return kept;
}

}  // namespace carom::inline study::bruels_2018
