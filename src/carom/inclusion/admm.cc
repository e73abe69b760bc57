// Alternating directions (Douglas and Rachford's splitting) between the linear equation and the laws:
//
//   G lambda + c + d (lambda - w) = 0         linear: d_b = sigma rho_b, one factorisation while sigma stays
//   z_b = P_b(2 lambda_b - w_b)               laws, block by block
//   w   = w + omega (z - lambda)              omega 1 to 2: over-relaxation
//
// With xi = G lambda + c the first line says w = lambda + xi/d, so that z = P(lambda - xi/d): where z = lambda the
// inclusion is solved, for every law, Coulomb's with its own disc among them. z is feasible and is what is judged.
//
// In the form of contact_dampers.h, eta = d lambda solves (I + G/d) eta = d w - c.
//
// sigma balances the two errors, in units of energy: sum rho |lambda - z|^2 against sigma^2 sum rho |z - z_last|^2. The
// map w -> w + (z - lambda) is accelerated by Anderson's method; an extrapolation after which |z - lambda| is larger is
// taken back.
#include "carom/inclusion/admm.h"

#include <algorithm>
#include <cmath>

#include "carom/inclusion/large_memory.h"

namespace carom::inline inclusion {

namespace {

constexpr double smallest_sigma = 1e-6, largest_sigma = 1e6;
constexpr double omega = 1.0;
constexpr int window = 8, check_interval = 10, balance_interval = 20;
constexpr double imbalance = 25.0;

class Splitting {
 public:
  Splitting(const InclusionProblem& problem, SolverWorkspace& w)
      : problem_(problem), G_(*problem.G), dampers_(kept(w.automatic).dampers), m_(kept(w.admm)) {
    dampers_.begin(G_);
    m_.weight.resize(G_.rows());
    for (Index b = 0; b < G_.block_count(); ++b)
      for (Index i = 0; i < G_.block(b).rows; ++i) m_.weight[G_.block(b).row + i] = G_.rho(b);
    for (Buffer* buffer : {&m_.w, &m_.next, &m_.z, &m_.lambda, &m_.xi, &m_.eta, &m_.right_side})
      buffer->resize(G_.rows());
    m_.anderson.begin(G_.rows(), window, m_.weight.data());
  }

  // From lambda and xi.
  void set_sigma(double sigma) {
    sigma_ = sigma;
    for (Index b = 0; b < G_.block_count(); ++b) {
      const RowRange& range = G_.block(b);
      double* B = dampers_.damper(b);
      std::fill_n(B, range.rows * range.rows, 0.0);
      if (!(G_.rho(b) > 0.0)) continue;
      for (Index i = 0; i < range.rows; ++i) B[i + i * range.rows] = 1.0 / (sigma * G_.rho(b));
    }
    dampers_.factor();
    for (Index i = 0; i < G_.rows(); ++i)
      m_.w[i] = m_.weight[i] > 0.0 ? m_.lambda[i] + m_.xi[i] / (sigma * m_.weight[i]) : 0.0;
    m_.anderson.forget();
    accelerated_ = false;
  }
  double sigma() const { return sigma_; }

  // lambda, xi and z at w, and next = the image of w.
  void evaluate() {
    for (Index i = 0; i < G_.rows(); ++i) m_.right_side[i] = sigma_ * m_.weight[i] * m_.w[i] - problem_.c[i];
    dampers_.solve(m_.right_side.data(), m_.eta.data());
    std::swap(m_.z, m_.z_last);
    m_.z.resize(G_.rows());
    for (Index b = 0; b < G_.block_count(); ++b) {
      const RowRange& range = G_.block(b);
      const double d = sigma_ * G_.rho(b);
      double x[Law::max_dim] = {};
      for (Index i = 0; i < range.rows; ++i) {
        const Index k = range.row + i;
        m_.lambda[k] = d > 0.0 ? m_.eta[k] / d : 0.0;
        m_.xi[k] = d * m_.w[k] - m_.eta[k];
        x[i] = 2.0 * m_.lambda[k] - m_.w[k];
      }
      if (d > 0.0)
        problem_.laws[static_cast<std::size_t>(b)]->project(x, m_.z.data() + range.row);
      else
        std::fill_n(m_.z.data() + range.row, range.rows, 0.0);
      for (Index k = range.row; k < range.row + range.rows; ++k)
        m_.next[k] = m_.w[k] + omega * (m_.z[k] - m_.lambda[k]);
    }
  }

  void advance() {
    const double distance = m_.anderson.distance(m_.w.data(), m_.next.data());
    if (accelerated_ && distance > last_) {  // an extrapolation that did harm is taken back
      std::swap(m_.w, m_.image);
      m_.anderson.forget();
      accelerated_ = false;
      return;
    }
    last_ = distance;
    m_.image = m_.next;
    m_.anderson.step(m_.w.data(), m_.next.data());
    accelerated_ = true;
  }

  // sum rho |lambda - z|^2 / (sigma^2 sum rho |z - z_last|^2)
  double balance() const {
    double first = 0.0, second = 0.0;
    for (Index i = 0; i < G_.rows(); ++i) {
      first += m_.weight[i] * (m_.lambda[i] - m_.z[i]) * (m_.lambda[i] - m_.z[i]);
      second += m_.weight[i] * (m_.z[i] - m_.z_last[i]) * (m_.z[i] - m_.z_last[i]);
    }
    return second > 0.0 ? first / (sigma_ * sigma_ * second) : 1.0;
  }

 private:
  const InclusionProblem& problem_;
  const Delassus& G_;
  ContactDampers& dampers_;
  AdmmMemory& m_;
  double sigma_ = 1.0, last_ = 0.0;
  bool accelerated_ = false;
};

}  // namespace

bool admm(const InclusionProblem& problem, AdmmOptions& options, SolverWorkspace& w, InclusionResult& result) {
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  if (solves(problem, result.residual, options.tolerance, w.residual)) return true;
  if (!std::isfinite(result.residual)) return false;
  AdmmMemory& m = kept(w.admm);
  Splitting splitting(problem, w);
  m.best = m.lambda = result.lambda;
  m.xi = result.xi;
  m.z = m.z_last = result.lambda;
  double best = result.residual;
  splitting.set_sigma(options.sigma);
  for (int k = 1; k <= options.max_iterations; ++k) {
    splitting.evaluate();
    ++result.iterations;
    if (k % check_interval == 0 || k == options.max_iterations) {
      const double value = residual(problem, m.z, result.xi, w.residual);
      const bool solved = solves(problem, value, options.tolerance, w.residual);
      if (solved || value < best) {
        best = value;
        m.best = m.z;
      }
      if (solved) break;
    }
    if (k % balance_interval == 0) {
      const double balance = std::sqrt(splitting.balance());
      if (balance > imbalance || balance < 1.0 / imbalance) {
        splitting.set_sigma(std::clamp(splitting.sigma() * std::sqrt(balance), smallest_sigma, largest_sigma));
        continue;
      }
    }
    splitting.advance();
  }
  options.sigma = splitting.sigma();
  result.lambda = m.best;
  result.residual = residual(problem, result.lambda, result.xi, w.residual);
  return solves(problem, result.residual, options.tolerance, w.residual);
}

namespace {

class Admm : public InclusionSolver {
 public:
  explicit Admm(const Parameters& parameters)
      : options_{parameters.number("tolerance"), static_cast<int>(parameters.number("max_iterations"))} {}

  void solve(const InclusionProblem& problem, SolverWorkspace& workspace, InclusionResult& result) const override {
    result.lambda.resize(problem.rows());
    result.iterations = 0;
    measure_noise(problem, workspace.residual);
    AdmmOptions options = options_;
    const bool solved = admm(problem, options, workspace, result);
    conclude(problem, solved, options_.tolerance, workspace.residual, result);
  }

 private:
  AdmmOptions options_;
};

}  // namespace

extern const SolverEntry admm_entry;
const SolverEntry admm_entry{
    "admm",
    "splitting between the linear equation and the laws, one factorisation by bodies kept",
    "all laws; factors of the size of the bodies where G has them",
    {{"tolerance", 1e-12, "residual to reach", 0.0, 1.0}, {"max_iterations", 20000.0, "iterations", 1.0, 1e9}},
    [](const Parameters& parameters) -> std::unique_ptr<InclusionSolver> {
      return std::make_unique<Admm>(parameters);
    }};

}  // namespace carom::inline inclusion
