// Distance of two separated convex sets that are known by their support points (Gilbert, Johnson, Keerthi): the point
// of the difference A - B closest to the origin, over a sequence of simplices.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/types.h"

namespace carom::geometry {

struct GjkVertex {
  Vector3 a, b, w;  // w = a - b
  Index ia, ib;     // numbers of a and b, for sets that have them
};

struct GjkResult {
  bool separated = false;
  Vector3 v = Vector3::Zero();  // a - b of the closest points
  Vector3 a = Vector3::Zero(), b = Vector3::Zero();
  std::array<GjkVertex, 4> simplex;
  std::array<double, 4> weight{};
  int count = 0;
};

// The closest point of a simplex to the origin; keeps only the corners that carry it. False if the origin is inside.
bool closest_of_simplex(GjkResult& state);

// support_a(d, x, k) sets x to the point of A furthest along d and k to its number.
template <class SupportA, class SupportB>
GjkResult gjk(const SupportA& support_a, const SupportB& support_b, const Vector3& start, double tolerance,
              int most_steps = 64) {
  GjkResult state;
  Vector3 d = start.squaredNorm() > 0.0 ? start : Vector3(Vector3::UnitX());
  GjkVertex vertex;
  const auto sample = [&](const Vector3& towards_b) {
    support_a(Vector3(-towards_b), vertex.a, vertex.ia);
    support_b(towards_b, vertex.b, vertex.ib);
    vertex.w = vertex.a - vertex.b;
  };
  sample(d);
  state.simplex[0] = vertex;
  state.weight[0] = 1.0;
  state.count = 1;
  state.v = vertex.w;
  double square = state.v.squaredNorm();
  for (int k = 0; k < most_steps && square > 0.0; ++k) {
    sample(state.v);
    if (square - state.v.dot(vertex.w) <= tolerance * square)
      break;  // no point of A - B lies further towards the origin
    bool known = false;
    for (int j = 0; j < state.count; ++j) known = known || state.simplex[static_cast<std::size_t>(j)].w == vertex.w;
    if (known) break;
    const GjkResult before = state;
    state.simplex[static_cast<std::size_t>(state.count++)] = vertex;
    if (!closest_of_simplex(state)) {
      state.separated = false;
      return state;
    }
    const double next = state.v.squaredNorm();
    if (!(next < square)) {  // rounding has the last word
      state = before;
      break;
    }
    square = next;
  }
  state.separated = square > 0.0;
  state.a.setZero();
  state.b.setZero();
  for (int j = 0; j < state.count; ++j) {
    state.a += state.weight[static_cast<std::size_t>(j)] * state.simplex[static_cast<std::size_t>(j)].a;
    state.b += state.weight[static_cast<std::size_t>(j)] * state.simplex[static_cast<std::size_t>(j)].b;
  }
  return state;
}

}  // namespace carom::geometry
