// The names that signals and expectations may use, as numbers of each step of a run.
//
//   t                                     time at the end of the step
//   crank.angle, body.block.x             coordinates; crank.rate, block.vx: velocities. Of bodies in any coordinates
//   crank.P.x, crank.P.vx                 of points of bodies
//   guide.c1.gap                          of a contact, also .impulse_normal .impulse_tangential .velocity_normal
//   guide.gap, floor.gap, contact.gap     of all contacts whose name begins with guide, or one of whose
//                                         partners is floor, or of all: within min max sum mean
//   'block-floor.gap'                     of all contacts of these two, in either order
//   bearing.angle, bearing.rate           coordinates of joints and their rates, counted over turns
//   guide.impacts                         contacts that began to push in the step; impacts(guide): over the run
//   energy.total .kinetic .potential      and, summed up since the start, .impact_loss .friction_loss
//                                         .joint_loss .other_work .scheme_residual
//   stats.newton_iterations .solver_iterations .projection_iterations .index_set_iterations .residual .dt
//   stats.joint_error .joint_velocity     how far and how fast the worst joint is open
//   every parameter of the file
//
// A leading body. joint. or contact. may be written or left out. Only names that were asked for are kept.
//
// Gaps are true distances, also of contacts that are far. Impulses and the normal velocity after a contact acted are
// zero where it did not act in the step.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "carom/io/expression.h"
#include "carom/io/joint_errors.h"
#include "carom/io/joint_reading.h"
#include "carom/io/sensors.h"
#include "carom/model/model.h"
#include "carom/simulation/simulate.h"

namespace carom::inline system {
class FarContacts;
}

namespace carom::inline io {

class TreeReactions;

// A moment of a run: its start (no result) or the end of a step.
struct Moment {
  const State& state;
  const StepResult* result;
  const StepAudit& energy;
  const Auditor& auditor;
  const State* before = nullptr;  // where the step began
};

// What formulas know beside the run itself.
struct FormulaContext {
  struct Number {
    std::string name;
    double value = 0.0;
    Dimension dimension = Dimension::anything();
  };
  struct Signal {
    std::string name;
    Expression expression;
  };
  std::vector<Number> numbers = {};
  std::vector<Signal> signals = {};  // measures and expectations may use them
  std::vector<JointReading> joints = {};
  std::vector<SiteSensor> points = {};             // of bodies, "crank.P"
  std::shared_ptr<const Model> maximal = nullptr;  // of a model in joint coordinates: the same in maximal ones
  bool bare_numbers = true;
};

class Channels final : public ExpressionNames {
 public:
  Channels(const System& system, const State& start, FormulaContext context);
  ~Channels() override;

  // Names used in the expression are kept from now on. Throws ExpressionError for a name that means
  // nothing, or stands for several contacts where one number is wanted.
  void need(const Expression& expression);

  // Impulses of steps that are not sampled are kept and go into the next sample.
  void pass(const Moment& moment);
  void sample(const Moment& moment);
  void sample_passed(const Moment& moment);  // a moment that was passed already
  void clear();                              // forgets the samples, not the names

  // What is kept, name after name: with it another object of the same formulas goes on.
  bool empty() const;
  std::vector<std::string> kept() const;             // "min(guide.gap)"
  void last_sample(std::vector<double>& row) const;  // one number a name
  void take(const std::vector<double>& rows);        // samples of a run that is gone on with, row after row
  // Besides samples: impulses of steps not sampled yet, turns counted, contacts that pushed in the last step.
  std::vector<double> memory() const;
  void take_memory(const std::vector<double>& memory);

  std::optional<ExpressionValue> find(const std::string& name, Reduction reduction) const override;
  std::vector<std::string> known() const override;
  std::optional<Dimension> dimension(const std::string& name) const override;
  bool bare_numbers() const override { return context_.bare_numbers; }

 private:
  enum class Source;
  struct Channel;

  Channel resolve(const std::string& name, Reduction reduction, std::size_t offset);
  bool find_body(const std::string& name, Channel& channel) const;
  void find_load(const std::string& joint, int quantity, Channel& channel);
  void find_contacts(Channel& channel, std::vector<std::string>& names) const;
  double measure(Channel& channel, const Moment& moment);
  double measure_joint(Channel& channel, const Moment& moment) const;
  double measure_body(Channel& channel, const Moment& moment) const;
  double measure_load(Channel& channel, const Moment& moment) const;
  double count_impacts(Channel& channel, const Moment& moment) const;
  const FormulaContext::Signal* signal(const std::string& name) const;
  double measure_gaps(Channel& channel, const Moment& moment);
  double measure_contacts(Channel& channel, const Moment& moment) const;
  bool belongs(Channel& channel, const Constraint& constraint) const;
  bool always_listed(const Constraint& constraint) const {
    return !far_ || constraint.bilateral || constraint.element != far_element_;
  }

  const System& system_;
  const FarContacts* far_;  // if its contacts come and go; null: the same are listed always
  Index far_element_ = -1;  // the group whose contacts come and go
  FormulaContext context_;
  State start_;
  ContactSet at_start_;
  std::vector<Channel> channels_;
  JointErrors joint_errors_;
  std::unique_ptr<TreeReactions> reactions_;  // once a formula asks for one
};

// Tries expressions on a run of two moments, at rest at the start; `report` gets the number of each that cannot be
// evaluated.
void check_expressions(const System& system, const State& start, FormulaContext context,
                       const std::vector<const Expression*>& expressions, Expression::Scope scope,
                       const std::function<void(std::size_t, const ExpressionError&)>& report);

}  // namespace carom::inline io
