// What planar and spatial beams share: nodes 0 .. n along a line of length L, frames at any arc length, unknowns of
// which some are held, and contacts of single points with fixed planes and balls.
//
//   x(s) = (1 - w) x_i + w x_{i+1}      w = s / l - i,  l = L / n
#pragma once

#include <string>
#include <vector>

#include "carom/base/matrix_assembly.h"
#include "carom/model/contacts/permanent_contacts.h"
#include "carom/model/flexible/rayleigh_damping.h"
#include "carom/model/model.h"
#include "carom/model/parts/beam_contact.h"

namespace carom::model {

// The unknown behind a component of a node, or `held_fast`.
inline constexpr Index held_fast = -1;

// Where an arc length lies.
struct BeamPlace {
  Index element = 0;
  double weight = 0.0;  // of its second node

  bool at_node() const { return weight == 0.0 || weight == 1.0; }
  Index node() const { return weight == 1.0 ? element + 1 : element; }  // if at_node
};
BeamPlace place_on_beam(double at, Index elements, double length);
std::string place_name(const std::string& beam, double at, const BeamPlace& place);  // "beam.node3", "beam.s0.25"

// The unknowns of an element's components follow one another, held ones left out: one block of the model's matrix.
inline void declare_element(const Index* unknowns, Index width, Index offset, MatrixAssembly& assembly) {
  Index first = held_fast, count = 0;
  for (Index i = 0; i < width; ++i)
    if (unknowns[i] != held_fast) {
      if (first == held_fast) first = unknowns[i];
      ++count;
    }
  if (count > 0) assembly.declare({offset + first, offset + first, count, count});
}
template <int width>
void write_element(const Eigen::Matrix<double, width, width>& E, const Index* unknowns,
                   MatrixAssembly::Writer& writer) {
  double packed[width * width];
  Index count = 0;
  for (int j = 0; j < width; ++j)
    for (int i = 0; i < width; ++i)
      if (unknowns[i] != held_fast && unknowns[j] != held_fast) packed[count++] = E(i, j);
  if (count > 0) writer.add(packed);
}

// Throws InputError naming every value out of range.
void check_beam(Index elements, double length, const RayleighDamping& damping,
                const std::vector<BeamContact>& contacts);

// One beam and its contacts, one frame for each: a model of nothing else.
Model make_beam_model(Space space, std::shared_ptr<const Part> beam, const std::vector<BeamContact>& contacts,
                      double length, State start);

}  // namespace carom::model
