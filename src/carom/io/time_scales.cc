#include "carom/io/time_scales.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/io/sensors.h"
#include "carom/system/layout.h"

namespace carom::inline io {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// The smallest extent of a drawn shape; infinite for what has none.
double smallest_extent(const DrawnShape& shape) {
  if (shape.kind == "sphere" || shape.kind == "disc") return 2.0 * shape.size[0];
  if (shape.kind == "capsule" || shape.kind == "cylinder") return 2.0 * std::min(shape.size[0], shape.size[1]);
  if (shape.kind == "box") return *std::min_element(shape.size.begin(), shape.size.end());
  if (shape.points.empty() || shape.kind == "line") return never;
  Vector3 low = shape.points[0], high = shape.points[0];
  for (const Vector3& x : shape.points) low = low.cwiseMin(x), high = high.cwiseMax(x);
  double extent = never;
  for (int k = 0; k < 3; ++k)
    if (high[k] > low[k]) extent = std::min(extent, high[k] - low[k]);
  return extent;
}

}  // namespace

TimeScales::TimeScales(const Model& model)
    : system_(*model.system), start_(model.initial), drawing_(model.drawing.get()) {
  system_.detect(start_.t, start_.q, start_.v, 0.0, contacts_);
  all_.reset(contacts_);
  all_.add_all();
  system_.evaluate(start_.t, start_.q, start_.v,
                   Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::jacobian | Need::convective,
                   all_, at_);
  M_.factor(at_.M);
  free_ = at_.h;
  if (system_.nv() > 0) M_.solve(free_.data());
}

double TimeScales::swing() const {
  if (system_.nv() == 0) return 0.0;
  Vector x(system_.nv()), y(system_.nv());
  for (Index i = 0; i < system_.nv(); ++i) x[i] = 1.0 + 0.37 * (i % 5);
  double value = 0.0;
  for (int k = 0; k < 30; ++k) {
    const double size = x.norm();
    if (!(size > 0.0) || !std::isfinite(size)) break;
    x /= size;
    y.setZero();
    at_.dh_dq.multiply_add(1.0, x.data(), y.data());
    M_.solve(y.data());
    value = std::abs(y.norm());
    x = y;
  }
  return std::sqrt(value);
}

double TimeScales::turning() const {
  double fastest = 0.0;
  for (Index i = 0; i < system_.nv(); ++i) {
    const std::string name = system_.velocity_name(i);
    if (name.ends_with("rate") || name.find("spin") != std::string::npos)
      fastest = std::max(fastest, std::abs(start_.v[i]));
  }
  return fastest;
}

double TimeScales::driven() const {
  Vector pull(all_.rows());
  at_.W.transpose_multiply(free_.data(), pull.data());
  double fastest = 0.0;
  bool joints = false;
  Index row = 0;
  for (const Constraint& constraint : contacts_.constraints) {
    const Index rows = constraint.position_rows;
    if (constraint.bilateral && rows > 0 && constraint.length_scale > 0.0) {
      joints = true;
      fastest = std::max(fastest, std::sqrt(pull.segment(row, rows).norm() / constraint.length_scale));
    }
    row += constraint.law->dim();
  }
  return joints ? std::max(turning(), fastest) : 0.0;
}

TimeScales::Crossing TimeScales::crossing() const {
  Vector rate(all_.rows()), pull(all_.rows());
  at_.W.transpose_multiply(start_.v.data(), rate.data());
  at_.W.transpose_multiply(free_.data(), pull.data());
  rate += at_.chi.vec();
  pull += at_.zeta.vec();
  Crossing soonest;
  Index row = 0;
  for (const Constraint& constraint : contacts_.constraints) {
    const Crossing here{{}, constraint.clearance, std::abs(rate[row]), std::abs(pull[row])};
    row += constraint.law->dim();
    if (constraint.bilateral || !(here.clearance > 0.0)) continue;
    if (soonest.clearance > 0.0 && !(here.time() < soonest.time())) continue;
    soonest = here;
    soonest.contact = system_.constraint_name(constraint);
  }
  return soonest;
}

TimeScales::Passing TimeScales::passing() const {
  Passing soonest;
  const Layout layout = layout_of(system_);
  const Scene scene = drawing_ ? drawing_->scene() : Scene{};
  for (const StateFrame& frame : layout.frames()) {
    Pose pose;
    Twist twist;
    if (frame.kind == StateFrame::Kind::prescribed || !frame_motion(frame, start_, pose, twist)) continue;
    const double speed = twist.velocity.norm();
    if (!(speed > 0.0)) continue;
    const double size = size_of(frame.name, scene);
    if (!std::isfinite(size)) continue;
    if (soonest.size == 0.0 || speed * soonest.size > soonest.speed * size) soonest = {frame.name, speed, size};
  }
  return soonest;
}

double TimeScales::size_of(const std::string& body, const Scene& scene) const {
  double size = never;
  for (const DrawnShape& shape : scene.shapes)
    if (scene.frames[static_cast<std::size_t>(shape.frame)] == body) size = std::min(size, smallest_extent(shape));
  return size;
}

double TimeScales::Crossing::time() const {
  if (!(speed > 0.0) && !(acceleration > 0.0)) return never;
  // The root of moved(h) = clearance, without cancellation.
  return 2.0 * clearance / (speed + std::sqrt(speed * speed + 2.0 * acceleration * clearance));
}

}  // namespace carom::inline io
