// Bodies that hang on each other by ideal joints, in joint coordinates: what the joints hold is held by construction,
// and nothing can drift. In world components about one point O, with S_k the motion that velocity k brings to all
// bodies outboard of it, I, V, A inertia, motion and acceleration at constant v of a body, and n = I A + V x* I V what
// it takes to move it like that:
//
//   V_i = sum over the path S_k v_k      A_i = sum V_k x S_k v_k      M_jk = S_j' (sum of I outboard of both) S_k
//   h_k = S_k' sum outboard (weight - n)
//
// Derivatives follow because moving coordinate j carries all that is outboard along S_j:
// docs/theory/assembled_model.md.
#pragma once

#include <cstdint>
#include <memory>

#include "carom/model/assembly/part.h"
#include "carom/model/parts/tree_layout.h"

namespace carom::model {

class Tree : public Part {
 public:
  static constexpr Index most_velocities = 64;  // its matrices are dense

  explicit Tree(TreeLayout layout);

  const TreeLayout& layout() const { return layout_; }

  Index nq() const override { return layout_.nq; }
  Index nv() const override { return layout_.nv; }
  Index frame_count() const override { return static_cast<Index>(layout_.bodies.size()); }
  FrameKind frame_kind() const override { return FrameKind::general; }
  bool planar() const override { return layout_.planar; }
  Constancy constancy() const override { return {}; }
  bool has_rates() const override { return true; }

  void declare(Index offset, MatrixAssembly& M, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void inertia(const double* q, MatrixAssembly::Writer& M) const override;

  void move(const double* q, const double* dq, double* q_next) const override;
  void rational_move(const double* q, const double* dq, double* q_next) const override;
  void difference(const double* qa, const double* qb, double* dq) const override;
  void apply_T(const double* q, const double* v, double* dq) const override;
  void apply_T_transpose(const double* q, const double* p, double* r) const override;

  // By joint and coordinate: /coordinate/bearing.angle; a ball is a quaternion and a spin.
  void describe(Layout& layout) const override;
  std::string coordinate_name(Index i) const override;
  std::string velocity_name(Index i) const override;
  std::string frame_name(Index frame) const override {
    return layout_.bodies[static_cast<std::size_t>(frame)].data.name;
  }

  // The velocities that come closest to these motions of the bodies (in their kinetic energy); what is given is taken.
  void closest_velocities(const double* q, const std::vector<Twist>& wanted, const std::map<Index, double>& given,
                          double* v) const;

 protected:
  // M, nv x nv.
  virtual void fill_inertia(const double* q, double* M) const = 0;

  TreeLayout layout_;
  const std::uint64_t number_;  // never zero, and another for every tree: what a thread has found of it is kept by it
};

// planar_tree.cc, spatial_tree.cc
std::shared_ptr<const Tree> make_planar_tree(TreeLayout layout);
std::shared_ptr<const Tree> make_spatial_tree(TreeLayout layout);
std::shared_ptr<const Tree> make_tree(TreeLayout layout);

}  // namespace carom::model
