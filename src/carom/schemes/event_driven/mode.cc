#include "carom/schemes/event_driven/mode.h"

#include <algorithm>
#include <cmath>

#include "carom/base/dense_solve.h"
#include "carom/schemes/step_contacts.h"

namespace carom::inline schemes::event_driven {

namespace {

// Eigenvalues of the scaled operator below this count as zero: redundant rows.
constexpr double rank_tolerance = 1e-10;
// Velocities relative to the terms they are summed from.
constexpr double velocity_rounding = 1e-11;
// Sliding that begins has a direction of its own from ten times this speed on, relative to the terms it is summed from.
// Until then the direction it was chosen with goes over into that of its velocity. It must not jump: where what was
// left of the velocity before points elsewhere, one direction may make it faster and the other slower, and the motion
// would stay on the jump in steps that time does not notice.
constexpr double beginning_speed = 1e-7;

}  // namespace

bool exerts_force(Phase phase) { return phase != Phase::open && phase != Phase::resting; }

const ForceBlock* Mode::block_of(Index contact) const {
  const auto it = std::lower_bound(blocks.begin(), blocks.end(), contact,
                                   [](const ForceBlock& b, Index k) { return b.contact < k; });
  return it != blocks.end() && it->contact == contact ? &*it : nullptr;
}

bool LocalDynamics::evaluate(const System& system, double t, const Vector& q, const Vector& v,
                             const ContactSet& contacts, const std::vector<ForceBlock>& blocks) {
  active_.reset(contacts);
  for (const ForceBlock& block : blocks) active_.add(block.contact);
  Need need = Need::inertia | Need::force;
  if (!blocks.empty()) need = need | Need::jacobian | Need::convective;
  system.evaluate(t, q, v, need, active_, at_);
  if (!A_.factor(at_.M)) return false;
  a_free_ = at_.h;
  A_.solve(a_free_.data());
  Wc_.clear();
  Wf_.clear();
  chi_.clear();
  zeta_.clear();
  for (std::size_t i = 0; i < blocks.size(); ++i) append(blocks[i], static_cast<Index>(i), v);
  Wc_.transpose_multiply(a_free_.data(), c_.resized(Wc_.rows()));
  for (Index r = 0; r < c_.size(); ++r) c_[r] += zeta_[r];
  return true;
}

void LocalDynamics::append(const ForceBlock& block, Index i, const Vector& v) {
  const ConstraintJacobian::Block& whole = at_.W.block(i);
  const bool slides = block.phase == Phase::slide;
  const Index rows = slides ? 1 : whole.rows;
  Wc_.add_block(rows);
  Wf_.add_block(rows);
  const double mu = active_.constraint(i).law->friction();
  const std::array<double, 2> d = slides ? direction(block, i, v) : block.d;
  for (Index s = whole.segment_begin; s < whole.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = at_.W.segment(s);
    const double* entries = at_.W.entries(segment);
    std::copy_n(entries, rows * segment.size, Wc_.add_segment(segment.offset, segment.size));
    double* force = Wf_.add_segment(segment.offset, segment.size);
    std::copy_n(entries, rows * segment.size, force);
    for (Index j = 1; slides && j < whole.rows; ++j)
      for (Index k = 0; k < segment.size; ++k)
        force[k] -= mu * d[static_cast<std::size_t>(j - 1)] * entries[j * segment.size + k];
  }
  for (Index r = 0; r < rows; ++r) {
    chi_.resize(chi_.size() + 1);
    chi_[chi_.size() - 1] = at_.chi[whole.row + r];
    zeta_.resize(zeta_.size() + 1);
    zeta_[zeta_.size() - 1] = at_.zeta[whole.row + r];
  }
}

std::array<double, 2> LocalDynamics::direction(const ForceBlock& block, Index i, const Vector& v) const {
  const ConstraintJacobian::Block& whole = at_.W.block(i);
  if (whole.rows != 3) return block.d;
  double gamma[Law::max_dim];
  at_.W.transpose_multiply(i, v.data(), gamma);
  for (Index r = 0; r < whole.rows; ++r) gamma[r] += at_.chi[whole.row + r];
  // Against the direction the sliding began with: that direction.
  if (!(gamma[1] * block.d[0] + gamma[2] * block.d[1] > 0.0)) return block.d;
  double speed = std::hypot(gamma[1], gamma[2]);
  if (block.begins) {
    const double slow = beginning_speed * (magnitude(i, 1, v) + magnitude(i, 2, v));
    const double rest = std::max(0.0, slow - 0.1 * speed);
    for (int j = 0; j < 2; ++j) gamma[1 + j] += rest * block.d[static_cast<std::size_t>(j)];
    speed = std::hypot(gamma[1], gamma[2]);
  }
  return {gamma[1] / speed, gamma[2] / speed};
}

Matrix LocalDynamics::operator_of(const ConstraintJacobian& Wf) const {
  const Index n = A_.size(), m = rows();
  Matrix X = Matrix::Zero(n, m), G(m, m);
  Vector unit = Vector::Zero(m);
  for (Index j = 0; j < m; ++j) {
    unit[j] = 1.0;
    Wf.multiply_add(unit.data(), X.col(j).data());
    unit[j] = 0.0;
  }
  A_.solve(X.data(), m);
  Wc_.transpose_multiply(X.data(), n, m, G.data());
  return G;
}

Matrix LocalDynamics::basis(const Vector& lambda, Vector& idle) const {
  const Index m = rows();
  idle.setZero(m);
  if (m == 0) return Matrix(0, 0);
  const Matrix G = operator_of(Wc_);
  Vector s(m);
  for (Index r = 0; r < m; ++r) s[r] = G(r, r) > 0.0 ? 1.0 / std::sqrt(G(r, r)) : 0.0;
  const SymmetricEigen eigen(s.asDiagonal() * G * s.asDiagonal());
  const Vector& values = eigen.values;  // ascending
  Index rank = 0;
  for (Index r = 0; r < m; ++r) rank += values[r] > rank_tolerance * values[m - 1];
  if (rank == m) return Matrix::Identity(m, m);
  if (lambda.size() == m)
    for (Index r = 0; r < m - rank; ++r) {
      const auto direction = eigen.vectors.col(r);
      double part = 0.0;
      for (Index i = 0; i < m; ++i) part += s[i] > 0.0 ? direction[i] * lambda[i] / s[i] : 0.0;
      idle += part * s.cwiseProduct(direction);
    }
  return s.asDiagonal() * eigen.vectors.rightCols(rank);
}

void LocalDynamics::acceleration(const Vector& lambda, Vector& a) const {
  a.setZero(A_.size());
  Wf_.multiply_add(lambda.data(), a.data());
  A_.solve(a.data());
  a += a_free_;
}

void LocalDynamics::project_velocity(Vector& v, Vector& p, Vector& power) const {
  const Index m = rows();
  p.setZero(m);
  power.setZero(m);
  if (m == 0) return;
  Vector idle;
  const Matrix B = basis(Vector(), idle);
  const Matrix G = B.transpose() * operator_of(Wc_) * B;
  Vector gamma(m), dv(v.size());
  for (int pass = 0; pass < 2; ++pass) {  // the second removes the rounding of the first
    Wc_.transpose_multiply(v.data(), gamma.data());
    for (Index r = 0; r < m; ++r) gamma[r] += chi_[r];
    const Vector change = B * lu_solution(G, Vector(-(B.transpose() * gamma)));
    power += 0.5 * change.cwiseProduct(gamma);
    p += change;
    dv.setZero();
    Wc_.multiply_add(change.data(), dv.data());
    A_.solve(dv.data());
    v += dv;
  }
}

void LocalDynamics::gamma(const Vector& v, Buffer& gamma) const { local_velocity(at_, v, gamma); }

double LocalDynamics::magnitude(Index b, Index r, const Vector& x) const {
  const ConstraintJacobian::Block& block = at_.W.block(b);
  double sum = 0.0;
  for (Index s = block.segment_begin; s < block.segment_end; ++s) {
    const ConstraintJacobian::Segment& segment = at_.W.segment(s);
    const double* row = at_.W.entries(segment) + r * segment.size;
    for (Index k = 0; k < segment.size; ++k) sum += std::abs(row[k] * x[segment.offset + k]);
  }
  return sum;
}

double LocalDynamics::velocity_tolerance(Index b, Index r, const Vector& v,
                                         const VelocityResolution& resolution) const {
  const Index row = at_.W.block(b).row + r;
  const double speed = magnitude(b, r, v) + std::abs(at_.chi[row]);
  const double acceleration = magnitude(b, r, a_free_) + std::abs(at_.zeta[row]);
  const double tolerance = resolution.velocity + velocity_rounding * speed + acceleration * resolution.time;
  // In space sliding has no sign to change, it is over when it has become this slow.
  return r > 0 && at_.W.block(b).rows > 2 ? 100.0 * tolerance : tolerance;
}

}  // namespace carom::inline schemes::event_driven
