// What tests of sweeps over four contacts at once share.
#pragma once

#include "carom/base/buffer.h"
#include "carom/inclusion/four_contacts.h"
#include "inclusion/random_heap.h"

namespace carom::testing {

constexpr SweepWay sweep_ways[] = {SweepWay::plain, SweepWay::momentum, SweepWay::calmed, SweepWay::relaxed};

template <class Contacts>
void weigh_by_one(Contacts& contacts, Index blocks) {
  Buffer weight;
  weight.assign(blocks, 1.0);
  contacts.weigh(weight.data());
}

inline double norm(const Buffer& x) { return Eigen::Map<const Vector>(x.data(), x.size()).norm(); }

inline double distance(const Buffer& x, const Buffer& y) {
  return (Eigen::Map<const Vector>(x.data(), x.size()) - Eigen::Map<const Vector>(y.data(), y.size())).norm();
}

// How far five sweeps of each way move a solution, beside its size.
template <class Contacts>
double largest_move(const InclusionProblem& problem, const Buffer& solution) {
  double largest = 0.0;
  for (const SweepWay way : sweep_ways) {
    Contacts contacts;
    if (!contacts.build(problem)) return 1.0;
    weigh_by_one(contacts, problem.block_count());
    contacts.load(solution.data());
    for (int k = 0; k < 5; ++k) contacts.sweep(way);
    Buffer lambda;
    lambda.assign(problem.rows(), 0.0);
    contacts.store(lambda.data());
    largest = std::max(largest, distance(lambda, solution) / norm(solution));
  }
  return largest;
}

}  // namespace carom::testing
