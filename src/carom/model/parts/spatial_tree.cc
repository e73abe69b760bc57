// The tree in space: recursions in world components about one point O (docs/theory/assembled_model.md).
#include <algorithm>
#include <array>

#include "carom/model/assembly/frames.h"
#include "carom/model/parts/body_manifold.h"
#include "carom/model/parts/tree.h"
#include "carom/model/parts/tree_algebra.h"
#include "carom/model/parts/tree_ballast.h"

namespace carom::model {

namespace {

// All that depends on q alone.
struct TreeState {
  std::uint64_t tree = 0;
  std::uint64_t stamp = 0;  // new with every q
  bool heavy = false;       // with what is behind the line
  std::vector<double> q;
  Vector3 O = Vector3::Zero();
  std::vector<Place> places;  // of steps
  std::vector<Screw> S;       // of velocities
  // ---
  std::vector<ScrewMatrix> own, outboard;  // inertia riding on a step; with all outboard of it
  std::vector<Vector3> moments;            // sum of mass times position from O, outboard, of what has weight
};

// What depends on v too.
struct TreeMotion {
  std::uint64_t stamp = 0;  // of the q it belongs to
  bool accelerated = false;
  std::vector<double> v;
  std::vector<Screw> V, A, N;  // of steps; N: sum of n outboard
};

class SpatialTree final : public Tree {
 public:
  explicit SpatialTree(TreeLayout layout)
      : Tree(std::move(layout)), ballast_(layout_), origin_(ballast_.first_heavy()) {
    for (const TreeBody& body : layout_.bodies) body_places_.push_back(Place::of(body.pose));
    potential_of_grounded_ = -layout_.gravity.dot(ballast_.grounded.heavy_moment);
    heavy_masses_.resize(layout_.steps.size());
    for (Index s = count() - 1; s >= 0; --s) {
      heavy_masses_[at(s)] += ballast_.steps[at(s)].heavy_mass;
      if (parent(s) >= 0) heavy_masses_[at(parent(s))] += heavy_masses_[at(s)];
    }
    for (const TreeStep& step : layout_.steps) {
      starts_.push_back(Place::of(step.before));
      has_balls_ = has_balls_ || step.kind == StepKind::ball;
    }
  }

  // --- inertia and forces
  // -----------------------------------------------------------------------------------------------

  void fill_inertia(const double* q, double* M) const override { fill_inertia(heavy_state(q), M); }

  void add_force(double, const double* q, const double* v, double* h) const override {
    const TreeState& x = heavy_state(q);
    const TreeMotion& m = motion(x, v, true);
    each_velocity([&](Index s, Index k) { h[k] += x.S[at(k)].dot(weight(x, s) - m.N[at(s)]); });
  }

  // With u = V_p x S_j, a = A_p x S_j + V_p x u, p the parent of step j, and per body the matrix
  //   B w = I (w x V) + w x* I V + V x* I w
  // the derivatives of n outboard of j are S_j x* n + I a + B u by q_j, and I (V_j x S_j + u) + B S_j by v_j.
  void force_jacobian(double, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override {
    if (nv() == 0) return;
    const TreeState& x = heavy_state(q);
    const TreeMotion& m = motion(x, v, true);
    thread_local std::vector<ScrewMatrix> B;
    B.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      const ScrewMatrix &I = x.own[at(s)], V = cross_matrix(m.V[at(s)]);
      B[at(s)] = carried_load_matrix(Screw(I * m.V[at(s)])) - I * V - V.transpose() * I;
    }
    for (Index s = count() - 1; s >= 0; --s)
      if (parent(s) >= 0) B[at(parent(s))] += B[at(s)];

    // How motion inboard of step j changes with it: of V_p and A_p, by q_j, and by v_j.
    thread_local std::vector<Screw> u, a, b;
    u.resize(at(nv()));
    a.resize(at(nv()));
    b.resize(at(nv()));
    each_velocity([&](Index s, Index j) {
      const Screw& S = x.S[at(j)];
      b[at(j)] = cross(m.V[at(s)], S);
      if (const Index p = parent(s); p < 0) {
        u[at(j)].setZero();
        a[at(j)].setZero();
      } else {
        u[at(j)] = cross(m.V[at(p)], S);
        a[at(j)] = cross(m.A[at(p)], S) + cross(m.V[at(p)], u[at(j)]);
        b[at(j)] += u[at(j)];
      }
    });

    thread_local std::vector<double> by_q, by_v;
    by_q.assign(static_cast<std::size_t>(nv() * nv()), 0.0);
    by_v.assign(static_cast<std::size_t>(nv() * nv()), 0.0);
    each_velocity([&](Index s, Index j) {
      if (parent(s) < 0) return;
      const Screw& S = x.S[at(j)];
      // Velocities inboard of step j: all that it carries changes.
      const Screw by_q_here =
          weight_change(x, s, S) - cross_load(S, m.N[at(s)]) - x.outboard[at(s)] * a[at(j)] - B[at(s)] * u[at(j)];
      const Screw by_v_here = -(x.outboard[at(s)] * b[at(j)] + B[at(s)] * S);
      for (Index inner = parent(s); inner >= 0; inner = parent(inner))
        each_velocity_of(inner, [&](Index k) {
          by_q[at(k + nv() * j)] = x.S[at(k)].dot(by_q_here);
          by_v[at(k + nv() * j)] = x.S[at(k)].dot(by_v_here);
        });
    });
    // Velocities k outboard of step j, or its own: S_k is carried along, and with it the load that the motion needs.
    each_velocity([&](Index s, Index k) {
      const Screw& S_k = x.S[at(k)];
      const Screw I_k = x.outboard[at(s)] * S_k, B_k = B[at(s)].transpose() * S_k;
      // S_k . (change of the weight) + (S_j x S_k) . weight, as a row for S_j.
      const Screw G_k = weight_change_row(x, s, S_k) - carried_load_matrix(weight(x, s)).transpose() * S_k;
      for (Index inner = s; inner >= 0; inner = parent(inner))
        each_velocity_of(inner, [&](Index j) {
          by_q[at(k + nv() * j)] = G_k.dot(x.S[at(j)]) - I_k.dot(a[at(j)]) - B_k.dot(u[at(j)]);
          by_v[at(k + nv() * j)] = -(I_k.dot(b[at(j)]) + B_k.dot(x.S[at(j)]));
        });
    });
    dh_dq.add(by_q.data());
    dh_dv.add(by_v.data());
  }

  // --- frames
  // -----------------------------------------------------------------------------------------------------------

  void place(double, const double* q, Pose* poses) const override {
    const TreeState& x = state(q);
    for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
      const Index s = layout_.bodies[b].step;
      poses[b] = s < 0 ? layout_.bodies[b].pose : (x.places[at(s)] * body_places_[b]).pose();
    }
  }

  void twists(double, const double* q, const double* v, const Pose* poses, Twist* twists) const override {
    const TreeState& x = state(q);
    const TreeMotion& m = motion(x, v, false);
    for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
      const Index s = layout_.bodies[b].step;
      twists[b] = s < 0 ? Twist{} : twist_at(m.V[at(s)], poses[b].x - x.O);
    }
  }

  // d/dt (v_O + omega x r) = a_O + alpha x r + omega x velocity
  void rates(double, const double* q, const double* v, const Pose* poses, Twist* rates) const override {
    const TreeState& x = heavy_state(q);
    const TreeMotion& m = motion(x, v, true);
    for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
      const Index s = layout_.bodies[b].step;
      if (s < 0) continue;
      const Vector3 r = poses[b].x - x.O;
      const Twist twist = twist_at(m.V[at(s)], r);
      rates[b] = twist_at(m.A[at(s)], r);
      rates[b].velocity += twist.omega.cross(twist.velocity);
    }
  }

  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override {
    const TreeState& x = state(q);
    const Screw load = load_at(pose.x - x.O, force, torque);
    each_velocity_to(frame, [&](Index, Index k) { h[k] += x.S[at(k)].dot(load); });
  }

  // One segment over the whole tree, shared by the frames of a row that hang on it.
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override {
    if (nv() == 0) return;
    const TreeState& x = state(q);
    const ConstraintJacobian::Block& block = W.block(W.block_count() - 1);
    double* entries = nullptr;
    for (Index s = block.segment_begin; s < block.segment_end; ++s)
      if (W.segment(s).offset == offset) entries = W.entries(W.segment(s));
    if (!entries) entries = W.add_segment(offset, nv());
    for (Index r = 0; r < rows; ++r, entries += nv()) {
      const Screw load = load_at(pose.x - x.O, force[r], torque[r]);
      each_velocity_to(frame, [&](Index, Index k) { entries[k] += x.S[at(k)].dot(load); });
    }
  }

  void frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3& force,
                         const Vector3& torque, FrameColumns& out) const override {
    const TreeState& x = state(q);
    const TreeMotion& m = motion(x, v, false);
    const Index last = layout_.bodies[at(frame)].step;
    if (last < 0) return;
    const Vector3 r = pose.x - x.O;
    const Screw load = load_at(r, force, torque);
    const Vector3 omega = twist_at(m.V[at(last)], r).omega;
    each_velocity_to(frame, [&](Index s, Index j) {
      const Screw& S = x.S[at(j)];
      const Screw inner = parent(s) < 0 ? Screw(Screw::Zero()) : m.V[at(parent(s))];
      const Vector3 shift = twist_at(S, r).velocity;
      const Twist carried = twist_at(Screw(cross(S, Screw(m.V[at(last)] - inner))), r);
      out.twist_by_q.col(j) << carried.velocity + omega.cross(shift), carried.omega;
      const Vector3 moment = shift.cross(force);
      each_velocity_to(frame, [&](Index outer, Index k) {
        out.load_by_q(k, j) = twist_at(x.S[at(k)], r).omega.dot(moment);
        if (outer >= s)
          out.load_by_q(k, j) += cross(S, x.S[at(k)]).dot(load);  // on one path the later step is the outer
      });
    });
  }

  // --- energies
  // -----------------------------------------------------------------------------------------------------------

  double kinetic_energy(const double* q, const double* v) const override {
    const TreeState& x = heavy_state(q);
    const TreeMotion& m = motion(x, v, false);
    double twice = 0.0;
    for (Index s = 0; s < count(); ++s) twice += m.V[at(s)].dot(x.own[at(s)] * m.V[at(s)]);
    return 0.5 * twice;
  }

  double potential_energy(const double* q) const override {
    const TreeState& x = heavy_state(q);
    double energy = potential_of_grounded_;
    for (Index s = 0; s < count(); ++s)
      if (parent(s) < 0) energy -= layout_.gravity.dot(x.moments[at(s)] + heavy_masses_[at(s)] * x.O);
    return energy;
  }

  // Quaternions off the unit sphere stretch what is outboard: differences follow that.
  void add_potential_gradient(const double* q, double* out) const override {
    if (has_balls_) return Part::add_potential_gradient(q, out);
    const TreeState& x = heavy_state(q);
    each_velocity([&](Index s, Index k) { out[k] -= x.S[at(k)].dot(weight(x, s)); });
  }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index count() const { return static_cast<Index>(layout_.steps.size()); }
  Index parent(Index s) const { return layout_.steps[at(s)].parent; }

  template <class Call>
  void each_velocity_of(Index s, Call call) const {
    const TreeStep& step = layout_.steps[at(s)];
    for (Index k = step.v; k < step.v + step.nv(); ++k) call(k);
  }
  template <class Call>
  void each_velocity(Call call) const {
    for (Index s = 0; s < count(); ++s) each_velocity_of(s, [&](Index k) { call(s, k); });
  }
  // Those on the path from the ground to a body, the outer first.
  template <class Call>
  void each_velocity_to(Index body, Call call) const {
    for (Index s = layout_.bodies[at(body)].step; s >= 0; s = parent(s))
      each_velocity_of(s, [&](Index k) { call(s, k); });
  }

  // Of all that is outboard of a step.
  Screw weight(const TreeState& x, Index s) const {
    const Vector3 moment = x.moments[at(s)].cross(layout_.gravity);
    return load_at(Vector3::Zero(), heavy_masses_[at(s)] * layout_.gravity, moment);
  }
  Screw weight_change(const TreeState& x, Index s, const Screw& S) const {
    const double mass = heavy_masses_[at(s)];
    if (mass == 0.0) return Screw::Zero();
    const Vector3 shift = mass * twist_at(S, x.moments[at(s)] / mass).velocity;
    return load_at(Vector3::Zero(), Vector3::Zero(), shift.cross(layout_.gravity));
  }

  // The row r with r . S = S_k . weight_change(x, s, S): with y = g x omega_k,  omega_k . (shift x g) = shift . y.
  Screw weight_change_row(const TreeState& x, Index s, const Screw& S_k) const {
    const Vector3 y = layout_.gravity.cross(twist_at(S_k, Vector3::Zero()).omega), moment = x.moments[at(s)].cross(y);
    Screw row;
    row << moment, heavy_masses_[at(s)] * y;
    return row;
  }

  void fill_inertia(const TreeState& x, double* M) const {
    std::fill_n(M, nv() * nv(), 0.0);
    each_velocity([&](Index s, Index k) {
      const Screw momentum = x.outboard[at(s)] * x.S[at(k)];
      for (Index inner = s; inner >= 0; inner = parent(inner))
        each_velocity_of(inner, [&](Index j) { M[j + nv() * k] = M[k + nv() * j] = x.S[at(j)].dot(momentum); });
    });
  }

  // The last q a thread has asked for, per tree: many calls come for the same one.
  TreeState& state(const double* q) const {
    constexpr std::size_t slots = 64;
    thread_local std::array<TreeState, slots> kept;
    TreeState& x = kept[number_ % slots];
    if (x.tree == number_ && std::equal(x.q.begin(), x.q.end(), q)) return x;
    thread_local std::uint64_t stamps = 0;
    x.tree = number_;
    x.stamp = ++stamps;
    x.heavy = false;
    x.q.assign(q, q + nq());
    x.places.resize(layout_.steps.size());
    x.S.resize(at(nv()));
    for (Index s = 0; s < count(); ++s) {
      const TreeStep& step = layout_.steps[at(s)];
      Place& place = x.places[at(s)];
      if (step.parent < 0)
        place = starts_[at(s)];
      else
        place = step.moved ? x.places[at(step.parent)] * starts_[at(s)] : x.places[at(step.parent)];
      switch (step.kind) {
        case StepKind::turn: place.turn(step.axis, step.sign * q[step.q]); break;
        case StepKind::slide: place.slide(step.axis, step.sign * q[step.q]); break;
        case StepKind::ball: place.R = place.R * rotation_matrix(manifold::four(q + step.q)); break;
      }
    }
    x.O = count() > 0 ? Vector3(x.places[at(origin_)].position()) : Vector3(Vector3::Zero());
    for (Index s = 0; s < count(); ++s) {
      const TreeStep& step = layout_.steps[at(s)];
      const Place& place = x.places[at(s)];
      if (step.kind == StepKind::ball)
        for (int a = 0; a < 3; ++a) x.S[at(step.v + a)] = place.turning(a, x.O);
      else
        x.S[at(step.v)] =
            step.sign * (step.kind == StepKind::turn ? place.turning(step.axis, x.O) : place.sliding(step.axis));
    }
    return x;
  }

  const TreeState& heavy_state(const double* q) const {
    TreeState& x = state(q);
    if (x.heavy) return x;
    x.heavy = true;
    x.own.resize(layout_.steps.size());
    x.moments.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      const Ballast& ballast = ballast_.steps[at(s)];
      const Place& place = x.places[at(s)];
      if (ballast.mass == 0.0) {
        x.own[at(s)].setZero();
        x.moments[at(s)].setZero();
        continue;
      }
      const Vector3 centre = place.point(ballast.centre) - x.O;
      x.own[at(s)] = inertia_about(ballast.mass, centre, place.R * ballast.inertia * place.R.transpose());
      if (ballast.heavy_mass == ballast.mass)
        x.moments[at(s)] = ballast.mass * centre;
      else if (ballast.heavy_mass == 0.0)
        x.moments[at(s)].setZero();
      else
        x.moments[at(s)] = ballast.heavy_mass * (place.point(ballast.heavy_moment / ballast.heavy_mass) - x.O);
    }
    x.outboard = x.own;
    for (Index s = count() - 1; s >= 0; --s)
      if (parent(s) >= 0) {
        x.outboard[at(parent(s))] += x.outboard[at(s)];
        x.moments[at(parent(s))] += x.moments[at(s)];
      }
    return x;
  }

  const TreeMotion& motion(const TreeState& x, const double* v, bool accelerations) const {
    thread_local TreeMotion m;  // of the last q and v asked for
    const bool known = m.stamp == x.stamp && std::equal(m.v.begin(), m.v.end(), v);
    if (known && (m.accelerated || !accelerations)) return m;
    m.stamp = x.stamp;
    m.accelerated = accelerations;
    m.v.assign(v, v + nv());
    m.V.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      Screw own = Screw::Zero();
      each_velocity_of(s, [&](Index k) { own += v[k] * x.S[at(k)]; });
      m.V[at(s)] = parent(s) < 0 ? own : Screw(m.V[at(parent(s))] + own);
    }
    if (!accelerations) return m;
    m.A.resize(layout_.steps.size());
    m.N.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      const Screw& V = m.V[at(s)];
      if (parent(s) < 0)
        m.A[at(s)].setZero();  // V is along its own steps: V x V = 0
      else
        m.A[at(s)] = m.A[at(parent(s))] - cross(V, m.V[at(parent(s))]);  // V x (V - V_p)
      m.N[at(s)] = x.own[at(s)] * m.A[at(s)] + cross_load(V, Screw(x.own[at(s)] * V));
    }
    for (Index s = count() - 1; s >= 0; --s)
      if (parent(s) >= 0) m.N[at(parent(s))] += m.N[at(s)];
    return m;
  }

  std::vector<Place> starts_, body_places_;
  TreeBallast ballast_;
  std::vector<double> heavy_masses_;  // outboard of a step
  double potential_of_grounded_ = 0.0;
  bool has_balls_ = false;
  Index origin_;  // the step whose frame O is taken from
};

}  // namespace

std::shared_ptr<const Tree> make_spatial_tree(TreeLayout layout) {
  return std::make_shared<SpatialTree>(std::move(layout));
}

}  // namespace carom::model
