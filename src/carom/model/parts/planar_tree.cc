// Bodies of the plane in joint coordinates: what other parts of a model see of planar_tree_dynamics.h.
#include <array>
#include <cmath>

#include "carom/base/vector_kernels.h"
#include "carom/model/assembly/frames.h"
#include "carom/model/parts/planar_tree_dynamics.h"
#include "carom/model/parts/tree.h"
#include "carom/model/parts/tree_ballast.h"
#include "carom/model/parts/turning_chain.h"

namespace carom::model {

namespace {

// The entries of a matrix where it wants them, or on the way there.
struct Target {
  MatrixAssembly::Writer* writer;
  double *direct = nullptr, *entries = nullptr;

  Target(MatrixAssembly::Writer* out, std::size_t number, Index n) : writer(out) {
    if (writer == nullptr) return;
    direct = entries = writer->take();
    if (direct != nullptr) return;
    thread_local std::array<std::vector<double>, 3> kept;
    kept[number].resize(static_cast<std::size_t>(n * n));
    entries = kept[number].data();
  }
  void finish() {
    if (entries != direct) writer->add(entries);
  }
};

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
      const bool idle = step.kind == StepKind::turn && rides.centre.isZero(0.0) && heavy_centre.isZero(0.0);
      hinges_.push_back({step.parent, step.moved, step.kind == StepKind::turn, idle, step.axis, step.sign,
                         PlanarPlace::of(step.before), rides.mass, rides.inertia(2, 2), rides.heavy_mass,
                         Arrow::of(rides.centre), Arrow::of(heavy_centre), rides.mass, rides.heavy_mass});
    }
    for (Index s = nv() - 1; s >= 0; --s) {
      const PlanarHinge& hinge = hinges_[at(s)];
      chain_ = chain_ && hinge.parent == s - 1;
      if (hinge.parent < 0) continue;
      hinges_[at(hinge.parent)].idle = false;
      hinges_[at(hinge.parent)].outboard_mass += hinge.outboard_mass;
      hinges_[at(hinge.parent)].outboard_heavy_mass += hinge.outboard_heavy_mass;
    }
    for (Index s = 0; s < nv(); ++s)
      if (hinges_[at(s)].idle) idle_.push_back(s);
    find_turning_chain();
    for (const TreeBody& body : layout_.bodies) bodies_.push_back({body.step, PlanarPlace::of(body.pose)});
  }

  void move(const double* q, const double* dq, double* q_next) const override {
    for_each_index(nv(), [=](Index i) { q_next[i] = q[i] + dq[i]; });
  }

  // --- inertia and forces
  // ---------------------------------------------------------------------------------------------

  void fill_inertia(const double* q, double* M) const override { evaluate(q, nullptr, M, nullptr, nullptr, nullptr); }
  void add_force(double, const double* q, const double* v, double* h) const override {
    evaluate(q, v, nullptr, h, nullptr, nullptr);
  }
  void force_jacobian(double t, const double* q, const double* v, MatrixAssembly::Writer& dh_dq,
                      MatrixAssembly::Writer& dh_dv) const override {
    inertia_and_force(t, q, v, nullptr, nullptr, &dh_dq, &dh_dv);
  }

  void inertia_and_force(double, const double* q, const double* v, MatrixAssembly::Writer* M, double* h,
                         MatrixAssembly::Writer* dh_dq, MatrixAssembly::Writer* dh_dv) const override {
    if (nv() == 0) return;
    Target mass(M, 0, nv()), by_q(dh_dq, 1, nv()), by_v(dh_dv, 2, nv());
    evaluate(q, v, mass.entries, h, by_q.entries, by_v.entries);
    mass.finish();
    by_q.finish();
    by_v.finish();
  }

  // --- frames
  // ---------------------------------------------------------------------------------------------------------

  void place(double, const double* q, Pose* poses) const override {
    const PlanarTreeState& x = posed(q);
    for (const Body& body : bodies_) {
      (body.step < 0 ? body.place : x.links[at(body.step)].place * body.place).write(*poses);
      ++poses;
    }
  }

  void twists(double, const double* q, const double* v, const Pose* poses, Twist* twists) const override {
    const PlanarTreeState& x = moving(q, v);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      double w = 0.0;
      Arrow velocity;
      if (bodies_[i].step >= 0) {
        const PlanarLink& link = x.links[at(bodies_[i].step)];
        w = link.w;
        velocity = link.u + w * turned(Arrow::of(poses[i].x) - x.O);
      }
      twists[i].velocity << velocity.x, velocity.y, 0.0;
      twists[i].omega << 0.0, 0.0, w;
    }
  }

  void rates(double, const double* q, const double* v, const Pose* poses, Twist* rates) const override {
    const PlanarTreeState& x = accelerated(q, v);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      if (bodies_[i].step < 0) continue;
      const PlanarLink& link = x.links[at(bodies_[i].step)];
      const Arrow rate = link.b - (link.w * link.w) * (Arrow::of(poses[i].x) - x.O);
      rates[i].velocity << rate.x, rate.y, 0.0;
      rates[i].omega.setZero();
    }
  }

  void add_load(const double* q, Index frame, const Pose& pose, const Vector3& force, const Vector3& torque,
                double* h) const override {
    const PlanarTreeState& x = placed(q);
    add_load(x, frame, Arrow::of(pose.x) - x.O, force, torque, h);
  }

  // One segment over the whole tree, shared by the frames of a row that hang on it.
  void add_rows(const double* q, Index frame, const Pose& pose, Index rows, const Vector3* force, const Vector3* torque,
                Index offset, ConstraintJacobian& W) const override {
    if (nv() == 0) return;
    const PlanarTreeState& x = placed(q);
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
    const PlanarTreeState& x = moving(q, v);
    const Index last = bodies_[at(frame)].step;
    if (last < 0) return;
    const Arrow r = Arrow::of(pose.x) - x.O, push = Arrow::of(force);
    const PlanarLink& end = x.links[at(last)];
    for (Index j = last; j >= 0; j = parent(j)) {
      const PlanarLink& link = x.links[at(j)];
      const Arrow u = parent(j) < 0 ? Arrow{} : x.links[at(parent(j))].u, shift = link.e + link.s * turned(r);
      const double w = parent(j) < 0 ? 0.0 : x.links[at(parent(j))].w;
      const Arrow velocity =
          link.s * turned(end.u - u) - (end.w - w) * turned(link.e) + end.w * turned(shift);  // carried, and turned
      out.twist_by_q.col(j) << velocity.x, velocity.y, 0.0, 0.0, 0.0, 0.0;
      const double moment = cross(shift, push);
      for (Index k = last; k >= 0; k = parent(k)) {
        const PlanarLink& other = x.links[at(k)];
        out.load_by_q(k, j) = other.s * moment;
        if (k >= j)  // on one path the later step is the outer
          out.load_by_q(k, j) += dot(link.s * turned(other.e) - other.s * turned(link.e), push);
      }
    }
  }

  // --- energies
  // -------------------------------------------------------------------------------------------------------

  double kinetic_energy(const double* q, const double* v) const override {
    const PlanarTreeState& x = moving(q, v);
    double twice = 0.0;
    for (Index s = 0; s < nv(); ++s) {
      const PlanarHinge& hinge = hinges_[at(s)];
      const PlanarLink& link = x.links[at(s)];
      const Arrow velocity = link.u + link.w * turned(link.place.point(hinge.centre) - x.O);
      twice += hinge.mass * dot(velocity, velocity) + hinge.J * link.w * link.w;
    }
    return 0.5 * twice;
  }

  double potential_energy(const double* q) const override {
    const PlanarTreeState& x = placed(q);
    double energy = potential_of_grounded_;
    for (Index s = 0; s < nv(); ++s)
      energy -= hinges_[at(s)].heavy_mass * dot(gravity_, x.links[at(s)].place.point(hinges_[at(s)].heavy_centre));
    return energy;
  }

  void add_potential_gradient(const double* q, double* out) const override {
    const PlanarTreeState& x = with_inertia(q);
    for (Index k = 0; k < nv(); ++k) out[k] -= formulas().weight(k, x.links[at(k)]);
  }

 private:
  struct Body {
    Index step;
    PlanarPlace place;
  };

  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
  Index parent(Index s) const { return hinges_[at(s)].parent; }

  void add_load(const PlanarTreeState& x, Index frame, Arrow r, const Vector3& force, const Vector3& torque,
                double* h) const {
    const Arrow push = Arrow::of(force);
    const double moment = torque.z() + cross(r, push);
    for (Index k = bodies_[at(frame)].step; k >= 0; k = parent(k))
      h[k] += x.links[at(k)].s * moment + dot(x.links[at(k)].e, push);
  }

  // Where every step turns: the links by their absolute angles.
  void find_turning_chain() {
    for (Index s = 0; s < nv(); ++s)
      if (!chain_ || !hinges_[at(s)].turns) return;
    for (Index s = 0; s < nv(); ++s) {
      const PlanarHinge& hinge = hinges_[at(s)];
      TurningLink link{hinge.sign, std::atan2(hinge.start.s, hinge.start.c), hinge.idle, {}, {}, {}, 0.0};
      link.d = hinge.mass * hinge.centre;
      link.heavy = hinge.heavy_mass * hinge.heavy_centre;
      link.I = hinge.J + hinge.mass * dot(hinge.centre, hinge.centre);
      if (s + 1 < nv()) {
        const PlanarHinge& next = hinges_[at(s + 1)];
        link.a = next.start.x;
        link.d += next.outboard_mass * link.a;
        link.heavy += next.outboard_heavy_mass * link.a;
        link.I += next.outboard_mass * dot(link.a, link.a);
      }
      turning_.push_back(link);
    }
  }

  // --- what a thread knows
  // --------------------------------------------------------------------------------------------

  PlanarTreeState& state() const {
    constexpr std::size_t slots = 64;
    thread_local std::array<PlanarTreeState, slots> kept;
    PlanarTreeState& x = kept[number_ % slots];
    if (x.tree == number_) return x;
    x.tree = number_;
    x.q.assign(hinges_.size(), NAN);  // of no position yet
    x.v.resize(hinges_.size());
    x.links.resize(hinges_.size());
    return x;
  }

  // Calls with the steps, as a chain of known length where it is one.
  template <class Call>
  void with_steps(Call call) const {
    switch (chain_ ? nv() : 0) {
      case 1: return call(PlanarChain<1>());
      case 2: return call(PlanarChain<2>());
      case 3: return call(PlanarChain<3>());
      case 4: return call(PlanarChain<4>());
      default: return call(any_steps());
    }
  }
  PlanarBranches any_steps() const { return {hinges_.data(), nv()}; }
  PlanarDynamics formulas() const { return {hinges_.data(), origin_, gravity_}; }

  template <class Steps>
  CAROM_SCALAR_CODE void evaluate(Steps steps, const double* q, const double* v, double* M, double* h, double* by_q,
                                  double* by_v) const {
    if constexpr (!Steps::branches)
      if (!turning_.empty()) return evaluate_turning_chain(steps, turning_.data(), gravity_, q, v, M, h, by_q, by_v);
    const PlanarDynamics formulas = this->formulas();
    PlanarTreeState& x = state();
    PlanarLink* links = x.links.data();
    formulas.place(steps, q, x);
    formulas.find_inertia(steps, x);
    if (M != nullptr) formulas.fill_inertia(steps, links, M);
    if (h == nullptr && by_q == nullptr) return;
    formulas.find_accelerations(steps, v, x);
    if (h != nullptr) formulas.add_force(steps, links, h);
    if (by_q != nullptr) formulas.fill_derivatives(steps, links, by_q, by_v);
  }
  void evaluate(const double* q, const double* v, double* M, double* h, double* by_q, double* by_v) const {
    with_steps([&](auto steps) { evaluate(steps, q, v, M, h, by_q, by_v); });
  }

  template <class Steps>
  CAROM_SCALAR_CODE void find_velocities(Steps steps, const double* q, const double* v, PlanarTreeState& x) const {
    formulas().place(steps, q, x);
    formulas().find_velocities(steps, v, x);
  }
  template <class Steps>
  CAROM_SCALAR_CODE void find_place(Steps steps, const double* q, PlanarTreeState& x) const {
    formulas().place(steps, q, x);
  }

  PlanarTreeState& placed(const double* q) const {
    PlanarTreeState& x = state();
    with_steps([&](auto steps) { find_place(steps, q, x); });
    return x;
  }
  // With the turns that only frames see.
  PlanarTreeState& posed(const double* q) const {
    PlanarTreeState& x = placed(q);
    if (x.posed) return x;
    x.posed = true;
    for (const Index s : idle_) x.links[at(s)].place.turn(hinges_[at(s)].sign * q[s]);
    return x;
  }
  PlanarTreeState& moving(const double* q, const double* v) const {
    PlanarTreeState& x = state();
    with_steps([&](auto steps) { find_velocities(steps, q, v, x); });
    return x;
  }
  PlanarTreeState& with_inertia(const double* q) const {
    PlanarTreeState& x = placed(q);
    formulas().find_inertia(any_steps(), x);
    return x;
  }
  PlanarTreeState& accelerated(const double* q, const double* v) const {
    PlanarTreeState& x = with_inertia(q);
    formulas().find_accelerations(any_steps(), v, x);
    return x;
  }

  Arrow gravity_;
  std::vector<PlanarHinge> hinges_;
  std::vector<Index> idle_;           // their numbers
  bool chain_ = true;                 // every step on the one before
  std::vector<TurningLink> turning_;  // where all of them turn
  std::vector<Body> bodies_;
  double potential_of_grounded_ = 0.0;
  Index origin_ = 0;  // the step whose frame O is taken from
};

}  // namespace

std::shared_ptr<const Tree> make_planar_tree(TreeLayout layout) {
  return std::make_shared<PlanarTree>(std::move(layout));
}

}  // namespace carom::model
