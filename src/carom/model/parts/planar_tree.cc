// The tree in the plane, about one point O and in world components. With a' for a turned by a right angle and a x b for
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
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/scalar_code.h"
#include "carom/model/assembly/frames.h"
#include "carom/model/parts/tree.h"
#include "carom/model/parts/tree_ballast.h"

namespace carom::model {

namespace {

// A vector of the plane: two numbers that stay in registers.
struct Arrow {
  double x = 0.0, y = 0.0;

  static Arrow of(const Vector3& a) { return {a.x(), a.y()}; }
  Arrow& operator+=(Arrow b) { return x += b.x, y += b.y, *this; }
};
inline Arrow operator+(Arrow a, Arrow b) { return {a.x + b.x, a.y + b.y}; }
inline Arrow operator-(Arrow a, Arrow b) { return {a.x - b.x, a.y - b.y}; }
inline Arrow operator*(double k, Arrow a) { return {k * a.x, k * a.y}; }
inline Arrow turned(Arrow a) { return {-a.y, a.x}; }
inline double dot(Arrow a, Arrow b) { return a.x * b.x + a.y * b.y; }
inline double cross(Arrow a, Arrow b) { return a.x * b.y - a.y * b.x; }

struct PlanarPlace {
  double c = 1.0, s = 0.0;
  Arrow x = {};

  static PlanarPlace of(const Pose& pose) { return {pose.R(0, 0), pose.R(1, 0), Arrow::of(pose.x)}; }
  Arrow direction(Arrow a) const { return {c * a.x - s * a.y, s * a.x + c * a.y}; }
  Arrow point(Arrow a) const { return x + direction(a); }
  // A place given relative to this one.
  PlanarPlace operator*(const PlanarPlace& b) const { return {c * b.c - s * b.s, s * b.c + c * b.s, point(b.x)}; }
  void turn(double angle) {
    const double ca = std::cos(angle), sa = std::sin(angle), c0 = c;
    c = c0 * ca - s * sa;
    s = s * ca + c0 * sa;
  }
  Arrow axis(int i) const { return i == 0 ? Arrow{c, s} : Arrow{-s, c}; }
  void write(Pose& pose) const {
    double *out = pose.x.data(), *R = pose.R.data();
    out[0] = x.x, out[1] = x.y, out[2] = 0.0;
    R[0] = c, R[1] = s, R[2] = 0.0, R[3] = -s, R[4] = c, R[5] = R[6] = R[7] = 0.0, R[8] = 1.0;
  }
};

// What never changes of a step.
struct Hinge {
  Index parent;
  bool moved, turns;
  int axis;
  double sign;
  PlanarPlace start;
  // What rides on it, and of that what has weight; with all outboard of it.
  double mass, J, heavy_mass;
  Arrow centre, heavy_centre;
  double outboard_mass, outboard_heavy_mass;
};

// What depends on the state, of a step.
struct Link {
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
};

// How what is outboard of a step changes with it, and what that meets.
struct Change {
  Arrow Y, E, p;
  double K;
};

enum class Motion { none, velocities, accelerations };

// The last q and v a thread has asked for, per tree: many calls come for the same ones.
struct TreeState {
  std::uint64_t tree = 0;
  std::vector<double> q, v;
  bool inertia = false;
  Motion motion = Motion::none;
  Arrow O = {};
  std::vector<Link> links;
};

// Every step has one coordinate, so that steps, coordinates and velocities have the same numbers.
class PlanarTree final : public Tree {
 public:
  explicit PlanarTree(TreeLayout layout) : Tree(std::move(layout)), gravity_(Arrow::of(layout_.gravity)) {
    const TreeBallast ballast(layout_);
    origin_ = ballast.first_heavy();
    potential_of_grounded_ = -dot(gravity_, Arrow::of(ballast.grounded.heavy_moment));
    for (std::size_t s = 0; s < layout_.steps.size(); ++s) {
      const TreeStep& step = layout_.steps[s];
      const Ballast& rides = ballast.steps[s];
      const Vector3 heavy_centre =
          rides.heavy_mass > 0.0 ? Vector3(rides.heavy_moment / rides.heavy_mass) : Vector3(Vector3::Zero());
      hinges_.push_back({step.parent, step.moved, step.kind == StepKind::turn, step.axis, step.sign,
                         PlanarPlace::of(step.before), rides.mass, rides.inertia(2, 2), rides.heavy_mass,
                         Arrow::of(rides.centre), Arrow::of(heavy_centre), rides.mass, rides.heavy_mass});
    }
    for (Index s = nv() - 1; s >= 0; --s) {
      const Hinge& hinge = hinges_[at(s)];
      if (hinge.parent < 0) continue;
      hinges_[at(hinge.parent)].outboard_mass += hinge.outboard_mass;
      hinges_[at(hinge.parent)].outboard_heavy_mass += hinge.outboard_heavy_mass;
    }
    for (const TreeBody& body : layout_.bodies) bodies_.push_back({body.step, PlanarPlace::of(body.pose)});
  }

  void move(const double* q, const double* dq, double* q_next) const override {
    for (Index i = 0; i < nv(); ++i) q_next[i] = q[i] + dq[i];
  }

  // --- inertia and forces
  // ---------------------------------------------------------------------------------------------

  CAROM_SCALAR_CODE void fill_inertia(const double* q, double* M) const override {
    const Link* links = with_inertia(q).links.data();
    const Index n = nv();
    for (Index i = 0; i < n * n; ++i) M[i] = 0.0;
    for (Index k = 0; k < n; ++k) {
      const Link& outer = links[k];
      const double L = outer.J * outer.s + cross(outer.c, outer.e);
      const Arrow T = momentum(k, outer);
      double *row = M + k, *column = M + n * k;
      for (Index j = k; j >= 0; j = parent(j)) column[j] = row[n * j] = links[j].s * L + dot(links[j].e, T);
    }
  }

  CAROM_SCALAR_CODE void add_force(double, const double* q, const double* v, double* h) const override {
    const Link* links = accelerated(q, v).links.data();
    for (Index k = 0; k < nv(); ++k) {
      const Link& link = links[k];
      h[k] += weight(k, link) - link.s * link.nu - dot(link.e, link.f);
    }
  }

  CAROM_SCALAR_CODE void force_jacobian(double, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                                        MatrixAssembly::Writer& dh_dv) const override {
    const Index n = nv();
    if (n == 0) return;
    const Link* links = accelerated(q, v).links.data();
    thread_local std::vector<double> by_q, by_v;
    thread_local std::vector<Change> changes;
    by_q.assign(at(n * n), 0.0);
    by_v.assign(at(n * n), 0.0);
    changes.resize(at(n));
    find_changes(links, changes.data());
    for (Index k = 0; k < n; ++k) {
      const Link& outer = links[k];
      const double s = outer.s, m = hinges_[at(k)].outboard_mass;
      const Arrow e = outer.e;
      const auto [Y, E, p, K] = changes[at(k)];
      const Arrow T = momentum(k, outer);
      const double G = hinges_[at(k)].outboard_heavy_mass * cross(e, gravity_) - s * dot(outer.heavy, gravity_);
      const double Q = 2.0 * (s * K + dot(e, turned(p)));
      double *row_q = by_q.data() + k, *row_v = by_v.data() + k, *column_q = by_q.data() + n * k,
             *column_v = by_v.data() + n * k;
      row_q[n * k] = s * G - dot(T, Y);
      row_v[n * k] = -dot(T, E) - s * Q;
      if (parent(k) < 0) continue;
      const double moment_q = G - cross(e, outer.f) - cross(outer.c, Y), moment_v = cross(outer.c, E) + 2.0 * s * K;
      const Arrow force_q = s * turned(outer.f) + m * Y, force_v = m * E + 2.0 * s * turned(p);
      for (Index j = parent(k); j >= 0; j = parent(j)) {
        const Link& inner = links[j];
        row_q[n * j] = inner.s * G - dot(T, changes[at(j)].Y);
        row_v[n * j] = -dot(T, changes[at(j)].E) - inner.s * Q;
        column_q[j] = inner.s * moment_q - dot(inner.e, force_q);
        column_v[j] = -inner.s * moment_v - dot(inner.e, force_v);
      }
    }
    dh_dq.add(by_q.data());
    dh_dv.add(by_v.data());
  }

  // --- frames
  // ---------------------------------------------------------------------------------------------------------

  void place(double, const double* q, Pose* poses) const override {
    const TreeState& x = placed(q);
    for (const Body& body : bodies_) {
      (body.step < 0 ? body.place : x.links[at(body.step)].place * body.place).write(*poses);
      ++poses;
    }
  }

  void twists(double, const double* q, const double* v, const Pose* poses, Twist* twists) const override {
    const TreeState& x = moving(q, v);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      double w = 0.0;
      Arrow velocity;
      if (bodies_[i].step >= 0) {
        const Link& link = x.links[at(bodies_[i].step)];
        w = link.w;
        velocity = link.u + w * turned(Arrow::of(poses[i].x) - x.O);
      }
      twists[i].velocity << velocity.x, velocity.y, 0.0;
      twists[i].omega << 0.0, 0.0, w;
    }
  }

  void rates(double, const double* q, const double* v, const Pose* poses, Twist* rates) const override {
    const TreeState& x = accelerated(q, v);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (bodies_[i].step < 0) continue;
      const Link& link = x.links[at(bodies_[i].step)];
      const Arrow rate = link.b - (link.w * link.w) * (Arrow::of(poses[i].x) - x.O);
      rates[i].velocity << rate.x, rate.y, 0.0;
      rates[i].omega.setZero();
    }
  }

  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override {
    const TreeState& x = placed(q);
    add_load(x, frame, Arrow::of(pose.x) - x.O, force, torque, h);
  }

  // One segment over the whole tree, shared by the frames of a row that hang on it.
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override {
    if (nv() == 0) return;
    const TreeState& x = placed(q);
    const ConstraintJacobian::Block& block = W.block(W.block_count() - 1);
    double* entries = nullptr;
    for (Index s = block.segment_begin; s < block.segment_end; ++s)
      if (W.segment(s).offset == offset) entries = W.entries(W.segment(s));
    if (!entries) entries = W.add_segment(offset, nv());
    const Arrow r = Arrow::of(pose.x) - x.O;
    for (Index i = 0; i < rows; ++i, entries += nv()) add_load(x, frame, r, force[i], torque[i], entries);
  }

  void frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3& force,
                         const Vector3& /*torque*/, FrameColumns& out) const override {
    const TreeState& x = moving(q, v);
    const Index last = bodies_[at(frame)].step;
    if (last < 0) return;
    const Arrow r = Arrow::of(pose.x) - x.O, push = Arrow::of(force);
    const Link& end = x.links[at(last)];
    for (Index j = last; j >= 0; j = parent(j)) {
      const Link& link = x.links[at(j)];
      const Arrow u = parent(j) < 0 ? Arrow{} : x.links[at(parent(j))].u, shift = link.e + link.s * turned(r);
      const double w = parent(j) < 0 ? 0.0 : x.links[at(parent(j))].w;
      const Arrow velocity =
          link.s * turned(end.u - u) - (end.w - w) * turned(link.e) + end.w * turned(shift);  // carried, and turned
      out.twist_by_q.col(j) << velocity.x, velocity.y, 0.0, 0.0, 0.0, 0.0;
      const double moment = cross(shift, push);
      for (Index k = last; k >= 0; k = parent(k)) {
        const Link& other = x.links[at(k)];
        out.load_by_q(k, j) = other.s * moment;
        if (k >= j)  // on one path the later step is the outer
          out.load_by_q(k, j) += dot(link.s * turned(other.e) - other.s * turned(link.e), push);
      }
    }
  }

  // --- energies
  // -------------------------------------------------------------------------------------------------------

  double kinetic_energy(const double* q, const double* v) const override {
    const TreeState& x = moving(q, v);
    double twice = 0.0;
    for (Index s = 0; s < nv(); ++s) {
      const Hinge& hinge = hinges_[at(s)];
      const Link& link = x.links[at(s)];
      const Arrow velocity = link.u + link.w * turned(link.place.point(hinge.centre) - x.O);
      twice += hinge.mass * dot(velocity, velocity) + hinge.J * link.w * link.w;
    }
    return 0.5 * twice;
  }

  double potential_energy(const double* q) const override {
    const TreeState& x = placed(q);
    double energy = potential_of_grounded_;
    for (Index s = 0; s < nv(); ++s)
      energy -= hinges_[at(s)].heavy_mass * dot(gravity_, x.links[at(s)].place.point(hinges_[at(s)].heavy_centre));
    return energy;
  }

  void add_potential_gradient(const double* q, double* out) const override {
    const TreeState& x = with_inertia(q);
    for (Index k = 0; k < nv(); ++k) out[k] -= weight(k, x.links[at(k)]);
  }

 private:
  struct Body {
    Index step;
    PlanarPlace place;
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index parent(Index s) const { return hinges_[at(s)].parent; }

  // T_k
  Arrow momentum(Index k, const Link& link) const {
    return hinges_[at(k)].outboard_mass * link.e + link.s * turned(link.c);
  }
  // What the weight outboard does to velocity k.
  double weight(Index k, const Link& link) const {
    return link.s * cross(link.heavy, gravity_) + hinges_[at(k)].outboard_heavy_mass * dot(link.e, gravity_);
  }

  void add_load(const TreeState& x, Index frame, Arrow r, const Vector3& force, const Vector3& torque,
                double* h) const {
    const Arrow push = Arrow::of(force);
    const double moment = torque.z() + cross(r, push);
    for (Index k = bodies_[at(frame)].step; k >= 0; k = parent(k))
      h[k] += x.links[at(k)].s * moment + dot(x.links[at(k)].e, push);
  }

  CAROM_SCALAR_CODE TreeState& placed(const double* q) const {
    constexpr std::size_t slots = 64;
    thread_local std::array<TreeState, slots> kept;
    TreeState& x = kept[number_ % slots];
    const Index n = nv();
    if (x.tree != number_) {
      x.tree = number_;
      x.q.resize(hinges_.size());
      x.v.resize(hinges_.size());
      x.links.resize(hinges_.size());
    } else {
      const double* known = x.q.data();
      Index i = 0;
      while (i < n && known[i] == q[i]) ++i;
      if (i == n) return x;
    }
    x.inertia = false;
    x.motion = Motion::none;
    Link* links = x.links.data();
    for (Index s = 0; s < n; ++s) {
      const Hinge& hinge = hinges_[at(s)];
      const double way = hinge.sign * q[s];
      x.q[at(s)] = q[s];
      PlanarPlace place = hinge.start;
      if (hinge.parent >= 0) {
        place = links[hinge.parent].place;
        if (hinge.moved) place = place * hinge.start;
      }
      Link& link = links[s];
      if (hinge.turns) {
        place.turn(way);
        link.s = hinge.sign;
      } else {
        const Arrow axis = place.axis(hinge.axis);
        place.x += way * axis;
        link.s = 0.0;
        link.e = hinge.sign * axis;
      }
      link.place = place;
      if (s == origin_) x.O = place.x;
      if (s >= origin_ && hinge.turns) link.e = -hinge.sign * turned(place.x - x.O);
    }
    for (Index s = 0; s < origin_; ++s)
      if (hinges_[at(s)].turns) links[s].e = -links[s].s * turned(links[s].place.x - x.O);
    return x;
  }

  CAROM_SCALAR_CODE TreeState& with_inertia(const double* q) const {
    TreeState& x = placed(q);
    if (x.inertia) return x;
    x.inertia = true;
    const Index n = nv();
    Link* links = x.links.data();
    for (Index s = 0; s < n; ++s) {
      const Hinge& hinge = hinges_[at(s)];
      Link& link = links[s];
      const Arrow r = link.place.point(hinge.centre) - x.O, own = hinge.mass * r;
      link.c = link.own = own;
      link.J = hinge.J + dot(own, r);
      link.heavy =
          hinge.heavy_mass == hinge.mass ? own : hinge.heavy_mass * (link.place.point(hinge.heavy_centre) - x.O);
    }
    for (Index s = n - 1; s > 0; --s) {
      if (parent(s) < 0) continue;
      Link& inner = links[parent(s)];
      inner.c += links[s].c;
      inner.J += links[s].J;
      inner.heavy += links[s].heavy;
    }
    return x;
  }

  // Whether these are the velocities whose motion is known; from now on they are.
  static bool known(TreeState& x, const double* v, Motion wanted) {
    double* last = x.v.data();
    bool same = x.motion >= wanted;
    for (std::size_t i = 0; i < x.v.size(); ++i) {
      same = same && last[i] == v[i];
      last[i] = v[i];
    }
    if (!same) x.motion = wanted;
    return same;
  }

  CAROM_SCALAR_CODE TreeState& moving(const double* q, const double* v) const {
    TreeState& x = placed(q);
    if (known(x, v, Motion::velocities)) return x;
    Link* links = x.links.data();
    for (Index s = 0; s < nv(); ++s) {
      Link& link = links[s];
      link.w = link.s * v[s];
      link.u = v[s] * link.e;
      if (parent(s) < 0) continue;
      link.w += links[parent(s)].w;
      link.u += links[parent(s)].u;
    }
    return x;
  }

  CAROM_SCALAR_CODE TreeState& accelerated(const double* q, const double* v) const {
    TreeState& x = with_inertia(q);
    if (known(x, v, Motion::accelerations)) return x;
    const Index n = nv();
    Link* links = x.links.data();
    for (Index s = 0; s < n; ++s) {
      const Hinge& hinge = hinges_[at(s)];
      Link& link = links[s];
      const double rate = v[s];
      double w = link.s * rate, turning = w;
      Arrow u = rate * link.e, b;
      if (hinge.parent >= 0) {
        const Link& before = links[hinge.parent];
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
    }
    for (Index s = n - 1; s > 0; --s) {
      if (parent(s) < 0) continue;
      Link& inner = links[parent(s)];
      inner.f += links[s].f;
      inner.nu += links[s].nu;
    }
    return x;
  }

  CAROM_SCALAR_CODE void find_changes(const Link* links, Change* changes) const {
    const Index n = nv();
    for (Index s = 0; s < n; ++s) {
      const Hinge& hinge = hinges_[at(s)];
      const Link& link = links[s];
      Change& change = changes[s];
      change.Y = {};
      if (hinge.parent >= 0) {
        const Link& before = links[hinge.parent];
        change.Y = (-before.w * before.w) * link.e - link.s * turned(before.b);
      }
      change.E = 2.0 * (link.w * turned(link.e) - link.s * turned(link.u));
      change.p = hinge.mass * link.u + link.w * turned(link.own);
      change.K = dot(link.own, link.u);
    }
    for (Index s = n - 1; s > 0; --s) {
      if (parent(s) < 0) continue;
      Change& inner = changes[parent(s)];
      inner.p += changes[s].p;
      inner.K += changes[s].K;
    }
  }

  Arrow gravity_;
  std::vector<Hinge> hinges_;
  std::vector<Body> bodies_;
  double potential_of_grounded_ = 0.0;
  Index origin_ = 0;  // the step whose frame O is taken from
};

}  // namespace

std::shared_ptr<const Tree> make_planar_tree(TreeLayout layout) {
  return std::make_shared<PlanarTree>(std::move(layout));
}

}  // namespace carom::model
