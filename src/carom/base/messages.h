// What the codes of messages mean (errors.def).
#pragma once

#include <string_view>
#include <vector>

namespace carom::inline base {

struct MessageEntry {
  std::string_view code;         // "E0102"
  std::string_view title;        // "unknown key"
  std::string_view explanation;  // what to know or do about it
};

const std::vector<MessageEntry>& messages();

}  // namespace carom::inline base
