// What a linear body is made of (linear_body.h), in plain values:
//
//   as it is:   M u'' + C u' + K u = f + W lambda        u the degrees of freedom of the matrices
//   reduced:    eta'' + diag(alpha + beta w^2) eta' + diag(w^2) eta = Phi' (f + W lambda),   u = Phi eta
//
// with C = alpha M + beta K. Contacts of its own are given by degrees of freedom: gaps g_k = gap_k + sign_k u[dof_k].
#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "carom/base/pose.h"
#include "carom/laws/contact_law.h"
#include "carom/model/flexible/rayleigh_damping.h"

namespace carom {
struct Model;
}

namespace carom::model {

class LinearBody;

// Where a node is and which degrees of freedom of the matrices move and turn it, counted from 0; -1: none.
struct LinearNode {
  Vector3 position = Vector3::Zero();  // at rest, in the body's frame
  std::array<Index, 3> displacement = {-1, -1, -1};
  std::array<Index, 3> rotation = {-1, -1, -1};
};

struct LinearBodyContact {
  std::string name = {};
  Index dof = 0;                     // counted from 0
  double sign = 1.0;                 // of the gap's growth with that degree of freedom
  double gap = 0.0;                  // at u = 0
  std::vector<Index> tangents = {};  // with friction: the degree of freedom (two in space) along the surface
  ContactParameters law = {};
  double length_scale = 1.0;
};

struct LinearBodySpec {
  std::string name = "body";
  Eigen::SparseMatrix<double> M = {}, K = {};
  Index modes = 0;                // 0: as it is
  bool static_correction = true;  // of the modes, for every contact and every attached node
  RayleighDamping damping = {};
  Vector force = {};     // constant; empty: none
  Vector velocity = {};  // at the start; empty: rest
  std::vector<LinearBodyContact> contacts = {};
  Pose place = {};  // of the body's frame, in which degrees of freedom and positions count
  std::vector<LinearNode> nodes = {};
  std::vector<Index> clamped = {};  // nodes that are held fast, with all they have
  std::string unit = "SI";          // of all degrees of freedom, if they have one
  bool weightless = false;          // gravity acts through the nodes, on what their displacements move
};

// The part with a frame at each of the attached nodes, and its start. Throws InputError naming every value out of
// range.
struct LinearBodyPart {
  std::shared_ptr<const LinearBody> part;
  Vector q, v;
};
LinearBodyPart make_linear_part(const LinearBodySpec& spec, const std::vector<Index>& attached = {},
                                const Vector3& gravity = Vector3::Zero());

// A model of nothing else.
Model make_linear_body(const LinearBodySpec& spec);

}  // namespace carom::model
