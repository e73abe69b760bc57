#include "carom/schemes/half_explicit/half_explicit_step.h"

#include <algorithm>

#include "carom/base/vector_kernels.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes {

namespace {

bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

// f(k, first row among all, first row among the members or -1, rows) for every contact k.
template <class F>
void for_each_contact(const ActiveSet& all, const ActiveSet& members, F f) {
  Index k = 0, row = 0, member_row = 0, next = 0;
  for (const Constraint& constraint : all.contacts().constraints) {
    const Index rows = constraint.law->dim();
    const bool member = next < members.size() && members[next] == k;
    f(k, row, member ? member_row : Index{-1}, rows);
    if (member) {
      member_row += rows;
      ++next;
    }
    ++k;
    row += rows;
  }
}

}  // namespace

HalfExplicitStep::HalfExplicitStep(const System& system_in, const InclusionSolver& solver_in, const State& state_in,
                                   double dt, double tolerance, StepWorkspace& ws_in, HalfExplicitMemory& memory_in,
                                   StepResult& result_in)
    : system(system_in),
      solver(solver_in),
      state(state_in),
      ws(ws_in),
      result(result_in),
      memory(memory_in),
      tolerance_(tolerance),
      constancy_(system_in.constancy()) {
  begin_result(state, dt, result);
  find_contacts(system, state, dt, ws);
  gaps_ = ws.all.empty() ? Need::none : Need::gap;
  const ContactView& seen = *memory.there;
  if (!(constancy_.autonomous && constancy_.contacts && seen.system == system.serial() &&
        seen.tolerance == tolerance_ && same(seen.q, state.q)))
    look(state.t, state.q);
  std::swap(memory.start, memory.there);
  memory.there->system = 0;
}

void HalfExplicitStep::shorten(double dt) {
  result.dt_taken = dt;
  result.next.t = state.t + dt;
}

bool HalfExplicitStep::inertia_known(const ContactView* where) const {
  return memory.M_of == system.serial() &&
         (constancy_.inertia || (constancy_.autonomous && where != nullptr && memory.M_at == where));
}

bool HalfExplicitStep::accelerate(const Evaluation& at, const ContactView* where, bool known, Vector& a) {
  if (!known) {
    memory.M_of = 0;
    if (!memory.M.factor(at.M)) {
      result.status = StepStatus::singular;
      return false;
    }
    memory.M_of = system.serial();
    memory.M_at = where;
  }
  scale(1.0, at.h, a);
  memory.M.solve(a.data());
  return true;
}

bool HalfExplicitStep::free_acceleration(double t, const Vector& q, const Vector& v, Vector& a) {
  // Where it has been before, the view's evaluation has intermediates to offer; elsewhere it is a place to write to.
  ContactView& view = same(memory.start->q, q) ? *memory.start : *memory.there;
  const ContactView* where = &view == memory.start || same(view.q, q) ? &view : nullptr;
  const bool known = inertia_known(where);
  system.evaluate(t, q, v, known ? Need::force : Need::inertia | Need::force, ws.none, view.at);
  return accelerate(view.at, where, known, a);
}

// The view leaves its old position for q.
void HalfExplicitStep::see(double t, const Vector& q, const Vector& v, Need need) {
  ContactView& view = *memory.there;
  if (memory.M_at == &view) memory.M_at = nullptr;
  system.evaluate(t, q, v, need, ws.all, view.at);
  view.directions = false;
  view.system = system.serial();
  view.tolerance = tolerance_;
  scale(1.0, q, view.q);
  activate_closed(ws.all, view.at, tolerance_, view.closed);
}

void HalfExplicitStep::look(double t, const Vector& q) { see(t, q, state.v, gaps_); }

bool HalfExplicitStep::look(double t, const Vector& q, const Vector& v, Vector& a) {
  const bool known = inertia_known(nullptr);
  see(t, q, v, known ? gaps_ | Need::force : gaps_ | Need::inertia | Need::force);
  return accelerate(memory.there->at, memory.there, known, a);
}

bool HalfExplicitStep::some_contact_closed() const {
  const std::vector<Index>&start = closed_at_start().members(), &now = closed().members();
  return !std::includes(start.begin(), start.end(), now.begin(), now.end());
}

const ActiveSet& HalfExplicitStep::closed_throughout() {
  const std::vector<Index>&start = closed_at_start().members(), &now = closed().members();
  memory.active.reset(ws.contacts);
  for (std::size_t i = 0, j = 0; i < start.size() && j < now.size();) {
    if (start[i] == now[j]) memory.active.add(start[i]);
    const bool forward_i = start[i] <= now[j], forward_j = now[j] <= start[i];
    i += forward_i;
    j += forward_j;
  }
  return memory.active;
}

const Evaluation& HalfExplicitStep::directions_at_start() {
  ContactView& view = *memory.start;
  if (!view.directions) system.evaluate(state.t, state.q, state.v, Need::jacobian, view.closed, view.at);
  view.directions = true;
  return view.at;
}

const Evaluation& HalfExplicitStep::directions(double t) {
  ContactView& view = *memory.there;
  if (!view.directions) system.evaluate(t, view.q, state.v, Need::jacobian, view.closed, view.at);
  view.directions = true;
  return view.at;
}

void HalfExplicitStep::push(const ImpulseProblem& problem, double share, Vector& v) {
  solved_ &= solve_impulses(problem, solver, state.impulses, share, ws, result, v);
}

void HalfExplicitStep::book(const ActiveSet& active, double weight) {
  if (weight == 0.0) return;
  if (!forces_) memory.force_impulse.assign(ws.all.rows(), 0.0);
  forces_ = true;
  add_impulses(active, weight, memory.force_impulse);
}

void HalfExplicitStep::book(const Buffer& sum) {
  memory.force_impulse = sum;
  forces_ = true;
}

void HalfExplicitStep::add_impulses(const ActiveSet& active, double weight, Buffer& sum) const {
  const Buffer& p = ws.velocity.result.lambda;
  for_each_contact(ws.all, active, [&](Index, Index row, Index source, Index rows) {
    if (source < 0) return;
    for (Index i = 0; i < rows; ++i) sum[row + i] += weight * p[source + i];
  });
}

void HalfExplicitStep::unbook(const ActiveSet& active, Buffer& out) {
  out.resize(active.rows());
  for_each_contact(ws.all, active, [&](Index, Index row, Index target, Index rows) {
    if (target < 0) return;
    for (Index i = 0; i < rows; ++i) {
      out[target + i] = memory.force_impulse[row + i];
      memory.force_impulse[row + i] = 0.0;
    }
  });
}

void HalfExplicitStep::impact() {
  result.impact = true;
  forces_ = false;
  scale(1.0, result.next.v, memory.before);
  if (closed().empty()) return;
  const Evaluation& at = directions(result.next.t);
  local_velocity(at, result.next.v, memory.gamma_minus);
  push({closed(), at, at, memory.M, dt(), &memory.gamma_minus}, 1.0, result.next.v);
  book(closed(), 1.0);
  end_pushed_ = true;
}

void HalfExplicitStep::smooth_end(double share) {
  if (closed().empty()) return;
  const Evaluation& at = directions(result.next.t);
  push({closed(), at, at, memory.M, share * dt()}, share, result.next.v);
  book(closed(), 1.0);
  end_pushed_ = true;
}

void HalfExplicitStep::finish() {
  report();
  if (!solved_) result.status = StepStatus::solver_failed;
  check_finite(result);
}

// Everyone who pushed or is closed at the end; velocities seen from q_1.
void HalfExplicitStep::report() {
  if (closed().empty() && !forces_) return report_no_contacts(result);
  const Buffer& sum = memory.force_impulse;
  ActiveSet& reported = memory.reported;
  reported.reset(ws.contacts);
  memory.total.clear();
  for_each_contact(ws.all, closed(), [&](Index k, Index row, Index member, Index rows) {
    bool pushed = false;
    for (Index i = 0; forces_ && i < rows; ++i) pushed |= sum[row + i] != 0.0;
    if (member < 0 && !pushed) return;
    reported.add(k);
    const Index target = memory.total.size();
    memory.total.resize(target + rows);
    for (Index i = 0; forces_ && i < rows; ++i) memory.total[target + i] = sum[row + i];
  });
  const bool only_closed = reported.size() == closed().size();
  const Evaluation* at = &memory.reported_at;
  if (only_closed)
    at = &directions(result.next.t);
  else
    system.evaluate(result.next.t, result.next.q, state.v, Need::jacobian, reported, memory.reported_at);
  local_velocity(*at, result.impact ? memory.before : state.v, memory.gamma_minus);
  Buffer& xi = ws.velocity.result.xi;  // where the last push was at the end: its velocities, shifted
  if (!(only_closed && end_pushed_)) {
    local_velocity(*at, result.next.v, xi);
    ws.velocity.shift.assign(reported.rows(), 0.0);
  }
  report_contacts(reported, memory.total, memory.gamma_minus, xi, ws.velocity.shift, result);
}

}  // namespace carom::inline schemes
