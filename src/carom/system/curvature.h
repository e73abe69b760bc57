// How force directions, gap rates and inertia change with the position: what full Newton needs beyond
// dh_dq and dh_dv. Derivatives are taken in the directions of velocities, f(q (+) x) = f + (df/dq) x + ...,
// and are dense, column after column; every function says whether its derivative is there at all, so that a large
// system with constant directions pays nothing. An output is set whenever true is returned and left alone otherwise.
#pragma once

#include "carom/base/buffer.h"
#include "carom/base/types.h"
#include "carom/system/system.h"

namespace carom::inline system {

class Curvature {
 public:
  virtual ~Curvature() = default;
  // d(W x)/dq, nv x nv; x by rows of the active set.
  virtual bool directions(double t, const Vector& q, const ActiveSet& active, const double* x, Buffer& out) const = 0;
  // d(W' z + chi)/dq, rows x nv, z fixed.
  virtual bool rates(double t, const Vector& q, const ActiveSet& active, const Vector& z, Buffer& out) const = 0;
  // d zeta/dq and d zeta/dv, rows x nv.
  virtual bool convective(double t, const Vector& q, const Vector& v, const ActiveSet& active, Buffer& dq,
                          Buffer& dv) const = 0;
  // d(M x)/dq, nv x nv.
  virtual bool inertia(double t, const Vector& q, const Vector& x, Buffer& out) const = 0;
};

// Central differences of `evaluate`, for systems that have no curvature of their own. It keeps its
// memory, so one object serves one thread.
class DifferencedCurvature final : public Curvature {
 public:
  void of(const System& system) { system_ = &system; }

  bool directions(double t, const Vector& q, const ActiveSet& active, const double* x, Buffer& out) const override;
  bool rates(double t, const Vector& q, const ActiveSet& active, const Vector& z, Buffer& out) const override;
  bool convective(double t, const Vector& q, const Vector& v, const ActiveSet& active, Buffer& dq,
                  Buffer& dv) const override;
  bool inertia(double t, const Vector& q, const Vector& x, Buffer& out) const override;

 private:
  template <class Value>
  bool differentiate(Index rows, const Vector& q, Buffer& out, Value value) const;

  const System* system_ = nullptr;
  mutable Evaluation evaluation_;
  mutable ActiveSet none_;
  mutable Vector q_, v_, direction_;
  mutable Buffer plus_, minus_;
};

// The system's own curvature, or `differences` set to it.
const Curvature& curvature_of(const System& system, DifferencedCurvature& differences);

}  // namespace carom::inline system
