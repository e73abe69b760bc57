// Interior points on exact Coulomb friction. With de Saxce's shift and P = diag(mu, 1, 1) of a contact,
//
//   x = P lambda,    y = P^-1 xi + s e,    s = |y_T|,        x, y in L = {x_1 >= |x_T|},    x'y = 0,     e = (1, 0, 0),
//
// is complementarity on the second-order cone, s an unknown of its own. (A unilateral contact: L is the half line.
// Joints: x is free and y = 0.) One iteration linearises
//
//   y - P^-1 xi(P^-1 x) - s e = 0,      s - |y_T| = 0,      x o y = tau e      (o: Jordan's product)
//
// in Nesterov and Todd's scaling N, symmetric with N x = N^-1 y = n:
//
//   n o (N dx + N^-1 dy) = tau e - n o n - corrector   =>   dy = N p - N^2 dx,
//   ds = kappa t'dy_T + |y_T| - s,                          t = y_T/|y_T|, kappa slightly below 1,
//   (G + P E N^2 P) dlambda = P (N p - r - e (kappa t'(N p)_T + |y_T| - s)),      E = I - kappa e (0, t'),
//   r = P^-1 xi + s e - y,
//
// which is the system of contact_dampers.h with B = P^-1 N^-2 E^-1 P^-1, E^-1 = I + kappa e (0, t'): of the size of the
// bodies, and regular for any redundancy. Predictor (tau = 0) and corrector share the factorisation (Mehrotra). Joints
// are dampers of a stiffness that makes an error vanish by 1e-8 an iteration.
//
// Derivatives of s at full strength can turn the step away from complementarity where contacts hardly slide; kappa =
// 0.95 keeps B positive there.
#include "carom/inclusion/interior_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/inclusion/augmented_newton.h"
#include "carom/inclusion/large_memory.h"
#include "carom/inclusion/sweeps.h"

namespace carom::inline inclusion {

namespace {

constexpr double kappa = 0.95, fraction = 0.99, joint_damping = 1e8;
constexpr int refinements = 3;
constexpr double short_step = 0.02;  // so many of which in a row say that rounding has the upper hand
constexpr int most_short_steps = 3;
constexpr int most_interior = 80;  // of the solver of this name, before Newton's method takes over

// Of one cone of n rows (1: the half line).
struct Cone {
  Index n;

  double tail(const double* x) const {
    double sum = 0.0;
    for (Index i = 1; i < n; ++i) sum += x[i] * x[i];
    return std::sqrt(sum);
  }
  // sqrt(x_1^2 - |x_T|^2)
  double root(const double* x) const {
    const double t = tail(x);
    return std::sqrt(std::max(0.0, (x[0] - t) * (x[0] + t)));
  }
  // The largest a <= 1 with x + a dx in the cone.
  double longest(const double* x, const double* dx) const {
    if (n == 1) return dx[0] < 0.0 ? std::min(1.0, -x[0] / dx[0]) : 1.0;
    const double t = tail(x), dt = tail(dx);
    double product = x[0] * dx[0];
    for (Index i = 1; i < n; ++i) product -= x[i] * dx[i];
    const double c = (x[0] - t) * (x[0] + t), b = product, a = (dx[0] - dt) * (dx[0] + dt);
    // c + 2 b alpha + a alpha^2 = 0, the smallest positive root.
    const double discriminant = b * b - a * c;
    double alpha = 1.0;
    if (discriminant >= 0.0) {
      const double q = b >= 0.0 ? -(b + std::sqrt(discriminant)) : -(b - std::sqrt(discriminant));
      for (const double candidate : {a != 0.0 ? q / a : -1.0, q != 0.0 ? c / q : -1.0})
        if (candidate > 0.0) alpha = std::min(alpha, candidate);
    }
    if (dx[0] < 0.0) alpha = std::min(alpha, -x[0] / dx[0]);
    return alpha;
  }
};

// N of one cone: factor (w; I + w_T w_T'/(1 + w_1)).
struct Scaling {
  Cone cone;
  double factor, w[3];

  Scaling(Cone of, const double* x, const double* y) : cone(of) {
    const double rx = cone.root(x), ry = cone.root(y);
    factor = std::sqrt(ry / rx);
    double product = 0.0;
    for (Index i = 0; i < cone.n; ++i) product += x[i] / rx * (y[i] / ry);
    const double gamma = std::sqrt(0.5 * (1.0 + product));
    w[0] = 0.5 / gamma * (y[0] / ry + x[0] / rx);
    for (Index i = 1; i < cone.n; ++i) w[i] = 0.5 / gamma * (y[i] / ry - x[i] / rx);
  }
  // z = N x (sign 1) or N^-1 x (sign -1).
  void apply(double sign, const double* x, double* z) const {
    const double f = sign > 0.0 ? factor : 1.0 / factor;
    if (cone.n == 1) {
      z[0] = f * x[0];
      return;
    }
    double product = 0.0;
    for (Index i = 1; i < cone.n; ++i) product += w[i] * x[i];
    const double first = x[0], along = sign * first + product / (1.0 + w[0]);
    z[0] = f * (w[0] * first + sign * product);
    for (Index i = 1; i < cone.n; ++i) z[i] = f * (x[i] + along * w[i]);
  }
  // N^-2, n x n.
  void inverse_square(double* M) const {
    const double f = 1.0 / (factor * factor);
    if (cone.n == 1) {
      M[0] = f;
      return;
    }
    for (Index j = 0; j < cone.n; ++j)
      for (Index i = 0; i < cone.n; ++i) {
        const double sign = (i == 0) == (j == 0) ? 1.0 : -1.0;
        M[i + j * cone.n] = f * (2.0 * sign * w[i] * w[j] + (i != j ? 0.0 : i == 0 ? -1.0 : 1.0));
      }
  }
};

class Iteration {
 public:
  Iteration(const InclusionProblem& problem, SolverWorkspace& w)
      : problem_(problem), G_(*problem.G), dampers_(kept(w.automatic).dampers), m_(kept(w.interior)) {
    dampers_.begin(G_);
    const Index rows = G_.rows();
    for (Buffer* buffer : {&m_.x, &m_.y, &m_.p, &m_.dx, &m_.dy, &m_.predictor_x, &m_.predictor_y, &m_.xi,
                           &m_.right_side, &m_.eta, &m_.remainder, &m_.lambda})
      buffer->assign(rows, 0.0);
    for (Buffer* buffer : {&m_.s, &m_.ds}) buffer->assign(G_.block_count(), 0.0);
    m_.cone.clear();
    double energy = 0.0;
    count_ = 0;
    for (Index b = 0; b < G_.block_count(); ++b) {
      const Law& law = *problem_.laws[static_cast<std::size_t>(b)];
      const Index n = law.kind() == LawKind::bilateral ? 0 : law.friction() > 0.0 ? law.dim() : 1;
      m_.cone.push_back(static_cast<char>(n));
      if (!(G_.rho(b) > 0.0)) continue;
      for (Index i = 0; i < G_.block(b).rows; ++i) {
        const double c = problem_.c[G_.block(b).row + i];
        energy += c * c / G_.rho(b);
      }
      if (n > 0) ++count_;
    }
    // Impulses and velocities of the size that c gives to the whole.
    const double size = std::sqrt(std::max(energy / std::max(1, G_.block_count()), 1e-300));
    each([&](Index b, Cone, Index row) {
      m_.x[row] = size / std::sqrt(G_.rho(b)) * std::max(0.1, friction(b));
      m_.y[row] = size * std::sqrt(G_.rho(b)) / std::max(0.1, friction(b));
    });
  }

  double tau() const {
    double sum = 0.0;
    each([&](Index, Cone cone, Index row) {
      for (Index i = 0; i < cone.n; ++i) sum += m_.x[row + i] * m_.y[row + i];
    });
    return sum / std::max(1, count_);
  }

  // Whether it may go on.
  bool step() {
    impulses();
    G_.multiply(m_.lambda.data(), m_.xi.data());
    for (Index i = 0; i < G_.rows(); ++i) m_.xi[i] += problem_.c[i];
    set_dampers();
    dampers_.factor();
    const double start = tau();
    direction(0.0, false);
    m_.predictor_x = m_.dx;
    m_.predictor_y = m_.dy;
    const double affine = longest();
    double after = 0.0;
    each([&](Index, Cone cone, Index row) {
      for (Index i = 0; i < cone.n; ++i)
        after += (m_.x[row + i] + affine * m_.dx[row + i]) * (m_.y[row + i] + affine * m_.dy[row + i]);
    });
    const double ratio = std::clamp(after / std::max(1, count_) / start, 0.0, 1.0);
    const double sigma = std::max(std::pow(ratio, 3.0), 1e-6);
    direction(sigma * start, true);
    const double a = std::min(1.0, fraction * longest());
    short_steps_ = a < short_step ? short_steps_ + 1 : 0;
    if (!std::isfinite(a) || short_steps_ == most_short_steps) return false;
    for (Index i = 0; i < G_.rows(); ++i) {
      m_.x[i] += a * m_.dx[i];
      m_.y[i] += a * m_.dy[i];
    }
    for (Index b = 0; b < G_.block_count(); ++b) m_.s[b] += a * m_.ds[b];
    bool inside = true;
    each([&](Index, Cone cone, Index row) {
      inside = inside && cone.root(m_.x.data() + row) > 0.0 && cone.root(m_.y.data() + row) > 0.0 && m_.x[row] > 0.0 &&
               m_.y[row] > 0.0;
    });
    return inside;
  }

  // lambda = P^-1 x
  void impulses() {
    m_.lambda = m_.x;
    each([&](Index b, Cone cone, Index row) {
      if (cone.n > 1) m_.lambda[row] /= friction(b);
    });
  }

 private:
  double friction(Index b) const {
    return m_.cone[static_cast<std::size_t>(b)] > 1 ? problem_.laws[static_cast<std::size_t>(b)]->friction() : 1.0;
  }

  // act(block, its cone, first row) of all that something moves.
  template <class Act>
  void each(Act act) const {
    for (Index b = 0; b < G_.block_count(); ++b)
      if (m_.cone[static_cast<std::size_t>(b)] > 0 && G_.rho(b) > 0.0)
        act(b, Cone{m_.cone[static_cast<std::size_t>(b)]}, G_.block(b).row);
  }

  void set_dampers() {
    for (Index b = 0; b < G_.block_count(); ++b) {
      const RowRange& range = G_.block(b);
      double* B = dampers_.damper(b);
      std::fill_n(B, range.rows * range.rows, 0.0);
      if (!(G_.rho(b) > 0.0)) continue;
      const Cone cone{m_.cone[static_cast<std::size_t>(b)]};
      if (cone.n == 0) {
        for (Index i = 0; i < range.rows; ++i) B[i + i * range.rows] = joint_damping / G_.rho(b);
        continue;
      }
      const double* y = m_.y.data() + range.row;
      double M[9];
      Scaling(cone, m_.x.data() + range.row, y).inverse_square(M);
      const double t = cone.tail(y), mu = friction(b);
      // N^-2 E^-1: the columns of T gain kappa t_i times the first.
      for (Index j = 1; j < cone.n && t > 0.0; ++j)
        for (Index i = 0; i < cone.n; ++i) M[i + j * cone.n] += kappa * y[j] / t * M[i];
      for (Index j = 0; j < cone.n; ++j)
        for (Index i = 0; i < cone.n; ++i)
          B[i + j * range.rows] = M[i + j * cone.n] / ((i == 0 ? mu : 1.0) * (j == 0 ? mu : 1.0));
    }
  }

  // dx, dy, ds towards x o y = tau e.
  void direction(double tau, bool corrector) {
    std::fill(m_.right_side.begin(), m_.right_side.end(), 0.0);
    for (Index b = 0; b < G_.block_count(); ++b)
      if (m_.cone[static_cast<std::size_t>(b)] == 0)
        for (Index i = G_.block(b).row; i < G_.block(b).row + G_.block(b).rows; ++i) m_.right_side[i] = -m_.xi[i];
    each([&](Index b, Cone cone, Index row) {
      const double *x = m_.x.data() + row, *y = m_.y.data() + row;
      const Scaling N(cone, x, y);
      double n[3], a[3], c[3], d[3], q[3];
      N.apply(1.0, x, n);
      product(cone, n, n, d);
      for (Index i = 0; i < cone.n; ++i) d[i] = (i == 0 ? tau : 0.0) - d[i];
      if (corrector) {
        N.apply(1.0, m_.predictor_x.data() + row, a);
        N.apply(-1.0, m_.predictor_y.data() + row, c);
        product(cone, a, c, q);
        for (Index i = 0; i < cone.n; ++i) d[i] -= q[i];
      }
      divide(cone, n, d, q);
      double* p = m_.p.data() + row;
      N.apply(1.0, q, p);  // N p
      const double mu = friction(b), t = cone.tail(y);
      double shift = cone.n > 1 ? t - m_.s[b] : 0.0;
      for (Index i = 1; i < cone.n && t > 0.0; ++i) shift += kappa * y[i] / t * p[i];
      for (Index i = 0; i < cone.n; ++i) {
        const double P = i == 0 ? mu : 1.0;
        const double r = m_.xi[row + i] / P + (i == 0 ? m_.s[b] : 0.0) - y[i];
        m_.right_side[row + i] = P * (p[i] - r - (i == 0 ? shift : 0.0));
      }
    });
    solve_impulses();
    // dy follows from the linear equation, not from the scaling: so it is its error that vanishes with full steps.
    G_.multiply(m_.dx.data(), m_.remainder.data());
    each([&](Index b, Cone cone, Index row) {
      const double mu = friction(b);
      const double *y = m_.y.data() + row, *xi = m_.xi.data() + row, *change = m_.remainder.data() + row;
      double* dy = m_.dy.data() + row;
      const double t = cone.tail(y);
      m_.ds[b] = t - m_.s[b];
      for (Index i = 1; i < cone.n; ++i) {
        dy[i] = xi[i] + change[i] - y[i];
        if (t > 0.0) m_.ds[b] += kappa * y[i] / t * dy[i];
      }
      dy[0] = (xi[0] + change[0]) / mu + (cone.n > 1 ? m_.s[b] + m_.ds[b] : 0.0) - y[0];
      if (cone.n > 1) m_.dx[row] *= mu;
    });
  }

  // dx = dlambda with (G + B^-1) dlambda = right_side. B may be huge, B^-1 is small then: the errors that solving by B
  // leaves in dlambda are seen and removed in this form.
  void solve_impulses() {
    dampers_.solve(m_.right_side.data(), m_.eta.data());
    dampers_.apply(m_.eta.data(), m_.dx.data());
    double last = size(m_.dx);
    for (int k = 0; k < refinements; ++k) {
      G_.multiply(m_.dx.data(), m_.remainder.data());
      for (Index i = 0; i < G_.rows(); ++i) m_.remainder[i] = m_.right_side[i] - m_.remainder[i];
      for (Index b = 0; b < G_.block_count(); ++b) subtract_compliance(b);
      dampers_.solve(m_.remainder.data(), m_.eta.data());
      dampers_.apply(m_.eta.data(), m_.remainder.data());
      const double correction = size(m_.remainder);
      if (!(correction < 0.25 * last)) return;  // rounding of B itself
      last = correction;
      for (Index i = 0; i < G_.rows(); ++i) m_.dx[i] += m_.remainder[i];
    }
  }
  // sum_b rho_b |a_b|^2
  double size(const Buffer& a) const {
    double sum = 0.0;
    for (Index b = 0; b < G_.block_count(); ++b)
      for (Index i = G_.block(b).row; i < G_.block(b).row + G_.block(b).rows; ++i) sum += G_.rho(b) * a[i] * a[i];
    return sum;
  }

  // remainder_b -= B_b^-1 dlambda_b = P E N^2 P dlambda_b
  void subtract_compliance(Index b) {
    const RowRange& range = G_.block(b);
    double* out = m_.remainder.data() + range.row;
    const double* in = m_.dx.data() + range.row;
    if (!(G_.rho(b) > 0.0)) {
      std::fill_n(out, range.rows, 0.0);
      return;
    }
    const Cone cone{m_.cone[static_cast<std::size_t>(b)]};
    if (cone.n == 0) {
      for (Index i = 0; i < range.rows; ++i) out[i] -= in[i] * G_.rho(b) / joint_damping;
      return;
    }
    const double mu = friction(b);
    const double* y = m_.y.data() + range.row;
    const Scaling N(cone, m_.x.data() + range.row, y);
    double a[3], c[3];
    for (Index i = 0; i < cone.n; ++i) a[i] = (i == 0 ? mu : 1.0) * in[i];
    N.apply(1.0, a, c);
    N.apply(1.0, c, a);
    const double t = cone.tail(y);
    for (Index i = 1; i < cone.n && t > 0.0; ++i) a[0] -= kappa * y[i] / t * a[i];
    for (Index i = 0; i < cone.n; ++i) out[i] -= (i == 0 ? mu : 1.0) * a[i];
    for (Index i = cone.n; i < range.rows; ++i) out[i] = 0.0;
  }

  double longest() const {
    double a = 1.0;
    each([&](Index, Cone cone, Index row) {
      a = std::min({a, cone.longest(m_.x.data() + row, m_.dx.data() + row),
                    cone.longest(m_.y.data() + row, m_.dy.data() + row)});
    });
    return a;
  }

  static void product(Cone cone, const double* a, const double* b, double* out) {
    double first = 0.0;
    for (Index i = 0; i < cone.n; ++i) first += a[i] * b[i];
    for (Index i = cone.n; i-- > 1;) out[i] = a[0] * b[i] + b[0] * a[i];
    out[0] = first;
  }
  // n o out = d
  static void divide(Cone cone, const double* n, const double* d, double* out) {
    const double t = cone.tail(n), determinant = (n[0] - t) * (n[0] + t);
    double first = n[0] * d[0];
    for (Index i = 1; i < cone.n; ++i) first -= n[i] * d[i];
    out[0] = first / determinant;
    for (Index i = 1; i < cone.n; ++i) out[i] = (d[i] - out[0] * n[i]) / n[0];
  }

  const InclusionProblem& problem_;
  const Delassus& G_;
  ContactDampers& dampers_;
  InteriorMemory& m_;
  int count_ = 0, short_steps_ = 0;
};

}  // namespace

bool interior_point_accepts(const InclusionProblem& problem) {
  return std::all_of(problem.laws.begin(), problem.laws.end(), [](const Law* law) {
    return law->kind() == LawKind::bilateral || (law->is_contact() && law->dim() <= 3);
  });
}

bool interior_point(const InclusionProblem& problem, const InteriorOptions& options, SolverWorkspace& w,
                    InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  if (!std::isfinite(result.residual) || !interior_point_accepts(problem)) return false;
  InteriorMemory& m = kept(w.interior);
  m.best = result.lambda;
  double best = std::numeric_limits<double>::infinity();
  Iteration iteration(problem, w);
  for (int k = 0; k < options.max_iterations; ++k) {
    const bool good = iteration.step();
    ++result.iterations;
    iteration.impulses();
    const double value = residual(problem, m.lambda, result.xi, w.residual);
    const bool solved = solves(problem, value, options.tolerance, w.residual);
    if (solved || value < best) {
      best = value;
      m.best = m.lambda;
    }
    if (solved || !good) break;
  }
  result.lambda = m.best;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

namespace {

class InteriorPoint : public InclusionSolver {
 public:
  explicit InteriorPoint(const Parameters& parameters)
      : options_{parameters.number("tolerance"), static_cast<int>(parameters.number("max_iterations"))} {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    measure_noise(problem, workspace.residual);
    bool solved = interior_point(problem, {options_.tolerance, std::min(most_interior, options_.max_iterations)},
                                 workspace, result);
    if (!solved && !interior_point_accepts(problem)) {
      result.status = SolveStatus::unsuitable;
      return;
    }
    // The last digits: Newton's method from there, and sweeps where it is stuck.
    if (!solved)
      solved = augmented_newton(problem, {options_.tolerance, options_.max_iterations - result.iterations}, workspace,
                                result);
    if (!solved) {
      SweepOptions sweeps;
      sweeps.tolerance = options_.tolerance;
      sweeps.max_iterations = options_.max_iterations - result.iterations;
      solved = gauss_seidel(problem, sweeps, workspace, result);
    }
    conclude(problem, solved, options_.tolerance, workspace.residual, result);
  }

 private:
  InteriorOptions options_;
};

}  // namespace

extern const SolverEntry interior_point_entry;
const SolverEntry interior_point_entry{
    "interior_point",
    "interior points on the friction cones: redundant contacts, walls, arches",
    "joints, unilateral contacts, Coulomb friction; factors of the size of the bodies where G has them",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0},
     {"max_iterations", 100000.0, "iterations, Newton steps and sweeps that take over", 1.0, 1e9}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<InteriorPoint>(parameters);
    }};

}  // namespace carom::inline inclusion
