#include "carom/model/assembly/single_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "carom/base/errors.h"
#include "carom/model/parts/linear_body.h"
#include "carom/model/parts/planar_beam.h"
#include "carom/model/parts/spatial_beam.h"

namespace carom::model {

namespace {

template <class... Calls>
struct Either : Calls... {
  using Calls::operator()...;
};

[[noreturn]] void refuse(const char* code, const std::string& body, const std::string& message, std::string hint) {
  throw InputError({code, fmt::format("{}: {}", body, message), "body." + body, std::move(hint), {}, 0, 0, {}});
}

template <class BeamSpec>
PartPlace beam_place(const BeamSpec& beam, Index node, double length) {
  if (node > beam.elements)
    refuse("E0150", beam.name, fmt::format("there is no node {}", node), fmt::format("nodes 0 to {}", beam.elements));
  if (!(length >= 0.0 && length <= beam.length * (1.0 + 1e-12)))
    refuse("E0150", beam.name, fmt::format("the arc length {} is not on the beam", length),
           fmt::format("0 to {}", beam.length));
  return {node >= 0 ? node * beam.length / beam.elements : length, 0.0, 0.0};
}

// The first numbers of the places.
std::vector<double> along(const std::vector<PartPlace>& places) {
  std::vector<double> numbers;
  for (const PartPlace& place : places) numbers.push_back(place.x());
  return numbers;
}

template <class Beam, class BeamSpec, class Gravity>
SinglePart make_beam(BeamSpec spec, const std::vector<PartPlace>& places, const Gravity& gravity) {
  spec.gravity = gravity;
  const auto beam = std::make_shared<const Beam>(std::move(spec), along(places));
  const State start = beam->start();
  return {beam, start.q, start.v};
}

}  // namespace

const std::string& part_name(const SinglePartSpec& body) {
  return std::visit([](const auto& spec) -> const std::string& { return spec.name; }, body);
}

double part_size(const SinglePartSpec& body) {
  return std::visit(Either{[](const LinearBodySpec& spec) {
                             double size = 0.0;
                             for (const LinearNode& node : spec.nodes)
                               size = std::max(size, (node.position - spec.nodes.front().position).norm());
                             return size;
                           },
                           [](const PlanarBeamSpec& beam) { return beam.length; },
                           [](const SpatialBeamSpec& beam) { return beam.length; }},
                    body);
}

PartPlace place_on(const SinglePartSpec& body, Index node, double length) {
  return std::visit(Either{[&](const LinearBodySpec& spec) -> PartPlace {
                             if (node < 0 || node >= static_cast<Index>(spec.nodes.size()))
                               refuse("E0151", spec.name, fmt::format("there is no node {}", node),
                                      fmt::format("{} nodes are given", spec.nodes.size()));
                             return {static_cast<double>(node), 0.0, 0.0};
                           },
                           [&](const PlanarBeamSpec& beam) { return beam_place(beam, node, length); },
                           [&](const SpatialBeamSpec& beam) { return beam_place(beam, node, length); }},
                    body);
}

SinglePart make_single_part(const SinglePartSpec& body, const std::vector<PartPlace>& places, const Vector3& gravity) {
  return std::visit(Either{[&](const LinearBodySpec& spec) -> SinglePart {
                             std::vector<Index> nodes;
                             for (const PartPlace& place : places) nodes.push_back(static_cast<Index>(place.x()));
                             LinearBodyPart made = make_linear_part(spec, nodes, gravity);
                             return {made.part, std::move(made.q), std::move(made.v)};
                           },
                           [&](const PlanarBeamSpec& spec) {
                             return make_beam<PlanarBeam>(spec, places, Vector2(gravity.head<2>()));
                           },
                           [&](const SpatialBeamSpec& spec) { return make_beam<SpatialBeam>(spec, places, gravity); }},
                    body);
}

}  // namespace carom::model
