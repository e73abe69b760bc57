// Points fixed on bodies whose motion is recorded: /sensor/position, /sensor/velocity (docs/result_files.md).
#pragma once

#include <string>
#include <vector>

#include "carom/base/pose.h"
#include "carom/system/layout.h"

namespace carom::inline io {

struct SiteSensor {
  std::string name;                 // "tip"
  std::string frame;                // of the body it sits on
  Vector3 point = Vector3::Zero();  // in that frame
};

// Where a frame is and how it moves: of bodies read off the state, of others (bodies of trees, places on flexible and
// driven bodies) asked for.
bool frame_motion(const StateFrame& frame, const State& state, Pose& pose, Twist& twist);

class SensorReadings {
 public:
  SensorReadings() = default;
  // InputError for frames that the system does not have.
  SensorReadings(const Layout& layout, const std::vector<SiteSensor>& sensors);

  void read(const State& state);
  std::vector<std::string> names() const;
  std::size_t size() const { return sensors_.size(); }
  // In the world, three numbers a sensor.
  const std::vector<double>& positions() const { return positions_; }
  const std::vector<double>& velocities() const { return velocities_; }

 private:
  struct Placed {
    SiteSensor sensor;
    StateFrame frame;
  };
  std::vector<Placed> sensors_;
  std::vector<double> positions_, velocities_;
};

}  // namespace carom::inline io
