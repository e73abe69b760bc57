// Random scenes of spheres, boxes, planes and joints, and an observer that measures a run of one by itself: energies,
// depths, sides of planes and joints from nothing but q, v and the numbers the scene was drawn with. Against this
// stands what the run says of itself (simulation/judgement.h).
#pragma once

#include <random>
#include <string>
#include <vector>

#include "carom/model/multibody.h"
#include "carom/simulation/simulate.h"

namespace carom::batteries {

struct RandomScene {
  std::string text;  // everything that was drawn, in a line
  std::vector<BodySpec> bodies;
  std::vector<PlaneSpec> planes;
  struct Joint {  // between bodies that start unturned; body -1 is the ground
    std::string type;
    Index a, b;
    Vector3 point_a, point_b;  // held together, unless only the orientation is fixed
    Vector3 axis;              // of a revolute one
  };
  std::vector<Joint> joints;
  bool spheres_touch = true;  // each other
  Vector3 gravity = {0, 0, -9.81};
  ContactParameters contact;
  Model model;
  double dt = 1e-3, t_end = 0.1;
};

enum class SceneKind { column, cloud, boxes, chain };
void build_model(RandomScene& scene);  // from everything else in it
RandomScene draw_scene(SceneKind kind, std::mt19937_64& random);

// What a run did, by own computation.
struct OwnMeasure {
  double rise = 0;            // of the energy above its lowest value before
  double turned_over = 0;     // largest kinetic energy or range of the potential one, and all falls of their sum
  double penetration = 0;     // largest, as a share of the radius, the smaller radius, or half the diagonal
  double joint_distance = 0;  // largest distance of joined points, as a share of the longer arm
  double joint_angle = 0;     // largest angle between directions that joints hold parallel
  double passed = 0;  // deepest way of two freely flying spheres through each other between two steps, as a share
  bool finite = true;
};

class OwnObserver final : public Recorder {
 public:
  explicit OwnObserver(const RandomScene& scene) : scene_(scene) {}
  void begin(const System&, const State& start) override;
  void step(const System&, const StepView& view) override;
  const OwnMeasure& measure() const { return measure_; }

 private:
  void look(const State& state);
  void look_between(const State& before, const State& after);

  const RandomScene& scene_;
  OwnMeasure measure_;
  double energy_ = 0, lowest_ = 0, kinetic_ = 0, potential_low_ = 0, potential_high_ = 0, falls_ = 0;
  bool started_ = false;
};

// The one reason a run of these scenes may fail for: friction and restitution that contradict each other. It says so.
bool jammed(const SimulationSummary& summary);

// Where the run's own word and the measure disagree: wrong without a mark, failed without that reason, a mark without
// cause.
std::vector<std::string> contradictions(const SimulationSummary& summary, const OwnMeasure& own,
                                        const JudgementLimits& limits);

}  // namespace carom::batteries
