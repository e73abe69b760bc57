// The order in which sweeps go over the contacts of a pile, four at a time.
//
// By colours: contacts of one colour share no body, so that they may be solved at once, by any number of threads, with
// the same bits; and a processor need not wait for one before it begins the next. Piles take as many sweeps as in the
// order of the blocks (docs/theory/large_problems.md).
//
// Large piles are cut into cells of bodies that hang together. Contacts within a cell are swept cell by cell, each by
// its colours, so that its bodies stay in a core's cache; then come the contacts between cells, by theirs. Cells share
// no bodies: threads wait for each other once for all cells, not once a colour.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/base/thread_team.h"
#include "carom/inclusion/near_errors.h"

namespace carom::inline inclusion {

class ContactOrder {
 public:
  // Bodies of a contact; second: the ground, numbered behind all bodies, where there is none.
  struct Pair {
    std::int32_t first, second;
  };
  // Fours that are swept: all of a colour, or those near errors.
  struct Range {
    std::size_t begin, end;
  };
  struct Ranges {
    std::vector<Range> all;
    std::vector<std::size_t> groups;  // begins of the colours in `all`; the last is the end
    std::size_t fours = 0;            // of all of them

    void clear();
    void begin_group() { groups.push_back(all.size()); }
    void add(std::size_t four);
  };

  // Cells of so many bodies where there are more than `from` bodies.
  void use_cells(std::size_t bodies, std::size_t from) {
    cell_bodies_ = bodies;
    cells_from_ = from;
  }

  // To be filled, in the order of the blocks, before find().
  std::vector<Pair>& begin(std::size_t contacts);
  // Where there are cells their bodies get neighbouring places, and the pairs name places from here on.
  void find(std::size_t bodies);
  bool places_bodies() const { return cell_count_ > 0; }
  std::size_t body_at(std::size_t place) const { return static_cast<std::size_t>(by_place_[place]); }

  std::size_t contacts() const { return pairs_.size(); }
  const Pair& pair(std::size_t b) const { return pairs_[b]; }
  // Of a block: four times its Four, and its lane. Lanes that are left over belong to no contact.
  std::size_t place(std::size_t b) const { return place_[b]; }
  std::size_t fours() const { return groups_.back(); }

  const Ranges& all() const { return whole_; }
  const Ranges& swept() const { return focused_ ? part_ : whole_; }
  // From now on what is swept are contacts of bodies near those in error (near_errors.h), or all where that is more
  // than the share `most`. Returns the share. in_error(place of a contact)
  template <class InError>
  double focus(const InError& in_error, int depth, double most) {
    near_.begin(ground());
    for (std::size_t b = 0; b < pairs_.size(); ++b) {
      if (!in_error(place_[b])) continue;
      near_.add(pairs_[b].first);
      near_.add(pairs_[b].second);
    }
    return focus(depth, most);
  }
  bool is_near(std::size_t four) const { return is_near_[four] != 0; }  // as found by the last focus
  void sweep_all() { focused_ = false; }

  // act(begin, end) for the parts of each colour in turn that are this thread's. Cells are dealt out: they share no
  // bodies. Of a colour between cells one range is shared by all threads, several are dealt out.
  template <class Act>
  void by_colours(const Ranges& ranges, int thread, ThreadTeam* team, const Act& act) const {
    const int threads = team != nullptr ? team->count() : 1;
    const Part cells = part_of(0, cell_count_, thread, threads);
    for (std::size_t r = ranges.groups[cell_groups_[cells.begin]]; r < ranges.groups[cell_groups_[cells.end]]; ++r)
      act(ranges.all[r].begin, ranges.all[r].end);
    if (threads > 1 && cell_count_ > 0) team->barrier();
    for (std::size_t g = cell_groups_[cell_count_]; g + 1 < ranges.groups.size(); ++g) {
      const std::size_t first = ranges.groups[g], last = ranges.groups[g + 1];
      if (last - first == 1) {
        const Part part = part_of(ranges.all[first].begin, ranges.all[first].end, thread, threads);
        act(part.begin, part.end);
      } else {
        const Part part = part_of(first, last, thread, threads);
        for (std::size_t r = part.begin; r < part.end; ++r) act(ranges.all[r].begin, ranges.all[r].end);
      }
      if (threads > 1) team->barrier();
    }
  }

 private:
  std::int32_t ground() const { return static_cast<std::int32_t>(bodies_); }
  void find_cells();
  void find_neighbours();
  // Places for these blocks from a Four on; the Four behind them.
  std::size_t order_cell(const std::uint32_t* begin, const std::uint32_t* end, std::size_t fours);
  double focus(int depth, double most);

  std::size_t bodies_ = 0;
  std::vector<Pair> pairs_;
  std::size_t cell_bodies_ = 1024, cells_from_ = 3000, cell_count_ = 0;
  std::vector<std::int32_t> place_of_, by_place_;  // of bodies, where there are cells
  std::vector<std::uint32_t> neighbours_begin_;    // of a body; the last is the end
  std::vector<std::int32_t> neighbours_;
  std::vector<std::size_t> cells_;  // begins in by_cell_: of each cell, then of what is between; the last is the end
  std::vector<std::uint32_t> by_cell_;    // blocks
  std::vector<std::size_t> cell_groups_;  // begins in groups_, likewise
  std::vector<std::uint32_t> place_;
  std::vector<std::size_t> groups_;   // begins of the colours of all cells; the last is the end
  std::vector<std::uint64_t> taken_;  // colours by body
  std::vector<std::uint8_t> colour_;
  NearErrors near_;
  std::vector<std::uint8_t> is_near_;
  Ranges whole_, part_;
  bool focused_ = false;  // sweeps go over part_
};

}  // namespace carom::inline inclusion
