// What a spatial beam is made of (spatial_beam.h), in plain values.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/base/rotation.h"
#include "carom/model/flexible/rayleigh_damping.h"
#include "carom/model/parts/beam_contact.h"

namespace carom::model {

struct SpatialSection {
  double EA = 1.0, GA_2 = 1.0, GA_3 = 1.0;  // stretch, shear along the body's second and third direction
  double GJ = 1.0, EI_2 = 1.0, EI_3 = 1.0;  // twist, bending about them
  double rho_A = 1.0;
  Vector3 rho_J = Vector3::Ones();  // rotary inertia per length about the body's directions

  // A round bar of radius r; 6/7 of the area carries shear.
  static SpatialSection round(double radius, double E, double G, double density);
};

// What is held fixed at a node, at its value of the start.
struct SpatialSupport {
  Index node = 0;
  std::array<bool, 3> position = {true, true, true};
  bool rotation = false;

  static SpatialSupport hinged(Index node) { return {node, {true, true, true}, false}; }
  static SpatialSupport clamped(Index node) { return {node, {true, true, true}, true}; }
};

struct SpatialLoad {
  Index node = 0;
  Vector3 force = Vector3::Zero();
  Vector3 moment = Vector3::Zero();
};

struct SpatialBeamSpec {
  std::string name = {};  // goes before the names of nodes
  Index elements = 10;
  double length = 1.0;
  SpatialSection section = {};
  Vector3 origin = Vector3::Zero();               // of node 0 at the start
  Quaternion orientation = {1.0, 0.0, 0.0, 0.0};  // of the straight beam; its first direction is the axis
  Vector3 velocity = Vector3::Zero();             // of node 0 at the start
  Vector3 spin = Vector3::Zero();                 // of the whole at the start, in the world
  Vector3 gravity = Vector3::Zero();
  RayleighDamping damping = {};
  std::vector<SpatialSupport> supports = {};
  std::vector<SpatialLoad> loads = {};
  std::vector<BeamContact> contacts = {};
};

}  // namespace carom::model
