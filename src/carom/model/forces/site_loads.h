// A force and a torque at a site, as a function of time and of the motion of any sites: drag, a controller, a magnet, a
// thruster. With the load w(t, poses, twists) of the sites it watches
//
//   h += B' w      dh_dv = B' w_twist B_j      dh_dq = B' (w_pose B_j + w_twist (twist_j)_q) + (B' w)_q
//
// summed over the watched sites j. Derivatives of w come from central differences. All its work is booked as that of
// drives.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "carom/model/assembly/groups.h"

namespace carom::model {

// A site in the world.
struct SiteMotion {
  Vector3 position, velocity, spin;
  Matrix3 axes;  // columns: the site's own x, y, z axes
};

struct Load {
  Vector3 force = Vector3::Zero(), torque = Vector3::Zero();  // in world components; the torque about the site
};

// The motions are those of the watched sites, in their order.
using LoadFunction = std::function<Load(double t, std::span<const SiteMotion> watched)>;

struct SiteLoad {
  std::string name;
  Site site;
  std::vector<Site> watched;
  LoadFunction load;
};

class SiteLoads final : public ForceGroup {
 public:
  explicit SiteLoads(std::vector<SiteLoad> loads) : loads_(std::move(loads)) {}

  void declare(const At& at, MatrixAssembly& dh_dq, MatrixAssembly& dh_dv) const override;
  void add_force(const At& at, double* h) const override;
  void force_jacobian(const At& at, MatrixAssembly::Writer& dh_dq, MatrixAssembly::Writer& dh_dv) const override;
  double potential_energy(const At&) const override { return 0.0; }
  double other_power(const At& at) const override;
  bool conservative() const override { return loads_.empty(); }
  bool autonomous() const override { return loads_.empty(); }

 private:
  std::vector<SiteLoad> loads_;
};

}  // namespace carom::model
