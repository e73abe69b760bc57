#include "carom/model/parts/spatial_bodies.h"

#include <algorithm>

#include "carom/base/errors.h"
#include "carom/model/parts/affine_bodies.h"
#include "carom/model/parts/scalable_bodies.h"

namespace carom::model {

Formulation formulation_named(std::string_view name) {
  const auto at = std::find(formulation_names.begin(), formulation_names.end(), name);
  if (at == formulation_names.end()) throw LogicError("there is no such formulation of a body");
  return static_cast<Formulation>(at - formulation_names.begin());
}

std::shared_ptr<const Part> make_spatial_bodies(Formulation formulation, std::vector<BodyData> bodies) {
  switch (formulation) {
    case Formulation::scalable: return std::make_shared<ScalableBodies>(std::move(bodies));
    case Formulation::affine: return std::make_shared<AffineBodies>(std::move(bodies));
    case Formulation::quaternion: break;
  }
  return std::make_shared<RigidBodies>(std::move(bodies));
}

void append_start(Formulation formulation, const BodyStart& start, std::vector<double>& q, std::vector<double>& v) {
  const auto append = [](std::vector<double>& to, const auto& values) {
    to.insert(to.end(), values.data(), values.data() + values.size());
  };
  const Quaternion p = start.orientation.normalized();
  append(q, start.position);
  append(v, start.velocity);
  if (formulation == Formulation::affine) {
    const Matrix3 R = rotation_matrix(p), rate = R * skew(start.spin);
    append(q, R);
    append(v, rate);
    return;
  }
  append(q, p);
  if (formulation == Formulation::scalable) v.push_back(0.0);
  append(v, start.spin);
}

}  // namespace carom::model
