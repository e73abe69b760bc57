#include "carom/system/layout.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "carom/base/errors.h"
#include "carom/system/system.h"

namespace carom::inline system {

Layout layout_of(const System& system) {
  Layout layout;
  system.describe(layout);
  return layout;
}

void Field::copy(const State& state, double* out) const {
  const double* x = (of == FieldOf::q ? state.q : state.v).data();
  const double* next = held.data();
  for (const Index place : places) *out++ = place == is_held ? *next++ : x[place];
}

void Layout::add_pool(std::string path, std::vector<std::string> names) {
  for (const Pool& pool : pools_)
    if (pool.path == path) throw LogicError("two pools '" + path + "' in one model");
  pools_.push_back({std::move(path), std::move(names)});
}

void Layout::add_pooled(std::string path, FieldOf of, Index first, Index stride, Index width, std::string unit,
                        std::string meaning) {
  const auto rows = static_cast<Index>(needed_pool(path).names.size());
  std::vector<Index> places;
  places.reserve(static_cast<std::size_t>(rows * width));
  for (Index r = 0; r < rows; ++r)
    for (Index k = 0; k < width; ++k) places.push_back(first + r * stride + k);
  add_pooled(std::move(path), of, width, std::move(places), {}, std::move(unit), std::move(meaning));
}

void Layout::add_pooled(std::string path, FieldOf of, Index width, std::vector<Index> places, std::vector<double> held,
                        std::string unit, std::string meaning) {
  const auto rows = static_cast<Index>(needed_pool(path).names.size());
  if (static_cast<Index>(places.size()) != rows * width)
    throw LogicError("the field '" + path + "' has not one row for each name");
  for (Index& place : places)
    if (place != Field::is_held) place += origin(of);
  fields_.push_back({std::move(path), std::move(unit), std::move(meaning), of, rows, width, true, std::move(places),
                     std::move(held)});
}

void Layout::add(std::string path, FieldOf of, Index place, std::string unit, std::string meaning) {
  fields_.push_back({std::move(path), std::move(unit), std::move(meaning), of, 1, 1, false, {origin(of) + place}, {}});
}

void Layout::add_frame(std::string name, StateFrame::Kind kind, Index q, Index v) {
  frames_.push_back({std::move(name), kind, q < 0 ? -1 : q_begin_ + q, v < 0 ? -1 : v_begin_ + v, {}});
}

void Layout::add_bodies(const std::vector<std::string>& names) {
  constexpr Index q = 7, v = 6;
  if (names.empty()) return;
  add_pool("/body", names);
  add_pooled("/body/position", FieldOf::q, 0, q, 3, "m", "centre of mass in the world");
  add_pooled("/body/orientation", FieldOf::q, 3, q, 4, "1", "unit quaternion, scalar first, body to world");
  add_pooled("/body/velocity", FieldOf::v, 0, v, 3, "m/s", "of the centre of mass in the world");
  add_pooled("/body/spin", FieldOf::v, 3, v, 3, "rad/s", "angular velocity in the body frame");
  for (std::size_t b = 0; b < names.size(); ++b)
    add_frame(names[b], StateFrame::Kind::body, q * static_cast<Index>(b), v * static_cast<Index>(b));
}

const Field* Layout::find(std::string_view path) const {
  for (const Field& field : fields_)
    if (field.path == path) return &field;
  return nullptr;
}

const Pool* Layout::pool_of(const Field& field) const { return field.pooled ? pool_above(field.path) : nullptr; }

const Pool* Layout::pool_above(std::string_view path) const {
  const std::string_view above = path.substr(0, path.rfind('/'));
  for (const Pool& pool : pools_)
    if (pool.path == above) return &pool;
  return nullptr;
}

const Pool& Layout::needed_pool(std::string_view path) const {
  const Pool* pool = pool_above(path);
  if (!pool) throw LogicError("no pool for the field '" + std::string(path) + "'");
  return *pool;
}

std::string Layout::trouble(Index nq, Index nv) const {
  for (const auto& [of, size, letter] : {std::tuple{FieldOf::q, nq, 'q'}, {FieldOf::v, nv, 'v'}}) {
    std::vector<const Field*> owners(static_cast<std::size_t>(size), nullptr);
    for (const Field& field : fields_) {
      if (field.of != of) continue;
      for (const Index place : field.places) {
        if (place == Field::is_held) continue;
        if (place < 0 || place >= size) return fmt::format("{} reaches beyond {}", field.path, letter);
        const Field*& owner = owners[static_cast<std::size_t>(place)];
        if (owner) return fmt::format("{}[{}] is in {} and in {}", letter, place, owner->path, field.path);
        owner = &field;
      }
    }
    for (std::size_t i = 0; i < owners.size(); ++i)
      if (!owners[i]) return fmt::format("{}[{}] is in no field", letter, i);
  }
  for (std::size_t i = 0; i < fields_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (fields_[i].path == fields_[j].path) return "two fields " + fields_[i].path;
  return {};
}

}  // namespace carom::inline system
