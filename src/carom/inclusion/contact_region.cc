#include "carom/inclusion/contact_region.h"

#include <algorithm>
#include <cmath>

#include "carom/base/at.h"
#include "carom/base/make_room.h"

namespace carom::inline inclusion {

namespace {

constexpr Index three = StructuredMatrix::block_size;
constexpr std::int32_t nothing = -1;

}  // namespace

void ContactRegion::read_pairs(const InclusionProblem& problem) {
  const ConstraintJacobian& W = *problem.G->factors()->W;
  make_room(pairs_, at(W.block_count()));
  pairs_.clear();
  for (Index b = 0; b < W.block_count(); ++b) {
    const ConstraintJacobian::Block& block = W.block(b);
    const Index first = block.segment_begin, last = block.segment_end - 1;
    pairs_.push_back({W.segment(first).offset / three, last > first ? W.segment(last).offset / three : nothing});
  }
}

double ContactRegion::find(const InclusionProblem& problem, double limit, int depth, const ResidualWorkspace& judged) {
  const Delassus& G = *problem.G;
  read_pairs(problem);
  near_.begin(at(G.factors()->velocities / three));
  for (Index b = 0; b < G.block_count(); ++b) {
    double square = 0.0;
    for (Index i = G.block(b).row; i < G.block(b).row + G.block(b).rows; ++i)
      square += judged.defect[i] * judged.defect[i];
    if (!(G.rho(b) * std::sqrt(square) > limit * judged.scale[b])) continue;
    near_.add(pairs_[at(b)].first);
    near_.add(pairs_[at(b)].second);
  }
  near_.grow(pairs_, depth);
  blocks_.clear();
  for (Index b = 0; b < G.block_count(); ++b)
    if (near_.has(pairs_[at(b)].first) || near_.has(pairs_[at(b)].second)) blocks_.push_back(b);
  return static_cast<double>(blocks_.size()) / static_cast<double>(G.block_count());
}

bool ContactRegion::number_bodies(const InclusionProblem& problem) {
  const ConstraintJacobian& W = *problem.G->factors()->W;
  place_.assign(at(problem.G->factors()->velocities / three), nothing);
  threes_.clear();
  for (const Index b : blocks_)
    for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s) {
      const Index begin = W.segment(s).offset / three, count = W.segment(s).size / three;
      if (place_[at(begin)] == nothing)
        for (Index k = begin; k < begin + count; ++k) {
          place_[at(k)] = static_cast<std::int32_t>(threes_.size());
          threes_.push_back(k);
        }
      for (Index k = 0; k < count; ++k)
        if (place_[at(begin + k)] != place_[at(begin)] + k) return false;
    }
  return true;
}

void ContactRegion::build(const InclusionProblem& problem, const Buffer& xi, const Buffer& lambda) {
  const Delassus& G = *problem.G;
  const ConstraintJacobian& W = *G.factors()->W;
  Matrix3* inverse = A_.set_inverse_blocks(three * static_cast<Index>(threes_.size()), G.symmetric());
  for (std::size_t k = 0; k < threes_.size(); ++k) inverse[k] = G.factors()->inverse_blocks[threes_[k]];
  W_.clear();
  problem_.laws.clear();
  for (const Index b : blocks_) {
    W_.add_block(W.block(b).rows);
    for (Index s = W.block(b).segment_begin; s < W.block(b).segment_end; ++s) {
      const ConstraintJacobian::Segment& segment = W.segment(s);
      double* entries = W_.add_segment(three * place_[at(segment.offset / three)], segment.size);
      std::copy_n(W.entries(segment), W.block(b).rows * segment.size, entries);
    }
    problem_.laws.push_back(problem.laws[at(b)]);
  }
  problem_.G = &factory_.build(W_, A_);
  problem_.c.resize(W_.rows());
  result_.lambda.resize(W_.rows());
  response_.resize(W_.rows());
  Index row = 0;
  for (const Index b : blocks_)
    for (Index i = G.block(b).row; i < G.block(b).row + G.block(b).rows; ++i, ++row) {
      problem_.c[row] = xi[i];
      result_.lambda[row] = lambda[i];
    }
  problem_.G->multiply(result_.lambda.data(), response_.data());
  for (Index i = 0; i < W_.rows(); ++i) problem_.c[i] -= response_[i];
}

int ContactRegion::solve(const InclusionProblem& problem, const SweepOptions& options, const Buffer& xi,
                         Buffer& lambda) {
  if (!number_bodies(problem)) return 0;
  build(problem, xi, lambda);
  if (!workspace_) workspace_ = std::make_shared<SolverWorkspace>();
  result_.iterations = 0;
  body_sweeps(problem_, options, *workspace_, result_);
  Index row = 0;
  for (const Index b : blocks_)
    for (Index i = problem.G->block(b).row; i < problem.G->block(b).row + problem.G->block(b).rows; ++i, ++row)
      lambda[i] = result_.lambda[row];
  return result_.iterations;
}

}  // namespace carom::inline inclusion
