#include "carom/schemes/event_driven/mode_motion.h"

#include <algorithm>
#include <cmath>

#include "carom/base/dense_solve.h"

namespace carom::inline schemes::event_driven {

namespace {

// Forces below this, relative to what the constraint has to hold, count as just appearing.
constexpr double fresh_force = 1e-8, force_margin = 1e-10;
// A fresh guard has clearly left zero at this many times its margin.
constexpr double leaving_factor = 1e2;

}  // namespace

ModeMotion::ModeMotion(const System& system, const ContactSet& contacts, const Mode& mode, double gap_margin)
    : system_(system), contacts_(contacts), mode_(mode), gap_margin_(gap_margin), nq_(system.nq()), nv_(system.nv()) {
  watched_.reset(contacts);
  Index row = 0;
  for (Index k = 0; k < contacts.size(); ++k) {
    first_row_.push_back(row);
    row += contacts[k].law->dim();
    const Phase phase = mode.phases[static_cast<std::size_t>(k)];
    if (exerts_force(phase) || contacts[k].position_rows == 0) continue;
    Guard guard{GuardKind::gap, k, watched_.size()};
    guard.fresh = phase == Phase::resting;
    guard.margin = gap_margin * contacts[k].length_scale;
    guard.leave = leaving_factor * guard.margin;
    guards_.push_back(guard);
    watched_.add(k);
  }
  for (std::size_t b = 0; b < mode.blocks.size(); ++b) {
    const ForceBlock& block = mode.blocks[b];
    const Index i = static_cast<Index>(b);
    if (block.phase == Phase::pressed || block.phase == Phase::slide)
      guards_.push_back({GuardKind::normal_force, block.contact, i});
    if (block.phase == Phase::slide) guards_.push_back({GuardKind::sliding_velocity, block.contact, i});
    if (block.phase == Phase::stick) guards_.push_back({GuardKind::friction_margin, block.contact, i});
  }
}

bool ModeMotion::start(double t, const Vector& q, const Vector& v, const VelocityResolution& resolution) {
  q_ = q;
  v_ = v;
  if (!dynamics_.evaluate(system_, t, q, v, contacts_, mode_.blocks)) return false;
  basis_ = dynamics_.basis(mode_.lambda, idle_);
  start_.resize(size());
  start_.head(nq_) = q;
  start_.segment(nq_, nv_) = v;
  if (algebraic() > 0) {
    const Matrix G = dynamics_.G();
    const Vector c = dynamics_.c().vec() + G * idle_;
    start_.tail(algebraic()) = lu_solution(Matrix(basis_.transpose() * G * basis_), Vector(-(basis_.transpose() * c)));
  }
  if (!start_.allFinite() || !evaluate(t, start_.data())) return false;

  // What every block has to hold against, as a force.
  const Matrix G = dynamics_.G();
  Vector held(mode_.blocks.size());
  for (Index b = 0; b < held.size(); ++b) {
    const Index row = block_row(b);
    held[b] = G(row, row) != 0.0 ? (dynamics_.magnitude(b, 0, dynamics_.a_free()) + std::abs(dynamics_.zeta()[row])) /
                                       std::abs(G(row, row))
                                 : 0.0;
    force_size_ = std::max(force_size_, held[b]);
  }
  for (Guard& guard : guards_) {
    if (guard.kind == GuardKind::gap) continue;
    if (guard.kind == GuardKind::sliding_velocity) {
      guard.margin = dynamics_.velocity_tolerance(guard.block, 1, v, resolution);
      guard.leave = 4.0 * guard.margin;
      guard.remainder = contacts_[guard.contact].law->dim() > 2 ? -guard.margin : 0.0;
    } else {
      guard.margin = force_margin * held[guard.block];
      guard.leave = fresh_force * held[guard.block];
    }
    guard.fresh = value(guard) < guard.leave;
  }
  return true;
}

void ModeMotion::state(const double* y, Vector& q, Vector& v) const {
  q = ConstVectorMap(y, nq_);
  v = ConstVectorMap(y + nq_, nv_);
}

bool ModeMotion::evaluate(double t, const double* y) {
  state(y, q_, v_);
  if (!dynamics_.evaluate(system_, t, q_, v_, contacts_, mode_.blocks)) return false;
  lambda_ = idle_ + basis_ * ConstVectorMap(y + nq_ + nv_, algebraic());
  if (watched_.size() > 0) system_.evaluate(t, q_, v_, Need::gap, watched_, gaps_);
  if (!mode_.blocks.empty()) dynamics_.gamma(v_, gamma_);
  return true;
}

bool ModeMotion::rates(double t, const double* y, double* f) {
  state(y, q_, v_);
  if (!dynamics_.evaluate(system_, t, q_, v_, contacts_, mode_.blocks)) return false;
  Vector rate;
  system_.apply_T(q_, v_, rate);
  VectorMap(f, nq_) = rate;
  lambda_ = idle_ + basis_ * ConstVectorMap(y + nq_ + nv_, algebraic());
  dynamics_.acceleration(lambda_, rate);
  VectorMap(f + nq_, nv_) = rate;
  if (algebraic() > 0) {
    Vector xi(dynamics_.rows());
    dynamics_.Wc().transpose_multiply(rate.data(), xi.data());
    xi += dynamics_.zeta().vec();
    VectorMap(f + nq_ + nv_, algebraic()) = basis_.transpose() * xi;
  }
  return true;
}

double ModeMotion::value(const Guard& guard) const {
  if (guard.kind == GuardKind::gap) {
    Index row = 0;
    for (Index i = 0; i < guard.block; ++i) row += watched_.constraint(i).law->dim();
    return gaps_.g[row];
  }
  const Index row = block_row(guard.block);
  if (guard.kind == GuardKind::normal_force) return lambda_[row];
  const Constraint& constraint = contacts_[guard.contact];
  const Index tangential = constraint.law->dim() - 1;
  if (guard.kind == GuardKind::friction_margin) {
    double square = 0.0;
    for (Index j = 1; j <= tangential; ++j) square += lambda_[row + j] * lambda_[row + j];
    return constraint.law->friction() * lambda_[row] - std::sqrt(square);
  }
  const ForceBlock& block = mode_.blocks[static_cast<std::size_t>(guard.block)];
  const Index first = dynamics_.at().W.block(guard.block).row;
  double speed = 0.0;
  for (Index j = 0; j < tangential; ++j) speed += gamma_[first + 1 + j] * block.d[static_cast<std::size_t>(j)];
  return speed;
}

bool ModeMotion::guards(double t, const double* y, double* values) {
  if (!evaluate(t, y)) return false;
  for (std::size_t i = 0; i < guards_.size(); ++i)
    values[i] = value(guards_[i]) + (guards_[i].fresh ? guards_[i].margin : guards_[i].remainder);
  return true;
}

bool ModeMotion::rearm(double t, const double* y) {
  if (guards_.empty()) return true;
  if (!evaluate(t, y)) return false;
  bool positive = true;
  for (Guard& guard : guards_) {
    const double now = value(guard);
    if (guard.fresh && now > guard.leave) guard.fresh = false;
    positive = positive && now > -2.0 * guard.margin;
  }
  return positive;
}

// Gaps and their rates at a time within the last internal step.
void ModeMotion::look(const Integrator& integrator, double t) {
  between_.resize(size());
  integrator.interpolate(t, between_.data());
  state(between_.data(), q_, v_);
  system_.evaluate(t, q_, v_, Need::gap | Need::gap_rate, watched_, gaps_);
}

double ModeMotion::first_dip(const Integrator& integrator, double t_0, double t_1) {
  double first = t_1;
  if (watched_.empty() || !(t_1 > t_0)) return first;
  struct End {
    double gap, rate;
  };
  const auto ends = [&](double t) {
    look(integrator, t);
    std::vector<End> list;
    Index row = 0;
    for (Index i = 0; i < watched_.size(); ++i) {
      list.push_back({gaps_.g[row], gaps_.g_rate[row]});
      row += watched_.constraint(i).law->dim();
    }
    return list;
  };
  const std::vector<End> begin = ends(t_0), end = ends(t_1);
  Index i = 0;
  for (const Guard& guard : guards_) {
    if (guard.kind != GuardKind::gap) continue;
    const auto k = static_cast<std::size_t>(i++);
    const double margin = guard.fresh ? guard.margin : 0.0;
    if (!(begin[k].rate < 0.0 && end[k].rate > 0.0 && begin[k].gap + margin > 0.0 && end[k].gap + margin > 0.0))
      continue;
    // Where a condition that holds at b but not at a begins to hold.
    const auto bisect = [&](double a, double b, const auto& holds) {
      for (int pass = 0; pass < 60 && 0.5 * (a + b) > a && 0.5 * (a + b) < b; ++pass) {
        const double t = 0.5 * (a + b);
        (holds(ends(t)[k]) ? b : a) = t;
      }
      return b;
    };
    const double lowest = bisect(t_0, t_1, [](const End& at) { return at.rate >= 0.0; });
    if (ends(lowest)[k].gap + margin > 0.0) continue;
    first = std::min(first, bisect(t_0, lowest, [&](const End& at) { return at.gap + margin <= 0.0; }));
  }
  return first;
}

bool ModeMotion::acceleration(double t, const double* y, Vector& a) {
  if (!evaluate(t, y)) return false;
  dynamics_.acceleration(lambda_, a);
  return true;
}

bool ModeMotion::add_forces(double t, const double* y, double weight, Buffer& impulse, Buffer& work) {
  if (mode_.blocks.empty()) return true;
  if (!evaluate(t, y)) return false;
  for (std::size_t b = 0; b < mode_.blocks.size(); ++b) {
    const ForceBlock& block = mode_.blocks[b];
    const Index i = static_cast<Index>(b), row = block_row(i),
                target = first_row_[static_cast<std::size_t>(block.contact)];
    const Law& law = *contacts_[block.contact].law;
    if (block.phase != Phase::slide) {
      for (Index r = 0; r < law.dim(); ++r) impulse[target + r] += weight * lambda_[row + r];
      continue;
    }
    impulse[target] += weight * lambda_[row];
    const std::array<double, 2> d = dynamics_.direction(block, i, v_);
    const Index first = dynamics_.at().W.block(i).row;
    for (Index j = 1; j < law.dim(); ++j) {
      const double friction = -law.friction() * lambda_[row] * d[static_cast<std::size_t>(j - 1)];
      impulse[target + j] += weight * friction;
      work[target + j] += weight * friction * gamma_[first + j];
    }
  }
  return true;
}

}  // namespace carom::inline schemes::event_driven
