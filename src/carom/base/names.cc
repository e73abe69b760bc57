#include "carom/base/names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace carom::inline base {

namespace {

// Edit distance with swaps of neighbours counted as one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string canonical_name(std::string_view word) {
  std::string name(word);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string nearest_name(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t longest =
      64;  // nobody misspells longer names, and the distance costs the product of the lengths
  if (word.size() > longest) return {};
  const std::string name = canonical_name(word);
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() >= name.size() + best_distance || name.size() >= candidate.size() + best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

namespace {

// Words that other programs and other people use for ours. One word may stand for several: the one that is known where
// it was written is meant.
constexpr std::pair<std::string_view, std::string_view> other_words[] = {
    {"hinge", "revolute"},
    {"pin", "revolute"},
    {"pivot", "revolute"},
    {"slider", "prismatic"},
    {"slide", "prismatic"},
    {"translational", "prismatic"},
    {"ball", "spherical"},
    {"ball", "sphere"},
    {"ball_joint", "spherical"},
    {"weld", "fixed"},
    {"rigid", "fixed"},
    {"rod", "distance"},
    {"cardan", "universal"},
    {"hooke", "universal"},
    {"helical", "screw"},
    {"cuboid", "box"},
    {"brick", "box"},
    {"rectangle", "box"},
    {"circle", "disc"},
    {"floor", "half_space"},
    {"plane", "half_space"},
    {"half_plane", "half_space"},
    {"mesh", "hull"},
    {"convex", "hull"},
    {"polyhedron", "hull"},
    {"curve", "profile"},
    {"spring", "spring_damper"},
    {"damper", "spring_damper"},
    {"force", "load"},
    {"torque", "load"},
    {"friction", "tangential"},
    {"mu", "tangential"},
    {"mu", "friction"},
    {"restitution", "normal"},
    {"e", "normal"},
    {"e", "restitution"},
    {"position", "at"},
    {"origin", "at"},
    {"offset", "at"},
    {"rotation", "orientation"},
    {"quaternion", "orientation"},
    {"k", "stiffness"},
    {"rest_length", "free_length"},
    {"length0", "free_length"},
    {"bodies", "between"},
    {"connects", "between"},
    {"parent", "between"},
    {"child", "between"},
    {"dt", "step"},
    {"time_step", "step"},
    {"timestep", "step"},
    {"h", "step"},
    {"duration", "t_end"},
    {"end_time", "t_end"},
    {"tend", "t_end"},
    {"time", "t_end"},
    {"integrator", "scheme"},
    {"method", "scheme"},
    {"speed", "velocity"},
    {"omega", "spin"},
    {"kinematic", "motion"},
    {"driven", "motion"},
    {"colour", "color"},
    {"dimensions", "size"},
    {"play", "clearance"},
};

// The candidate that another word stands for, or "".
std::string meant_name(std::string_view word, std::span<const std::string> candidates) {
  const std::string name = canonical_name(word);
  for (const auto& [other, ours] : other_words)
    if (name == other && std::find(candidates.begin(), candidates.end(), ours) != candidates.end())
      return std::string(ours);
  return {};
}

// The first candidate that has the word as one of its own, as free_length has length, or "".
std::string longer_name(std::string_view word, std::span<const std::string> candidates) {
  const std::string name = "_" + canonical_name(word) + "_";
  if (word.size() < 3) return {};
  for (const std::string& candidate : candidates)
    if (("_" + candidate + "_").find(name) != std::string::npos) return candidate;
  return {};
}

}  // namespace

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t most = 60;
  if (candidates.empty()) return "no name is known here";
  std::string nearest = meant_name(word, candidates);
  if (nearest.empty()) nearest = nearest_name(word, candidates);
  if (nearest.empty()) nearest = longer_name(word, candidates);
  std::string known =
      fmt::format("known here: {}", fmt::join(candidates.first(std::min(most, candidates.size())), ", "));
  if (candidates.size() > most) known += fmt::format(" and {} more", candidates.size() - most);
  return nearest.empty() ? known : fmt::format("did you mean '{}'? ({})", nearest, known);
}

}  // namespace carom::inline base
