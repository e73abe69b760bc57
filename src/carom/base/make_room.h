// Room in vectors that follow the contacts of a run. Vectors by themselves double what they have, with the old and the
// new there together.
#pragma once

#include <algorithm>
#include <vector>

namespace carom::inline base {

// For entries that are all written anew: the old ones go before the new ones come, with an eighth more if that was not
// enough before, so that sizes which grow slowly seldom ask for it.
template <class T>
void make_room(std::vector<T>& entries, std::size_t size) {
  if (size <= entries.capacity()) return;
  const std::size_t more = entries.capacity() > 0 ? size / 8 : 0;
  entries = {};
  entries.reserve(size + more);
}

// Behind those there are, by a quarter at least.
template <class T>
void make_room_behind(std::vector<T>& entries, std::size_t count = 1) {
  const std::size_t size = entries.size() + count;
  if (size > entries.capacity()) entries.reserve(std::max(size, entries.capacity() + entries.capacity() / 4));
}

}  // namespace carom::inline base
