// A name for a text by what it says: 32 hexadecimal digits of two Fowler-Noll-Vo hashes. For telling texts apart, not
// for secrets.
#pragma once

#include <string>

namespace carom::inline base {

std::string content_hash(const std::string& text);

}  // namespace carom::inline base
