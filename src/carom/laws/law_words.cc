#include "carom/laws/law_words.h"

namespace carom::inline laws {

const std::vector<LawWord>& law_words() {
  static const std::vector<LawWord> words = {
#define CAROM_LAW(part, type, title, keys) {#part, #type, title, keys},
#include "carom/laws/laws.def"
#undef CAROM_LAW
  };
  return words;
}

std::vector<std::string> law_types(const std::string& part) {
  std::vector<std::string> types;
  for (const LawWord& word : law_words())
    if (word.part == part) types.push_back(word.type);
  return types;
}

}  // namespace carom::inline laws
