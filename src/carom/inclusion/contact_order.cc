#include "carom/inclusion/contact_order.h"

#include <algorithm>
#include <bit>

#include "carom/base/make_room.h"

namespace carom::inline inclusion {

namespace {

constexpr int colours = 64;  // one bit each

}  // namespace

void ContactOrder::Ranges::clear() {
  all.clear();
  groups.clear();
  fours = 0;
}

void ContactOrder::Ranges::add(std::size_t four) {
  if (all.size() > groups.back() && all.back().end == four)
    ++all.back().end;
  else
    all.push_back({four, four + 1});
  ++fours;
}

std::vector<ContactOrder::Pair>& ContactOrder::begin(std::size_t contacts) {
  make_room(pairs_, contacts);
  pairs_.resize(contacts);
  return pairs_;
}

// Bodies of a cell hang together through contacts, as far as they do. Who is left over by the cells before is taken in
// by later ones.
void ContactOrder::find_cells() {
  cell_count_ = bodies_ > cells_from_ ? (bodies_ + cell_bodies_ - 1) / cell_bodies_ : 0;
  if (cell_count_ == 0) return;
  find_neighbours();
  constexpr std::int32_t nowhere = -1;
  place_of_.assign(bodies_ + 1, nowhere);
  place_of_[bodies_] = ground();
  by_place_.clear();
  const auto settle = [&](std::int32_t body) {
    place_of_[static_cast<std::size_t>(body)] = static_cast<std::int32_t>(by_place_.size());
    by_place_.push_back(body);
  };
  std::size_t head = 0;
  std::int32_t seed = 0;
  while (by_place_.size() < bodies_) {
    if (by_place_.size() % cell_bodies_ == 0 || head == by_place_.size()) {
      head = by_place_.size();
      while (place_of_[static_cast<std::size_t>(seed)] != nowhere) ++seed;
      settle(seed);
    }
    const std::size_t body = body_at(head++);
    for (std::uint32_t n = neighbours_begin_[body]; n < neighbours_begin_[body + 1]; ++n) {
      if (by_place_.size() % cell_bodies_ == 0) break;
      if (place_of_[static_cast<std::size_t>(neighbours_[n])] == nowhere) settle(neighbours_[n]);
    }
  }
  for (Pair& pair : pairs_) {
    pair.first = place_of_[static_cast<std::size_t>(pair.first)];
    pair.second = place_of_[static_cast<std::size_t>(pair.second)];
  }
}

// Whom each body touches.
void ContactOrder::find_neighbours() {
  neighbours_begin_.assign(bodies_ + 2, 0);
  const auto each = [&](auto&& act) {
    for (const Pair& pair : pairs_) {
      if (pair.second == ground()) continue;
      act(static_cast<std::size_t>(pair.first), pair.second);
      act(static_cast<std::size_t>(pair.second), pair.first);
    }
  };
  each([&](std::size_t body, std::int32_t) { ++neighbours_begin_[body + 2]; });
  for (std::size_t k = 2; k < neighbours_begin_.size(); ++k) neighbours_begin_[k] += neighbours_begin_[k - 1];
  neighbours_.resize(neighbours_begin_.back());
  each([&](std::size_t body, std::int32_t other) { neighbours_[neighbours_begin_[body + 1]++] = other; });
}

void ContactOrder::find(std::size_t bodies) {
  bodies_ = bodies;
  find_cells();
  // Contacts within cells, cell by cell, then those between cells, each in the order of the blocks.
  const auto cell_of = [&](const Pair& pair) {
    if (cell_count_ == 0) return cell_count_;
    const std::size_t one = static_cast<std::size_t>(pair.first) / cell_bodies_;
    const bool within = pair.second == ground() || static_cast<std::size_t>(pair.second) / cell_bodies_ == one;
    return within ? one : cell_count_;
  };
  cells_.assign(cell_count_ + 2, 0);
  for (const Pair& pair : pairs_) ++cells_[cell_of(pair) + 1];
  for (std::size_t cell = 0; cell <= cell_count_; ++cell) cells_[cell + 1] += cells_[cell];
  make_room(by_cell_, pairs_.size());
  by_cell_.resize(pairs_.size());
  for (std::size_t b = 0; b < pairs_.size(); ++b)
    by_cell_[cells_[cell_of(pairs_[b])]++] = static_cast<std::uint32_t>(b);
  // Every begin has moved to the next one's.
  std::rotate(cells_.begin(), cells_.end() - 1, cells_.end());
  cells_[0] = 0;

  taken_.assign(bodies_ + 1, 0);
  make_room(colour_, pairs_.size());
  colour_.resize(pairs_.size());
  make_room(place_, pairs_.size());
  place_.resize(pairs_.size());
  groups_.clear();
  cell_groups_.clear();
  std::size_t fours = 0;
  for (std::size_t cell = 0; cell <= cell_count_; ++cell) {
    cell_groups_.push_back(groups_.size());
    fours = order_cell(by_cell_.data() + cells_[cell], by_cell_.data() + cells_[cell + 1], fours);
  }
  groups_.push_back(fours);
  whole_.clear();
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    whole_.begin_group();
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k) whole_.add(k);
  }
  whole_.begin_group();
  focused_ = false;
}

// The first colour that neither body has in this cell. A contact that finds none is a group of its own.
std::size_t ContactOrder::order_cell(const std::uint32_t* begin, const std::uint32_t* end, std::size_t fours) {
  for (const std::uint32_t* b = begin; b != end; ++b)
    for (const std::int32_t body : {pairs_[*b].first, pairs_[*b].second}) taken_[static_cast<std::size_t>(body)] = 0;
  std::size_t sizes[colours][2] = {}, alone = 0;  // of a colour: pairs, contacts with the ground
  for (const std::uint32_t* b = begin; b != end; ++b) {
    std::uint64_t& one = taken_[static_cast<std::size_t>(pairs_[*b].first)];
    std::uint64_t& other = taken_[static_cast<std::size_t>(pairs_[*b].second)];
    const std::uint64_t free = ~(one | other);
    const int colour = free == 0 ? colours : std::countr_zero(free);
    colour_[*b] = static_cast<std::uint8_t>(colour);
    if (free == 0) {
      ++alone;
      continue;
    }
    const bool pair = pairs_[*b].second != ground();
    one |= free & (~free + 1);
    if (pair) other |= free & (~free + 1);
    ++sizes[colour][pair ? 0 : 1];
  }
  for (auto& size : sizes) {
    if (size[0] + size[1] > 0) groups_.push_back(fours);
    const std::size_t pairs = size[0], all = size[0] + size[1];
    size[0] = 4 * fours;
    size[1] = 4 * fours + pairs;
    fours += (all + 3) / 4;
  }
  std::size_t next = 4 * fours;
  for (; alone > 0; --alone) groups_.push_back(fours++);
  for (const std::uint32_t* b = begin; b != end; ++b) {
    if (colour_[*b] < colours) {
      place_[*b] = static_cast<std::uint32_t>(sizes[colour_[*b]][pairs_[*b].second != ground() ? 0 : 1]++);
    } else {
      place_[*b] = static_cast<std::uint32_t>(next);
      next += 4;
    }
  }
  return fours;
}

double ContactOrder::focus(int depth, double most) {
  near_.grow(pairs_, depth);
  is_near_.assign(fours(), 0);
  for (std::size_t b = 0; b < pairs_.size(); ++b)
    if (near_.has(pairs_[b].first) || near_.has(pairs_[b].second)) is_near_[place_[b] / 4] = 1;
  part_.clear();
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    part_.begin_group();
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k)
      if (is_near(k)) part_.add(k);
  }
  part_.begin_group();
  const double share = static_cast<double>(part_.fours) / static_cast<double>(fours());
  focused_ = share <= most;
  return focused_ ? share : 1.0;
}

}  // namespace carom::inline inclusion
