#include "carom/schemes/event_driven/settling.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/vector_kernels.h"
#include "carom/laws/unilateral_law.h"
#include "carom/schemes/impulse_problem.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes::event_driven {

namespace {

// A contact force below this, relative to what it takes to hold the contact, is none; likewise accelerations.
constexpr double force_rounding = 1e-12;

Phase without_sliding(const Constraint& c) {
  if (!c.bilateral && c.law->dim() > 3) throw LogicError("events know friction of one or two tangential rows");
  return c.bilateral ? Phase::joint : c.law->dim() == 1 ? Phase::pressed : Phase::stick;
}

// Joints and closed contacts, with all their rows.
std::vector<ForceBlock> closed_blocks(const Progress& p) {
  StepWorkspace& ws = p.ws;
  std::vector<ForceBlock> blocks;
  if (ws.all.empty()) return blocks;
  p.system.evaluate(p.t, p.q, p.v, Need::gap, ws.all, p.memory.gaps);
  Index row = 0;
  for (Index k = 0; k < ws.all.size(); ++k) {
    const Constraint& c = ws.all.constraint(k);
    if (is_closed(c, p.memory.gaps.g[row], p.options.closing_gap)) blocks.push_back({k, without_sliding(c)});
    row += c.law->dim();
  }
  return blocks;
}

// The inclusion on acceleration level for the blocks p.local was evaluated with; lambda and xi are left in
// ws.velocity.result.
bool solve_accelerations(Progress& p, const std::vector<ForceBlock>& blocks) {
  static const UnilateralLaw normal(0.0);
  InclusionWork& work = p.ws.velocity;
  work.problem.G = &work.factory.build(p.local.Wc(), p.local.M(), p.local.Wf());
  work.problem.c = p.local.c();
  work.problem.laws.clear();
  for (const ForceBlock& block : blocks)
    work.problem.laws.push_back(block.phase == Phase::slide ? &normal : p.ws.contacts[block.contact].law);
  work.result.lambda.assign(p.local.rows(), 0.0);
  return solve_and_count(p.solver, work, p.result) || p.fail(StepStatus::solver_failed);
}

// The phase a closed contact is in according to the solution of its block.
ForceBlock decided(const Progress& p, ForceBlock block, Index i) {
  if (block.phase == Phase::joint) return block;
  const InclusionWork& work = p.ws.velocity;
  const Index row = p.local.Wc().block(i).row;
  const double* lambda = work.result.lambda.data() + row;
  const double* xi = work.result.xi.data() + row;
  const double rho = work.problem.G->rho(i);
  const double held = p.local.magnitude(i, 0, p.local.a_free()) + std::abs(p.local.zeta()[row]);
  if (!(lambda[0] * rho > force_rounding * held)) {
    block.phase = Phase::resting;
  } else if (block.phase == Phase::stick) {
    const Law& law = *p.ws.contacts[block.contact].law;
    double slip = 0.0;
    for (Index j = 1; j < law.dim(); ++j) slip = std::hypot(slip, xi[j]);
    if (law.state(lambda, xi) == ContactState::slip && slip > 10.0 * force_rounding * (rho * lambda[0] + held)) {
      block.phase = Phase::slide;
      block.begins = true;
      for (Index j = 1; j < law.dim(); ++j) block.d[static_cast<std::size_t>(j - 1)] = xi[j] / slip;
    }
  }
  return block;
}

void report_changes(Progress& p, const Mode& before, const Mode& after) {
  for (Index k = 0; k < p.ws.contacts.size(); ++k) {
    const auto i = static_cast<std::size_t>(k);
    const Phase old = before.phases[i], now = after.phases[i];
    if (old == Phase::joint) continue;
    if (exerts_force(old) && !exerts_force(now)) p.report(EventKind::release, k);
    if (old == Phase::slide && now == Phase::stick) p.report(EventKind::stick, k);
    if (old == Phase::stick && now == Phase::slide) p.report(EventKind::slip, k);
    if (old == Phase::slide && now == Phase::slide &&
        before.block_of(k)->d[0] * after.block_of(k)->d[0] + before.block_of(k)->d[1] * after.block_of(k)->d[1] < 0.0)
      p.report(EventKind::slip, k);
  }
}

}  // namespace

Index first_row(const Progress& p, Index contact) {
  Index row = 0;
  for (Index k = 0; k < contact; ++k) row += p.ws.all.constraint(k).law->dim();
  return row;
}

bool resolve_impacts(Progress& p, bool& impacts) {
  impacts = false;
  StepWorkspace& ws = p.ws;
  const std::vector<ForceBlock> blocks = closed_blocks(p);
  if (blocks.empty()) return true;
  LocalDynamics& local = p.local;
  if (!local.evaluate(p.system, p.t, p.q, p.v, ws.contacts, blocks)) return p.fail(StepStatus::singular);
  local.gamma(p.v, p.memory.gamma_minus);
  std::vector<char> approaches(blocks.size(), 0);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Index i = static_cast<Index>(b);
    if (blocks[b].phase == Phase::joint) continue;
    approaches[b] =
        p.memory.gamma_minus[local.at().W.block(i).row] < -local.velocity_tolerance(i, 0, p.v, p.resolution);
    impacts = impacts || approaches[b];
  }
  if (!impacts) return true;
  p.result.impact = true;

  const ImpulseProblem problem{local.active(), local.at(), local.at(), local.M(), 0.0, &p.memory.gamma_minus};
  if (!solve_impulses(problem, p.solver, ContactMemory(), 1.0, ws, p.result, p.v))
    return p.fail(StepStatus::solver_failed);
  local.gamma(p.v, p.memory.gamma);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const ConstraintJacobian::Block& rows = local.at().W.block(static_cast<Index>(b));
    const Index target = first_row(p, blocks[b].contact);
    for (Index r = 0; r < rows.rows; ++r) {
      const double Lambda = ws.velocity.result.lambda[rows.row + r];
      p.impulse[target + r] += Lambda;
      p.work[target + r] += 0.5 * Lambda * (p.memory.gamma_minus[rows.row + r] + p.memory.gamma[rows.row + r]);
    }
    if (approaches[b]) p.report(EventKind::impact, blocks[b].contact);
  }
  return true;
}

bool choose_mode(Progress& p, const Mode* before, const Past* past, Mode& mode) {
  StepWorkspace& ws = p.ws;
  LocalDynamics& local = p.local;
  mode.phases.assign(static_cast<std::size_t>(ws.contacts.size()), Phase::open);
  mode.blocks.clear();
  mode.lambda.resize(0);
  mode.flight = 0.0;

  // Closed contacts that neither approach nor leave, sliding told from not sliding; those that leave.
  std::vector<ForceBlock> held, leaving;
  std::vector<double> leaving_speed;
  const std::vector<ForceBlock> closed = closed_blocks(p);
  if (!local.evaluate(p.system, p.t, p.q, p.v, ws.contacts, closed)) return p.fail(StepStatus::singular);
  if (!closed.empty()) local.gamma(p.v, p.memory.gamma);
  for (std::size_t b = 0; b < closed.size(); ++b) {
    ForceBlock block = closed[b];
    const Index i = static_cast<Index>(b), row = local.at().W.block(i).row;
    const Index dim = local.at().W.block(i).rows;
    if (block.phase == Phase::stick) {
      double speed = 0.0, tolerance = 0.0;
      for (Index j = 1; j < dim; ++j) {
        speed = std::hypot(speed, p.memory.gamma[row + j]);
        tolerance = std::max(tolerance, 2.0 * local.velocity_tolerance(i, j, p.v, p.resolution));
      }
      if (speed > tolerance) {
        block.phase = Phase::slide;
        for (Index j = 1; j < dim; ++j) block.d[static_cast<std::size_t>(j - 1)] = p.memory.gamma[row + j] / speed;
      }
    }
    if (block.phase != Phase::joint && p.memory.gamma[row] > local.velocity_tolerance(i, 0, p.v, p.resolution)) {
      leaving.push_back(block);
      leaving_speed.push_back(p.memory.gamma[row]);
    } else {
      held.push_back(block);
    }
  }

  // Of those that leave, the ones that would return at once are held too.
  bool accumulated = false;
  if (!leaving.empty()) {
    Vector a;
    if (!local.evaluate(p.system, p.t, p.q, p.v, ws.contacts, held)) return p.fail(StepStatus::singular);
    if (!held.empty() && !solve_accelerations(p, held)) return false;
    local.acceleration(held.empty() ? Vector() : Vector(ws.velocity.result.lambda.vec()), a);
    if (!local.evaluate(p.system, p.t, p.q, p.v, ws.contacts, leaving)) return p.fail(StepStatus::singular);
    Vector gamma_rate(local.rows());
    local.Wc().transpose_multiply(a.data(), gamma_rate.data());
    for (std::size_t b = 0; b < leaving.size(); ++b) {
      const Index row = local.Wc().block(static_cast<Index>(b)).row;
      const double rate = gamma_rate[row] + local.zeta()[row], speed = leaving_speed[b];
      if (!(rate < 0.0)) continue;
      const double height = 0.5 * speed * speed / -rate;
      if (height <= p.options.accumulation_gap * ws.contacts[leaving[b].contact].length_scale) {
        held.push_back(leaving[b]);
        p.report(EventKind::accumulation, leaving[b].contact);
        accumulated = true;
      } else {
        const double flight = 2.0 * speed / -rate;
        mode.flight = mode.flight > 0.0 ? std::min(mode.flight, flight) : flight;
      }
    }
    std::sort(held.begin(), held.end(), [](const ForceBlock& x, const ForceBlock& y) { return x.contact < y.contact; });
  }

  // The inclusion, a moment ahead where the old mode has just ended.
  double t = p.t;
  Vector q = p.q, v = p.v;
  if (past && !accumulated) {
    t += past->moment;
    Vector dq = past->moment * (p.v + 0.5 * past->moment * past->acceleration);
    p.system.move(p.q, dq, q);
    v += past->moment * past->acceleration;
  }
  if (!held.empty()) {
    if (!local.evaluate(p.system, t, q, v, ws.contacts, held)) return p.fail(StepStatus::singular);
    if (!solve_accelerations(p, held)) return false;
    for (std::size_t b = 0; b < held.size(); ++b) {
      const ForceBlock block = decided(p, held[b], static_cast<Index>(b));
      mode.phases[static_cast<std::size_t>(block.contact)] = block.phase;
      if (!exerts_force(block.phase)) continue;
      mode.blocks.push_back(block);
      const ConstraintJacobian::Block& rows = local.Wc().block(static_cast<Index>(b));
      const Index kept = block.phase == Phase::slide ? 1 : rows.rows;
      const Index end = static_cast<Index>(mode.lambda.size());
      mode.lambda.conservativeResize(end + kept);
      for (Index r = 0; r < kept; ++r) mode.lambda[end + r] = ws.velocity.result.lambda[rows.row + r];
    }
  }
  if (before) report_changes(p, *before, mode);
  return true;
}

}  // namespace carom::inline schemes::event_driven
