#include "carom/model/parts/tree.h"

#include <Eigen/Cholesky>
#include <array>
#include <atomic>

#include "carom/model/parts/body_manifold.h"

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

std::uint64_t next_tree() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Tree::Tree(TreeLayout layout) : layout_(std::move(layout)), number_(next_tree()) {}

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
// Inertia

void Tree::declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  if (nv() == 0) return;
  for (MatrixAssembly* matrix : {&M, &dh_dq, &dh_dv}) matrix->declare({offset, offset, nv(), nv()});
}

void Tree::inertia(const double* q, MatrixAssembly::Writer& M) const {
  if (nv() == 0) return;
  if (double* whole = M.take()) return fill_inertia(q, whole);
  thread_local std::vector<double> entries;
  entries.resize(static_cast<std::size_t>(nv() * nv()));
  fill_inertia(q, entries.data());
  M.add(entries.data());
}

void Tree::closest_velocities(const double* q, const std::vector<Twist>& wanted, const std::map<Index, double>& given,
                              double* v) const {
  if (nv() == 0) return;
  std::vector<Pose> poses(layout_.bodies.size());
  place(0.0, q, poses.data());
  Vector momentum = Vector::Zero(nv());
  for (Index b = 0; b < frame_count(); ++b) {
    const std::size_t i = static_cast<std::size_t>(b);
    const BodyData& body = layout_.bodies[i].data;
    const Matrix3& R = poses[i].R;
    const Vector3 spin = R * body.inertia * R.transpose() * wanted[i].omega;
    add_load(q, b, poses[i], body.mass * wanted[i].velocity, spin, momentum.data());
  }
  Matrix M(nv(), nv());
  fill_inertia(q, M.data());
  for (const auto& [k, rate] : given) {  // taken out of the equations
    momentum -= rate * M.col(k);
    M.row(k).setZero();
    M.col(k).setZero();
    M(k, k) = 1.0;
  }
  for (const auto& [k, rate] : given) momentum[k] = rate;
  VectorMap(v, nv()) = M.ldlt().solve(momentum);
}

std::shared_ptr<const Tree> make_tree(TreeLayout layout) {
  return layout.planar ? make_planar_tree(std::move(layout)) : make_spatial_tree(std::move(layout));
}

}  // namespace carom::model
