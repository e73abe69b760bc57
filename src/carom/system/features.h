// The features of a model, as a set: what a scheme must be able to treat to run it.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace carom::inline laws {
class Law;
}

namespace carom::inline system {

enum class Feature : std::uint8_t {
#define CAROM_FEATURE(name, words) name,
#include "carom/system/features.def"
#undef CAROM_FEATURE
};

inline constexpr Feature all_features[] = {
#define CAROM_FEATURE(name, words) Feature::name,
#include "carom/system/features.def"
#undef CAROM_FEATURE
};

std::string_view name_of(Feature feature);
std::string_view to_text(Feature feature);  // as a refusal says it

class FeatureSet {
 public:
  constexpr FeatureSet() = default;
  constexpr FeatureSet(std::initializer_list<Feature> features) {
    for (const Feature feature : features) insert(feature);
  }

  constexpr bool contains(Feature feature) const { return (bits_ & bit(feature)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr void insert(Feature feature, bool present = true) {
    if (present) bits_ |= bit(feature);
  }
  constexpr void insert(FeatureSet others) { bits_ |= others.bits_; }
  // What is in this set and not in the other.
  constexpr FeatureSet without(FeatureSet others) const {
    FeatureSet rest;
    rest.bits_ = bits_ & ~others.bits_;
    return rest;
  }
  constexpr bool operator==(const FeatureSet&) const = default;

 private:
  static constexpr std::uint32_t bit(Feature feature) { return std::uint32_t{1} << static_cast<unsigned>(feature); }
  std::uint32_t bits_ = 0;
};

// What a contact with this law brings to a model.
FeatureSet features_of_contact(const Law& law);

}  // namespace carom::inline system
