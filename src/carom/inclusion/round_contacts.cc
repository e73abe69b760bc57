#include "carom/inclusion/round_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cmath>
#include <typeinfo>

#include "carom/base/constraint_jacobian.h"
#include "carom/base/make_room.h"
#include "carom/laws/spatial_coulomb_law.h"

namespace carom::inline inclusion {

namespace {

constexpr Index body_size = 6;
constexpr double rounding = 1e-14;  // what differs by less than this share is equal
constexpr int colours = 64;         // one bit each
constexpr double unknown = 2.0;     // no entry of a rotation

inline double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline void cross3(const double* a, const double* b, double* y) {
  y[0] = a[1] * b[2] - a[2] * b[1];
  y[1] = a[2] * b[0] - a[0] * b[2];
  y[2] = a[0] * b[1] - a[1] * b[0];
}

bool is_multiple_of_identity(const Matrix3& M) {
  return (M - M(0, 0) * Matrix3::Identity()).cwiseAbs().maxCoeff() <= rounding * M(0, 0);
}

bool are_orthonormal(const double* F) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j)
      if (!(std::abs(dot3(F + 3 * i, F + 3 * j) - (i == j ? 1.0 : 0.0)) <= rounding)) return false;
  return true;
}

// How a body's own axes see those of the world, from one contact: the moments -|s| n x t_r of its tangents are the rows
// T1, T2 of L.
Matrix3 axes(const double* F, const double* L) {
  Matrix3 world, own;
  for (int r = 0; r < 2; ++r) {
    cross3(F, F + 3 * (r + 1), world.col(r).data());
    for (int i = 0; i < 3; ++i) own(i, r) = L[3 * (r + 1) + i];
    own.col(r) /= -own.col(r).norm();
  }
  world.col(2) = world.col(0).cross(world.col(1));
  own.col(2) = own.col(0).cross(own.col(1));
  return own * world.transpose();
}

// s with L = s (0, Q (n x t_1), Q (n x t_2)), or NaN where L differs from that by more than the share `exactness`.
double lever(const double* F, const double* L, const Matrix3& Q, double exactness) {
  Vector3 moment[2];
  for (int r = 0; r < 2; ++r) {
    Vector3 world;
    cross3(F, F + 3 * (r + 1), world.data());
    moment[r] = Q * world;
  }
  const double s = dot3(moment[0].data(), L + 3);
  double error = 0.0;
  for (int i = 0; i < 3; ++i)
    error =
        std::max({error, std::abs(L[i]), std::abs(L[3 + i] - s * moment[0][i]), std::abs(L[6 + i] - s * moment[1][i])});
  return error <= exactness * std::abs(s) ? s : std::nan("");
}

}  // namespace

// Who meets whom; what that alone can refuse.
bool RoundContacts::find_bodies(const InclusionProblem& problem) {
  const auto ground = static_cast<std::int32_t>(bodies_.size()) - 1;
  const auto count = static_cast<std::size_t>(problem.block_count());
  make_room(pairs_, count);
  pairs_.resize(count);
  for (std::size_t b = 0; b < pairs_.size(); ++b) {
    const Law& law = *problem.laws[b];
    const ConstraintJacobian::Block& block = W_->block(static_cast<Index>(b));
    const Index segments = block.segment_end - block.segment_begin;
    if (block.rows != 3 || segments < 1 || segments > 2 || typeid(law) != typeid(SpatialCoulombLaw)) return false;
    std::int32_t body[2] = {ground, ground};
    for (Index s = 0; s < segments; ++s) {
      const ConstraintJacobian::Segment& segment = W_->segment(block.segment_begin + s);
      if (segment.size != body_size || segment.offset % body_size != 0) return false;
      body[s] = static_cast<std::int32_t>(segment.offset / body_size);
      if (bodies_[static_cast<std::size_t>(body[s])].velocity[3] < 0.0) return false;
    }
    if (body[0] == body[1]) return false;
    pairs_[b] = {body[0], body[1]};
  }
  return true;
}

bool RoundContacts::read(const InclusionProblem& problem, std::size_t b, double exactness, Contact& contact) {
  const ConstraintJacobian::Block& block = W_->block(static_cast<Index>(b));
  contact.first = pairs_[b].first;
  contact.second = pairs_[b].second;
  contact.s[1] = 0.0;
  contact.mu = problem.laws[b]->friction();
  double F[9], a = 0.0, e = 0.0;
  for (Index s = 0; s < block.segment_end - block.segment_begin; ++s) {
    const double* w = W_->entries(W_->segment(block.segment_begin + s));
    double L[9];
    for (int r = 0; r < 3; ++r)
      for (int i = 0; i < 3; ++i) {
        if (s == 0) F[3 * r + i] = w[6 * r + i];
        if (s == 1 && F[3 * r + i] != -w[6 * r + i]) return false;
        L[3 * r + i] = w[6 * r + 3 + i];
      }
    if (s == 0 && !are_orthonormal(F)) return false;
    const auto place = static_cast<std::size_t>(s == 0 ? contact.first : contact.second);
    Body& body = bodies_[place];
    if (body.later[0][0] == unknown) body.keep_axes(axes(F, L));
    const Matrix3 Q = body.axes();
    const double length = lever(F, L, Q, exactness);
    if (std::isnan(length)) return false;
    contact.s[s] = length;
    a += body.velocity[3];
    e += body.velocity[3] + length * length * body.spin[3];
  }
  if (!(a > 0.0)) return false;
  contact.inverse_a = 1.0 / a;
  contact.inverse_e = 1.0 / e;
  const double* c = problem.c.data() + block.row;
  for (int i = 0; i < 3; ++i) {
    contact.n[i] = F[i];
    contact.c[i] = F[i] * c[0] + F[3 + i] * c[1] + F[6 + i] * c[2];
  }
  return true;
}

bool RoundContacts::build(const InclusionProblem& problem, double exactness) {
  const DelassusFactors* factors = problem.G->factors();
  if (factors == nullptr || factors->velocities % body_size != 0) return false;
  W_ = factors->W;
  const std::size_t bodies = static_cast<std::size_t>(factors->velocities / body_size) + 1;
  Body body{};
  body.later[0][0] = unknown;  // its axes
  make_room(bodies_, bodies);
  bodies_.assign(bodies, body);
  for (std::size_t k = 0; k + 1 < bodies_.size(); ++k) {
    const Matrix3 &linear = factors->inverse_blocks[2 * k], &angular = factors->inverse_blocks[2 * k + 1];
    const bool fits = is_multiple_of_identity(linear) && is_multiple_of_identity(angular);
    bodies_[k].velocity[3] = fits ? linear(0, 0) : -1.0;  // -1: not for us
    bodies_[k].spin[3] = angular(0, 0);
  }
  exactness = std::max(exactness, rounding);
  if (!find_bodies(problem)) return false;
  order();
  Contact contact;
  for (std::size_t b = 0; b < pairs_.size(); ++b) {
    if (!read(problem, b, exactness, contact)) return false;
    put(place_[b], contact);
  }
  return true;
}

// Bodies of a cell hang together through contacts, as far as they do; they get neighbouring places. Who is left over by
// the cells before is taken in by later ones.
void RoundContacts::find_cells() {
  const std::size_t bodies = bodies_.size() - 1;
  cell_count_ = bodies > cells_from_ ? (bodies + cell_bodies_ - 1) / cell_bodies_ : 0;
  if (cell_count_ == 0) return;
  find_neighbours();
  constexpr std::int32_t nowhere = -1;
  place_of_.assign(bodies + 1, nowhere);
  place_of_[bodies] = static_cast<std::int32_t>(bodies);  // the ground
  by_place_.clear();
  const auto settle = [&](std::int32_t body) {
    place_of_[static_cast<std::size_t>(body)] = static_cast<std::int32_t>(by_place_.size());
    by_place_.push_back(body);
  };
  std::size_t head = 0;
  std::int32_t seed = 0;
  while (by_place_.size() < bodies) {
    if (by_place_.size() % cell_bodies_ == 0 || head == by_place_.size()) {
      head = by_place_.size();
      while (place_of_[static_cast<std::size_t>(seed)] != nowhere) ++seed;
      settle(seed);
    }
    const auto body = static_cast<std::size_t>(by_place_[head++]);
    for (std::uint32_t n = neighbours_begin_[body]; n < neighbours_begin_[body + 1]; ++n) {
      if (by_place_.size() % cell_bodies_ == 0) break;
      if (place_of_[static_cast<std::size_t>(neighbours_[n])] == nowhere) settle(neighbours_[n]);
    }
  }
  for (Pair& pair : pairs_) {
    pair.first = place_of_[static_cast<std::size_t>(pair.first)];
    pair.second = place_of_[static_cast<std::size_t>(pair.second)];
  }
  inverses_.resize(bodies);
  for (std::size_t k = 0; k < bodies; ++k) inverses_[k] = {bodies_[k].velocity[3], bodies_[k].spin[3]};
  for (std::size_t k = 0; k < bodies; ++k) {
    const Inverses& inverses = inverses_[static_cast<std::size_t>(by_place_[k])];
    bodies_[k].velocity[3] = inverses.mass;
    bodies_[k].spin[3] = inverses.inertia;
  }
}

// Whom each body touches.
void RoundContacts::find_neighbours() {
  const auto ground = static_cast<std::int32_t>(bodies_.size()) - 1;
  neighbours_begin_.assign(bodies_.size() + 1, 0);
  const auto each = [&](auto&& act) {
    for (const Pair& pair : pairs_) {
      if (pair.second == ground) continue;
      act(static_cast<std::size_t>(pair.first), pair.second);
      act(static_cast<std::size_t>(pair.second), pair.first);
    }
  };
  each([&](std::size_t body, std::int32_t) { ++neighbours_begin_[body + 2]; });
  for (std::size_t k = 2; k < neighbours_begin_.size(); ++k) neighbours_begin_[k] += neighbours_begin_[k - 1];
  neighbours_.resize(neighbours_begin_.back());
  each([&](std::size_t body, std::int32_t other) { neighbours_[neighbours_begin_[body + 1]++] = other; });
}

void RoundContacts::order() {
  find_cells();
  // Contacts within cells, cell by cell, then those between cells, each in the order of the blocks.
  const std::int32_t ground = static_cast<std::int32_t>(bodies_.size()) - 1;
  const auto cell_of = [&](const Pair& pair) {
    if (cell_count_ == 0) return cell_count_;
    const std::size_t one = static_cast<std::size_t>(pair.first) / cell_bodies_;
    const bool within = pair.second == ground || static_cast<std::size_t>(pair.second) / cell_bodies_ == one;
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

  taken_.assign(bodies_.size(), 0);
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
  make_room(errors_, fours);
  errors_.assign(fours, Errors{});
  Four nothing{};
  std::fill_n(nothing.first, 4, ground);
  std::fill_n(nothing.second, 4, ground);
  make_room(fours_, fours);
  fours_.assign(fours, nothing);
  make_room(points_, fours);
  points_.assign(fours, Vectors{});
  make_room(images_, fours);
  images_.assign(fours, Vectors{});
  make_room(courses_, fours);
  const Lanes any = Lanes{} + any_age;
  courses_.assign(fours, Course{{}, {}, any, any});
}

// The first colour that neither body has in this cell. A contact that finds none is a group of its own.
std::size_t RoundContacts::order_cell(const std::uint32_t* begin, const std::uint32_t* end, std::size_t fours) {
  const std::int32_t ground = static_cast<std::int32_t>(bodies_.size()) - 1;
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
    const bool pair = pairs_[*b].second != ground;
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
      place_[*b] = static_cast<std::uint32_t>(sizes[colour_[*b]][pairs_[*b].second != ground ? 0 : 1]++);
    } else {
      place_[*b] = static_cast<std::uint32_t>(next);
      next += 4;
    }
  }
  return fours;
}

void RoundContacts::put(std::size_t place, const Contact& contact) {
  Four& four = fours_[place / 4];
  const std::size_t lane = place % 4;
  four.first[lane] = contact.first;
  four.second[lane] = contact.second;
  for (int i = 0; i < 3; ++i) {
    four.n[i][lane] = contact.n[i];
    four.c[i][lane] = contact.c[i];
  }
  four.inverse_e[lane] = contact.inverse_e;
  four.difference[lane] = contact.inverse_e - contact.inverse_a;
  four.mu[lane] = contact.mu;
  for (int side = 0; side < 2; ++side) four.s[side][lane] = contact.s[side];
}

void RoundContacts::set_point(std::size_t b, const double* lambda) {
  const double* w = W_->entries(W_->segment(W_->block(static_cast<Index>(b)).segment_begin));
  const std::size_t four = place_[b] / 4, lane = place_[b] % 4;
  for (int i = 0; i < 3; ++i) {
    const double x = w[i] * lambda[0] + w[6 + i] * lambda[1] + w[12 + i] * lambda[2];
    points_[four].x[i][lane] = images_[four].x[i][lane] = x;
  }
  courses_[four].age[lane] = 1.0;
}

void RoundContacts::load(const double* lambda) {
  for (std::size_t b = 0; b < pairs_.size(); ++b) set_point(b, lambda + 3 * b);
  refresh();
}

void RoundContacts::load_changed(const double* before, const double* lambda) {
  for (std::size_t b = 0; b < pairs_.size(); ++b)
    if (!std::equal(before + 3 * b, before + 3 * b + 3, lambda + 3 * b)) set_point(b, lambda + 3 * b);
  refresh();
}

void RoundContacts::store(double* lambda) const {
  for (std::size_t b = 0; b < pairs_.size(); ++b) {
    const double* w = W_->entries(W_->segment(W_->block(static_cast<Index>(b)).segment_begin));
    const Lanes* image = images_[place_[b] / 4].x;
    const std::size_t lane = place_[b] % 4;
    const double x[3] = {image[0][lane], image[1][lane], image[2][lane]};
    for (int r = 0; r < 3; ++r) lambda[3 * b + r] = dot3(w + 6 * r, x);
  }
}

void RoundContacts::weigh(const double* weight) {
  for (std::size_t b = 0; b < pairs_.size(); ++b) courses_[place_[b] / 4].weight[place_[b] % 4] = weight[b];
}

void RoundContacts::Ranges::clear() {
  all.clear();
  groups.clear();
  fours = 0;
}

void RoundContacts::Ranges::add(std::size_t four) {
  if (all.size() > groups.back() && all.back().end == four)
    ++all.back().end;
  else
    all.push_back({four, four + 1});
  ++fours;
}

bool RoundContacts::is_near(const Four& four) const {
  for (int lane = 0; lane < 4; ++lane)
    if (near_.has(four.first[lane]) || near_.has(four.second[lane])) return true;
  return false;
}

double RoundContacts::focus(double limit, int depth, double most) {
  near_.begin(bodies_.size() - 1);
  for (std::size_t k = 0; k < fours_.size(); ++k)
    for (int lane = 0; lane < 4; ++lane) {
      if (!(errors_[k].square[lane] > limit * limit)) continue;
      near_.add(fours_[k].first[lane]);
      near_.add(fours_[k].second[lane]);
    }
  near_.grow(pairs_, depth);
  part_.clear();
  for (std::size_t g = 0; g + 1 < groups_.size(); ++g) {
    part_.begin_group();
    for (std::size_t k = groups_[g]; k < groups_[g + 1]; ++k)
      if (is_near(fours_[k])) part_.add(k);
  }
  part_.begin_group();
  const double share = static_cast<double>(part_.fours) / static_cast<double>(fours_.size());
  focused_ = share <= most;
  if (!focused_) return 1.0;
  for (std::size_t k = 0; k < fours_.size(); ++k) {
    if (is_near(fours_[k])) continue;
    points_[k] = images_[k];
    courses_[k].age = Lanes{1.0, 1.0, 1.0, 1.0};
  }
  return share;
}

void RoundContacts::set_points(const double* points) {
  std::copy_n(points, size(), reinterpret_cast<double*>(points_.data()));
  images_ = points_;
  for (Course& course : courses_) course.age = Lanes{1.0, 1.0, 1.0, 1.0};
  refresh();
}

void RoundContacts::spread(const double* values, double* out) const {
  std::fill_n(out, size(), 0.0);
  for (std::size_t b = 0; b < pairs_.size(); ++b)
    for (std::size_t i = 0; i < 3; ++i) out[12 * (place_[b] / 4) + 4 * i + place_[b] % 4] = values[b];
}

}  // namespace carom::inline inclusion
