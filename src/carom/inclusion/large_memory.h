// What the methods for redundant and large problems keep from solve to solve. They follow each other on the same
// problem (rounds.cc), so that the analysis of the contact graph belongs to all of them.
#pragma once

#include <memory>
#include <vector>

#include "carom/inclusion/anderson.h"
#include "carom/inclusion/body_contacts.h"
#include "carom/inclusion/contact_dampers.h"
#include "carom/inclusion/contact_patches.h"
#include "carom/inclusion/contact_region.h"
#include "carom/inclusion/normal_contacts.h"
#include "carom/inclusion/round_contacts.h"
#include "carom/inclusion/shaped_contacts.h"

namespace carom::inline inclusion {

// Of large problems the memory of one method is not kept beside that of others.
inline bool is_large(const InclusionProblem& problem) { return problem.rows() > 9000; }

struct AutomaticMemory {
  ContactDampers dampers;
  Buffer best;
};

struct BodySweepMemory {
  BodyContacts contacts;
  RoundContacts round;
  ShapedContacts shaped;
  NormalContacts normal;
  Anderson anderson;
  ContactPatches patches;
  std::unique_ptr<ContactRegion> region;  // of turns, once there was one
  Buffer before, image, weight, judged;
  // The last problem: all contacts with friction, all of spheres with it, all without.
  enum class Pile { mixed, shaped, round, normal } pile = Pile::mixed;
  Buffer point, best, kept;  // of turns (round_sweeps.cc)
};

struct AdmmMemory {
  Anderson anderson;
  Buffer w, next, image, z, z_last, lambda, xi, eta, right_side, weight, best;
};

struct InteriorMemory {
  Buffer lambda, x, y, s, p, dx, dy, ds, predictor_x, predictor_y, xi, right_side, eta, remainder, best;
  std::vector<char> cone;  // rows of the cone of a block: 0 joint, 1 half line, 2, 3
};

struct AugmentedMemory {
  Buffer G, J;                // dense, of small problems
  Buffer centre, xi, lambda;  // of the regularised problem: lambda_k, the unknown, and lambda(xi)
  Buffer H, step, trial, scale;
  Buffer best;
  std::vector<int> pivots;
};

// Made at the first call.
template <class Memory>
Memory& kept(std::shared_ptr<Memory>& memory) {
  if (!memory) memory = std::make_shared<Memory>();
  return *memory;
}

}  // namespace carom::inline inclusion
