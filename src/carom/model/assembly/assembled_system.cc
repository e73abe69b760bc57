#include "carom/model/assembly/assembled_system.h"

#include <algorithm>
#include <optional>

#include "carom/base/vector_kernels.h"
#include "carom/model/assembly/own_constraints.h"
#include "carom/model/contacts/contact_rows.h"
#include "carom/model/joints/joint_group.h"

namespace carom::model {

namespace {

// Up to this many velocities a matrix that is not block-diagonal is kept dense.
constexpr Index dense_limit = 48;

void share(const std::shared_ptr<const ConstantMatrix>& constant, Index n, StructuredMatrix& out) {
  if (constant)
    out.share(constant);
  else
    out.set_zero(n);
}

bool same(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

void fill_zero(Index n, Buffer& out) {
  double* entries = out.resized(n);
  for_each_index(n, [=](Index i) { entries[i] = 0.0; });
}

bool needs_constraints(Need need) { return has(need, Need::gap | Need::gap_rate | Need::jacobian | Need::convective); }

}  // namespace

struct AssembledSystem::Memory {
  std::uint64_t system = 0;
  double t = 0.0;
  Vector q;
  Placement place;
};

AssembledSystem::AssembledSystem(Assembly assembly, const Vector& reference)
    : parts_(std::move(assembly.parts)),
      constraints_(std::move(assembly.constraints)),
      forces_(std::move(assembly.forces)),
      counted_(std::move(assembly.counted)),
      breakable_(std::move(assembly.breakable)) {
  std::vector<std::shared_ptr<const ConstraintGroup>> own;  // those of parts come first
  for (const auto& part : parts_) {
    offsets_.push_back({nq_, nv_, frames_.count()});
    frames_.add_part(part, nq_, nv_);
    if (const auto* bringing = dynamic_cast<const OwnConstraints*>(part.get()))
      if (auto group = bringing->own_constraints(nq_, nv_)) own.push_back(std::move(group));
    nq_ += part->nq();
    nv_ += part->nv();
  }
  constraints_.insert(constraints_.begin(), own.begin(), own.end());
  for (JointCoordinate& angle : counted_) angle.plus = nq_++;
  first_breakable_ = nq_;
  nq_ += static_cast<Index>(breakable_.size());
  find_features();
  declare(reference);
}

void AssembledSystem::find_features() {
  constancy_ = {.inertia = true, .affine_force = true, .jacobian = true, .contacts = true, .autonomous = true};
  for (const auto& part : parts_) {
    const Constancy constancy = part->constancy();
    constancy_.inertia = constancy_.inertia && constancy.inertia;
    constancy_.affine_force = constancy_.affine_force && constancy.affine_force;
    constancy_.autonomous = constancy_.autonomous && constancy.autonomous;
    conservative_ = conservative_ && part->conservative();
    features_.insert(Feature::quaternions, part->nq() != part->nv());
    features_.insert(Feature::rheonomic, part->has_drifts());
    drifting_ = drifting_ || part->has_drifts();
    if (part->has_drifts() && !forces_.empty()) conservative_ = false;  // driven bodies work through springs
  }
  features_.insert(Feature::variable_inertia, !constancy_.inertia);
  decomposed_ = constancy_.inertia && nq_ == nv_ &&
                std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->decomposed(); });
  features_.insert(Feature::quaternions, !counted_.empty() || !breakable_.empty());
  for (const auto& force : forces_) {
    constancy_.affine_force = false;
    constancy_.autonomous = constancy_.autonomous && force->autonomous();
    conservative_ = conservative_ && force->conservative();
  }
  for (std::size_t g = 0; g < constraints_.size(); ++g) {
    constraints_[g]->describe(features_, constancy_);
    if (constraints_[g]->comes_and_goes()) coming_and_going_ = static_cast<Index>(g);
  }
}

void AssembledSystem::declare(const Vector& reference) {
  Placement place;
  const Vector at_rest = Vector::Zero(nv_);
  this->place(0.0, reference, at_rest, place);
  each_part([&](const Part& part, const Offset& at) { part.declare(at.v, M_, dh_dq_, dh_dv_); });
  for (const auto& force : forces_)
    force->declare({0.0, reference.data(), place, frames_, at_rest.data()}, dh_dq_, dh_dv_);
  M_.finish(nv_, dense_limit);
  dh_dq_.finish(nv_, dense_limit);
  dh_dv_.finish(nv_, dense_limit);
  keep_constant_matrices(reference);
}

void AssembledSystem::keep_constant_matrices(const Vector& reference) {
  const auto keep = [](const StructuredMatrix& matrix, std::shared_ptr<const ConstantMatrix>& kept) {
    if (matrix.structure() == Structure::sparse) kept = std::make_shared<const ConstantMatrix>(matrix.sparse_matrix());
  };
  ContactSet none;
  ActiveSet nothing;
  nothing.reset(none);
  Evaluation at;
  const Vector rest = Vector::Zero(nv_);
  if (constancy_.inertia && M_.structure() == Structure::sparse) {
    evaluate(0.0, reference, rest, Need::inertia, nothing, at);
    keep(at.M, constant_M_);
  }
  const auto sparse_or_zero = [](const MatrixAssembly& A) {
    return A.structure() == Structure::sparse || A.structure() == Structure::zero;
  };
  if (!constancy_.affine_force || !sparse_or_zero(dh_dq_) || !sparse_or_zero(dh_dv_)) return;
  evaluate(0.0, reference, rest, Need::force_jacobian, nothing, at);
  keep(at.dh_dq, constant_dh_dq_);
  keep(at.dh_dv, constant_dh_dv_);
}

// ---------------------------------------------------------------------------------------------------------------------
// Placement

void AssembledSystem::place_poses(double t, const Vector& q, Placement& out) const {
  out.poses.resize(static_cast<std::size_t>(frames_.count()));
  each_part([&](const Part& part, const Offset& at) { part.place(t, q.data() + at.q, out.poses.data() + at.frame); });
}

void AssembledSystem::place_twists(double t, const Vector& q, const Vector& v, Placement& out) const {
  out.twists.resize(static_cast<std::size_t>(frames_.count()));
  out.drifting = drifting_;
  each_part([&](const Part& part, const Offset& at) {
    part.twists(t, q.data() + at.q, v.data() + at.v, out.poses.data() + at.frame, out.twists.data() + at.frame);
  });
  if (!drifting_) return;
  out.drifts.assign(static_cast<std::size_t>(frames_.count()), {});
  each_part([&](const Part& part, const Offset& at) {
    if (part.has_drifts()) part.drifts(t, q.data() + at.q, out.poses.data() + at.frame, out.drifts.data() + at.frame);
  });
}

void AssembledSystem::place_rates(double t, const Vector& q, const Vector& v, Placement& out) const {
  out.bent = std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->has_rates(); });
  if (!out.bent) return;
  out.rates.assign(static_cast<std::size_t>(frames_.count()), {});
  each_part([&](const Part& part, const Offset& at) {
    if (part.has_rates())
      part.rates(t, q.data() + at.q, v.data() + at.v, out.poses.data() + at.frame, out.rates.data() + at.frame);
  });
}

void AssembledSystem::place(double t, const Vector& q, const Vector& v, Placement& out) const {
  place_poses(t, q, out);
  place_twists(t, q, v, out);
  place_rates(t, q, v, out);
}

// Of calls that bring no memory; per thread because a system is shared by threads.
Placement& AssembledSystem::scratch(double t, const Vector& q, const Vector& v) const {
  thread_local Placement place;
  this->place(t, q, v, place);
  return place;
}

// ---------------------------------------------------------------------------------------------------------------------
// The statement

void AssembledSystem::detect(double t, const Vector& q, const Vector& v, double dt, ContactSet& contacts) const {
  contacts.constraints.clear();
  if (contacts.records_of != serial() || contacts.records.use_count() != 1) {
    contacts.records = std::make_shared<ContactRecords>();
    contacts.records_of = serial();
  }
  static_cast<ContactRecords*>(contacts.records.get())->clear();
  if (constraints_.empty()) return;
  const At at{t, q.data(), scratch(t, q, v), frames_};
  for (std::size_t g = 0; g < constraints_.size(); ++g)
    constraints_[g]->detect(at, dt, static_cast<Index>(g), contacts);
}

void AssembledSystem::evaluate(double t, const Vector& q, const Vector& v, Need need, const ActiveSet& active,
                               Evaluation& out) const {
  const bool forces = has(need, Need::force | Need::force_jacobian), rows = needs_constraints(need);
  const Placement* place = nullptr;
  if (rows || (forces && !forces_.empty())) place = &placement(t, q, v, need, out.intermediates);
  if (forces || has(need, Need::inertia)) evaluate_dynamics(t, q, v, need, place, out);
  if (rows) evaluate_constraints({t, q.data(), *place, frames_, v.data()}, need, active, out);
}

// Where frames are, found again at the same position.
Placement& AssembledSystem::poses(double t, const Vector& q, Intermediates& intermediates) const {
  std::shared_ptr<void>& kept = intermediates.memory;
  if (intermediates.system != serial() || !kept) {
    kept = std::make_shared<Memory>();
    intermediates.system = serial();
  }
  Memory& memory = *static_cast<Memory*>(kept.get());
  if (memory.system != serial() || memory.t != t || !same(memory.q, q)) {
    place_poses(t, q, memory.place);
    memory.system = serial();
    memory.t = t;
    scale(1.0, q, memory.q);
  }
  return memory.place;
}

// And how they move, as far as it is asked for.
const Placement& AssembledSystem::placement(double t, const Vector& q, const Vector& v, Need need,
                                            Intermediates& intermediates) const {
  Placement& place = poses(t, q, intermediates);
  if (!forces_.empty() || drifting_ || has(need, Need::gap_rate | Need::convective)) place_twists(t, q, v, place);
  if (has(need, Need::convective)) place_rates(t, q, v, place);
  return place;
}

// M, h and its derivatives. `place` is asked for where forces act between parts.
void AssembledSystem::evaluate_dynamics(double t, const Vector& q, const Vector& v, Need need, const Placement* place,
                                        Evaluation& out) const {
  const bool inertia = has(need, Need::inertia) && !constant_M_, force = has(need, Need::force),
             derivatives = has(need, Need::force_jacobian) && !constant_dh_dq_ && !constant_dh_dv_;
  std::optional<MatrixAssembly::Writer> M, dh_dq, dh_dv;
  if (inertia) M.emplace(M_, out.M);
  if (has(need, Need::inertia) && constant_M_) out.M.share(constant_M_);
  if (force) set_zero(nv_, out.h);
  if (derivatives) {
    dh_dq.emplace(dh_dq_, out.dh_dq);
    dh_dv.emplace(dh_dv_, out.dh_dv);
  } else if (has(need, Need::force_jacobian)) {
    share(constant_dh_dq_, nv_, out.dh_dq);
    share(constant_dh_dv_, nv_, out.dh_dv);
  }
  each_part([&](const Part& part, const Offset& o) {
    part.inertia_and_force(t, q.data() + o.q, v.data() + o.v, inertia ? &*M : nullptr,
                           force ? out.h.data() + o.v : nullptr, derivatives ? &*dh_dq : nullptr,
                           derivatives ? &*dh_dv : nullptr);
  });
  for (const auto& group : forces_) {
    if (!force && !derivatives) break;
    const At at{t, q.data(), *place, frames_, v.data()};
    if (force) group->add_force(at, out.h.data());
    if (derivatives) group->force_jacobian(at, *dh_dq, *dh_dv);
  }
}

// The members of a group are one run of the active set.
void AssembledSystem::evaluate_constraints(const At& at, Need need, const ActiveSet& active, Evaluation& out) const {
  const Index rows = active.rows(), count = active.size();
  if (has(need, Need::gap)) fill_zero(rows, out.g);
  if (has(need, Need::gap_rate)) fill_zero(rows, out.g_rate);
  if (has(need, Need::jacobian)) {
    out.W.clear();
    fill_zero(rows, out.chi);
  }
  if (has(need, Need::convective)) fill_zero(rows, out.zeta);
  Index row = 0;
  for (Index begin = 0; begin < count;) {
    const Index group = active.constraint(begin).element;
    Index end = begin, next_row = row;
    do next_row += active.constraint(end).law->dim();
    while (++end < count && active.constraint(end).element == group);
    constraints_[static_cast<std::size_t>(group)]->evaluate(at, need, active, begin, end, row, out);
    row = next_row;
    begin = end;
  }
}

void AssembledSystem::add_turning(double factor, double t, const Vector& q, const ActiveSet& active, const double* x,
                                  Intermediates& intermediates, Matrix3* blocks) const {
  const At at{t, q.data(), poses(t, q, intermediates), frames_};
  const JointGroup* joints = nullptr;
  Index element = -1;
  for (Index i = 0; i < active.size(); ++i) {
    const Constraint& constraint = active.constraint(i);
    if (constraint.element != element) {
      element = constraint.element;
      joints = dynamic_cast<const JointGroup*>(constraints_[static_cast<std::size_t>(element)].get());
    }
    if (joints != nullptr) joints->add_turning(factor, at, constraint, x, blocks);
    x += constraint.law->dim();
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// Coordinates

void AssembledSystem::move(const Vector& q, const Vector& dq, Vector& q_next) const {
  if (q_next.size() != nq_) q_next.resize(nq_);
  if (parts_.size() == 1 && nq_ == parts_[0]->nq())
    return parts_[0]->move(q.data(), dq.data(), q_next.data());  // the only one
  if (counted_.empty()) {
    each_part([&](const Part& p, const Offset& o) { p.move(q.data() + o.q, dq.data() + o.v, q_next.data() + o.q); });
    keep_broken(q, q_next);
    return;
  }
  thread_local Vector from;  // q and q_next may be the same
  from = q;
  each_part([&](const Part& p, const Offset& o) { p.move(from.data() + o.q, dq.data() + o.v, q_next.data() + o.q); });
  keep_broken(from, q_next);
  count_turns(from, dq, q_next);
}

void AssembledSystem::rational_move(const Vector& q, const Vector& dq, Vector& q_next) const {
  if (q_next.size() != nq_) q_next.resize(nq_);
  thread_local Vector from;
  from = q;
  each_part([&](const Part& p, const Offset& o) {
    p.rational_move(from.data() + o.q, dq.data() + o.v, q_next.data() + o.q);
  });
  keep_broken(from, q_next);
  count_turns(from, dq, q_next);
}

// The angle that the new position shows, on the branch nearest to where the old angle's rate leads.
void AssembledSystem::count_turns(const Vector& q, const Vector& dq, Vector& q_next) const {
  if (counted_.empty()) return;
  Placement& before = scratch(0.0, q, dq);
  for (const JointCoordinate& angle : counted_) q_next[angle.plus] = q[angle.plus] + rate(angle, before);
  thread_local Placement after;
  place_poses(0.0, q_next, after);
  for (const JointCoordinate& angle : counted_)
    q_next[angle.plus] = model::evaluate(angle, {0.0, q_next.data(), after, frames_}).g;
}

double AssembledSystem::rate(const JointCoordinate& angle, const Placement& place) const {
  const RowOf<double> row =
      model::evaluate(angle.row, place.poses[static_cast<std::size_t>(angle.a.frame)], angle.a.point,
                      place.poses[static_cast<std::size_t>(angle.b.frame)], angle.b.point);
  return rate_of(row, place.twists[static_cast<std::size_t>(angle.a.frame)],
                 place.twists[static_cast<std::size_t>(angle.b.frame)]);
}

void AssembledSystem::difference(const Vector& qa, const Vector& qb, Vector& dq) const {
  if (dq.size() != nv_) dq.resize(nv_);
  each_part([&](const Part& p, const Offset& o) { p.difference(qa.data() + o.q, qb.data() + o.q, dq.data() + o.v); });
}

void AssembledSystem::apply_T(const Vector& q, const Vector& v, Vector& dq) const {
  if (dq.size() != nq_) dq.resize(nq_);
  each_part([&](const Part& p, const Offset& o) { p.apply_T(q.data() + o.q, v.data() + o.v, dq.data() + o.q); });
  for (Index i = first_breakable_; i < nq_; ++i) dq[i] = 0.0;
  if (counted_.empty()) return;
  const Placement& place = scratch(0.0, q, v);
  for (const JointCoordinate& angle : counted_) dq[angle.plus] = rate(angle, place);
}

void AssembledSystem::apply_T_transpose(const Vector& q, const Vector& p, Vector& r) const {
  if (r.size() != nv_) r.resize(nv_);
  each_part([&](const Part& part, const Offset& o) {
    part.apply_T_transpose(q.data() + o.q, p.data() + o.q, r.data() + o.v);
  });
  if (counted_.empty()) return;
  const Placement& place = scratch(0.0, q, Vector::Zero(nv_));
  for (const JointCoordinate& angle : counted_) {
    const Pose &a = place.poses[static_cast<std::size_t>(angle.a.frame)],
               &b = place.poses[static_cast<std::size_t>(angle.b.frame)];
    const RowOf<double> row = model::evaluate(angle.row, a, angle.a.point, b, angle.b.point);
    frames_.add_load(q.data(), angle.a.frame, a, p[angle.plus] * row.f, p[angle.plus] * row.tau_a, r.data());
    frames_.add_load(q.data(), angle.b.frame, b, -p[angle.plus] * row.f, p[angle.plus] * row.tau_b, r.data());
  }
}

void AssembledSystem::velocity_map(const Vector& q, Matrix& Q) const {
  Q.setZero(nv_, nq_);
  each_part([&](const Part& part, const Offset& o) {
    part.velocity_map(q.data() + o.q, Q.block(o.v, o.q, part.nv(), part.nq()));
  });
}

void AssembledSystem::gyroscopic(const Vector& v, const Vector& q, Matrix& H) const {
  H.setZero(nv_, nq_);
  each_part([&](const Part& part, const Offset& o) {
    part.gyroscopic(v.data() + o.v, q.data() + o.q, H.block(o.v, o.q, part.nv(), part.nq()));
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// Energies

double AssembledSystem::kinetic_energy(double, const Vector& q, const Vector& v) const {
  double energy = 0.0;
  each_part([&](const Part& part, const Offset& o) { energy += part.kinetic_energy(q.data() + o.q, v.data() + o.v); });
  return energy;
}

double AssembledSystem::potential_energy(double t, const Vector& q) const {
  double energy = 0.0;
  each_part([&](const Part& part, const Offset& o) { energy += part.potential_energy(q.data() + o.q); });
  if (forces_.empty()) return energy;
  thread_local Placement place;
  place_poses(t, q, place);
  place.twists.assign(place.poses.size(), {});
  for (const auto& force : forces_) energy += force->potential_energy({t, q.data(), place, frames_});
  return energy;
}

double AssembledSystem::other_power(double t, const Vector& q, const Vector& v) const {
  double power = 0.0;
  each_part([&](const Part& part, const Offset& o) { power += part.other_power(t, q.data() + o.q, v.data() + o.v); });
  if (forces_.empty()) return power;
  const At at{t, q.data(), scratch(t, q, v), frames_};
  for (const auto& force : forces_) power += force->other_power(at);
  return power;
}

// What forces between parts add is found by differences.
void AssembledSystem::potential_gradient(double t, const Vector& q, Vector& out) const {
  if (!forces_.empty()) return Energetics::potential_gradient(t, q, out);
  out.setZero(nq_);
  each_part([&](const Part& part, const Offset& o) { part.add_potential_gradient(q.data() + o.q, out.data() + o.q); });
}

// ---------------------------------------------------------------------------------------------------------------------
// What could touch, near or far

Index AssembledSystem::partner(std::string_view name) const {
  return constraints_[static_cast<std::size_t>(coming_and_going_)]->partner(name);
}

bool AssembledSystem::can_touch(Index partner) const {
  return constraints_[static_cast<std::size_t>(coming_and_going_)]->can_touch(frames_, partner);
}

void AssembledSystem::visit(double t, const Vector& q, Index partner,
                            const std::function<bool(const Constraint&, double gap)>& visit) const {
  thread_local Placement place;
  place_poses(t, q, place);
  constraints_[static_cast<std::size_t>(coming_and_going_)]->visit_far({t, q.data(), place, frames_}, coming_and_going_,
                                                                       partner, visit);
}

double AssembledSystem::gap(double t, const Vector& q, const Constraint& contact) const {
  thread_local Placement place;
  place_poses(t, q, place);
  return constraints_[static_cast<std::size_t>(contact.element)]->far_gap({t, q.data(), place, frames_}, contact);
}

// ---------------------------------------------------------------------------------------------------------------------
// Names

namespace {

// A frame of a part, for whoever reads states.
StateFrame::Motion motion_of(std::shared_ptr<const Part> part, Index q, Index v, std::size_t frame) {
  return [part = std::move(part), q, v, frame](const State& state, Pose& pose, Twist& twist) {
    thread_local std::vector<Pose> poses;
    thread_local std::vector<Twist> twists;
    poses.resize(static_cast<std::size_t>(part->frame_count()));
    twists.resize(poses.size());
    part->place(state.t, state.q.data() + q, poses.data());
    part->twists(state.t, state.q.data() + q, state.v.data() + v, poses.data(), twists.data());
    pose = poses[frame];
    twist = twists[frame];
  };
}

}  // namespace

void AssembledSystem::describe(Layout& layout) const {
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::size_t first = layout.frames().size();
    layout.begin_slice(offsets_[p].q, offsets_[p].v);
    parts_[p]->describe(layout);
    for (std::size_t k = first; k < layout.frames().size(); ++k) {
      const StateFrame::Kind kind = layout.frames()[k].kind;
      if (kind == StateFrame::Kind::general || kind == StateFrame::Kind::prescribed)
        layout.set_motion(k, motion_of(parts_[p], offsets_[p].q, offsets_[p].v, k - first));
    }
  }
  layout.begin_slice(0, 0);
  if (!breakable_.empty()) {
    layout.add_pool("/breakable", breakable_);
    layout.add_pooled("/breakable/broken", FieldOf::q, first_breakable_, 1, 1, "1", "0, or 1 once the joint is broken");
  }
  if (counted_.empty()) return;
  std::vector<std::string> names;
  std::vector<Index> places;
  for (const JointCoordinate& angle : counted_) {
    names.push_back(angle.name);
    places.push_back(angle.plus);
  }
  layout.add_pool("/turning", std::move(names));
  layout.add_pooled("/turning/angle", FieldOf::q, 1, std::move(places), {}, "rad",
                    "angle of a joint, counted over turns");
}

std::string AssembledSystem::constraint_name(const Constraint& constraint) const {
  return constraints_[static_cast<std::size_t>(constraint.element)]->name(constraint);
}

std::string AssembledSystem::coordinate_name(Index i) const {
  if (i >= first_breakable_) return breakable_[static_cast<std::size_t>(i - first_breakable_)] + ".broken";
  for (const JointCoordinate& angle : counted_)
    if (angle.plus == i) return angle.name;
  std::size_t p = parts_.size() - 1;
  while (offsets_[p].q > i || parts_[p]->nq() == 0) --p;
  return parts_[p]->coordinate_name(i - offsets_[p].q);
}

std::string AssembledSystem::velocity_name(Index i) const {
  std::size_t p = parts_.size() - 1;
  while (offsets_[p].v > i || parts_[p]->nv() == 0) --p;
  return parts_[p]->velocity_name(i - offsets_[p].v);
}

}  // namespace carom::model
