// Nanoseconds a pair of the narrow phase: shapes close to each other at random poses, and boxes at rest on each other.
// `find` with a margin a tenth of the size, so that about half of the random pairs have contacts.
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "carom/base/rotation.h"
#include "carom/geometry/narrow_phase.h"
#include "carom/geometry/pair_finder.h"

namespace carom::geometry {
namespace {

struct Placed {
  Pose a, b;
};

double uniform(std::mt19937& random, double lower, double upper) {
  return lower + (upper - lower) * static_cast<double>(random()) / 4294967296.0;
}

Matrix3 rotation(std::mt19937& random, bool planar) {
  const double x = uniform(random, -2, 2), y = uniform(random, -2, 2), z = uniform(random, -2, 2);
  return rotation_matrix(quaternion_exp(planar ? Vector3(0, 0, z) : Vector3(x, y, z)));
}

Shape sample(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::sphere: return Sphere(0.5);
    case ShapeKind::box: return Box(Vector3(0.5, 0.4, 0.3));
    case ShapeKind::capsule: return Capsule(0.3, 0.4);
    case ShapeKind::cylinder: return Cylinder(0.4, 0.4);
    case ShapeKind::half_space: return HalfSpace();
    case ShapeKind::disc: return Disc(0.5);
    case ShapeKind::polygon: return Polygon({{-0.5, -0.4}, {0.5, -0.4}, {0.6, 0.2}, {0.0, 0.5}, {-0.5, 0.4}});
    case ShapeKind::half_plane: return HalfPlane();
    case ShapeKind::profile:
      return Profile(polar_curve([](double u) {
        return PolarPoint{0.5 + 0.05 * std::cos(2 * u), -0.1 * std::sin(2 * u), -0.2 * std::cos(2 * u),
                          0.4 * std::sin(2 * u)};
      }));
    default: {  // an icosahedron
      const double g = 0.5 * (1.0 + std::sqrt(5.0)), s = 0.5 / std::sqrt(1.0 + g * g);
      std::vector<Vector3> points;
      for (const double x : {-s, s})
        for (const double y : {-g * s, g * s}) {
          points.emplace_back(0, x, y);
          points.emplace_back(x, y, 0);
          points.emplace_back(y, 0, x);
        }
      return ConvexPolyhedron(points);
    }
  }
}

void find_pairs(benchmark::State& state, const Shape& a, const Shape& b, const std::vector<Placed>& places,
                double margin) {
  NarrowPhase narrow_phase;
  ContactList contacts;
  std::size_t found = 0, calls = 0;
  for (auto _ : state)
    for (const Placed& place : places) {
      contacts.clear();
      narrow_phase.find(a, place.a, b, place.b, margin, contacts);
      found += contacts.size();
      ++calls;
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(calls));
  state.counters["contacts"] = static_cast<double>(found) / static_cast<double>(calls);
  state.counters["ns_a_pair"] =
      benchmark::Counter(static_cast<double>(calls) * 1e-9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void random_pairs(benchmark::State& state, ShapeKind ka, ShapeKind kb) {
  const Shape a = sample(ka), b = sample(kb);
  std::mt19937 random(1);
  std::vector<Placed> places;
  for (int k = 0; k < 200; ++k) {
    Placed place;
    place.a.R = rotation(random, a.planar());
    if (b.bounded()) place.b.R = rotation(random, a.planar());
    const Vector3 d = rotation(random, a.planar()) * Vector3::UnitX();
    const Vector3 up = b.bounded() ? d : a.planar() ? Vector3(Vector3::UnitY()) : Vector3(Vector3::UnitZ());
    place.a.x = (b.bounded() ? 0.95 : 0.5) * uniform(random, 0.8, 1.2) * up;
    places.push_back(place);
  }
  find_pairs(state, a, b, places, 0.05);
}

void box_at_rest_on_box(benchmark::State& state) {
  std::mt19937 random(2);
  std::vector<Placed> places;
  for (int k = 0; k < 200; ++k) {
    Placed place;
    place.a.x << uniform(random, -0.3, 0.3), uniform(random, -0.3, 0.3), 0.6;
    if (k % 2) place.a.R = rotation(random, true);
    places.push_back(place);
  }
  find_pairs(state, sample(ShapeKind::box), sample(ShapeKind::box), places, 0.01);
}
BENCHMARK(box_at_rest_on_box);

void broad_phase(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::mt19937 random(3);
  std::vector<FinderItem> items(n);
  const double room = 0.5 * std::cbrt(static_cast<double>(n));
  for (FinderItem& item : items) {
    const Vector3 x(uniform(random, -room, room), uniform(random, -room, room), uniform(random, -room, room));
    item.bounds = Bounds{x, x}.grown(0.3 * std::pow(10.0, -uniform(random, 0, 1)));
  }
  PairFinder finder;
  std::vector<IndexPair> pairs;
  for (auto _ : state) finder.find(items, {}, pairs);
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["tests_an_item"] = static_cast<double>(finder.overlap_tests()) / static_cast<double>(n);
}
BENCHMARK(broad_phase)->Arg(1000)->Arg(10000)->Arg(100000);

// Every pair of the table, once.
const bool registered = [] {
  for (int a = 0; a < shape_kind_count; ++a)
    for (int b = a; b < shape_kind_count; ++b) {
      const auto ka = static_cast<ShapeKind>(a), kb = static_cast<ShapeKind>(b);
      if (!has_pair(ka, kb)) continue;
      // The unbounded one second.
      const bool exchange = ka == ShapeKind::half_space || ka == ShapeKind::half_plane;
      const ShapeKind first = exchange ? kb : ka, second = exchange ? ka : kb;
      const std::string title = std::string(name(first)) + "_" + std::string(name(second));
      benchmark::RegisterBenchmark(title.c_str(), [=](benchmark::State& state) { random_pairs(state, first, second); });
    }
  return true;
}();

}  // namespace
}  // namespace carom::geometry
