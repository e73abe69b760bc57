#include "carom/io/scene_recorder.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <limits>
#include <numeric>

#include "carom/io/scene_json.h"
#include "carom/system/layout.h"

namespace carom::inline io {

namespace {

// Read off /body or /planar_body by whoever draws.
bool told_by_state(const Layout& layout, const std::string& frame) {
  return std::any_of(layout.frames().begin(), layout.frames().end(), [&](const StateFrame& f) {
    return f.name == frame && (f.kind == StateFrame::Kind::body || f.kind == StateFrame::Kind::planar);
  });
}

void put(const Vector3& x, double* out) { std::copy_n(x.data(), 3, out); }

}  // namespace

void SceneRecorder::begin(Hdf5File& file, const System& system, const std::vector<ConstraintId>& joints,
                          std::size_t expected_samples) {
  if (!drawing_) return;
  const Scene& scene = drawing_->scene();
  file.write_text("/model/scene", scene_json(scene));
  const Layout layout = layout_of(system);
  std::vector<std::string> names;
  for (std::size_t f = 1; f < scene.frames.size(); ++f) {
    if (told_by_state(layout, scene.frames[f])) continue;
    recorded_.push_back(f);
    names.push_back(scene.frames[f]);
  }
  const auto rows = [&](const char* path, std::size_t count, std::size_t width, const Hdf5Attributes& attributes) {
    return Hdf5Rows(file, path, Hdf5Type::float64, {count, width}, expected_samples, attributes);
  };
  if (!recorded_.empty()) {
    file.write_texts("/frame/names", names);
    positions_.resize(3 * recorded_.size());
    orientations_.resize(4 * recorded_.size());
    position_rows_ = rows("/frame/position", recorded_.size(), 3, {"m", "origin of the frame in the world", "state"});
    orientation_rows_ = rows("/frame/orientation", recorded_.size(), 4,
                             {"1", "unit quaternion, scalar first, frame to world", "state"});
  }
  joints_ = &joints;
  if (joints.empty()) return;
  joint_points_.assign(3 * joints.size(), Action::none);
  joint_forces_.assign(3 * joints.size(), Action::none);
  joint_point_rows_ = rows("/joint/point", joints.size(), 3, {"m", "where the joint acts in the world", "state"});
  joint_force_rows_ =
      rows("/joint/force", joints.size(), 3,
           {"N", "in the world on the first body, mean over the step that ends here; moments left out", "force"});
}

void SceneRecorder::step(const StepView& view) {
  const StepResult& r = view.result;
  acting_.clear();
  if (!drawing_) {
    actions_.assign(r.contacts.size(), {});
    normals_.resize(r.contacts.size());
    std::iota(normals_.begin(), normals_.end(), std::size_t{0});
    return;
  }
  std::fill(joint_points_.begin(), joint_points_.end(), Action::none);  // of joints that are broken
  std::fill(joint_forces_.begin(), joint_forces_.end(), Action::none);
  for (const StepContact& contact : r.contacts)
    acting_.push_back({&contact.constraint, r.impulse.data() + contact.row});
  // Impulses in the world are linear in those of the rows: the normal is what a unit impulse gives.
  static constexpr double kUnit[Law::max_dim] = {1.0};
  normals_.assign(r.contacts.size(), 0);
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    if (r.contacts[i].constraint.bilateral) continue;
    normals_[i] = acting_.size();
    acting_.push_back({&r.contacts[i].constraint, kUnit});
  }
  drawing_->act(r.next.t, r.next.q, view.auditor->contacts(), acting_, actions_);
  for (std::size_t i = 0; i < r.contacts.size(); ++i) {
    if (!acting_[i].constraint->bilateral) continue;
    const auto at = std::lower_bound(joints_->begin(), joints_->end(), acting_[i].constraint->id);
    if (at == joints_->end() || *at != acting_[i].constraint->id) continue;
    const auto joint = static_cast<std::size_t>(at - joints_->begin());
    put(actions_[i].point, joint_points_.data() + 3 * joint);
    put(actions_[i].impulse / r.dt_taken, joint_forces_.data() + 3 * joint);
  }
}

void SceneRecorder::sample(const State& state) {
  if (!drawing_) return;
  if (!recorded_.empty()) {
    drawing_->place(state.t, state.q, poses_);
    for (std::size_t i = 0; i < recorded_.size(); ++i) {
      const Pose& pose = poses_[recorded_[i]];
      const Eigen::Quaterniond turn(pose.R);
      put(pose.x, positions_.data() + 3 * i);
      const double quaternion[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
      std::copy_n(quaternion, 4, orientations_.data() + 4 * i);
    }
    position_rows_.append(static_cast<const void*>(positions_.data()));
    orientation_rows_.append(static_cast<const void*>(orientations_.data()));
  }
  if (joint_points_.empty()) return;
  joint_point_rows_.append(static_cast<const void*>(joint_points_.data()));
  joint_force_rows_.append(static_cast<const void*>(joint_forces_.data()));
}

void SceneRecorder::write_pending() {
  for (Hdf5Rows* rows : {&position_rows_, &orientation_rows_, &joint_point_rows_, &joint_force_rows_})
    rows->write_pending();
}

std::vector<double> SceneRecorder::memory() const {
  std::vector<double> all = joint_points_;
  all.insert(all.end(), joint_forces_.begin(), joint_forces_.end());
  return all;
}

void SceneRecorder::resume(std::size_t samples, const std::vector<double>& memory) {
  for (Hdf5Rows* rows : {&position_rows_, &orientation_rows_, &joint_point_rows_, &joint_force_rows_})
    if (rows->is_open()) rows->keep(samples);
  if (memory.size() != joint_points_.size() + joint_forces_.size()) return;
  const auto middle = memory.begin() + static_cast<std::ptrdiff_t>(joint_points_.size());
  joint_points_.assign(memory.begin(), middle);
  joint_forces_.assign(middle, memory.end());
}

std::size_t SceneRecorder::sample_bytes() const {
  return sizeof(double) * (positions_.size() + orientations_.size() + joint_points_.size() + joint_forces_.size());
}

}  // namespace carom::inline io
