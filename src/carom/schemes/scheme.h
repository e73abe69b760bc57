// A time-stepping scheme: parameters only. step() is const and makes a new value; rejecting a step is
// discarding it.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "carom/base/parameters.h"
#include "carom/base/registry.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/schemes/workspace.h"
#include "carom/system/state.h"
#include "carom/system/system.h"

namespace carom::inline schemes {

// What happened at one active constraint in a step, by rows: the audit, the recorder and the pictures
// live on this.
struct StepContact {
  Constraint constraint;
  Index row = 0;  // first row in the buffers of StepResult
};

enum class StepStatus {
  ok,
  solver_failed,      // an inclusion problem was not solved to its tolerance
  newton_failed,      // the smooth equations were not solved within the cap
  projection_failed,  // positions could not be brought onto the constraints
  singular,           // a matrix could not be factored
  integrator_failed,  // smooth motion could not be integrated, or events followed each other without end
  not_finite          // a result is not a number
};
std::string_view to_text(StepStatus status);

// What an event-driven scheme located within a step.
enum class EventKind {
  impact,
  release,      // a closed contact's force vanished
  stick,        // sliding ended
  slip,         // sliding began, or turned round
  accumulation  // impacts followed each other ever faster and have come to an end: the contact is closed
};
std::string_view to_text(EventKind kind);

struct StepEvent {
  double t = 0.0;
  EventKind kind = EventKind::impact;
  Constraint constraint;
};

struct StepResult {
  State next;
  double dt_taken = 0.0;
  StepStatus status = StepStatus::ok;
  int newton_iterations = 0;
  int solver_iterations = 0;      // of all inclusion problems of the step
  int projection_iterations = 0;  // of position problems
  int index_set_iterations = 0;   // passes of schemes that grow their active set
  double solver_residual = 0.0;   // worst of the step
  // What sticking contacts ask of each other that no motion has, relative to the velocities and forces of the step:
  // accepted, the impulses of least norm share it. Zero where nothing had to be shared.
  double contradiction = 0.0;
  // Active constraints of the step with impulse and velocities at both ends.
  std::vector<StepContact> contacts;
  Buffer impulse, gamma_minus, gamma_plus;
  // By the same rows, the work of the forces; empty: the impulse times the mean of both velocities.
  Buffer work;
  std::vector<StepEvent> events;             // in order of time; of event-driven schemes
  double largest_position_multiplier = 0.0;  // of position problems
  // Schemes that tell forces from impulses: whether the impulses above are those of an impact. If not,
  // they are those of forces, impulse / dt_taken each.
  bool impact = false;
};

struct Orders {
  double free_flight = 1, persistent = 1, impact = 1;
  double joint_energy = 2;  // of the energy that joints of bodies with all their coordinates make or lose over a run
  // Rotations in space are moved by mean angular velocities, whatever is done between: of second order at most.
  double rotation() const { return std::min(free_flight, 2.0); }
};

// What a scheme keeps, held by the batteries over all schemes (tests/batteries).
struct Promises {
  Orders orders;
  bool position_level = false;  // P: g holds at step ends
  bool penetrates = false;      // P for joints, but an open contact is entered only once it is closed, or behind it
  bool velocity_level = false;  // V: gamma holds at step ends
  bool impact_law = false;      // I: the impact law holds in every step
  bool yields = false;          // passive restitution gives way; elsewhere it is Newton's (schemes/passive_impact.h)
  bool implicit_force = false;  // X: implicit in h, for stiff and flexible bodies
  bool event_driven = false;    // locates events: tolerances, not the step, set the error; a step may allocate
  bool sinks = false;           // resting contacts with restitution below 1 sink by O(dt)
  bool rests = true;            // false: after impacts with 0 < e < 1 contacts creep or rattle on instead of resting
  bool passive = false;         // E: without friction, contacts of one restitution bring in no energy
  bool conserves = false;       // C: without friction and losses by law the energy is kept to rounding
  bool alternates = false;      // friction acts on displacements: a sticking velocity may alternate by O(dt)
};

struct SchemeEntry {
  std::string name;
  std::string title;      // one line for `carom list schemes`
  std::string reference;  // the publication
  FeatureSet treats;      // nothing, unless it says so
  Promises promises;
  std::vector<ParameterSpec> parameters;
  std::unique_ptr<class Scheme> (*make)(const Parameters&);
  // Where they depend on parameters.
  FeatureSet (*treats_with)(const Parameters&) = nullptr;
  Orders (*orders_with)(const Parameters&) = nullptr;
};

class Scheme {
 public:
  virtual ~Scheme() = default;

  // Prepares State::memory for a first step; consistent initial values are the caller's business.
  virtual void start(const System& system, double dt, State& state) const;
  virtual void step(const System& system, const InclusionSolver& solver, const State& state, double dt,
                    StepWorkspace& workspace, StepResult& result) const = 0;
  // What it keeps from step to step; null: nothing.
  virtual std::unique_ptr<SchemeMemory> make_memory() const { return nullptr; }
};

// A scheme that keeps a Memory.
template <class Memory>
class SchemeWith : public Scheme {
 public:
  std::unique_ptr<SchemeMemory> make_memory() const final { return std::make_unique<Memory>(); }

 protected:
  // Its memory in a workspace; what another kind of scheme has left there goes.
  Memory& memory_in(StepWorkspace& workspace) const {
    static const char kind = 0;  // its address stands for the type
    if (workspace.memory_kind != &kind) {
      workspace.memory = make_memory();
      workspace.memory_kind = &kind;
    }
    return static_cast<Memory&>(*workspace.memory);
  }
};

const Registry<SchemeEntry>& scheme_registry();
std::unique_ptr<Scheme> make_scheme(std::string_view name, const std::map<std::string, ParameterValue>& given = {});

// What of this system the scheme cannot treat, with these parameters or its defaults; nothing if it can run it.
std::optional<Feature> untreated(const SchemeEntry& scheme, const System& system,
                                 const std::map<std::string, ParameterValue>& parameters = {});
// The same as a sentence that names schemes that can.
std::optional<std::string> refusal(const SchemeEntry& scheme, const System& system,
                                   const std::map<std::string, ParameterValue>& parameters = {});

}  // namespace carom::inline schemes
