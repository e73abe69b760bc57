// Closest features of convex shapes with curved parts, by climbing the separation s(n) = min n.a - max n.b, a lower
// bound of the distance.
//
// Every pair of features proposes a direction, its own normal. From a rough direction the features around the extreme
// points propose; the best proposal is the next direction, until none is better. Then the gap of the features equals
// the separation along their normal, which proves it. Rough directions come from GJK, for overlapping shapes with
// rounded (smaller) shapes, and from a list of likely normals.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/geometry/pairs/gjk.h"
#include "carom/geometry/pairs/pair.h"

namespace carom::geometry {

// The best proposal so far. `stray` is how far the contact lies beyond its features, or how much its gap exceeds the
// separation along its normal; of equally good proposals the one that strays least wins.
struct Proposal {
  Candidate candidate;
  double s = -std::numeric_limits<double>::infinity();
  double stray = std::numeric_limits<double>::infinity();
  bool found = false;

  void offer(const Candidate& c, double separated, double strays, double size) {
    const double equal = 1e-10 * size;
    strays = std::max({strays, std::abs(c.gap - separated), 0.0});
    const bool better = separated > s + equal, as_good = separated > s - equal;
    if (found && !better && !(as_good && strays < stray - equal)) return;
    candidate = c;
    s = separated;
    stray = strays;
    found = true;
  }
};

// From the second shape to the first.
inline Vector3 direction_of(const Candidate& c) { return c.first_is_b ? Vector3(-c.normal) : c.normal; }

// Pair: separation(n), propose(n, proposal), support(shape 0 or 1, rounding, d, x), list_directions(visit), size().
template <class Pair>
Proposal ascend(const Pair& pair, const Vector3& centres, double margin) {
  const double size = pair.size();
  const auto climb = [&](Vector3 n) {
    Proposal best;
    for (int round = 0; round < 12; ++round) {
      Proposal next = best;
      pair.propose(n, next);
      if (!next.found || (best.found && !(next.s > best.s + 1e-13 * size) && !(next.stray < best.stray - 1e-12 * size)))
        break;
      best = next;
      n = direction_of(best.candidate);
    }
    return best;
  };
  const auto proved = [&](const Proposal& p) { return p.found && p.stray < 1e-9 * size; };
  Proposal best;
  const auto keep = [&](const Proposal& p) {
    if (p.found &&
        (!best.found || p.s > best.s + 1e-10 * size || (p.s > best.s - 1e-10 * size && p.stray < best.stray)))
      best = p;
  };
  for (const double share : {0.0, 0.02, 0.1, 0.4, 0.9}) {
    const double rounding = share * size;
    const auto side = [&](int which) {
      return [&pair, which, rounding](const Vector3& d, Vector3& x, Index& k) {
        k = 0;
        pair.support(which, rounding, d, x);
      };
    };
    const GjkResult result = gjk(side(0), side(1), centres, 1e-12, 100);
    const double distance = result.v.norm();
    if (!result.separated || distance < 1e-3 * rounding + 1e-9 * size) continue;
    const Vector3 n = result.v / distance;
    if (share == 0.0 && pair.separation(n) > margin) return {};
    keep(climb(n));
    if (share == 0.0 && proved(best)) return best;  // separated: there is only one
    break;
  }
  pair.list_directions([&](const Vector3& n) {
    if (!best.found || pair.separation(n) > best.s - 0.2 * size) keep(climb(n));
  });
  return best;
}

}  // namespace carom::geometry
