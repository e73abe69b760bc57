#include "carom/schemes/half_explicit/half_explicit_tableaus.h"

#include "carom/base/errors.h"

namespace carom::inline schemes {

namespace {

constexpr double w = 2.4494897427831781;  // sqrt(6)

constexpr HalfExplicitTableau tableaus[] = {
    {"hem4",
     4,
     5,
     {{{3.0 / 10},
       {(1 + w) / 30, (11 - 4 * w) / 30},
       {(-79 - 31 * w) / 150, (-1 - 4 * w) / 30, (24 + 11 * w) / 25},
       {(14 + 5 * w) / 6, (-8 + 7 * w) / 6, (-9 - 7 * w) / 4, (9 - w) / 4},
       {0, 0, (16 - w) / 36, (16 + w) / 36, 1.0 / 9}}}},
    {"hem3", 3, 3, {{{1.0 / 3}, {-1, 2}, {0, 3.0 / 4, 1.0 / 4}}}},
    {"trapezoid", 2, 2, {{{1}, {1.0 / 2, 1.0 / 2}}}},
    {"midpoint", 2, 2, {{{1.0 / 2}, {0, 1}}}},
    {"euler", 1, 1, {{{1}}}},
};

}  // namespace

std::span<const HalfExplicitTableau> half_explicit_tableaus() { return tableaus; }

const HalfExplicitTableau& half_explicit_tableau(std::string_view name) {
  for (const HalfExplicitTableau& tableau : tableaus)
    if (name == tableau.name) return tableau;
  throw LogicError("no half-explicit tableau '" + std::string(name) + "'");
}

std::vector<std::string> half_explicit_tableau_names() {
  std::vector<std::string> names;
  for (const HalfExplicitTableau& tableau : tableaus) names.emplace_back(tableau.name);
  return names;
}

}  // namespace carom::inline schemes
