#include "carom/model/flexible/linear_body.h"

#include <fmt/format.h>

#include "carom/base/errors.h"
#include "carom/model/flexible/linear_structure.h"
#include "carom/model/flexible/modal_reduction.h"

namespace carom {

namespace {

using Row = std::vector<std::pair<Index, double>>;

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
  if (!problems.empty()) throw InputError(std::move(problems));
}

// The rows of W' of a contact in the degrees of freedom of the matrices.
std::vector<Row> contact_rows(const LinearBodyContact& c) {
  std::vector<Row> rows = {{{c.dof, c.sign}}};
  if (c.law.friction > 0.0)
    for (const Index dof : c.tangents) rows.push_back({{dof, 1.0}});
  return rows;
}

Row reduced(const Row& row, const Matrix& Phi) {
  Row modal;
  for (Index k = 0; k < Phi.cols(); ++k) {
    double weight = 0.0;
    for (const auto& [dof, entry] : row) weight += entry * Phi(dof, k);
    modal.emplace_back(k, weight);
  }
  return modal;
}

Eigen::SparseMatrix<double> diagonal(const Vector& entries) {
  Eigen::SparseMatrix<double> D(entries.size(), entries.size());
  D.reserve(Eigen::VectorXi::Ones(entries.size()));
  for (Index k = 0; k < entries.size(); ++k) D.insert(k, k) = entries[k];
  D.makeCompressed();
  return D;
}

}  // namespace

Model make_linear_body(const LinearBodySpec& spec) {
  check_spec(spec);
  StructureMatrices matrices{spec.M, {}, spec.K};
  Vector force = spec.force, velocity = spec.velocity;
  if (velocity.size() == 0) velocity.setZero(spec.M.rows());
  std::vector<LinearContact> contacts;
  for (const LinearBodyContact& c : spec.contacts) {
    LinearContact contact;
    contact.name = c.name;
    contact.gap = c.gap;
    contact.rows = contact_rows(c);
    contact.law = c.law;
    contacts.push_back(std::move(contact));
  }
  if (spec.modes > 0) {
    std::vector<Vector> directions;
    if (spec.static_correction)
      for (const LinearContact& contact : contacts)
        for (const Row& row : contact.rows) directions.push_back(Vector::Unit(spec.M.rows(), row.front().first));
    const ModalBasis basis = modal_basis(spec.M, spec.K, spec.modes, directions);
    const Vector& w = basis.frequencies;
    matrices.M = diagonal(Vector::Ones(w.size()));
    matrices.K = diagonal(w.cwiseAbs2());
    velocity = basis.Phi.transpose() * (spec.M * velocity);
    if (force.size() > 0) force = basis.Phi.transpose() * force;
    for (LinearContact& contact : contacts)
      for (Row& row : contact.rows) row = reduced(row, basis.Phi);
  }
  matrices.C = rayleigh_damping(matrices.M, matrices.K, spec.damping.mass_factor, spec.damping.stiffness_factor);
  Model model;
  model.initial.q.setZero(matrices.M.rows());
  model.initial.v = velocity;
  model.system = std::make_shared<LinearStructure>(spec.name, LinearDynamics(std::move(matrices), force),
                                                   std::move(contacts));
  return model;
}

}  // namespace carom
