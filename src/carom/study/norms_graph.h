// The graph of a velocity with its jumps filled in, and the distance of two of them.
//
// A graph is the polyline through the points (t / T, |w_1 v_1| / V, ...), T and V the sizes of time and
// velocity; an upright piece of it is a filled jump. The Hausdorff distance
//
//   max( sup_{a in A} inf_{b in B} |a - b|,  sup_{b in B} inf_{a in A} |a - b| )
//
// forgives an impact that comes a little early or late, as the pointwise difference does not, and goes
// to zero exactly if the jumps converge in time and in size.
#pragma once

#include <functional>
#include <vector>

#include "carom/base/types.h"

namespace carom::inline study {

class FilledGraph {
 public:
  FilledGraph() = default;
  FilledGraph(double time_size, double velocity_size, const Vector& weights);

  // Times must not decrease.
  void add(double t, const Vector& v);

  Index dim() const { return static_cast<Index>(scale_.size()) + 1; }
  std::size_t size() const { return dim() > 1 ? points_.size() / static_cast<std::size_t>(dim()) : 0; }
  const double* point(std::size_t i) const { return points_.data() + i * static_cast<std::size_t>(dim()); }

 private:
  double time_size_ = 1.0;
  std::vector<double> scale_;  // w_i / V
  std::vector<double> points_;
};

// The graph of a function given by a formula, as a polyline that is right to `accuracy` (in the measures of
// the graph): pieces are halved until the function lies on them, or until they are so upright that they
// are a jump. Jumps below `accuracy` are left out.
FilledGraph graph_of(const std::function<void(double t, Vector& v)>& velocity, double t_end, double velocity_size,
                     const Vector& weights, double accuracy = 1e-9, double t_begin = 0.0);

double hausdorff_distance(const FilledGraph& a, const FilledGraph& b);

}  // namespace carom::inline study
