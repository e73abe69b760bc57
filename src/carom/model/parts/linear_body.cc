#include "carom/model/parts/linear_body.h"

#include <set>

#include "carom/base/rotation.h"
#include "carom/model/assembly/constant_blocks.h"
#include "carom/model/assembly/frames.h"
#include "carom/model/flexible/rotation_vector.h"

namespace carom::model {

namespace {

using Six = Eigen::Matrix<double, 6, 1>;

// N x over the runs of a frame.
Six at_node(const LinearBody::Frame& frame, const double* x) {
  Six result = Six::Zero();
  Index column = 0;
  for (const LinearBody::Frame::Run& run : frame.runs)
    for (Index i = 0; i < run.size; ++i, ++column) result += x[run.offset + i] * frame.N.col(column);
  return result;
}

// omega = J_l(theta) theta' in the axes of the body at rest; J_l = J_r'.
template <class S>
Matrix3Of<S> left_jacobian(const Vector3Of<S>& theta) {
  return right_jacobian<S>(theta, RotationSeries<S>(theta.dot(theta))).transpose();
}

}  // namespace

LinearBody::LinearBody(std::string name, LinearDynamics dynamics, const Pose& place, std::vector<Frame> frames,
                       std::vector<RowContact> contacts, std::string unit, std::vector<Label> labels)
    : name_(std::move(name)),
      dynamics_(std::move(dynamics)),
      place_(place),
      frames_(std::move(frames)),
      contacts_(std::move(contacts)),
      unit_(std::move(unit)),
      labels_(std::move(labels)) {
  for (const Frame& frame : frames_) turns_ = turns_ || frame.turns;
}

void LinearBody::declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const {
  declare_runs(&dynamics_.mass(), offset, M);
  declare_runs(dynamics_.minus_stiffness(), offset, dh_dq);
  declare_runs(dynamics_.minus_damping(), offset, dh_dv);
}

void LinearBody::inertia(const double*, MatrixAssembly::Writer& M) const { write_runs(&dynamics_.mass(), M); }

void LinearBody::add_force(double, const double* q, const double* v, double* h) const {
  const Vector& f = dynamics_.load();
  for (Index i = 0; i < f.size(); ++i) h[i] += f[i];
  if (dynamics_.minus_stiffness()) dynamics_.minus_stiffness()->multiply_add(1.0, q, h);
  if (dynamics_.minus_damping()) dynamics_.minus_damping()->multiply_add(1.0, v, h);
}

void LinearBody::force_jacobian(double, const double*, const double*, MatrixAssembly::Writer& dh_dq,
                                MatrixAssembly::Writer& dh_dv) const {
  write_runs(dynamics_.minus_stiffness(), dh_dq);
  write_runs(dynamics_.minus_damping(), dh_dv);
}

void LinearBody::place(double, const double* q, Pose* poses) const {
  for (const Frame& frame : frames_) {
    const Six s = at_node(frame, q);
    const Vector3 theta = s.tail<3>();
    poses->x = place_.point(frame.position + s.head<3>());
    poses->R = place_.R;
    if (frame.turns) poses->R *= rotation_exp<double>(theta, RotationSeries<double>(theta.squaredNorm()));
    ++poses;
  }
}

void LinearBody::twists(double, const double* q, const double* v, const Pose*, Twist* twists) const {
  for (const Frame& frame : frames_) {
    const Six rate = at_node(frame, v);
    twists->velocity = place_.R * rate.head<3>();
    twists->omega.setZero();
    if (frame.spins) twists->omega = place_.R * rate.tail<3>();
    if (frame.turns) twists->omega = place_.R * (left_jacobian<double>(at_node(frame, q).tail<3>()) * rate.tail<3>());
    ++twists;
  }
}

void LinearBody::rates(double, const double* q, const double* v, const Pose*, Twist* rates) const {
  for (const Frame& frame : frames_) {
    *rates = {};
    if (frame.turns) {
      const Six s = at_node(frame, q), rate = at_node(frame, v);
      Vector3Of<Dual<1>> theta;
      for (int i = 0; i < 3; ++i) theta[i] = {s[3 + i], {rate[3 + i]}};
      const Matrix3Of<Dual<1>> J = left_jacobian<Dual<1>>(theta);
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) rates->omega += place_.R.col(i) * (J(i, k).d[0] * rate[3 + k]);
    }
    ++rates;
  }
}

void LinearBody::add_load(const double* q, Index f, const Pose&, const Vector3& force, const Vector3& torque,
                          double* h) const {
  const Frame& frame = this->frame(f);
  Six w;
  w << place_.R.transpose() * force, Vector3::Zero();
  if (frame.spins) w.tail<3>() = place_.R.transpose() * torque;
  if (frame.turns)
    w.tail<3>() = left_jacobian<double>(at_node(frame, q).tail<3>()).transpose() * (place_.R.transpose() * torque);
  Index column = 0;
  for (const Frame::Run& run : frame.runs)
    for (Index i = 0; i < run.size; ++i, ++column) h[run.offset + i] += frame.N.col(column).dot(w);
}

void LinearBody::add_rows(const double* q, Index f, const Pose&, Index rows, const Vector3* force,
                          const Vector3* torque, Index offset, ConstraintJacobian& W) const {
  const Frame& frame = this->frame(f);
  Matrix3 turning = Matrix3::Zero();
  if (frame.spins) turning = place_.R.transpose();
  if (frame.turns) turning = left_jacobian<double>(at_node(frame, q).tail<3>()).transpose() * place_.R.transpose();
  Six w[Law::max_dim];
  for (Index r = 0; r < rows; ++r) w[r] << place_.R.transpose() * force[r], turning * torque[r];
  Index first = 0;
  for (const Frame::Run& run : frame.runs) {
    double* entries = W.add_segment(offset + run.offset, run.size);
    for (Index r = 0; r < rows; ++r)
      for (Index i = 0; i < run.size; ++i) *entries++ = frame.N.col(first + i).dot(w[r]);
    first += run.size;
  }
}

// d(J_l theta')/dq = D N_theta and d(N_theta' J_l' torque)/dq = N_theta' E N_theta, with D and E by theta.
void LinearBody::frame_derivatives(const double* q, const double* v, Index f, const Pose&, const Vector3&,
                                   const Vector3& torque, FrameColumns& out) const {
  const Frame& frame = this->frame(f);
  if (!frame.turns) return;
  const Six s = at_node(frame, q), rate = at_node(frame, v);
  Vector3Of<Dual<3>> theta, theta_rate, load;
  const Vector3 turning = place_.R.transpose() * torque;
  for (int i = 0; i < 3; ++i) {
    theta[i] = s[3 + i];
    theta[i].d[static_cast<std::size_t>(i)] = 1.0;
    theta_rate[i] = rate[3 + i];
    load[i] = turning[i];
  }
  const Matrix3Of<Dual<3>> J = left_jacobian<Dual<3>>(theta);
  const Vector3Of<Dual<3>> omega = J * theta_rate, generalised = J.transpose() * load;
  Matrix3 D, E;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      D(i, k) = omega[i].d[static_cast<std::size_t>(k)];
      E(i, k) = generalised[i].d[static_cast<std::size_t>(k)];
    }
  const auto N = frame.N.bottomRows<3>();
  const Matrix3 RD = place_.R * D;
  out.twist_by_q.bottomRows<3>() += RD.lazyProduct(N);
  for (Index j = 0; j < N.cols(); ++j) {
    const Vector3 along = E * N.col(j);
    for (Index i = 0; i < N.cols(); ++i) out.load_by_q(i, j) += N.col(i).dot(along);
  }
}

double LinearBody::kinetic_energy(const double*, const double* v) const {
  return 0.5 * dynamics_.mass().bilinear(v, v);
}

double LinearBody::potential_energy(const double* q) const {
  const Vector& f = dynamics_.load();
  double energy = 0.0;
  for (Index i = 0; i < f.size(); ++i) energy -= f[i] * q[i];
  if (dynamics_.minus_stiffness()) energy -= 0.5 * dynamics_.minus_stiffness()->bilinear(q, q);
  return energy;
}

void LinearBody::add_potential_gradient(const double* q, double* out) const {
  const Vector& f = dynamics_.load();
  for (Index i = 0; i < f.size(); ++i) out[i] -= f[i];
  if (dynamics_.minus_stiffness()) dynamics_.minus_stiffness()->multiply_add(-1.0, q, out);
}

double LinearBody::other_power(double, const double*, const double* v) const {
  return dynamics_.minus_damping() ? dynamics_.minus_damping()->bilinear(v, v) : 0.0;
}

void LinearBody::describe(Layout& layout) const {
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    const auto at = static_cast<Index>(i);
    layout.add("/coordinate/" + coordinate_name(at), FieldOf::q, at, labels_[i].unit, "from the unloaded structure");
    layout.add("/velocity/" + velocity_name(at), FieldOf::v, at, labels_[i].unit + "/s", "velocity");
  }
  for (const Frame& frame : frames_) layout.add_frame(frame.name, StateFrame::Kind::general);
  if (!labels_.empty()) return;
  std::vector<std::string> names;
  for (Index i = 0; i < nq(); ++i) names.push_back(coordinate_name(i));
  // One linear body alone is the structure; among others it goes by its name.
  const std::string path = frames_.empty() ? "/structure" : "/" + name_;
  layout.add_pool(path, std::move(names));
  layout.add_pooled(path + "/displacement", FieldOf::q, 0, 1, 1, unit_,
                    "of each coordinate from the unloaded structure");
  layout.add_pooled(path + "/velocity", FieldOf::v, 0, 1, 1, unit_ == "SI" ? unit_ : unit_ + "/s",
                    "of each coordinate");
}

// Over runs of neighbouring coordinates.
LinearBody::Frame make_frame(std::string name, const Vector3& position, const std::array<RowContact::Row, 6>& rows) {
  LinearBody::Frame frame;
  frame.name = std::move(name);
  frame.position = position;
  std::set<Index> touched;
  for (std::size_t r = 0; r < 6; ++r)
    for (const auto& [i, weight] : rows[r]) {
      touched.insert(i);
      frame.turns = frame.turns || r >= 3;
    }
  frame.N.setZero(6, static_cast<Eigen::Index>(touched.size()));
  Index column = 0;
  for (const Index i : touched) {
    if (!frame.runs.empty() && frame.runs.back().offset + frame.runs.back().size == i)
      ++frame.runs.back().size;
    else
      frame.runs.push_back({i, 1});
    for (std::size_t r = 0; r < 6; ++r)
      for (const auto& [j, weight] : rows[r])
        if (j == i) frame.N(static_cast<Index>(r), column) += weight;
    ++column;
  }
  return frame;
}

std::shared_ptr<const ConstraintGroup> LinearBody::own_constraints(Index q, Index v) const {
  return contacts_.empty() ? nullptr : std::make_shared<const RowContacts>(contacts_, q, v);
}

}  // namespace carom::model
