#include "carom/system/features.h"

#include "carom/laws/law.h"

namespace carom::inline system {

std::string_view name_of(Feature feature) {
  static constexpr std::string_view names[] = {
#define CAROM_FEATURE(name, words) #name,
#include "carom/system/features.def"
#undef CAROM_FEATURE
  };
  return names[static_cast<std::size_t>(feature)];
}

std::string_view to_text(Feature feature) {
  static constexpr std::string_view texts[] = {
#define CAROM_FEATURE(name, words) words,
#include "carom/system/features.def"
#undef CAROM_FEATURE
  };
  return texts[static_cast<std::size_t>(feature)];
}

FeatureSet features_of_contact(const Law& law) {
  FeatureSet features{Feature::contacts};
  features.insert(Feature::friction, law.friction() > 0.0);
  features.insert(Feature::two_phases, law.expansion() > 0.0);
  features.insert(Feature::spin_friction, law.spin_radius() > 0.0);
  features.insert(Feature::exact_reservoir, !law.friction_in_ball());
  const double gamma_minus[Law::max_dim] = {-1.0};
  double shift[Law::max_dim] = {};
  law.impact_shift(gamma_minus, shift);
  features.insert(Feature::inelastic, shift[0] > -1.0);
  return features;
}

}  // namespace carom::inline system
