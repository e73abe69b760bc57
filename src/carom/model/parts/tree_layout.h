// What a tree of bodies is made of. Joints become steps with one coordinate each (a ball: a quaternion), bodies ride on
// steps: those held together by fixed joints on the same one. Step -1 is the ground.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "carom/model/assembly/placement.h"
#include "carom/model/joints/free_motion.h"
#include "carom/model/parts/rigid_bodies.h"

namespace carom::model {

struct TreeStep {
  Index parent = -1;   // a step before it
  Pose before = {};    // in the frame of the parent: where this step starts
  bool moved = false;  // whether that is anywhere else
  StepKind kind = StepKind::turn;
  int axis = 2;       // of its own frame
  double sign = 1.0;  // -1: the joint is read backwards
  std::string joint = {}, name = {};
  Index q = 0, v = 0;  // first coordinate and velocity

  Index nq() const { return kind == StepKind::ball ? 4 : 1; }
  Index nv() const { return kind == StepKind::ball ? 3 : 1; }
};

struct TreeBody {
  BodyData data;
  Index step = -1;
  Pose pose = {};  // of the body's frame in that of its step
  // How it hangs on its parent: which steps lead to it, and where the last of them ends in the body.
  Index parent = -1, first_step = 0, end_step = 0;
  Site on_parent = {}, on_body = {};
};

struct TreeLayout {
  bool planar = false;
  Vector3 gravity = Vector3::Zero();  // every weight is m times this, or zero
  std::vector<TreeStep> steps;        // parents first
  std::vector<TreeBody> bodies;
  Index nq = 0, nv = 0;

  // Hangs a body on another (-1: the ground) by a joint; only point and triad of the sites count. Backwards: the steps
  // are given from the new body to its parent. Returns its number.
  Index attach(BodyData body, Index parent, const Site& on_parent, const std::vector<FreeStep>& free, bool backwards,
               const Site& on_body, const std::string& joint);
  // A body that hangs on nothing.
  Index attach_free(BodyData body);

  // The coordinates whose bodies stand closest to these poses: step by step, from the root outwards. Angles are found
  // up to a turn; what is given, by entries of q, is taken.
  void closest(const std::vector<Pose>& wanted, const std::map<Index, double>& given, double* q) const;
};

}  // namespace carom::model
