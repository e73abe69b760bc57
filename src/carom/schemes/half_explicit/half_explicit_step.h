// What half-explicit schemes share. A step is either smooth or an impact, and the result says which:
//
//   smooth:  contact forces lambda, found stage by stage; the reported impulse is their integral
//   impact:  a contact that is open at q_0 is closed at q_1. Forces are forgotten in the velocity, and on
//            all contacts closed at q_1
//
//              v_1 = v_free + M(q_1)^-1 W(q_1) Lambda,    xi = gamma(q_1, v_1) + e gamma(q_1, v_free)
//
// Every stage asks where M, h, gaps and W are wanted; what the last step has already found at its end is
// not computed again (systems that do not depend on time: the same q gives the same bits).
//
// Reference: Schindler, Rezaei, Kursawe, Acary (2015), sections 3 and 4.
#pragma once

#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/scheme.h"

namespace carom::inline schemes {

// The contacts at one position: who is closed there.
struct ContactView {
  std::uint64_t system = 0;  // 0: nothing seen
  double tolerance = 0.0;
  Vector q;
  Evaluation at;  // g of all; W and chi of the closed ones, once they were asked for; M and h as needed
  ActiveSet closed;
  bool directions = false;  // they were
};

struct HalfExplicitMemory : SchemeMemory {  // points into itself
  ContactView views[2];
  ContactView *start = &views[0], *there = &views[1];  // at q_0, and where the step looked last
  IterationMatrix M;
  std::uint64_t M_of = 0;             // the system
  const ContactView* M_at = nullptr;  // null: at neither view's position
  Evaluation force, constraint, reported_at;
  Buffer force_impulse, total;
  ActiveSet active, reported;
  Vector before;
  Buffer gamma_minus;
  Vector a;          // M^-1 h where it is asked for
  Vector increment;  // of positions
};

class HalfExplicitStep {
 public:
  // Contacts closed at q_0 are known afterwards.
  HalfExplicitStep(const System& system, const InclusionSolver& solver, const State& state, double dt, double tolerance,
                   StepWorkspace& ws, HalfExplicitMemory& memory, StepResult& result);

  double dt() const { return result.dt_taken; }
  void shorten(double dt);

  // a = M(q)^-1 h(t, q, v), and M stays factored. False if M is singular: the step has failed.
  bool free_acceleration(double t, const Vector& q, const Vector& v, Vector& a);
  const IterationMatrix& M() const { return memory.M; }

  // Looks at the gaps of all contacts at q. The second form also does free_acceleration there, in one
  // evaluation.
  void look(double t, const Vector& q);
  bool look(double t, const Vector& q, const Vector& v, Vector& a);
  const ActiveSet& closed_at_start() const { return memory.start->closed; }
  const ActiveSet& closed() const { return memory.there->closed; }  // where it looked last
  // Whether a contact open at q_0 is closed where it looked last.
  bool some_contact_closed() const;
  // The contacts closed at q_0 and where it looked last. Who closes within the step gets no force: it would
  // be stopped without its impact law.
  const ActiveSet& closed_throughout();
  // W and chi of the closed contacts at the start, and where it looked last.
  const Evaluation& directions_at_start();
  const Evaluation& directions(double t);

  // v <- v + M^-1 Wf p on `active`, with the law asked to hold for Wc. `share`: the part of the last
  // step's impulse that is a good guess for p.
  void push(const ImpulseProblem& problem, double share, Vector& v);
  // Books `weight` times the impulses of the last push as those of forces.
  void book(const ActiveSet& active, double weight);
  // The same into a sum by rows of all contacts, and such a sum as the forces of the step.
  void add_impulses(const ActiveSet& active, double weight, Buffer& sum) const;
  void book(const Buffer& sum);
  // Takes what is booked for some contacts out, by their rows.
  void unbook(const ActiveSet& active, Buffer& out);

  // Impact at q_1, where it looked last and M is factored: result.next.v enters as v_free.
  void impact();
  // The end of a smooth step: result.next.v enters without the forces of this stage, p acts on the closed
  // contacts at q_1, where it looked last and M is factored. `share`: the part of the step that p stands for.
  void smooth_end(double share);

  // Reports the contacts and the outcome; the last call.
  void finish();

  const System& system;
  const InclusionSolver& solver;
  const State& state;
  StepWorkspace& ws;
  StepResult& result;
  HalfExplicitMemory& memory;

 private:
  bool inertia_known(const ContactView* where) const;
  // M of an evaluation factored unless it is known, a = M^-1 h.
  bool accelerate(const Evaluation& at, const ContactView* where, bool known, Vector& a);
  // What look() leaves behind; `need` in the view's evaluation.
  void see(double t, const Vector& q, const Vector& v, Need need);
  void report();

  double tolerance_;
  Constancy constancy_;
  Need gaps_;  // none where there is nothing to touch
  bool solved_ = true;
  bool forces_ = false;      // some were booked
  bool end_pushed_ = false;  // the last push was that of impact() or smooth_end()
};

}  // namespace carom::inline schemes
