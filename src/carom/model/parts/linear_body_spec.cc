#include "carom/model/parts/linear_body_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "carom/base/errors.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/flexible/modal_reduction.h"
#include "carom/model/model.h"
#include "carom/model/parts/linear_body.h"

namespace carom::model {

namespace {

using Row = RowContact::Row;
using Sparse = Eigen::SparseMatrix<double>;

void check_spec(const LinearBodySpec& spec) {
  std::vector<InputProblem> problems;
  const auto refuse = [&](std::string key, std::string message, std::string hint) {
    problems.push_back({"E0151", std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
  };
  const auto size = spec.M.rows();
  if (size == 0 || spec.M.cols() != size)
    refuse("mass", fmt::format("the mass matrix is {} x {}", size, spec.M.cols()), "a square matrix");
  if (spec.K.rows() != size || spec.K.cols() != size)
    refuse("stiffness",
           fmt::format("the stiffness matrix is {} x {}, the mass matrix {} x {}", spec.K.rows(), spec.K.cols(), size,
                       spec.M.cols()),
           "both belong to the same degrees of freedom");
  if (spec.modes < 0 || spec.modes > size)
    refuse("modes", fmt::format("{} modes of {} degrees of freedom", spec.modes, size),
           fmt::format("1 to {}, or 0 to use the matrices as they are", size));
  if (!(spec.damping.mass_factor >= 0.0)) refuse("mass_damping", "negative damping", "mass_damping >= 0");
  if (!(spec.damping.stiffness_factor >= 0.0))
    refuse("stiffness_damping", "negative damping", "stiffness_damping >= 0");
  const auto check_length = [&](const char* key, const Vector& x) {
    if (x.size() != 0 && x.size() != size)
      refuse(key, fmt::format("{} has {} entries for {} degrees of freedom", key, x.size(), size), "one for each");
  };
  check_length("force", spec.force);
  check_length("velocity", spec.velocity);
  for (const LinearBodyContact& c : spec.contacts) {
    const std::string key = "contact." + c.name;
    const auto check_dof = [&](Index dof) {
      if (dof < 0 || dof >= size)
        refuse(key, fmt::format("there is no degree of freedom {}", dof + 1), fmt::format("1 to {}", size));
    };
    check_dof(c.dof);
    for (const Index dof : c.tangents) check_dof(dof);
    if (c.law.friction > 0.0 && (c.tangents.empty() || c.tangents.size() > 2))
      refuse(key, "friction without a direction along the surface",
             "tangents = [dof] in the plane, [dof, dof] in space; or a law without friction");
  }
  for (std::size_t k = 0; k < spec.nodes.size(); ++k)
    for (const auto& dofs : {spec.nodes[k].displacement, spec.nodes[k].rotation})
      for (const Index dof : dofs)
        if (dof < -1 || dof >= size)
          refuse(fmt::format("node{}", k), fmt::format("node {} has the degree of freedom {}", k, dof),
                 fmt::format("0 to {}, or -1 for none", size - 1));
  for (const Index node : spec.clamped)
    if (node < 0 || node >= static_cast<Index>(spec.nodes.size()))
      refuse("clamped", fmt::format("there is no node {}", node), fmt::format("{} nodes are given", spec.nodes.size()));
  if (!problems.empty()) throw InputError(std::move(problems));
}

// The rows of W' of a contact in the degrees of freedom of the matrices.
std::vector<Row> contact_rows(const LinearBodyContact& c) {
  std::vector<Row> rows = {{{c.dof, c.sign}}};
  if (c.law.friction > 0.0)
    for (const Index dof : c.tangents) rows.push_back({{dof, 1.0}});
  return rows;
}

Sparse diagonal(const Vector& entries) {
  Sparse D(entries.size(), entries.size());
  D.reserve(Eigen::VectorXi::Ones(entries.size()));
  for (Index k = 0; k < entries.size(); ++k) D.insert(k, k) = entries[k];
  D.makeCompressed();
  return D;
}

// The degrees of freedom of the matrices in terms of the coordinates of the part: some are held, or all follow the
// modes.
class Coordinates {
 public:
  explicit Coordinates(const LinearBodySpec& spec) : numbers_(static_cast<std::size_t>(spec.M.rows()), 0) {
    for (const Index node : spec.clamped) {
      const LinearNode& at = spec.nodes[static_cast<std::size_t>(node)];
      for (const auto& dofs : {at.displacement, at.rotation})
        for (const Index dof : dofs)
          if (dof >= 0) numbers_[static_cast<std::size_t>(dof)] = -1;
    }
    for (Index& number : numbers_)
      if (number == 0) number = count_++;
  }

  Index count() const { return count_; }
  Index of(Index dof) const { return numbers_[static_cast<std::size_t>(dof)]; }  // -1: held

  Sparse free(const Sparse& A) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < A.outerSize(); ++j)
      for (Sparse::InnerIterator it(A, j); it; ++it)
        if (of(static_cast<Index>(it.row())) >= 0 && of(j) >= 0)
          entries.emplace_back(of(static_cast<Index>(it.row())), of(j), it.value());
    Sparse B(count_, count_);
    B.setFromTriplets(entries.begin(), entries.end());
    return B;
  }
  Vector free(const Vector& x) const {
    Vector y(count_);
    for (Index i = 0; i < x.size(); ++i)
      if (of(i) >= 0) y[of(i)] = x[i];
    return y;
  }
  Row free(const Row& row) const {
    Row result;
    for (const auto& [dof, weight] : row)
      if (of(dof) >= 0) result.emplace_back(of(dof), weight);
    return result;
  }

 private:
  std::vector<Index> numbers_;
  Index count_ = 0;
};

Row reduced(const Row& row, const Matrix& Phi) {
  Row modal;
  for (Index k = 0; k < Phi.cols(); ++k) {
    double weight = 0.0;
    for (const auto& [dof, entry] : row) weight += entry * Phi(dof, k);
    modal.emplace_back(k, weight);
  }
  return modal;
}

// What gravity does to the degrees of freedom: M times the acceleration of the displacements.
Vector weight(const LinearBodySpec& spec, const Vector3& gravity) {
  const Vector3 g = spec.place.R.transpose() * gravity;
  Vector a = Vector::Zero(spec.M.rows());
  for (const LinearNode& node : spec.nodes)
    for (std::size_t i = 0; i < 3; ++i)
      if (node.displacement[i] >= 0) a[node.displacement[i]] = g[static_cast<Index>(i)];
  return spec.M * a;
}

}  // namespace

LinearBodyPart make_linear_part(const LinearBodySpec& spec, const std::vector<Index>& attached,
                                const Vector3& gravity) {
  check_spec(spec);
  const Coordinates coordinates(spec);
  StructureMatrices matrices{coordinates.free(spec.M), {}, coordinates.free(spec.K)};
  Vector force = spec.force, velocity = spec.velocity;
  if (!spec.weightless && gravity != Vector3::Zero()) {
    if (force.size() == 0) force.setZero(spec.M.rows());
    force += weight(spec, gravity);
  }
  if (force.size() > 0) force = coordinates.free(force);
  velocity = velocity.size() == 0 ? Vector(Vector::Zero(coordinates.count())) : coordinates.free(velocity);

  std::vector<RowContact> contacts;
  for (const LinearBodyContact& c : spec.contacts) {
    RowContact contact;
    contact.name = c.name;
    contact.gap = c.gap;
    for (const Row& row : contact_rows(c)) contact.rows.push_back(coordinates.free(row));
    contact.law = c.law;
    contact.length_scale = c.length_scale;
    contacts.push_back(std::move(contact));
  }
  std::vector<std::array<Row, 6>> frame_rows;
  for (const Index k : attached) {
    const LinearNode& node = spec.nodes.at(static_cast<std::size_t>(k));
    std::array<Row, 6>& rows = frame_rows.emplace_back();
    for (std::size_t r = 0; r < 6; ++r) {
      const Index dof = r < 3 ? node.displacement[r] : node.rotation[r - 3];
      if (dof >= 0) rows[r] = coordinates.free(Row{{dof, 1.0}});
    }
  }

  if (spec.modes > 0) {
    std::set<Index> corrected;  // one direction for each degree of freedom that something pushes
    if (spec.static_correction) {
      for (const RowContact& contact : contacts)
        for (const Row& row : contact.rows)
          if (!row.empty()) corrected.insert(row.front().first);
      for (const auto& rows : frame_rows)
        for (const Row& row : rows)
          if (!row.empty()) corrected.insert(row.front().first);
    }
    std::vector<Vector> directions;
    for (const Index dof : corrected) directions.push_back(Vector::Unit(coordinates.count(), dof));
    const ModalBasis basis = modal_basis(matrices.M, matrices.K, spec.modes, directions);
    velocity = basis.Phi.transpose() * (matrices.M * velocity);
    if (force.size() > 0) force = basis.Phi.transpose() * force;
    matrices.M = diagonal(Vector::Ones(basis.frequencies.size()));
    matrices.K = diagonal(basis.frequencies.cwiseAbs2());
    for (RowContact& contact : contacts)
      for (Row& row : contact.rows) row = reduced(row, basis.Phi);
    for (auto& rows : frame_rows)
      for (Row& row : rows)
        if (!row.empty()) row = reduced(row, basis.Phi);
  }
  matrices.C = rayleigh_damping(matrices.M, matrices.K, spec.damping.mass_factor, spec.damping.stiffness_factor);

  if (!attached.empty() && spec.modes > 0 && matrices.M.rows() > FrameColumns::most)
    throw InputError(
        {"E0151",
         fmt::format("{} modes and corrections of a body that something is attached to", matrices.M.rows()),
         "modes",
         fmt::format("at most {} together", FrameColumns::most),
         {},
         0,
         0,
         {}});
  std::vector<LinearBody::Frame> frames;
  for (std::size_t f = 0; f < attached.size(); ++f)
    frames.push_back(make_frame(fmt::format("{}.node{}", spec.name, attached[f]),
                                spec.nodes[static_cast<std::size_t>(attached[f])].position, frame_rows[f]));
  LinearBodyPart result;
  result.q.setZero(matrices.M.rows());
  result.v = std::move(velocity);
  result.part =
      std::make_shared<const LinearBody>(spec.name, LinearDynamics(std::move(matrices), std::move(force)), spec.place,
                                         std::move(frames), std::move(contacts), spec.modes > 0 ? "SI" : spec.unit);
  return result;
}

Model make_linear_body(const LinearBodySpec& spec) {
  LinearBodyPart body = make_linear_part(spec);
  Model model;
  model.initial.q = std::move(body.q);
  model.initial.v = std::move(body.v);
  model.system = std::make_shared<AssembledSystem>(Assembly{.parts = {body.part}}, model.initial.q);
  return model;
}

}  // namespace carom::model
