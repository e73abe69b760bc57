// What the numbers of a state are: every field of q and v with its path, unit and places, and the frames that can be
// read from it. Objects of one kind form a pool, whose rows have names; a field of a pool has one row for each:
//
//   pool   /body             rows: crank, rod, slider
//   field  /body/position    3 numbers a row, of q, in m
//
// A field outside of any pool is a single number. Whoever writes, reads or draws states goes by this list and need not
// know any kind of system.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/pose.h"
#include "carom/base/types.h"
#include "carom/system/state.h"

namespace carom::inline system {

enum class FieldOf : char { q, v };

struct Field {
  std::string path;     // "/body/position"
  std::string unit;     // "m"; "SI" if nobody knows better
  std::string meaning;  // "centre of mass in the world"
  FieldOf of = FieldOf::q;
  Index rows = 1, width = 1;  // width: numbers of a row
  bool pooled = false;
  std::vector<Index> places;  // in q or v, row after row; held: the next of `held`
  std::vector<double> held;   // numbers that are no coordinates, but constant: supports

  static constexpr Index is_held = -1;
  Index size() const { return rows * width; }
  // All rows, one after the other.
  void copy(const State& state, double* out) const;
};

struct Pool {
  std::string path;  // "/body"
  std::vector<std::string> names;
};

// A pose that moves with something, and where it stands in the state.
struct StateFrame {
  enum class Kind : char {
    body,        // q: position, unit quaternion (scalar first); v: velocity, spin in the body frame
    planar,      // q: x, y, angle; v: their rates
    prescribed,  // moves in time alone
    general      // not read off a few entries: a point of a flexible body
  };
  std::string name;
  Kind kind = Kind::general;
  Index q = -1, v = -1;
  // Of frames that are not read off a few entries: asks whom it belongs to. It keeps that part of the model alive.
  using Motion = std::function<void(const State&, Pose&, Twist&)>;
  Motion motion = {};
};

class Layout {
 public:
  void add_pool(std::string path, std::vector<std::string> names);
  // A field of the pool that its path lies in. Row r begins at first + r stride of the present slice.
  void add_pooled(std::string path, FieldOf of, Index first, Index stride, Index width, std::string unit,
                  std::string meaning);
  // The same with a place for each number, or Field::is_held and its value.
  void add_pooled(std::string path, FieldOf of, Index width, std::vector<Index> places, std::vector<double> held,
                  std::string unit, std::string meaning);
  void add(std::string path, FieldOf of, Index place, std::string unit, std::string meaning);
  void add_frame(std::string name, StateFrame::Kind kind, Index q = -1, Index v = -1);
  void set_motion(std::size_t frame, StateFrame::Motion motion) { frames_[frame].motion = std::move(motion); }

  // Coordinates and velocities by their names, for whoever has nothing better to say: /coordinate/NAME, /velocity/NAME.
  template <class Named>
  void add_by_names(const Named& named, Index nq, Index nv) {
    for (Index i = 0; i < nq; ++i) add("/coordinate/" + named.coordinate_name(i), FieldOf::q, i, "SI", "coordinate");
    for (Index i = 0; i < nv; ++i) add("/velocity/" + named.velocity_name(i), FieldOf::v, i, "SI", "velocity");
  }
  // The same of n coordinates whose units are m or rad: rad if the name ends in "angle".
  template <class Named>
  void add_lengths_and_angles(const Named& named, Index n) {
    for (Index i = 0; i < n; ++i) {
      const std::string name = named.coordinate_name(i), unit = name.ends_with("angle") ? "rad" : "m";
      add("/coordinate/" + name, FieldOf::q, i, unit, "coordinate");
      add("/velocity/" + named.velocity_name(i), FieldOf::v, i, unit + "/s", "velocity");
    }
  }
  // A pool of bodies in space: 7 coordinates and 6 velocities each, one after the other.
  void add_bodies(const std::vector<std::string>& names);

  // What is added from now on counts its places from here.
  void begin_slice(Index q, Index v) {
    q_begin_ = q;
    v_begin_ = v;
  }

  const std::vector<Field>& fields() const { return fields_; }
  const std::vector<Pool>& pools() const { return pools_; }
  const std::vector<StateFrame>& frames() const { return frames_; }
  const Field* find(std::string_view path) const;  // null if there is none
  const Pool* pool_of(const Field& field) const;   // null if it is in none
  // "" if every entry of q and v stands in exactly one field; else what is wrong.
  std::string trouble(Index nq, Index nv) const;

 private:
  const Pool* pool_above(std::string_view path) const;
  const Pool& needed_pool(std::string_view path) const;
  Index origin(FieldOf of) const { return of == FieldOf::q ? q_begin_ : v_begin_; }

  std::vector<Field> fields_;
  std::vector<Pool> pools_;
  std::vector<StateFrame> frames_;
  Index q_begin_ = 0, v_begin_ = 0;
};

// What a system says of its state.
class System;
Layout layout_of(const System& system);

}  // namespace carom::inline system
