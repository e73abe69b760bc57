#include "carom/study/reproduce/bar_run.h"

#include <algorithm>
#include <cmath>

#include "carom/model/flexible/impacting_bar.h"

namespace carom::inline study {

namespace {

class ContactNode final : public Recorder {
 public:
  ContactNode(BarTrace& trace, double gap) : trace_(trace), gap_(gap) {}

  void begin(const System& system, const State& start) override {
    const Energetics& energetics = *system.energetics();
    measure(start, 0.0, energetics.kinetic_energy(start.t, start.q, start.v),
            energetics.potential_energy(start.t, start.q));
  }

  void step(const System&, const StepView& view) override {
    const double dt = view.result.dt_taken;
    const double impulse = view.result.contacts.empty() ? 0.0 : view.result.impulse[0];
    const double before = trace_.energy.back();
    measure(view.result.next, impulse / dt, view.audit.kinetic, view.audit.potential);
    if (impulse > 0.0) {
      if (trace_.first_impulse == 0.0) {
        trace_.first = view.before.t;
        trace_.first_impulse = impulse;
        trace_.energy_lost_at_first = before - trace_.energy.back();
      }
      if (!touching_) ++trace_.closings;
      trace_.last = view.result.next.t;
      trace_.total_impulse += impulse;
    }
    touching_ = impulse > 0.0;
  }

 private:
  void measure(const State& state, double force, double kinetic, double potential) {
    trace_.t.push_back(state.t);
    trace_.gap.push_back(gap_ + state.q[0]);
    trace_.velocity.push_back(state.v[0]);
    trace_.force.push_back(force);
    trace_.energy.push_back(kinetic + potential);
    trace_.kinetic.push_back(kinetic);
    trace_.potential.push_back(potential);
    const Index tip = state.q.size() - 1;
    trace_.tip_displacement.push_back(state.q[tip]);
    trace_.tip_velocity.push_back(state.v[tip]);
    trace_.middle_velocity.push_back(state.v[tip / 2]);
  }

  BarTrace& trace_;
  double gap_;
  bool touching_ = false;
};

// visit(i) for the step ends within a part of the contact.
template <class Visit>
void within_contact(const BarTrace& trace, double from, double to, Visit visit) {
  for (std::size_t i = 0; i < trace.t.size(); ++i) {
    const double s = (trace.t[i] - trace.touch) / trace.contact_time;
    if (s >= from && s <= to) visit(i);
  }
}

}  // namespace

BarTrace run_bar(const BarCase& bar) {
  const RodImpact wave(bar.rod, bar.speed);
  BarTrace trace;
  trace.touch = bar.gap / bar.speed;
  trace.contact_time = wave.contact_time;
  trace.contact_force = wave.contact_force;
  const Model model = impacting_bar(bar.rod, bar.gap, bar.speed, {.restitution = bar.restitution});
  ContactNode recorder(trace, bar.gap);
  summarize_run({model, bar.scheme, bar.parameters, bar.dt, bar.t_end}, true, &recorder);
  return trace;
}

double BarTrace::violation() const { return std::max(0.0, -*std::min_element(gap.begin(), gap.end())); }

double BarTrace::closed_time() const {
  double from = -1.0, to = -1.0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (gap[i] <= 0.0) {
      if (from < 0.0) from = t[i];
      to = t[i];
    }
  return to - from;
}

BarTrace::Forces BarTrace::forces(double from, double to) const {
  Forces result;
  double sum = 0, squares = 0, count = 0;
  result.smallest = HUGE_VAL;
  result.largest = -HUGE_VAL;
  within_contact(*this, from, to, [&](std::size_t i) {
    sum += force[i];
    ++count;
    result.smallest = std::min(result.smallest, force[i]);
    result.largest = std::max(result.largest, force[i]);
  });
  result.mean = sum / count;
  within_contact(*this, from, to, [&](std::size_t i) { squares += std::pow(force[i] - result.mean, 2); });
  result.deviation = std::sqrt(squares / count);
  return result;
}

double BarTrace::gap_variation(double from, double to) const {
  double low = HUGE_VAL, high = -HUGE_VAL;
  within_contact(*this, from, to, [&](std::size_t i) {
    low = std::min(low, gap[i]);
    high = std::max(high, gap[i]);
  });
  return high - low;
}

double BarTrace::largest_velocity(double from, double to) const {
  double largest = 0;
  within_contact(*this, from, to, [&](std::size_t i) { largest = std::max(largest, std::abs(velocity[i])); });
  return largest;
}

double BarTrace::mean_speed(double from, double to) const {
  double sum = 0, count = 0;
  within_contact(*this, from, to, [&](std::size_t i) {
    sum += std::abs(velocity[i]);
    ++count;
  });
  return sum / count;
}

}  // namespace carom::inline study
