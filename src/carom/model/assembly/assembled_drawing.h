// The drawing of a model made of parts: its frames are those of the model, its shapes the surfaces of the bodies;
// bodies without a surface are drawn as bars between the points where something is attached to them.
#pragma once

#include <memory>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/drawing.h"

namespace carom::model {

class AssembledDrawing final : public Drawing {
 public:
  AssembledDrawing(std::shared_ptr<const AssembledSystem> system, Scene scene)
      : system_(std::move(system)), scene_(std::move(scene)) {}

  const Scene& scene() const override { return scene_; }
  void place(double t, const Vector& q, std::vector<Pose>& poses) const override;
  void act(double t, const Vector& q, const ContactSet& near, const std::vector<Acting>& acting,
           std::vector<Action>& actions) const override;

 private:
  std::shared_ptr<const AssembledSystem> system_;
  Scene scene_;
};

// Appends a shape, part by part if it is a compound.
void draw_shape(const geometry::Shape& shape, Index frame, const std::string& name, const Pose& pose,
                const std::string& color, Scene& scene);

// Bars for frames that have no shape: from each attached point to the next, or to the origin if there is only one.
void draw_bars(Scene& scene);

}  // namespace carom::model
