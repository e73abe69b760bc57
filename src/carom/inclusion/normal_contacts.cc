#include "carom/inclusion/normal_contacts.h"

#include <limits>
#include <typeinfo>

#include "carom/laws/bilateral_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom::inline inclusion {

bool NormalContacts::build(const InclusionProblem& problem) {
  const auto takes = [](const Law& law) {
    return typeid(law) == typeid(UnilateralLaw) || typeid(law) == typeid(BilateralLaw);
  };
  if (!begin(problem, takes)) return false;
  for (std::size_t b = 0; b < order_.contacts(); ++b)
    if (!read(problem, b)) return false;
  return true;
}

bool NormalContacts::read(const InclusionProblem& problem, std::size_t b) {
  const double* w[2];
  if (!find_shaped_entries(*problem.G->factors(), static_cast<Index>(b), w)) return false;
  Four& four = fours_[order_.place(b) / 4];
  const std::size_t lane = order_.place(b) % 4;
  four.first[lane] = order_.pair(b).first;
  four.second[lane] = order_.pair(b).second;
  for (int i = 0; i < 3; ++i) {
    four.n[i][lane] = w[0][i];
    for (int s = 0; s < 2 && w[s] != nullptr; ++s) four.l[s][i][lane] = w[s][3 + i];
  }
  const Law& law = *problem.laws[b];
  four.c[lane] = problem.c[problem.G->block(static_cast<Index>(b)).row];
  four.inverse_a[lane] = 1.0 / *problem.G->diagonal_block(static_cast<Index>(b));
  four.least[lane] = typeid(law) == typeid(BilateralLaw) ? -std::numeric_limits<double>::infinity() : 0.0;
  return true;
}

void NormalContacts::from_lambda(std::size_t /*b*/, const double* lambda, double* x) const { *x = *lambda; }

void NormalContacts::to_lambda(std::size_t /*b*/, const double* x, double* lambda) const { *lambda = *x; }

}  // namespace carom::inline inclusion
