// The words for contact laws in files and lists (laws.def).
#pragma once

#include <string>
#include <vector>

namespace carom::inline laws {

struct LawWord {
  std::string part;  // "normal", "tangential"
  std::string type;  // "coulomb"
  std::string title, keys;
};

const std::vector<LawWord>& law_words();
// The types of one part.
std::vector<std::string> law_types(const std::string& part);

}  // namespace carom::inline laws
