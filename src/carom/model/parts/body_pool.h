// What pools of bodies have in common: bodies one after the other, each with as many coordinates and velocities, its
// place first, and a weight that acts on the place.
#pragma once

#include <string>
#include <vector>

#include "carom/model/assembly/part.h"

namespace carom::model {

// Data has a name and a weight.
template <class Data>
class BodyPool : public Part {
 public:
  Index nq() const final { return size_q_ * frame_count(); }
  Index nv() const final { return size_v_ * frame_count(); }
  Index frame_count() const final { return static_cast<Index>(bodies_.size()); }
  std::string frame_name(Index frame) const final { return bodies_[static_cast<std::size_t>(frame)].name; }

  double potential_energy(const double* q) const final {
    double energy = 0.0;
    for (const Data& body : bodies_) {
      for (Index k = 0; k < place_; ++k) energy -= body.weight[k] * q[k];
      q += size_q_;
    }
    return energy;
  }
  void add_potential_gradient(const double*, double* out) const final {
    for (const Data& body : bodies_) {
      for (Index k = 0; k < place_; ++k) out[k] -= body.weight[k];
      out += size_q_;
    }
  }

  // One name for each coordinate or velocity of a body.
  std::string coordinate_name(Index i) const final { return frame_name(i / size_q_) + "." + name_in_q(i % size_q_); }
  std::string velocity_name(Index i) const final { return frame_name(i / size_v_) + "." + name_in_v(i % size_v_); }

 protected:
  // Coordinates and velocities of a body, and how many of them are its place.
  BodyPool(std::vector<Data> bodies, Index size_q, Index size_v, Index place)
      : bodies_(std::move(bodies)), size_q_(size_q), size_v_(size_v), place_(place) {}

  virtual std::string name_in_q(Index i) const = 0;
  virtual std::string name_in_v(Index i) const = 0;

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Data& body : bodies_) all.push_back(body.name);
    return all;
  }

  std::vector<Data> bodies_;

 private:
  Index size_q_, size_v_, place_;
};

}  // namespace carom::model
