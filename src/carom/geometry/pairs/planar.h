// Features and windows of shapes in the plane: corners with a radius around (disc, polygon), sides, curves.
#pragma once

#include <vector>

#include "carom/geometry/pairs/pair.h"

namespace carom::geometry {

Feature corner_feature(const PolygonView& p, std::size_t corner);
Feature side_feature(const PolygonView& p, std::size_t side);
FeatureId corner_id(std::size_t corner);
FeatureId side_id(std::size_t side);
void set_planar_window(const PolygonView& p, FeatureId id, Window& window);

// The curve of a profile as a feature, at the parameter u.
Feature curve_feature(const Profile& profile, double u);
// Numbers the contacts of a curve in the order of their parameters, which is their id.
void number_curve_contacts(std::vector<Candidate>& candidates);

}  // namespace carom::geometry
