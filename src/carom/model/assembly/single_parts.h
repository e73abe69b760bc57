// Bodies that are a part each: flexible ones. Made from what a ModelBuilder was told, with a frame
// wherever something is attached.
#pragma once

#include <memory>
#include <variant>

#include "carom/model/parts/linear_body_spec.h"
#include "carom/model/parts/planar_beam_spec.h"
#include "carom/model/parts/spatial_beam_spec.h"

namespace carom::model {

class Part;

using SinglePartSpec = std::variant<LinearBodySpec, PlanarBeamSpec, SpatialBeamSpec>;

struct SinglePart {
  std::shared_ptr<const Part> part;
  Vector q, v;  // its start
};

// Where something is attached: (arc length, 0, 0) of a beam, (node, 0, 0) of a linear body.
using PartPlace = Vector3;

const std::string& part_name(const SinglePartSpec& body);
// What counts as a length on it.
double part_size(const SinglePartSpec& body);
// Throws InputError where the body has no such node, or the beam no such length.
PartPlace place_on(const SinglePartSpec& body, Index node, double length);
// With a frame at each place.
SinglePart make_single_part(const SinglePartSpec& body, const std::vector<PartPlace>& places, const Vector3& gravity);

}  // namespace carom::model
