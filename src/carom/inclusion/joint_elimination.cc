// Few contacts on many joints: a long chain that touches the floor. With j the rows of joints and c those of contacts,
// G = W' A^-1 W, the velocities that satisfy the joints answer to contacts by
//
//   A u - W_j z = f,   W_j' u = g                              (f, g) -> (u, z)
//   G' = W_c' u   of   f = W_c, g = 0,
//
// a small dense matrix without the condition number of the chain. From an iterate lambda with xi = G lambda + c,
//
//   contacts:  xi_c + W_c' u + G' (lambda_c+ - lambda_c),      u of f = 0, g = -xi_j,      with their laws,
//   joints:    lambda_j+ = lambda_j + z                        of f = W_c (lambda_c+ - lambda_c), g = -xi_j
//
// is the solution, up to rounding. That is removed by doing it again: xi is always found with G itself.
//
// The matrix of u and z is factored by blocks (base/block_lu.h) in an order that begins at the ends of chains: body,
// joint, body, ... O(n) on chains and trees, and the condition number of W_j' A^-1 W_j, which grows with the fourth
// power of the length where a chain is rigid sideways, is not met: only its root. Joints have a little compliance, for
// redundant ones.
#include "carom/inclusion/joint_elimination.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/at.h"
#include "carom/base/block_lu.h"
#include "carom/base/constraint_jacobian.h"
#include "carom/inclusion/dense_delassus.h"
#include "carom/inclusion/large_memory.h"

namespace carom::inline inclusion {

struct JointMemory {
  // Blocks of three velocities, then joints; in units in which A and the rows of W have order one.
  BlockLu lu;
  std::vector<Index> sizes, columns;
  std::vector<std::size_t> begin, next;       // next: entry to be filled
  std::vector<std::vector<Index>> joints_at;  // a block of velocities
  std::vector<Matrix3> A;
  Buffer unit;  // by row of the matrix
  Buffer solution, remainder, right_side;
  // Of contacts.
  Buffer reduced;
  DenseDelassus operator_of_contacts;
  std::vector<RowRange> partition;
  InclusionProblem contacts;
  InclusionResult found;
  SolverWorkspace workspace;
  Buffer best, change;
};

namespace {

constexpr double compliance = 1e-13;
constexpr int refinements = 4;
constexpr int most_passes = 12, most_in_vain = 3;  // passes: contacts with more than one solution may take another

bool is_joint(const Law& law) { return law.kind() == LawKind::bilateral; }

class Elimination {
 public:
  using Segment = ConstraintJacobian::Segment;

  Elimination(const InclusionProblem& problem, JointMemory& m)
      : problem_(problem), W_(*problem.G->factors()->W), m_(m), velocities_(problem.G->factors()->velocities) {
    factor();
    reduce();
  }

  // One pass from lambda with its xi. Whether the problem of contacts was solved.
  bool improve(const ContactSolver& solve, int max_iterations, Buffer& lambda, const Buffer& xi, int& iterations) {
    Buffer &c = m_.contacts.c, &contact = m_.found.lambda;
    contact.resize(contact_rows_);
    c.resize(contact_rows_);
    begin_right_side(xi);
    solve_system();
    see_contacts(c.data());
    Index row = 0;
    each(false, [&](Index b, Index k) {
      contact[row] = lambda[W_.block(b).row + k];
      c[row++] += xi[W_.block(b).row + k];
    });
    for (Index j = 0; j < contact_rows_; ++j)
      for (Index i = 0; i < contact_rows_; ++i) c[i] -= m_.reduced[i + j * contact_rows_] * contact[j];
    m_.change = contact;
    m_.found.iterations = 0;
    const bool solved = solve(m_.contacts, max_iterations, m_.workspace, m_.found);
    iterations += m_.found.iterations;
    begin_right_side(xi);
    row = 0;
    for (Index b = 0; b < W_.block_count(); ++b) {
      if (is_joint(law(b))) continue;
      double change[Law::max_dim];
      for (Index k = 0; k < W_.block(b).rows; ++k, ++row) {
        change[k] = contact[row] - m_.change[row];
        lambda[W_.block(b).row + k] = contact[row];
      }
      W_.multiply_add(b, change, m_.right_side.data());
    }
    solve_system();
    row = velocities_;
    each(true, [&](Index b, Index k) { lambda[W_.block(b).row + k] += m_.solution[row++]; });
    return solved;
  }

 private:
  const Law& law(Index b) const { return *problem_.laws[at(b)]; }

  // act(block, row of it) of all joints, or of all contacts.
  template <class Act>
  void each(bool joints, Act act) const {
    for (Index b = 0; b < W_.block_count(); ++b)
      for (Index k = 0; k < W_.block(b).rows && is_joint(law(b)) == joints; ++k) act(b, k);
  }
  // act(block of velocities, rows of W there, their stride) of a constraint.
  template <class Act>
  void each_touched(Index b, Act act) const {
    for (Index s = W_.block(b).segment_begin; s < W_.block(b).segment_end; ++s) {
      const Segment& segment = W_.segment(s);
      for (Index i = 0; i < segment.size; i += 3) act((segment.offset + i) / 3, W_.entries(segment) + i, segment.size);
    }
  }

  void factor() {
    const Index bodies = velocities_ / 3;
    m_.A.resize(at(bodies));
    m_.sizes.assign(at(bodies), 3);
    m_.joints_at.resize(std::max(m_.joints_at.size(), at(bodies)));
    for (auto& list : m_.joints_at) list.clear();
    rows_ = velocities_;
    m_.partition.clear();
    m_.contacts.laws.clear();
    for (Index b = 0; b < W_.block_count(); ++b) {
      const Index rows = W_.block(b).rows;
      if (is_joint(law(b))) {
        const Index number = static_cast<Index>(m_.sizes.size());
        m_.sizes.push_back(rows);
        each_touched(b, [&](Index body, const double*, Index) { m_.joints_at[at(body)].push_back(number); });
        rows_ += rows;
      } else {
        m_.partition.push_back({contact_rows_, rows});
        m_.contacts.laws.push_back(&law(b));
        contact_rows_ += rows;
      }
    }
    for (Buffer* buffer : {&m_.unit, &m_.solution, &m_.remainder, &m_.right_side}) buffer->resize(rows_);
    list_pattern(bodies);
    m_.lu.set_pattern(m_.sizes, m_.begin, m_.columns);
    fill(bodies);
    m_.lu.factor(0.0);
  }

  void list_pattern(Index bodies) {
    m_.columns.clear();
    m_.begin.assign(1, 0);
    for (Index i = 0; i < bodies; ++i) {
      m_.columns.push_back(i);
      for (const Index joint : m_.joints_at[at(i)]) m_.columns.push_back(joint);
      m_.begin.push_back(m_.columns.size());
    }
    Index joint = bodies;
    for (Index b = 0; b < W_.block_count(); ++b) {
      if (!is_joint(law(b))) continue;
      each_touched(b, [&](Index body, const double*, Index) { m_.columns.push_back(body); });
      m_.columns.push_back(joint++);
      m_.begin.push_back(m_.columns.size());
    }
  }

  void fill(Index bodies) {
    const Matrix3* inverse = problem_.G->factors()->inverse_blocks;
    for (Index i = 0; i < bodies; ++i) {
      m_.A[at(i)] = inverse[i].inverse();
      for (Index k = 0; k < 3; ++k) m_.unit[3 * i + k] = 1.0 / std::sqrt(std::abs(m_.A[at(i)](k, k)));
    }
    Index row = velocities_;
    each(true, [&](Index b, Index) {
      const double rho = problem_.G->rho(b);
      m_.unit[row++] = rho > 0.0 ? 1.0 / std::sqrt(rho) : 1.0;
    });
    m_.lu.set_zero();
    std::vector<std::size_t>& next = m_.next;
    next.assign(m_.begin.begin(), m_.begin.end() - 1);
    for (Index i = 0; i < bodies; ++i) {
      double* out = m_.lu.block(next[at(i)]++);
      for (Index c = 0; c < 3; ++c)
        for (Index r = 0; r < 3; ++r) out[r + 3 * c] += m_.unit[3 * i + r] * m_.unit[3 * i + c] * m_.A[at(i)](r, c);
    }
    Index joint = bodies;
    row = velocities_;
    for (Index b = 0; b < W_.block_count(); ++b) {
      if (!is_joint(law(b))) continue;
      const Index rows = W_.block(b).rows;
      each_touched(b, [&](Index body, const double* entries, Index stride) {
        double *up = m_.lu.block(next[at(body)]++), *low = m_.lu.block(next[at(joint)]++);
        for (Index r = 0; r < rows; ++r)
          for (Index k = 0; k < 3; ++k) {
            const double w = entries[r * stride + k] * m_.unit[row + r] * m_.unit[3 * body + k];
            up[k + 3 * r] -= w;
            low[r + rows * k] -= w;
          }
      });
      double* own = m_.lu.block(next[at(joint)]++);
      for (Index r = 0; r < rows; ++r) own[r + rows * r] -= compliance;
      ++joint;
      row += rows;
    }
  }

  // f = 0, g = -xi_j
  void begin_right_side(const Buffer& xi) {
    std::fill(m_.right_side.begin(), m_.right_side.end(), 0.0);
    Index row = velocities_;
    each(true, [&](Index b, Index k) { m_.right_side[row++] = -xi[W_.block(b).row + k]; });
  }

  // remainder = (f - A u + W_j z, g - W_j' u)
  void find_remainder() {
    m_.remainder = m_.right_side;
    for (Index i = 0; i < velocities_ / 3; ++i)
      Eigen::Map<Vector3>(m_.remainder.data() + 3 * i) -=
          m_.A[at(i)] * Eigen::Map<const Vector3>(m_.solution.data() + 3 * i);
    Index row = velocities_;
    for (Index b = 0; b < W_.block_count(); ++b) {
      if (!is_joint(law(b))) continue;
      double seen[Law::max_dim];
      W_.multiply_add(b, m_.solution.data() + row, m_.remainder.data());
      W_.transpose_multiply(b, m_.solution.data(), seen);
      for (Index r = 0; r < W_.block(b).rows; ++r) m_.remainder[row + r] -= seen[r];
      row += W_.block(b).rows;
    }
  }

  // (u, z) of (f, g); the matrix has -W_j' in the rows of joints.
  void solve_system() {
    std::fill(m_.solution.begin(), m_.solution.end(), 0.0);
    m_.remainder = m_.right_side;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < refinements; ++k) {
      double left = 0.0;
      for (Index i = 0; i < rows_; ++i) {
        m_.remainder[i] *= i < velocities_ ? m_.unit[i] : -m_.unit[i];
        left += m_.remainder[i] * m_.remainder[i];
      }
      if (!(left < 0.25 * last)) return;
      last = left;
      m_.lu.solve(m_.remainder.data());
      for (Index i = 0; i < rows_; ++i) m_.solution[i] += m_.unit[i] * m_.remainder[i];
      if (k + 1 < refinements) find_remainder();
    }
  }

  // W_c' u
  void see_contacts(double* out) const {
    for (Index b = 0; b < W_.block_count(); ++b) {
      if (is_joint(law(b))) continue;
      W_.transpose_multiply(b, m_.solution.data(), out);
      out += W_.block(b).rows;
    }
  }

  void reduce() {
    m_.reduced.resize(contact_rows_ * contact_rows_);
    double* column = m_.reduced.data();
    each(false, [&](Index b, Index k) {
      double unit[Law::max_dim] = {};
      unit[k] = 1.0;
      std::fill(m_.right_side.begin(), m_.right_side.end(), 0.0);
      W_.multiply_add(b, unit, m_.right_side.data());
      solve_system();
      see_contacts(column);
      column += contact_rows_;
    });
    const bool symmetric = problem_.G->symmetric();
    for (Index j = 0; symmetric && j < contact_rows_; ++j)
      for (Index i = 0; i < j; ++i) {
        double &upper = m_.reduced[i + j * contact_rows_], &lower = m_.reduced[j + i * contact_rows_];
        upper = lower = 0.5 * (upper + lower);
      }
    m_.operator_of_contacts.assign(contact_rows_, m_.partition, m_.reduced.data(), symmetric);
    m_.contacts.G = &m_.operator_of_contacts;
  }

  const InclusionProblem& problem_;
  const ConstraintJacobian& W_;
  JointMemory& m_;
  const Index velocities_;
  Index rows_ = 0, contact_rows_ = 0;
};

}  // namespace

bool can_eliminate_joints(const InclusionProblem& problem) {
  if (problem.G->factors() == nullptr) return false;
  Index joints = 0, contact_rows = 0;
  for (const Law* law : problem.laws) {
    if (is_joint(*law))
      ++joints;
    else
      contact_rows += law->dim();
  }
  return joints > 0 && contact_rows > 0 && contact_rows <= most_contact_rows;
}

bool eliminate_joints(const InclusionProblem& problem, const EliminationOptions& options, const ContactSolver& contacts,
                      SolverWorkspace& w, InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  if (!std::isfinite(result.residual) || !can_eliminate_joints(problem)) return false;
  JointMemory& m = kept(w.joints);
  m.best = result.lambda;
  double best = result.residual;
  bool solved = false;
  int spent = 0, in_vain = 0;
  Elimination elimination(problem, m);
  for (int pass = 0; pass < most_passes && spent < options.max_iterations && !solved; ++pass) {
    const bool contacts_solved =
        elimination.improve(contacts, options.max_iterations - spent, result.lambda, result.xi, spent);
    const double value = residual(problem, result.lambda, result.xi, w.residual);
    solved = solves(problem, value, options.tolerance, w.residual);
    in_vain = value < 0.5 * best ? 0 : in_vain + 1;
    if (solved || value < best) {
      best = value;
      m.best = result.lambda;
    }
    if (!contacts_solved || in_vain == most_in_vain) break;
  }
  result.iterations += spent;
  result.lambda = m.best;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

}  // namespace carom::inline inclusion
