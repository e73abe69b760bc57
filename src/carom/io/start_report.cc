#include "carom/io/start_report.h"

#include <atomic>
#include <chrono>
#include <cmath>

namespace carom::inline io {

namespace {

// Beyond this many entries the rank of the joints is not worth its time.
constexpr double kLargestDenseProblem = 4e6;

// One row of W' in full.
Vector dense_row(const ConstraintJacobian& W, const ConstraintJacobian::Block& block, Index row, Index nv) {
  Vector full = Vector::Zero(nv);
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = W.segment(s);
    for (Index j = 0; j < segment.size; ++j) full[segment.offset + j] += W.entries(segment)[row * segment.size + j];
  }
  return full;
}

// Rows are taken in order; one that lies in the span of those before is redundant.
class RankCounter {
 public:
  bool adds(Vector row) {
    const double length = row.norm();
    if (length == 0.0) return false;
    for (int pass = 0; pass < 2; ++pass)  // twice is enough
      for (const Vector& direction : basis_) row -= direction.dot(row) * direction;
    if (row.norm() <= 1e-9 * length) return false;
    basis_.push_back(row.normalized());
    return true;
  }
  Index rank() const { return static_cast<Index>(basis_.size()); }

 private:
  std::vector<Vector> basis_;
};

// Tries the first steps of the run and measures how fast gaps close, from step end to step end.
class ApproachMeter final : public Recorder {
 public:
  static constexpr long steps = 2000;
  static constexpr std::chrono::milliseconds time{500};

  explicit ApproachMeter(StartReport& report) : report_(report) {}

  void step(const System& system, const StepView& view) override {
    const ContactSet& contacts = view.auditor->contacts();
    for (Index k = 0; k < contacts.size(); ++k) {
      const Constraint& constraint = contacts[k];
      if (constraint.bilateral || constraint.position_rows == 0) continue;
      const double gap = view.auditor->gap(k);
      const auto before = gaps_.find(constraint.id);
      if (before != gaps_.end()) {
        const double speed = (before->second - gap) / view.result.dt_taken;
        if (speed > report_.approach_speed) {
          report_.approach_speed = speed;
          report_.fastest_contact = system.constraint_name(constraint);
        }
      }
      now_[constraint.id] = gap;
    }
    std::swap(gaps_, now_);
    now_.clear();
    report_.tried_steps = view.step;
    if (view.step == steps || std::chrono::steady_clock::now() > end_) stop = true;
  }

  std::atomic<bool> stop = false;

 private:
  StartReport& report_;
  std::map<ConstraintId, double> gaps_, now_;
  std::chrono::steady_clock::time_point end_ = std::chrono::steady_clock::now() + time;
};

void try_first_steps(const Scenario& scenario, StartReport& report) {
  ApproachMeter meter(report);
  SimulationOptions options = simulation_options(scenario);
  options.interrupt = &meter.stop;
  simulate(*scenario.model.system, *make_scheme(scenario), *make_solver(scenario), scenario.model.initial, options,
           &meter);
}

}  // namespace

bool joints_are_independent(const Model& model) {
  const System& system = *model.system;
  const State& start = model.initial;
  ContactSet contacts;
  system.detect(start.t, start.q, start.v, 0.0, contacts);
  ActiveSet joints;
  joints.reset(contacts);
  for (Index k = 0; k < contacts.size(); ++k)
    if (contacts[k].bilateral) joints.add(k);
  Evaluation at;
  system.evaluate(start.t, start.q, start.v, Need::jacobian, joints, at);
  if (static_cast<double>(at.W.rows()) * system.nv() > kLargestDenseProblem) return false;
  RankCounter rank;
  for (Index b = 0; b < at.W.block_count(); ++b)
    for (Index r = 0; r < at.W.block(b).rows; ++r)
      if (!rank.adds(dense_row(at.W, at.W.block(b), r, system.nv()))) return false;
  return true;
}

StartReport report_start(const Scenario& scenario) {
  const System& system = *scenario.model.system;
  const State& start = scenario.model.initial;
  StartReport report;
  report.remarks = scenario.model.remarks;
  report.coordinates = system.nq();
  report.velocities = system.nv();

  ContactSet contacts;
  system.detect(start.t, start.q, start.v, scenario.simulation.step, contacts);
  ActiveSet all;
  all.reset(contacts);
  all.add_all();
  Evaluation at;
  system.evaluate(start.t, start.q, start.v, Need::gap | Need::jacobian, all, at);
  for (const Constraint& constraint : contacts.constraints)
    if (constraint.bilateral) report.joint_rows += constraint.law->dim();
  const bool small = static_cast<double>(report.joint_rows) * system.nv() <= kLargestDenseProblem;

  RankCounter rank;
  for (Index k = 0; k < contacts.size(); ++k) {
    const Constraint& constraint = contacts[k];
    const ConstraintJacobian::Block& block = at.W.block(k);
    const std::string name = system.constraint_name(constraint);
    if (constraint.bilateral) {
      ++report.joints;
      bool complete = true;
      for (Index r = 0; small && r < block.rows; ++r)
        complete = rank.adds(dense_row(at.W, block, r, system.nv())) && complete;
      if (!complete) report.redundant_joints.push_back(name);
      continue;
    }
    const double gap = at.g[block.row];
    report.gaps.push_back({name, gap});
    const bool open = gap > 1e-9 * constraint.length_scale;  // not what rounding leaves of a closed one
    if (open && (report.smallest_open_gap == 0.0 || gap < report.smallest_open_gap)) report.smallest_open_gap = gap;
  }
  if (small) report.joint_rank = rank.rank();

  if (const Energetics* energetics = system.energetics()) {
    report.has_energy = true;
    report.kinetic = energetics->kinetic_energy(start.t, start.q, start.v);
    report.potential = energetics->potential_energy(start.t, start.q);
  }
  for (const SchemeEntry* scheme : scheme_registry().entries()) {
    const auto what = untreated(*scheme, system);
    report.schemes.push_back({scheme->name, what ? std::string(to_text(*what)) : ""});
  }
  try_first_steps(scenario, report);
  return report;
}

}  // namespace carom::inline io
