#include "carom/io/export/scene_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "carom/base/errors.h"
#include "carom/base/rotation.h"
#include "carom/io/scene_json.h"

namespace carom::inline io {

SceneReplay::SceneReplay(const Recording& recording) : times_(recording.times()) {
  const Hdf5File& file = recording.file();
  if (!file.exists("/model/scene"))
    throw InputError({"E0611",
                      fmt::format("{} holds no drawing of its model", file.path()),
                      {},
                      "run it again with this version; models without a drawing can be exported as csv",
                      {},
                      0,
                      0,
                      {}});
  scene_ = scene_from_json(file.read_texts("/model/scene").front());
  struct Stored {
    const char *path, *turn;
  };
  static constexpr Stored pools[] = {{"/frame", "orientation"}, {"/body", "orientation"}, {"/planar_body", "angle"}};
  std::vector<std::vector<std::string>> names;
  for (std::size_t p = 0; p < std::size(pools); ++p) {
    const std::string path = pools[p].path;
    const bool there = file.exists(path) && file.exists(path + "/position") && file.exists(path + "/" + pools[p].turn);
    names.push_back(there ? recording.names(path) : std::vector<std::string>());
    if (!there) continue;
    data_[2 * p] = file.read(path + "/position");
    data_[2 * p + 1] = file.read(path + "/" + pools[p].turn);
  }
  for (const std::string& frame : scene_.frames) {
    Source source;
    for (std::size_t p = 0; p < names.size() && !source.position; ++p) {
      const auto at = std::find(names[p].begin(), names[p].end(), frame);
      if (at != names[p].end())
        source = {&data_[2 * p], &data_[2 * p + 1], static_cast<std::size_t>(at - names[p].begin()), names[p].size(),
                  p == 2};
    }
    sources_.push_back(source);
  }
  Vector3 low = Vector3::Constant(1e300), high = -low;
  for (std::size_t f = 1; f < sources_.size(); ++f) {
    const Vector3 x = pose(f, 0).x;
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  }
  for (const DrawnShape& shape : scene_.shapes)
    for (const double s : shape.size) size_ = std::max(size_ == 1.0 ? 0.0 : size_, s);
  if (sources_.size() > 1) size_ = std::max(size_, (high - low).norm());
}

Pose SceneReplay::pose(std::size_t frame, std::size_t sample) const {
  const Source& source = sources_[frame];
  Pose pose;
  if (!source.position) return pose;
  const std::size_t at = sample * source.rows + source.row;
  if (source.planar) {
    const double* x = source.position->data() + 2 * at;
    const double angle = (*source.turn)[at], c = std::cos(angle), s = std::sin(angle);
    pose.x = {x[0], x[1], 0.0};
    pose.R << c, -s, 0, s, c, 0, 0, 0, 1;
    return pose;
  }
  const double *x = source.position->data() + 3 * at, *q = source.turn->data() + 4 * at;
  pose.x = {x[0], x[1], x[2]};
  pose.R = rotation_matrix(Quaternion(q[0], q[1], q[2], q[3]).normalized());
  return pose;
}

}  // namespace carom::inline io
