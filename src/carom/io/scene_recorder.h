// What a viewer needs of a run, in the result file: the scene once, in every sample the poses of frames that no field
// of the state tells, and where joints pull; in every step where contacts act, and with what normal. Does nothing for
// models without a drawing.
#pragma once

#include <string>
#include <vector>

#include "carom/io/hdf5_file.h"
#include "carom/model/model.h"
#include "carom/simulation/simulate.h"

namespace carom::inline io {

class SceneRecorder {
 public:
  explicit SceneRecorder(const Drawing* drawing) : drawing_(drawing) {}

  bool draws() const { return drawing_ != nullptr; }
  void begin(Hdf5File& file, const System& system, const std::vector<ConstraintId>& joints,
             std::size_t expected_samples);
  // Looks at the contacts and joints of a step; the action of each contact of its result follows from action().
  void step(const StepView& view);
  const Action& action(std::size_t contact) const { return actions_[contact]; }
  // Of a contact that is no joint: the direction in which its normal impulse acts on the first body.
  const Vector3& normal(std::size_t contact) const { return actions_[normals_[contact]].impulse; }
  void sample(const State& state);
  void write_pending();
  std::size_t sample_bytes() const;

  // What it remembers of joints from step to step; and going on with it in a file of so many samples.
  std::vector<double> memory() const;
  void resume(std::size_t samples, const std::vector<double>& memory);

 private:
  const Drawing* drawing_;
  const std::vector<ConstraintId>* joints_ = nullptr;
  std::vector<std::size_t> recorded_;  // frames of the scene that are sampled
  std::vector<Pose> poses_;
  std::vector<Acting> acting_;
  std::vector<Action> actions_;       // of all that acted, then those of a unit normal impulse
  std::vector<std::size_t> normals_;  // where the latter are
  std::vector<double> positions_, orientations_, joint_points_, joint_forces_;
  Hdf5Rows position_rows_, orientation_rows_, joint_point_rows_, joint_force_rows_;
};

}  // namespace carom::inline io
