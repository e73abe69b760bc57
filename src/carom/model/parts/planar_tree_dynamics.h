// A tree in the plane, about one point O and in world components. With a' for a turned by a right angle and a x b for
// the number a_x b_y - a_y b_x:
//
//   (s, e)    of a step: spin, and velocity of the point at O, that its velocity brings to all outboard of it
//             turn about r:  s = +-1, e = -s r'        slide along d:  s = 0, e = +-d
//   w, u, b   of a step: its spin, and velocity and acceleration (at constant v) of its point at O; p the step before
//             w = w_p + s v        u = u_p + e v        b = b_p + (w_p + w) v e'
//
// and of all that rides on a step and outboard of it, sums over masses m at r with c = m r:
//
//   m, c, J   mass, first moment, inertia about O        p = sum m u + w c'    K = sum c . u
//   f = sum m b - w^2 c,  nu = sum c x b   the load that the motion needs
//
// With (L, T) = (J s + c x e, m e + s c') the momentum of step k's own motion, and step j inboard of k or k itself:
//
//   M_kj = s_j L_k + e_j . T_k        h_k = s_k (c x g - nu)_k + e_k . (m g - f)_k      (weight: of what has weight)
//
// Moving coordinate j carries all outboard of j along (s_j, e_j) and leaves behind what is inboard. So b outboard
// changes by s_j b' + w^2 e_j + Y_j, and with v_j by E_j + 2 s_j u', where
//
//   Y_j = -s_j b_p' - w_p^2 e_j       E_j = 2 (w_j e_j' - s_j u_j')       G_k = m e_k x g - s_k c . g    (weight)
//
//   dh_k/dq_j = s_j G_k - T_k . Y_j                      dh_k/dv_j = -T_k . E_j - 2 s_j (s_k K + e_k . p')_k
//   dh_j/dq_k = s_j (G - e x f - c x Y)_k - e_j . (s f' + m Y)_k                              for j inboard of k
//   dh_j/dv_k = -s_j (c x E + 2 s K)_k - e_j . (m E + 2 s p')_k
//
// Every step has one coordinate, so that steps, coordinates and velocities have the same numbers. Loops over the steps
// are written once: for short chains, most mechanisms, they are written out by the compiler.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "carom/base/scalar_code.h"
#include "carom/model/parts/planar_place.h"

namespace carom::model {

// What never changes of a step.
struct PlanarHinge {
  Index parent;
  bool moved, turns;
  bool idle;  // its turning is seen by frames only: its mass lies on its axis, and no step follows
  int axis;
  double sign;
  PlanarPlace start;
  // What rides on it, and of that what has weight; with all outboard of it.
  double mass, J, heavy_mass;
  Arrow centre, heavy_centre;
  double outboard_mass, outboard_heavy_mass;
};

// What depends on the state, of a step.
struct PlanarLink {
  PlanarPlace place;
  double s;
  Arrow e;
  // Inertia.
  Arrow own;  // first moment of what rides on it
  Arrow c;
  double J;
  Arrow heavy;  // first moment of what has weight, outboard
  // Motion, and the load it needs.
  double w;
  Arrow u, b;
  Arrow f;
  double nu;
  // How what is outboard changes with it (Y, E), and what that meets.
  Arrow Y, E, p;
  double K;
};

// The steps of a chain, each on the one before. `each` and `inward` call f(s) for all steps, with parents first and
// last; `inboard` for those between step s and the ground.
template <Index N>
struct PlanarChain {
  template <Index s>
  using Step = std::integral_constant<Index, s>;

  static constexpr bool branches = false;
  static constexpr Index size() { return N; }
  template <Index s>
  static constexpr Index parent(Step<s>) {
    return s - 1;
  }
  template <class F>
  CAROM_INLINE static void each(F f) {
    [&]<Index... s>(std::integer_sequence<Index, s...>) CAROM_INLINE { (f(Step<s>()), ...); }
    (std::make_integer_sequence<Index, N>());
  }
  template <class F>
  CAROM_INLINE static void inward(F f) {
    [&]<Index... s>(std::integer_sequence<Index, s...>) CAROM_INLINE { (f(Step<N - 1 - s>()), ...); }
    (std::make_integer_sequence<Index, N>());
  }
  template <Index k, class F>
  CAROM_INLINE static void inboard(Step<k>, F f) {
    [&]<Index... s>(std::integer_sequence<Index, s...>) CAROM_INLINE { (f(Step<k - 1 - s>()), ...); }
    (std::make_integer_sequence<Index, k>());
  }
};

// Those of any tree.
struct PlanarBranches {
  const PlanarHinge* hinges;
  Index count;

  static constexpr bool branches = true;
  Index size() const { return count; }
  Index parent(Index s) const { return hinges[s].parent; }
  template <class F>
  CAROM_INLINE void each(F f) const {
    for (Index s = 0; s < count; ++s) f(s);
  }
  template <class F>
  CAROM_INLINE void inward(F f) const {
    for (Index s = count - 1; s >= 0; --s) f(s);
  }
  template <class F>
  CAROM_INLINE void inboard(Index s, F f) const {
    for (Index j = parent(s); j >= 0; j = parent(j)) f(j);
  }
};

// What a thread has found last of a tree, for one q and v: many calls come for the same ones.
struct PlanarTreeState {
  enum class Motion { none, velocities, accelerations };

  std::uint64_t tree = 0;
  std::vector<double> q, v;
  bool posed = false;  // idle steps are turned
  bool inertia = false;
  Motion motion = Motion::none;
  Arrow O = {};
  std::vector<PlanarLink> links;

  template <class Steps>
  CAROM_INLINE bool is_at(Steps steps, const double* other) const {
    const double* known = q.data();
    bool same = true;
    steps.each([&](auto s) CAROM_INLINE { same = same && known[s] == other[s]; });
    return same;
  }
  // Whether these are the velocities whose motion is known; from now on they are.
  template <class Steps>
  CAROM_INLINE bool moves_with(Steps steps, const double* other, Motion wanted) {
    double* known = v.data();
    bool same = motion >= wanted;
    steps.each([&](auto s) CAROM_INLINE {
      same = same && known[s] == other[s];
      known[s] = other[s];
    });
    if (!same) motion = wanted;
    return same;
  }
};

struct PlanarDynamics {
  const PlanarHinge* hinges;
  Index origin;  // the step whose frame O is taken from
  Arrow gravity;

  // T_k
  CAROM_INLINE Arrow momentum(Index k, const PlanarLink& link) const {
    return hinges[k].outboard_mass * link.e + link.s * turned(link.c);
  }
  // What the weight outboard does to velocity k.
  CAROM_INLINE double weight(Index k, const PlanarLink& link) const {
    return link.s * cross(link.heavy, gravity) + hinges[k].outboard_heavy_mass * dot(link.e, gravity);
  }

  template <class Steps>
  CAROM_INLINE void place(Steps steps, const double* q, PlanarTreeState& x) const {
    if (x.is_at(steps, q)) return;
    x.posed = x.inertia = false;
    x.motion = PlanarTreeState::Motion::none;
    PlanarLink* links = x.links.data();
    double* known = x.q.data();
    steps.each([&](auto s) CAROM_INLINE {
      const PlanarHinge& hinge = hinges[s];
      PlanarLink& link = links[s];
      const double angle_or_way = hinge.sign * q[s];
      known[s] = q[s];
      PlanarPlace place = hinge.start;
      if (const Index before = steps.parent(s); before >= 0) {
        place = links[before].place;
        if (hinge.moved) place = place * hinge.start;
      }
      link.s = 0.0;
      if (!hinge.turns) {
        const Arrow axis = place.axis(hinge.axis);
        place.x += angle_or_way * axis;
        link.e = hinge.sign * axis;
      } else {
        link.s = hinge.sign;
        if (!hinge.idle) place.turn(angle_or_way);
      }
      link.place = place;
    });
    const Arrow O = x.O = links[origin].place.x;
    steps.each([&](auto s) CAROM_INLINE {
      if (hinges[s].turns) links[s].e = -hinges[s].sign * turned(links[s].place.x - O);
    });
  }

  template <class Steps>
  CAROM_INLINE void find_inertia(Steps steps, PlanarTreeState& x) const {
    if (x.inertia) return;
    x.inertia = true;
    PlanarLink* links = x.links.data();
    const Arrow O = x.O;
    steps.each([&](auto s) CAROM_INLINE {
      const PlanarHinge& hinge = hinges[s];
      PlanarLink& link = links[s];
      const Arrow r = link.place.point(hinge.centre) - O, own = hinge.mass * r;
      link.c = link.own = own;
      link.J = hinge.J + dot(own, r);
      link.heavy = hinge.heavy_mass == hinge.mass ? own : hinge.heavy_mass * (link.place.point(hinge.heavy_centre) - O);
    });
    steps.inward([&](auto s) CAROM_INLINE {
      const Index before = steps.parent(s);
      if (before < 0) return;
      PlanarLink& inner = links[before];
      inner.c += links[s].c;
      inner.J += links[s].J;
      inner.heavy += links[s].heavy;
    });
  }

  template <class Steps>
  CAROM_INLINE void find_velocities(Steps steps, const double* v, PlanarTreeState& x) const {
    if (x.moves_with(steps, v, PlanarTreeState::Motion::velocities)) return;
    PlanarLink* links = x.links.data();
    steps.each([&](auto s) CAROM_INLINE {
      PlanarLink& link = links[s];
      double w = link.s * v[s];
      Arrow u = v[s] * link.e;
      if (const Index before = steps.parent(s); before >= 0) {
        w += links[before].w;
        u += links[before].u;
      }
      link.w = w;
      link.u = u;
    });
  }

  // With the load that the motion needs; after find_inertia.
  template <class Steps>
  CAROM_INLINE void find_accelerations(Steps steps, const double* v, PlanarTreeState& x) const {
    if (x.moves_with(steps, v, PlanarTreeState::Motion::accelerations)) return;
    PlanarLink* links = x.links.data();
    steps.each([&](auto s) CAROM_INLINE {
      const PlanarHinge& hinge = hinges[s];
      PlanarLink& link = links[s];
      const double rate = v[s];
      double w = link.s * rate, turning = w;
      Arrow u = rate * link.e, b;
      if (const Index inner = steps.parent(s); inner >= 0) {
        const PlanarLink& before = links[inner];
        w += before.w;
        u += before.u;
        b = before.b;
        turning = before.w + w;
      }
      b += (rate * turning) * turned(link.e);
      link.w = w;
      link.u = u;
      link.b = b;
      link.f = hinge.mass * b - (w * w) * link.own;
      link.nu = cross(link.own, b);
    });
    steps.inward([&](auto s) CAROM_INLINE {
      const Index before = steps.parent(s);
      if (before < 0) return;
      links[before].f += links[s].f;
      links[before].nu += links[s].nu;
    });
  }

  template <class Steps>
  CAROM_INLINE void find_changes(Steps steps, PlanarLink* links) const {
    steps.each([&](auto s) CAROM_INLINE {
      PlanarLink& link = links[s];
      link.Y = {};
      if (const Index inner = steps.parent(s); inner >= 0) {
        const PlanarLink& before = links[inner];
        link.Y = (-before.w * before.w) * link.e - link.s * turned(before.b);
      }
      link.E = 2.0 * (link.w * turned(link.e) - link.s * turned(link.u));
      link.p = hinges[s].mass * link.u + link.w * turned(link.own);
      link.K = dot(link.own, link.u);
    });
    steps.inward([&](auto s) CAROM_INLINE {
      const Index before = steps.parent(s);
      if (before < 0) return;
      links[before].p += links[s].p;
      links[before].K += links[s].K;
    });
  }

  // Steps on different branches do not meet.
  template <class Steps>
  CAROM_INLINE static void clear(Steps steps, double* matrix) {
    if constexpr (Steps::branches)
      for (Index i = 0; i < steps.size() * steps.size(); ++i) matrix[i] = 0.0;
  }

  template <class Steps>
  CAROM_INLINE void fill_inertia(Steps steps, const PlanarLink* links, double* M) const {
    const Index n = steps.size();
    clear(steps, M);
    steps.each([&](auto k) CAROM_INLINE {
      const PlanarLink& outer = links[k];
      const double L = outer.J * outer.s + cross(outer.c, outer.e);
      const Arrow T = momentum(k, outer);
      M[n * k + k] = outer.s * L + dot(outer.e, T);
      steps.inboard(k, [&](auto j) CAROM_INLINE { M[n * k + j] = M[n * j + k] = links[j].s * L + dot(links[j].e, T); });
    });
  }

  template <class Steps>
  CAROM_INLINE void add_force(Steps steps, const PlanarLink* links, double* h) const {
    steps.each([&](auto k) CAROM_INLINE {
      const PlanarLink& link = links[k];
      h[k] += weight(k, link) - link.s * link.nu - dot(link.e, link.f);
    });
  }

  template <class Steps>
  CAROM_INLINE void fill_derivatives(Steps steps, PlanarLink* links, double* by_q, double* by_v) const {
    const Index n = steps.size();
    clear(steps, by_q);
    clear(steps, by_v);
    find_changes(steps, links);
    steps.each([&](auto k) CAROM_INLINE {
      const PlanarLink& outer = links[k];
      const double s = outer.s, m = hinges[k].outboard_mass, K = outer.K;
      const Arrow e = outer.e, f = outer.f, c = outer.c, Y = outer.Y, E = outer.E, p = outer.p;
      const Arrow T = momentum(k, outer);
      const double G = hinges[k].outboard_heavy_mass * cross(e, gravity) - s * dot(outer.heavy, gravity);
      const double Q = 2.0 * (s * K + dot(e, turned(p)));
      by_q[n * k + k] = s * G - dot(T, Y);
      by_v[n * k + k] = -dot(T, E) - s * Q;
      const double moment_q = G - cross(e, f) - cross(c, Y), moment_v = cross(c, E) + 2.0 * s * K;
      const Arrow force_q = s * turned(f) + m * Y, force_v = m * E + 2.0 * s * turned(p);
      steps.inboard(k, [&](auto j) CAROM_INLINE {
        const PlanarLink& inner = links[j];
        by_q[n * j + k] = inner.s * G - dot(T, inner.Y);
        by_v[n * j + k] = -dot(T, inner.E) - inner.s * Q;
        by_q[n * k + j] = inner.s * moment_q - dot(inner.e, force_q);
        by_v[n * k + j] = -inner.s * moment_v - dot(inner.e, force_v);
      });
    });
  }
};

}  // namespace carom::model
