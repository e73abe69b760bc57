// The order in which a model is put together.
#include "carom/model/assembly/model_assembler.h"

#include <fmt/format.h>

#include "carom/model/assembly/equilibrium.h"

namespace carom::model {

Model ModelAssembler::build() {
  check_bodies();
  attach_to_single_parts();
  stop_at_problems();
  make_parts();
  place_at_start();
  for (std::size_t j = 0; j < b_.joints_.size(); ++j) add_joint(b_.joints_[j], carries_[j] != 0);
  for (const SpringSpec& spring : b_.springs_) add_turn(spring);
  stop_at_problems();
  assemble_start();
  let_break();
  for (const RatioSpec& ratio : b_.ratios_) add_ratio(ratio);
  for (const BacklashSpec& backlash : b_.backlashes_) add_backlash(backlash);
  for (const DriveSpec& drive : b_.drives_) add_drive(drive);
  for (const JointSpec& joint : b_.joints_) add_constant_friction(joint);
  for (const LimitSpec& limit : b_.limits_) add_limit(limit);
  for (const SpringSpec& spring : b_.springs_) add_spring(spring);
  for (const BushingSpec& bushing : b_.bushings_) add_bushing(bushing);
  for (const LoadSpec& load : b_.loads_) add_load(load);
  for (const GuideSpec& guide : b_.guides_) add_guide(guide);
  for (const ClearanceSpec& clearance : b_.clearances_) add_clearance(clearance);
  for (const FaceSpec& face : b_.faces_) add_face(face);
  add_surfaces();
  stop_at_problems();
  const auto system = make_system(constraints_);
  model_.system = system;
  bring_to_start();
  check_overlaps();
  stop_at_problems();
  model_.remarks = std::move(remarks_);
  model_.drawing = std::make_shared<AssembledDrawing>(system, surface_contacts_, draw());
  return std::move(model_);
}

void ModelAssembler::report(const char* code, std::string key, std::string message, std::string hint) {
  problems_.push_back({code, std::move(message), std::move(key), std::move(hint), {}, 0, 0, {}});
}

void ModelAssembler::stop_at_problems() const {
  if (!problems_.empty()) throw InputError(problems_);
}

void ModelAssembler::bring_to_start() {
  if (b_.largest_overlap_ > 0.0) push_apart(*model_.system, b_.largest_overlap_, model_.initial);
  if (!b_.start_at_rest_) return;
  const EquilibriumReport found = find_equilibrium(*model_.system, model_.initial);
  if (!found.found)
    report("E0231", "initial",
           fmt::format("no place of rest was found in {} steps: {:.1e} of the forces are not balanced",
                       found.iterations, found.unbalanced),
           "start closer to it, hold what can move without end, or start from the positions given");
}

}  // namespace carom::model
