// What every scheme's step works with, kept from step to step so that nothing is allocated once it has grown: the
// contacts, one inclusion, and a place for what the scheme keeps for itself.
#pragma once

#include <memory>

#include "carom/inclusion/delassus_factory.h"
#include "carom/inclusion/inclusion_solver.h"
#include "carom/schemes/foreseen_contacts.h"
#include "carom/schemes/interrupt.h"
#include "carom/system/system.h"

namespace carom::inline schemes {

struct ImpactMemory;  // impact_laws.cc

// One inclusion problem with everything it is solved with.
struct InclusionWork {
  DelassusFactory factory;
  InclusionProblem problem;
  InclusionResult result;
  SolverWorkspace solver;
  Buffer shift;                          // what the impact law adds to the velocities, by rows
  Vector response;                       // what the impulses change, where a scheme asks for it by itself
  std::shared_ptr<ImpactMemory> impact;  // of laws that need more than one solve; made when one does
};

// What a scheme keeps from step to step beside the workspace: a type of its own or of its family. Results do not depend
// on it: a fresh one serves as well.
struct SchemeMemory {
  SchemeMemory() = default;
  SchemeMemory(const SchemeMemory&) = delete;
  SchemeMemory& operator=(const SchemeMemory&) = delete;
  virtual ~SchemeMemory() = default;
  // The problem of positions, where a scheme has one beside that of velocities.
  virtual const InclusionWork* position_problem() const { return nullptr; }
};

struct StepWorkspace {
  // Contacts of the step; all, none and the active ones.
  ContactSet contacts;
  ActiveSet all, none, active;
  std::uint64_t contacts_of = 0;  // the system whose constant contacts these are

  // What gaps of all contacts are seen with at one moment: by a scheme at the start of its step, by a driver at its
  // end.
  Evaluation look;

  // The inclusion of velocities (or of all, where there is only one).
  InclusionWork velocity;

  // What a driver tells the steps.
  ForeseenContacts foreseen;
  Interrupt interrupt;

  // The scheme's own, and a word for its type (scheme.h).
  std::unique_ptr<SchemeMemory> memory;
  const char* memory_kind = nullptr;
};

}  // namespace carom::inline schemes
