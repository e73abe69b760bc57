// Rows of a reproduction with their verdicts: what is expected and by whom, where a computed number must lie, and what
// may excuse one that does not. An excuse is not a sentence: it carries its measurement, and the measurement decides.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "carom/study/reproduction.h"

namespace carom::inline study {

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

// What a row is held against. A gloss is ours and follows in brackets.
struct Expected {
  Source source;
  std::string text;
};
Expected printed(const std::string& number, const std::string& gloss = {});  // starts with the digits as printed
Expected says(const std::string& words, const std::string& gloss = {});      // words as printed, shown in quotes
Expected independent(const std::string& number, const std::string& by);      // by whom: a program or method
Expected derived(std::string formula);
Expected own(std::string statement);

// Something the publication leaves open, and what it does to a row that misses.
class Explanation {
 public:
  Explanation() = default;  // none

  // The published number lies inside what runs over the open data give.
  static Explanation range(const std::string& open, double published, const std::vector<double>& measured);

  // One setting gives the whole published row: every column computed with it lies where it must.
  struct Column {
    double computed;
    Accept accept;
  };
  static Explanation setting(const std::string& setting, const std::vector<Column>& whole_row);

  bool supported() const { return supported_; }
  const std::string& text() const { return text_; }  // with the measured numbers

 private:
  std::string text_;
  bool supported_ = false;
};

// The same quantity by a method that shares neither scheme nor equations with the computed one.
struct Confirmation {
  std::string method;
  double value, margin;  // the two agree if they differ by no more
};

// Only what is printed can be explained or contradicted: other rows are met or failed.
ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept);
ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept,
                      const Explanation& explanation);
ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept,
                      const std::function<Explanation()>& explain);  // asked only if the row misses
ReproductionRow judge(std::string quantity, const Expected& expected, double computed, const Accept& accept,
                      const Confirmation& confirmation);

}  // namespace carom::inline study
