#include "carom/base/messages.h"

namespace carom::inline base {

const std::vector<MessageEntry>& messages() {
  static const std::vector<MessageEntry> entries = {
#define CAROM_MESSAGE(code, title, explanation) {#code, title, explanation},
#include "carom/base/errors.def"
#undef CAROM_MESSAGE
  };
  return entries;
}

}  // namespace carom::inline base
