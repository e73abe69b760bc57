// Which bodies are near errors: those of contacts in error, and those that are at most `depth` contacts away. In a
// large pile most contacts are solved long before the last: sweeps then go over what is near the errors, with the rest
// held.
#pragma once

#include <cstdint>
#include <vector>

namespace carom::inline inclusion {

class NearErrors {
 public:
  // None yet. Numbers outside 0 ... bodies - 1 are no bodies: the ground.
  void begin(std::size_t bodies) { level_.assign(bodies, 0); }
  void add(std::int32_t body) { mark(body, 1); }
  // Contacts: of two bodies each, `first` and `second`.
  template <class Contacts>
  void grow(const Contacts& contacts, int depth) {
    for (int level = 1; level <= depth; ++level)
      for (const auto& contact : contacts) {
        if (level_of(contact.first) == level) mark(contact.second, level + 1);
        if (level_of(contact.second) == level) mark(contact.first, level + 1);
      }
  }
  bool has(std::int32_t body) const { return level_of(body) != 0; }

 private:
  bool is_body(std::int32_t body) const { return static_cast<std::uint32_t>(body) < level_.size(); }
  int level_of(std::int32_t body) const { return is_body(body) ? level_[static_cast<std::size_t>(body)] : 0; }
  void mark(std::int32_t body, int level) {
    if (is_body(body) && level_of(body) == 0) level_[static_cast<std::size_t>(body)] = static_cast<std::uint8_t>(level);
  }

  std::vector<std::uint8_t> level_;  // 1: of a contact in error, one more for each contact between; 0: far
};

}  // namespace carom::inline inclusion
