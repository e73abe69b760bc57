// The drawing of a model made of parts: its frames are those of the model, its shapes the surfaces of the bodies;
// bodies without a surface are drawn as bars between the points where something is attached to them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/model/assembly/assembled_system.h"
#include "carom/model/contacts/surface_contacts.h"
#include "carom/model/drawing.h"

namespace carom::model {

// What a drawing shows beside the frames of a model and the surfaces of its contacts.
struct DrawnBeside {
  bool planar = false;
  std::map<std::size_t, std::string> colors = {};        // of surfaces, by number, where they are chosen
  std::vector<DrawnShape> shapes = {}, above_bars = {};  // drawn before and after bars
  std::vector<DrawnLink> links = {};
};

class AssembledDrawing final : public Drawing {
 public:
  // Surfaces: null if there are none.
  AssembledDrawing(std::shared_ptr<const AssembledSystem> system, std::shared_ptr<const SurfaceContacts> surfaces,
                   DrawnBeside beside)
      : system_(std::move(system)), surfaces_(std::move(surfaces)), beside_(std::move(beside)) {}

  Scene scene() const override;
  void place(double t, const Vector& q, std::vector<Pose>& poses) const override;
  void act(double t, const Vector& q, const ContactSet& near, const std::vector<Acting>& acting,
           std::vector<Action>& actions) const override;

 private:
  std::shared_ptr<const AssembledSystem> system_;
  std::shared_ptr<const SurfaceContacts> surfaces_;
  DrawnBeside beside_;
};

// Appends a shape, part by part if it is a compound.
void draw_shape(const geometry::Shape& shape, Index frame, const std::string& name, const Pose& pose,
                const std::string& color, Scene& scene);

// Bars for frames that have no shape: from each attached point to the next, or to the origin if there is only one.
void draw_bars(Scene& scene);

}  // namespace carom::model
