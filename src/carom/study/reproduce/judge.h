// Rows of a reproduction with their verdicts: where a computed number must lie, and what may excuse it.
#pragma once

#include <string>

#include "carom/study/reproduction.h"

namespace carom {

// low <= x <= high, and how to say so.
struct Accept {
  double low, high;
  std::string text;

  bool operator()(double x) const { return x >= low && x <= high; }  // false for a NaN
};

Accept within(double relative, double of);  // "1.32e-04 +- 15 %"
Accept between(double low, double high);
Accept at_most(double limit);
Accept at_least(double limit);
Accept exactly(double value);

// Why a published number cannot be expected, and whether the measurement supports that.
struct Explanation {
  std::string reason;  // with the measured numbers
  bool supported = false;
};

ReproductionRow judge(std::string quantity, std::string published, double computed, const Accept& accept);
ReproductionRow judge(std::string quantity, std::string published, double computed, const Accept& accept,
                      const Explanation& explanation);

}  // namespace carom
