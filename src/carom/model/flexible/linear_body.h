// A linear body given by its mass and stiffness matrices, with contacts at its degrees of freedom: as it is, or
// reduced to its lowest modes (modal_reduction.h).
//
//   as it is:   M u'' + C u' + K u = f + W lambda        u the degrees of freedom of the matrices
//   reduced:    eta'' + diag(alpha + beta w^2) eta' + diag(w^2) eta = Phi' (f + W lambda),   u = Phi eta
//
// with C = alpha M + beta K, and gaps g_k = gap_k + sign_k u[dof_k] that close as the body moves.
#pragma once

#include <Eigen/SparseCore>
#include <string>
#include <utility>
#include <vector>

#include "carom/laws/contact_law.h"
#include "carom/model/flexible/beam.h"
#include "carom/model/model.h"

namespace carom {

struct LinearBodyContact {
  std::string name;
  Index dof = 0;                // counted from 0
  double sign = 1.0;            // of the gap's growth with that degree of freedom
  double gap = 0.0;             // at u = 0
  std::vector<Index> tangents;  // with friction: the degree of freedom (two in space) along the surface
  ContactParameters law;
};

struct LinearBodySpec {
  std::string name = "body";
  Eigen::SparseMatrix<double> M, K;
  Index modes = 0;                // 0: as it is
  bool static_correction = true;  // of the modes, for every contact
  RayleighDamping damping;
  Vector force;                   // constant; empty: none
  Vector velocity;                // at the start; empty: rest
  std::vector<LinearBodyContact> contacts;
};

// Throws InputError naming every value out of range.
Model make_linear_body(const LinearBodySpec& spec);

}  // namespace carom
