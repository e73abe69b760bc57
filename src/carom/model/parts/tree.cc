#include "carom/model/parts/tree.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <array>
#include <atomic>

#include "carom/model/assembly/frames.h"
#include "carom/model/parts/body_manifold.h"
#include "carom/model/parts/tree_algebra.h"

namespace carom::model {

// ---------------------------------------------------------------------------------------------------------------------
// Coordinates

namespace {

using manifold::four;
using manifold::three;

template <class Plain, class Ball>
void each_step(const TreeLayout& layout, Plain plain, Ball ball) {
  for (const TreeStep& step : layout.steps) step.kind == StepKind::ball ? ball(step.q, step.v) : plain(step.q, step.v);
}

}  // namespace

void Tree::move(const double* q, const double* dq, double* q_next) const {
  each_step(
      layout_, [&](Index i, Index k) { q_next[i] = q[i] + dq[k]; },
      [&](Index i, Index k) {
        const Quaternion p = four(q + i);
        four(q_next + i) = manifold::renormalised(quaternion_product(p, quaternion_exp(three(dq + k))));
      });
}

void Tree::rational_move(const double* q, const double* dq, double* q_next) const {
  each_step(
      layout_, [&](Index i, Index k) { q_next[i] = q[i] + dq[k]; },
      [&](Index i, Index k) {
        const Quaternion p = four(q + i), next = quaternion_product(p, quaternion_cayley(three(dq + k)));
        four(q_next + i) = unit_correction(next) * next;
      });
}

void Tree::difference(const double* qa, const double* qb, double* dq) const {
  each_step(
      layout_, [&](Index i, Index k) { dq[k] = qb[i] - qa[i]; },
      [&](Index i, Index k) {
        const Quaternion pa = four(qa + i), pb = four(qb + i);
        three(dq + k) = quaternion_log(quaternion_product(quaternion_conjugate(pa), pb));
      });
}

void Tree::apply_T(const double* q, const double* v, double* dq) const {
  each_step(
      layout_, [&](Index i, Index k) { dq[i] = v[k]; },
      [&](Index i, Index k) { four(dq + i) = quaternion_rate_map(four(q + i)) * three(v + k); });
}

void Tree::apply_T_transpose(const double* q, const double* p, double* r) const {
  each_step(
      layout_, [&](Index i, Index k) { r[k] = p[i]; },
      [&](Index i, Index k) { three(r + k) = quaternion_rate_map(four(q + i)).transpose() * four(p + i); });
}

void Tree::describe(Layout& layout) const {
  for (const TreeStep& step : layout_.steps) {
    const std::string unit = step.kind == StepKind::slide ? "m" : "rad";
    for (Index i = step.q; i < step.q + step.nq(); ++i)
      layout.add("/coordinate/" + coordinate_name(i), FieldOf::q, i, step.kind == StepKind::ball ? "1" : unit,
                 "coordinate of a joint");
    for (Index k = step.v; k < step.v + step.nv(); ++k)
      layout.add("/velocity/" + velocity_name(k), FieldOf::v, k, unit + "/s", "velocity of a joint");
  }
  for (Index f = 0; f < frame_count(); ++f) layout.add_frame(frame_name(f), StateFrame::Kind::general);
}

std::string Tree::coordinate_name(Index i) const {
  static constexpr std::array<const char*, 4> parts = {"p0", "p1", "p2", "p3"};
  for (const TreeStep& step : layout_.steps)
    if (i >= step.q && i < step.q + step.nq())
      return step.joint + "." + (step.kind == StepKind::ball ? parts[static_cast<std::size_t>(i - step.q)] : step.name);
  return {};
}

std::string Tree::velocity_name(Index i) const {
  static constexpr std::array<const char*, 3> spins = {"spin_x", "spin_y", "spin_z"};
  for (const TreeStep& step : layout_.steps) {
    if (i < step.v || i >= step.v + step.nv()) continue;
    if (step.kind == StepKind::ball) return step.joint + "." + spins[static_cast<std::size_t>(i - step.v)];
    if (step.name == "angle") return step.joint + ".rate";
    return step.joint + "." + (step.name.size() == 1 ? "v" + step.name : step.name + "_rate");
  }
  return {};
}

// ---------------------------------------------------------------------------------------------------------------------
// Kinematics and dynamics

namespace {

// What rides on a step, in its frame.
struct Ballast {
  double mass = 0.0, heavy_mass = 0.0;  // of those with weight
  Vector3 centre = Vector3::Zero(), heavy_moment = Vector3::Zero();
  Matrix3 inertia = Matrix3::Zero();  // about the centre

  void add(const BodyData& body, const Pose& pose) {
    const double total = mass + body.mass;
    const Vector3 next = (mass * centre + body.mass * pose.x) / total;
    const auto shifted = [](double m, const Vector3& d) {
      return Matrix3(m * (d.squaredNorm() * Matrix3::Identity() - d * d.transpose()));
    };
    inertia +=
        shifted(mass, next - centre) + shifted(body.mass, next - pose.x) + pose.R * body.inertia * pose.R.transpose();
    mass = total;
    centre = next;
    if (body.weight == Vector3::Zero()) return;
    heavy_mass += body.mass;
    heavy_moment += body.mass * pose.x;
  }
};

// All that depends on q alone.
template <int D>
struct TreeState {
  std::uint64_t tree = 0;
  std::uint64_t stamp = 0;  // new with every q
  bool heavy = false;       // with what is behind the line
  std::vector<double> q;
  Vector3 O = Vector3::Zero();
  std::vector<Place<D>> places;  // of steps
  std::vector<Screw<D>> S;       // of velocities
  // ---
  std::vector<ScrewMatrix<D>> own, outboard;  // inertia riding on a step; with all outboard of it
  std::vector<Vector3> moments;               // sum of mass times position from O, outboard, of what has weight
};

// What depends on v too.
template <int D>
struct TreeMotion {
  std::uint64_t stamp = 0;  // of the q it belongs to
  bool accelerated = false;
  std::vector<double> v;
  std::vector<Screw<D>> V, A, N;  // of steps; N: sum of n outboard
};

std::uint64_t next_tree() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

template <int D>
class TreeOf final : public Tree {
 public:
  explicit TreeOf(TreeLayout layout) : Tree(std::move(layout)), number_(next_tree()) {
    ballast_.resize(layout_.steps.size());
    Ballast grounded;
    for (const TreeBody& body : layout_.bodies) {
      body_places_.push_back(Place<D>::of(body.pose));
      (body.step < 0 ? grounded : ballast_[static_cast<std::size_t>(body.step)]).add(body.data, body.pose);
    }
    potential_of_grounded_ = -layout_.gravity.dot(grounded.heavy_moment);
    heavy_masses_.resize(layout_.steps.size());
    for (Index s = count() - 1; s >= 0; --s) {
      heavy_masses_[at(s)] += ballast_[at(s)].heavy_mass;
      if (parent(s) >= 0) heavy_masses_[at(parent(s))] += heavy_masses_[at(s)];
    }
    for (const TreeStep& step : layout_.steps) {
      starts_.push_back(Place<D>::of(step.before));
      has_balls_ = has_balls_ || step.kind == StepKind::ball;
    }
    while (origin_ + 1 < count() && ballast_[at(origin_)].mass == 0.0) ++origin_;
  }

  // --- inertia and forces
  // -----------------------------------------------------------------------------------------------

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override {
    if (nv() == 0) return;
    for (MatrixAssembly* matrix : {&M, &dh_dq, &dh_dv}) matrix->declare({offset, offset, nv(), nv()});
  }

  void inertia(const double* q, MatrixAssembly::Writer& M) const override {
    if (nv() == 0) return;
    double* entries = scratch();
    fill_inertia(heavy_state(q), entries);
    M.add(entries);
  }

  void add_force(double, const double* q, const double* v, double* h) const override {
    const TreeState<D>& x = heavy_state(q);
    const TreeMotion<D>& m = motion(x, v, true);
    each_velocity([&](Index s, Index k) { h[k] += x.S[at(k)].dot(weight(x, s) - m.N[at(s)]); });
  }

  // With u = V_p x S_j, a = A_p x S_j + V_p x u, p the parent of step j, and per body the matrix
  //   B w = I (w x V) + w x* I V + V x* I w
  // the derivatives of n outboard of j are S_j x* n + I a + B u by q_j, and I (V_j x S_j + u) + B S_j by v_j.
  void force_jacobian(double, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override {
    if (nv() == 0) return;
    const TreeState<D>& x = heavy_state(q);
    const TreeMotion<D>& m = motion(x, v, true);
    thread_local std::vector<ScrewMatrix<D>> B;
    B.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      const ScrewMatrix<D>&I = x.own[at(s)], V = cross_matrix(m.V[at(s)]);
      B[at(s)] = carried_load_matrix(Screw<D>(I * m.V[at(s)])) - I * V - V.transpose() * I;
    }
    for (Index s = count() - 1; s >= 0; --s)
      if (parent(s) >= 0) B[at(parent(s))] += B[at(s)];

    // How motion inboard of step j changes with it: of V_p and A_p, by q_j, and by v_j.
    thread_local std::vector<Screw<D>> u, a, b;
    u.resize(at(nv()));
    a.resize(at(nv()));
    b.resize(at(nv()));
    each_velocity([&](Index s, Index j) {
      const Screw<D>& S = x.S[at(j)];
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
      const Screw<D>& S = x.S[at(j)];
      // Velocities inboard of step j: all that it carries changes.
      const Screw<D> by_q_here =
          weight_change(x, s, S) - cross_load(S, m.N[at(s)]) - x.outboard[at(s)] * a[at(j)] - B[at(s)] * u[at(j)];
      const Screw<D> by_v_here = -(x.outboard[at(s)] * b[at(j)] + B[at(s)] * S);
      for (Index inner = parent(s); inner >= 0; inner = parent(inner))
        each_velocity_of(inner, [&](Index k) {
          by_q[at(k + nv() * j)] = x.S[at(k)].dot(by_q_here);
          by_v[at(k + nv() * j)] = x.S[at(k)].dot(by_v_here);
        });
    });
    // Velocities k outboard of step j, or its own: S_k is carried along, and with it the load that the motion needs.
    each_velocity([&](Index s, Index k) {
      const Screw<D>& S_k = x.S[at(k)];
      const Screw<D> I_k = x.outboard[at(s)] * S_k, B_k = B[at(s)].transpose() * S_k;
      // S_k . (change of the weight) + (S_j x S_k) . weight, as a row for S_j.
      const Screw<D> G_k = weight_change_row(x, s, S_k) - carried_load_matrix(weight(x, s)).transpose() * S_k;
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
    const TreeState<D>& x = state(q);
    for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
      const Index s = layout_.bodies[b].step;
      poses[b] = s < 0 ? layout_.bodies[b].pose : (x.places[at(s)] * body_places_[b]).pose();
    }
  }

  void twists(double, const double* q, const double* v, const Pose* poses, Twist* twists) const override {
    const TreeState<D>& x = state(q);
    const TreeMotion<D>& m = motion(x, v, false);
    for (std::size_t b = 0; b < layout_.bodies.size(); ++b) {
      const Index s = layout_.bodies[b].step;
      twists[b] = s < 0 ? Twist{} : twist_at(m.V[at(s)], poses[b].x - x.O);
    }
  }

  // d/dt (v_O + omega x r) = a_O + alpha x r + omega x velocity
  void rates(double, const double* q, const double* v, const Pose* poses, Twist* rates) const override {
    const TreeState<D>& x = heavy_state(q);
    const TreeMotion<D>& m = motion(x, v, true);
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
    const TreeState<D>& x = state(q);
    const Screw<D> load = load_at<D>(pose.x - x.O, force, torque);
    each_velocity_to(frame, [&](Index, Index k) { h[k] += x.S[at(k)].dot(load); });
  }

  // One segment over the whole tree, shared by the frames of a row that hang on it.
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override {
    if (nv() == 0) return;
    const TreeState<D>& x = state(q);
    const ConstraintJacobian::Block& block = W.block(W.block_count() - 1);
    double* entries = nullptr;
    for (Index s = block.segment_begin; s < block.segment_end; ++s)
      if (W.segment(s).offset == offset) entries = W.entries(W.segment(s));
    if (!entries) entries = W.add_segment(offset, nv());
    for (Index r = 0; r < rows; ++r, entries += nv()) {
      const Screw<D> load = load_at<D>(pose.x - x.O, force[r], torque[r]);
      each_velocity_to(frame, [&](Index, Index k) { entries[k] += x.S[at(k)].dot(load); });
    }
  }

  void frame_derivatives(const double* q, const double* v, Index frame, const Pose& pose, const Vector3& force,
                         const Vector3& torque, FrameColumns& out) const override {
    const TreeState<D>& x = state(q);
    const TreeMotion<D>& m = motion(x, v, false);
    const Index last = layout_.bodies[at(frame)].step;
    if (last < 0) return;
    const Vector3 r = pose.x - x.O;
    const Screw<D> load = load_at<D>(r, force, torque);
    const Vector3 omega = twist_at(m.V[at(last)], r).omega;
    each_velocity_to(frame, [&](Index s, Index j) {
      const Screw<D>& S = x.S[at(j)];
      const Screw<D> inner = parent(s) < 0 ? Screw<D>(Screw<D>::Zero()) : m.V[at(parent(s))];
      const Vector3 shift = twist_at(S, r).velocity;
      const Twist carried = twist_at(Screw<D>(cross(S, Screw<D>(m.V[at(last)] - inner))), r);
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
    const TreeState<D>& x = heavy_state(q);
    const TreeMotion<D>& m = motion(x, v, false);
    double twice = 0.0;
    for (Index s = 0; s < count(); ++s) twice += m.V[at(s)].dot(x.own[at(s)] * m.V[at(s)]);
    return 0.5 * twice;
  }

  double potential_energy(const double* q) const override {
    const TreeState<D>& x = heavy_state(q);
    double energy = potential_of_grounded_;
    for (Index s = 0; s < count(); ++s)
      if (parent(s) < 0) energy -= layout_.gravity.dot(x.moments[at(s)] + heavy_masses_[at(s)] * x.O);
    return energy;
  }

  // Quaternions off the unit sphere stretch what is outboard: differences follow that.
  void add_potential_gradient(const double* q, double* out) const override {
    if (has_balls_) return Part::add_potential_gradient(q, out);
    const TreeState<D>& x = heavy_state(q);
    each_velocity([&](Index s, Index k) { out[k] -= x.S[at(k)].dot(weight(x, s)); });
  }

  void closest_velocities(const double* q, const std::vector<Twist>& wanted, const std::map<Index, double>& given,
                          double* v) const override {
    if (nv() == 0) return;
    const TreeState<D>& x = heavy_state(q);
    Vector momentum = Vector::Zero(nv());
    for (Index b = 0; b < frame_count(); ++b) {
      const TreeBody& body = layout_.bodies[at(b)];
      if (body.step < 0) continue;
      const Pose pose = (x.places[at(body.step)] * body_places_[at(b)]).pose();
      const Vector3 spin = pose.R * body.data.inertia * pose.R.transpose() * wanted[at(b)].omega;
      add_load(q, b, pose, body.data.mass * wanted[at(b)].velocity, spin, momentum.data());
    }
    Matrix M(nv(), nv());
    fill_inertia(x, M.data());
    for (const auto& [k, rate] : given) {  // taken out of the equations
      momentum -= rate * M.col(k);
      M.row(k).setZero();
      M.col(k).setZero();
      M(k, k) = 1.0;
    }
    for (const auto& [k, rate] : given) momentum[k] = rate;
    VectorMap(v, nv()) = M.ldlt().solve(momentum);
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
  Screw<D> weight(const TreeState<D>& x, Index s) const {
    const Vector3 moment = x.moments[at(s)].cross(layout_.gravity);
    return load_at<D>(Vector3::Zero(), heavy_masses_[at(s)] * layout_.gravity, moment);
  }
  Screw<D> weight_change(const TreeState<D>& x, Index s, const Screw<D>& S) const {
    const double mass = heavy_masses_[at(s)];
    if (mass == 0.0) return Screw<D>::Zero();
    const Vector3 shift = mass * twist_at(S, x.moments[at(s)] / mass).velocity;
    return load_at<D>(Vector3::Zero(), Vector3::Zero(), shift.cross(layout_.gravity));
  }

  // The row r with r . S = S_k . weight_change(x, s, S): with y = g x omega_k,  omega_k . (shift x g) = shift . y.
  Screw<D> weight_change_row(const TreeState<D>& x, Index s, const Screw<D>& S_k) const {
    const Vector3 y = layout_.gravity.cross(twist_at(S_k, Vector3::Zero()).omega), moment = x.moments[at(s)].cross(y);
    Screw<D> row;
    if constexpr (D == 3)
      row << moment.z(), heavy_masses_[at(s)] * y.x(), heavy_masses_[at(s)] * y.y();
    else
      row << moment, heavy_masses_[at(s)] * y;
    return row;
  }

  double* scratch() const {
    thread_local std::vector<double> memory;
    memory.resize(static_cast<std::size_t>(nv() * nv()));
    return memory.data();
  }

  void fill_inertia(const TreeState<D>& x, double* M) const {
    std::fill_n(M, nv() * nv(), 0.0);
    each_velocity([&](Index s, Index k) {
      const Screw<D> momentum = x.outboard[at(s)] * x.S[at(k)];
      for (Index inner = s; inner >= 0; inner = parent(inner))
        each_velocity_of(inner, [&](Index j) { M[j + nv() * k] = M[k + nv() * j] = x.S[at(j)].dot(momentum); });
    });
  }

  // The last q a thread has asked for, per tree: many calls come for the same one.
  TreeState<D>& state(const double* q) const {
    constexpr std::size_t slots = 64;
    thread_local std::array<TreeState<D>, slots> kept;
    TreeState<D>& x = kept[number_ % slots];
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
      Place<D>& place = x.places[at(s)];
      if (step.parent < 0)
        place = starts_[at(s)];
      else
        place = step.moved ? x.places[at(step.parent)] * starts_[at(s)] : x.places[at(step.parent)];
      switch (step.kind) {
        case StepKind::turn: place.turn(step.axis, step.sign * q[step.q]); break;
        case StepKind::slide: place.slide(step.axis, step.sign * q[step.q]); break;
        case StepKind::ball:
          if constexpr (D == 6) place.R = place.R * rotation_matrix(four(q + step.q));
          break;
      }
    }
    x.O = count() > 0 ? Vector3(x.places[at(origin_)].position()) : Vector3(Vector3::Zero());
    for (Index s = 0; s < count(); ++s) {
      const TreeStep& step = layout_.steps[at(s)];
      const Place<D>& place = x.places[at(s)];
      if (step.kind == StepKind::ball)
        for (int a = 0; a < 3; ++a) x.S[at(step.v + a)] = place.turning(a, x.O);
      else
        x.S[at(step.v)] =
            step.sign * (step.kind == StepKind::turn ? place.turning(step.axis, x.O) : place.sliding(step.axis));
    }
    return x;
  }

  const TreeState<D>& heavy_state(const double* q) const {
    TreeState<D>& x = state(q);
    if (x.heavy) return x;
    x.heavy = true;
    x.own.resize(layout_.steps.size());
    x.moments.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      const Ballast& ballast = ballast_[at(s)];
      const Place<D>& place = x.places[at(s)];
      if (ballast.mass == 0.0) {
        x.own[at(s)].setZero();
        x.moments[at(s)].setZero();
        continue;
      }
      const Vector3 centre = place.point(ballast.centre) - x.O;
      if constexpr (D == 3)
        x.own[at(s)] = inertia_about(ballast.mass, centre, ballast.inertia(2, 2));
      else
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

  const TreeMotion<D>& motion(const TreeState<D>& x, const double* v, bool accelerations) const {
    thread_local TreeMotion<D> m;  // of the last q and v asked for
    const bool known = m.stamp == x.stamp && std::equal(m.v.begin(), m.v.end(), v);
    if (known && (m.accelerated || !accelerations)) return m;
    m.stamp = x.stamp;
    m.accelerated = accelerations;
    m.v.assign(v, v + nv());
    m.V.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      Screw<D> own = Screw<D>::Zero();
      each_velocity_of(s, [&](Index k) { own += v[k] * x.S[at(k)]; });
      m.V[at(s)] = parent(s) < 0 ? own : Screw<D>(m.V[at(parent(s))] + own);
    }
    if (!accelerations) return m;
    m.A.resize(layout_.steps.size());
    m.N.resize(layout_.steps.size());
    for (Index s = 0; s < count(); ++s) {
      const Screw<D>& V = m.V[at(s)];
      if (parent(s) < 0)
        m.A[at(s)].setZero();  // V is along its own steps: V x V = 0
      else
        m.A[at(s)] = m.A[at(parent(s))] - cross(V, m.V[at(parent(s))]);  // V x (V - V_p)
      m.N[at(s)] = x.own[at(s)] * m.A[at(s)] + cross_load(V, Screw<D>(x.own[at(s)] * V));
    }
    for (Index s = count() - 1; s >= 0; --s)
      if (parent(s) >= 0) m.N[at(parent(s))] += m.N[at(s)];
    return m;
  }

  std::uint64_t number_;
  std::vector<Place<D>> starts_, body_places_;
  std::vector<Ballast> ballast_;
  std::vector<double> heavy_masses_;  // outboard of a step
  double potential_of_grounded_ = 0.0;
  bool has_balls_ = false;
  Index origin_ = 0;  // the step whose frame O is taken from: the first that carries a mass
};

}  // namespace

std::shared_ptr<const Tree> make_tree(TreeLayout layout) {
  if (layout.planar) return std::make_shared<TreeOf<3>>(std::move(layout));
  return std::make_shared<TreeOf<6>>(std::move(layout));
}

}  // namespace carom::model
