// What a planar beam is made of (planar_beam.h), in plain values.
#pragma once

#include <string>
#include <vector>

#include "carom/base/types.h"
#include "carom/model/flexible/rayleigh_damping.h"
#include "carom/model/parts/beam_contact.h"

namespace carom::model {

using Vector2 = Eigen::Vector2d;

struct PlanarSection {
  double EA = 1.0, GA = 1.0, EI = 1.0;  // stretch, shear (corrected area), bending
  double rho_A = 1.0, rho_I = 1.0;      // mass and rotary inertia per length

  static PlanarSection of(double E, double G, double area, double shear_area, double moment, double density) {
    return {E * area, G * shear_area, E * moment, density * area, density * moment};
  }
};

// What is held fixed at a node, at its value of the start.
struct PlanarSupport {
  Index node = 0;
  bool x = true, y = true, angle = false;

  static PlanarSupport hinged(Index node) { return {node, true, true, false}; }
  static PlanarSupport clamped(Index node) { return {node, true, true, true}; }
};

struct PlanarLoad {
  Index node = 0;
  Vector2 force = Vector2::Zero();
  double moment = 0.0;
};

struct PlanarBeamSpec {
  std::string name = {};  // goes before the names of nodes
  Index elements = 10;
  double length = 1.0;
  PlanarSection section = {};
  Vector2 origin = Vector2::Zero();    // of node 0 at the start
  double angle = 0.0;                  // of the straight beam at the start
  Vector2 velocity = Vector2::Zero();  // of node 0 at the start, and the spin of the whole
  double spin = 0.0;
  Vector2 gravity = Vector2::Zero();
  RayleighDamping damping = {};
  std::vector<PlanarSupport> supports = {};
  std::vector<PlanarLoad> loads = {};
  std::vector<BeamContact> contacts = {};
};

}  // namespace carom::model
