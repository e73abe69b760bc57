// The scene of a result file and where its frames are in every sample: what exports to other programs need.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "carom/io/recording.h"
#include "carom/model/drawing.h"

namespace carom::inline io {

class SceneReplay {
 public:
  // InputError if the file has no scene.
  explicit SceneReplay(const Recording& recording);

  const Scene& scene() const { return scene_; }
  const std::vector<double>& times() const { return times_; }
  Pose pose(std::size_t frame, std::size_t sample) const;
  double size() const { return size_; }  // of the whole scene at the start

 private:
  struct Source {
    const std::vector<double>*position = nullptr, *turn = nullptr;  // null: never moves
    std::size_t row = 0, rows = 1;
    bool planar = false;
  };
  Scene scene_;
  std::vector<double> times_;
  std::array<std::vector<double>, 6> data_;  // position and turn of frames, bodies, planar bodies
  std::vector<Source> sources_;
  double size_ = 1.0;
};

}  // namespace carom::inline io
