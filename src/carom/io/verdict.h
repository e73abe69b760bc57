// What became of one expectation.
#pragma once

#include <string>

namespace carom::inline io {

struct Verdict {
  enum class Kind {
    ok,
    broken,
    not_judged  // the run did not reach its end, or the formula has no value
  };
  std::string name;
  std::string formula;
  Kind kind = Kind::not_judged;
  std::string why;  // "-1.9e-05 > -5e-05", with the numbers put in
};

}  // namespace carom::inline io
