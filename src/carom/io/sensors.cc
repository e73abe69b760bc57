#include "carom/io/sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/names.h"
#include "carom/base/rotation.h"

namespace carom::inline io {

bool frame_motion(const StateFrame& frame, const State& state, Pose& pose, Twist& twist) {
  if (frame.kind == StateFrame::Kind::body) {
    pose.x = state.q.segment<3>(frame.q);
    pose.R = rotation_matrix(state.q.segment<4>(frame.q + 3));
    twist.velocity = state.v.segment<3>(frame.v);
    twist.omega = pose.R * state.v.segment<3>(frame.v + 3);
    return true;
  }
  if (frame.kind == StateFrame::Kind::planar) {
    const double c = std::cos(state.q[frame.q + 2]), s = std::sin(state.q[frame.q + 2]);
    pose.x = {state.q[frame.q], state.q[frame.q + 1], 0.0};
    pose.R << c, -s, 0, s, c, 0, 0, 0, 1;
    twist.velocity = {state.v[frame.v], state.v[frame.v + 1], 0.0};
    twist.omega = {0.0, 0.0, state.v[frame.v + 2]};
    return true;
  }
  if (!frame.motion) return false;
  frame.motion(state, pose, twist);
  return true;
}

SensorReadings::SensorReadings(const Layout& layout, const std::vector<SiteSensor>& sensors)
    : positions_(3 * sensors.size()), velocities_(3 * sensors.size()) {
  std::vector<InputProblem> problems;
  std::vector<std::string> known;
  for (const StateFrame& frame : layout.frames())
    if (frame.kind == StateFrame::Kind::body || frame.kind == StateFrame::Kind::planar || frame.motion)
      known.push_back(frame.name);
  for (const SiteSensor& sensor : sensors) {
    const auto at = std::find_if(layout.frames().begin(), layout.frames().end(),
                                 [&](const StateFrame& frame) { return frame.name == sensor.frame; });
    if (at != layout.frames().end() && std::find(known.begin(), known.end(), at->name) != known.end())
      sensors_.push_back({sensor, *at});
    else
      problems.push_back(
          {"E0141",
           fmt::format("sensor.{}: there is no body '{}' with a motion of its own", sensor.name, sensor.frame),
           "sensor." + sensor.name,
           suggestion(sensor.frame, known),
           {},
           0,
           0,
           {}});
  }
  if (!problems.empty()) throw InputError(std::move(problems));
}

void SensorReadings::read(const State& state) {
  Pose pose;
  Twist twist;
  for (std::size_t i = 0; i < sensors_.size(); ++i) {
    frame_motion(sensors_[i].frame, state, pose, twist);
    const Vector3 arm = pose.direction(sensors_[i].sensor.point);
    const Vector3 velocity = twist.velocity + twist.omega.cross(arm);
    for (int k = 0; k < 3; ++k) {
      positions_[3 * i + static_cast<std::size_t>(k)] = pose.x[k] + arm[k];
      velocities_[3 * i + static_cast<std::size_t>(k)] = velocity[k];
    }
  }
}

std::vector<std::string> SensorReadings::names() const {
  std::vector<std::string> names;
  for (const Placed& placed : sensors_) names.push_back(placed.sensor.name);
  return names;
}

}  // namespace carom::inline io
