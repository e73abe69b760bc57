#include "carom/study/norms_graph.h"

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"

namespace carom::inline study {

FilledGraph::FilledGraph(double time_size, double velocity_size, const Vector& weights) : time_size_(time_size) {
  const double size = velocity_size > 0.0 ? velocity_size : 1.0;
  for (const double w : weights) scale_.push_back(w / size);
}

void FilledGraph::add(double t, const Vector& v) {
  if (static_cast<std::size_t>(v.size()) != scale_.size()) throw LogicError("FilledGraph: wrong number of velocities");
  points_.push_back(t / time_size_);
  for (std::size_t i = 0; i < scale_.size(); ++i) points_.push_back(scale_[i] * v[static_cast<Index>(i)]);
}

namespace {

constexpr int first_pieces = 1000;

class GraphMaker {
 public:
  GraphMaker(const std::function<void(double t, Vector& v)>& velocity, double t_begin, double t_end,
             double velocity_size, const Vector& weights, double accuracy)
      : velocity_(velocity),
        t_begin_(t_begin),
        t_end_(t_end),
        size_(velocity_size > 0.0 ? velocity_size : 1.0),
        weights_(weights),
        accuracy_(accuracy),
        graph_(t_end - t_begin, velocity_size, weights) {}

  FilledGraph make() {
    Vector v_0, v_1;
    velocity_(t_begin_, v_0);
    graph_.add(t_begin_, v_0);
    const double duration = t_end_ - t_begin_;
    for (int i = 0; i < first_pieces; ++i) {
      const double t_0 = t_begin_ + duration * i / first_pieces, t_1 = t_begin_ + duration * (i + 1) / first_pieces;
      velocity_(t_1, v_1);
      add_piece(t_0, v_0, t_1, v_1);
      v_0 = v_1;
    }
    return std::move(graph_);
  }

 private:
  // Adds the end of the piece, and points between as needed.
  void add_piece(double t_0, const Vector& v_0, double t_1, const Vector& v_1) {
    const double t = 0.5 * (t_0 + t_1);
    const bool upright = t_1 - t_0 <= 1e-14 * t_end_ || t <= t_0 || t >= t_1;
    // Two places are looked at: a saw-tooth that meets the line at one of them misses the other.
    if (upright || (bend(t_0, v_0, t_1, v_1, 0.5) <= accuracy_ && bend(t_0, v_0, t_1, v_1, 0.3) <= accuracy_)) {
      graph_.add(t_1, v_1);
      return;
    }
    Vector v;
    velocity_(t, v);
    add_piece(t_0, v_0, t, v);
    add_piece(t, v, t_1, v_1);
  }

  // How far the function is from the piece, at the fraction s of it.
  double bend(double t_0, const Vector& v_0, double t_1, const Vector& v_1, double s) {
    velocity_((1.0 - s) * t_0 + s * t_1, trial_);
    return (trial_ - (1.0 - s) * v_0 - s * v_1).cwiseProduct(weights_).norm() / size_;
  }

  const std::function<void(double t, Vector& v)>& velocity_;
  double t_begin_, t_end_, size_;
  const Vector& weights_;
  double accuracy_;
  FilledGraph graph_;
  Vector trial_;
};

}  // namespace

FilledGraph graph_of(const std::function<void(double t, Vector& v)>& velocity, double t_end, double velocity_size,
                     const Vector& weights, double accuracy, double t_begin) {
  return GraphMaker(velocity, t_begin, t_end, velocity_size, weights, accuracy).make();
}

namespace {

// Squared distance of x from the piece [p, r].
double squared_distance(const double* x, const double* p, const double* r, Index dim) {
  double along = 0.0, length = 0.0, offset = 0.0;
  for (Index i = 0; i < dim; ++i) {
    const double e = r[i] - p[i], d = x[i] - p[i];
    along += d * e;
    length += e * e;
    offset += d * d;
  }
  if (along <= 0.0 || length == 0.0) return offset;
  const double s = std::min(1.0, along / length);
  double square = 0.0;
  for (Index i = 0; i < dim; ++i) {
    const double d = x[i] - p[i] - s * (r[i] - p[i]);
    square += d * d;
  }
  return square;
}

// sup over the points of `a` of the distance from `b`, at least `known`. Only points that could raise
// the supremum are looked at closely: first the piece of `b` at the same time, then its neighbours as
// long as they are nearer in time than the best found.
class OneSided {
 public:
  OneSided(const FilledGraph& a, const FilledGraph& b) : a_(a), b_(b), dim_(a.dim()) {}

  double operator()(double known) {
    double supremum = known * known;
    std::vector<double> between(static_cast<std::size_t>(dim_));
    for (std::size_t i = 0; i < a_.size(); ++i) {
      supremum = std::max(supremum, squared(a_.point(i), supremum));
      if (i + 1 == a_.size()) break;
      // Along a long piece (a jump) a few points between its ends.
      const int parts = static_cast<int>(std::min(8.0, std::ceil(length(i) / longest_unsampled)));
      for (int k = 1; k < parts; ++k) {
        const double s = static_cast<double>(k) / parts;
        for (Index j = 0; j < dim_; ++j)
          between[static_cast<std::size_t>(j)] = (1.0 - s) * a_.point(i)[j] + s * a_.point(i + 1)[j];
        supremum = std::max(supremum, squared(between.data(), supremum));
      }
    }
    return std::sqrt(supremum);
  }

 private:
  static constexpr double longest_unsampled = 0.02;

  double length(std::size_t i) const {
    double square = 0.0;
    for (Index j = 0; j < dim_; ++j) square += std::pow(a_.point(i + 1)[j] - a_.point(i)[j], 2);
    return std::sqrt(square);
  }

  // Exact if above `enough`, else any upper bound of the squared distance that is not above it.
  double squared(const double* x, double enough) {
    while (here_ + 2 < b_.size() && b_.point(here_ + 1)[0] < x[0]) ++here_;
    double best = piece(x, here_);
    for (std::size_t left = here_; left > 0 && best > enough; --left) {
      const double ahead = x[0] - b_.point(left)[0];
      if (ahead > 0.0 && ahead * ahead >= best) break;
      best = std::min(best, piece(x, left - 1));
    }
    for (std::size_t right = here_ + 1; right + 1 < b_.size() && best > enough; ++right) {
      const double behind = b_.point(right)[0] - x[0];
      if (behind > 0.0 && behind * behind >= best) break;
      best = std::min(best, piece(x, right));
    }
    return best;
  }

  double piece(const double* x, std::size_t k) const { return squared_distance(x, b_.point(k), b_.point(k + 1), dim_); }

  const FilledGraph& a_;
  const FilledGraph& b_;
  Index dim_;
  std::size_t here_ = 0;  // the piece of b at the time of the last point
};

}  // namespace

double hausdorff_distance(const FilledGraph& a, const FilledGraph& b) {
  if (a.size() < 2 || b.size() < 2 || a.dim() != b.dim())
    throw LogicError("hausdorff_distance: graphs of the same velocities with at least two points each");
  return OneSided(b, a)(OneSided(a, b)(0.0));
}

}  // namespace carom::inline study
