// What four_contacts.h declares, compiled for what the processor has: included where a Kind of contacts is made.
#pragma once

#include <algorithm>
#include <cmath>

#include "carom/inclusion/four_contacts.h"

namespace carom::inline inclusion {

template <class Kind>
void FourContacts<Kind>::make_fours() {
  const std::size_t fours = order_.fours();
  const auto ground = static_cast<std::int32_t>(bodies_.size()) - 1;
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
  make_room(errors_, fours);
  errors_.assign(fours, Errors{});
}

template <class Kind>
void FourContacts<Kind>::set_point(std::size_t b, const double* lambda) {
  const std::size_t four = order_.place(b) / 4, lane = order_.place(b) % 4;
  double x[rows];
  from_lambda(b, lambda, x);
  for (std::size_t i = 0; i < rows; ++i) points_[four].x[i][lane] = images_[four].x[i][lane] = x[i];
  courses_[four].age[lane] = 1.0;
}

template <class Kind>
void FourContacts<Kind>::load(const double* lambda) {
  for (std::size_t b = 0; b < order_.contacts(); ++b) set_point(b, lambda + rows * b);
  refresh();
}

template <class Kind>
void FourContacts<Kind>::load_changed(const double* before, const double* lambda) {
  for (std::size_t b = 0; b < order_.contacts(); ++b)
    if (!std::equal(before + rows * b, before + rows * (b + 1), lambda + rows * b)) set_point(b, lambda + rows * b);
  refresh();
}

template <class Kind>
void FourContacts<Kind>::store(double* lambda) const {
  for (std::size_t b = 0; b < order_.contacts(); ++b) {
    const Lanes* image = images_[order_.place(b) / 4].x;
    const std::size_t lane = order_.place(b) % 4;
    double x[rows];
    for (std::size_t i = 0; i < rows; ++i) x[i] = image[i][lane];
    to_lambda(b, x, lambda + rows * b);
  }
}

template <class Kind>
void FourContacts<Kind>::weigh(const double* weight) {
  for (std::size_t b = 0; b < order_.contacts(); ++b)
    courses_[order_.place(b) / 4].weight[order_.place(b) % 4] = weight[b];
}

template <class Kind>
double FourContacts<Kind>::focus(double limit, int depth, double most) {
  const auto in_error = [&](std::size_t place) { return errors_[place / 4].square[place % 4] > limit * limit; };
  const double share = order_.focus(in_error, depth, most);
  if (share == 1.0) return share;
  for (std::size_t k = 0; k < fours_.size(); ++k) {
    if (order_.is_near(k)) continue;
    points_[k] = images_[k];
    courses_[k].age = Lanes{1.0, 1.0, 1.0, 1.0};
  }
  return share;
}

template <class Kind>
void FourContacts<Kind>::set_points(const double* points) {
  std::copy_n(points, size(), reinterpret_cast<double*>(points_.data()));
  images_ = points_;
  for (Course& course : courses_) course.age = Lanes{1.0, 1.0, 1.0, 1.0};
  refresh();
}

template <class Kind>
void FourContacts<Kind>::spread(const double* values, double* out) const {
  std::fill_n(out, size(), 0.0);
  for (std::size_t b = 0; b < order_.contacts(); ++b)
    for (std::size_t i = 0; i < rows; ++i)
      out[4 * rows * (order_.place(b) / 4) + 4 * i + order_.place(b) % 4] = values[b];
}

template <class Kind>
typename FourContacts<Kind>::Group FourContacts<Kind>::group(std::size_t begin, std::size_t end, double tolerance) {
  return {fours_.data() + begin,
          fours_.data() + end,
          points_.data() + begin,
          images_.data() + begin,
          courses_.data() + begin,
          bodies_.data(),
          magnitudes_.data(),
          errors_.data() + begin,
          static_cast<std::int32_t>(bodies_.size()) - 1,
          tolerance};
}

template <class Kind>
void FourContacts<Kind>::use_threads(int count) {
  if (count == (team_ ? team_->count() : 1)) return;
  team_ = count > 1 ? std::make_unique<ThreadTeam>(count) : nullptr;
}

template <class Kind>
template <class Job>
void FourContacts<Kind>::with_threads(const Job& job) {
  findings_.assign(team_ ? static_cast<std::size_t>(team_->count()) : 1, Finding{});
  if (ThreadTeam* all = team())
    all->run([&](int thread) { job(thread, all->count(), findings_[static_cast<std::size_t>(thread)]); });
  else
    job(0, 1, findings_[0]);
}

template <class Kind>
void FourContacts<Kind>::by_colours(Kernel kernel, const ContactOrder::Ranges& ranges, int thread, Finding& finding) {
  Finding found = finding;
  order_.by_colours(ranges, thread, team(),
                    [&](std::size_t begin, std::size_t end) { kernel(group(begin, end), found); });
  finding = found;
}

template <class Kind>
typename FourContacts<Kind>::Finding FourContacts<Kind>::collected() const {
  Finding all = findings_[0];
  for (std::size_t t = 1; t < findings_.size(); ++t) {
    all.largest = findings_[t].largest <= all.largest ? all.largest : findings_[t].largest;
    all.count += findings_[t].count;
  }
  for (int k = 1; k < 4; ++k)
    if (!(all.largest[k] <= all.largest[0])) all.largest[0] = all.largest[k];
  return all;
}

// a'b of so many rows.
template <std::size_t rows>
[[gnu::always_inline]] inline void product(const Lanes* a, const Lanes* b, Lanes& y) {
  y = a[0] * b[0];
  for (std::size_t i = 1; i < rows; ++i) y += a[i] * b[i];
}

// The age of four contacts after a sweep; change: T - x, ahead: T - T_last. Returns beta (sweep_way.h).
template <SweepWay way, std::size_t rows, class Course>
[[gnu::always_inline]] inline void grow_older(const Lanes* change, const Lanes& square, const Lanes* ahead,
                                              Course& course, Lanes& beta) {
  constexpr double circles = 0.5;  // |T - x|^2 of a turn beside that of the turn before
  const Lanes zero = {}, unity = zero + 1.0;
  Lanes turned;
  product<rows>(change, ahead, turned);
  Lanes age = turned < zero ? unity : course.age + 1.0;
  if constexpr (way == SweepWay::calmed) {
    const Lanes half = 0.5 * course.age, twice = 2.0 * course.oldest;
    const Lanes limit = square > circles * course.turned ? (half > unity ? half : unity) : twice;
    course.oldest = turned < zero ? limit : course.oldest;
    course.turned = turned < zero ? square : course.turned;
    age = age < course.oldest ? age : course.oldest;
  }
  beta = (age - 1.0) / (age + 2.0);
  course.age = age;
}

// In three parts, each for a few fours in turn: one contact is a long chain of operations that wait for each other (a
// root and two divisions among them), longer than what a processor looks ahead. Short loops let it work on several at
// once.
template <class Kind>
template <SweepWay way>
inline void FourContacts<Kind>::solve(Group group, Finding& finding) {
  constexpr bool momentum = way == SweepWay::momentum || way == SweepWay::calmed;
  constexpr std::ptrdiff_t together = 8;
  struct {
    typename Kind::Approach approach;
    typename Kind::Impulse change, ahead;
  } work[together];
  Lanes largest = finding.largest;
  while (group.four != group.end) {
    const std::ptrdiff_t count = std::min(together, group.end - group.four);
    for (std::ptrdiff_t k = 0; k < count; ++k)
      Kind::approach(group.four[k], group.points[k].x, group.bodies, work[k].approach);
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const Four& four = group.four[k];
      auto& w = work[k];
      Lanes *point = group.points[k].x, *image = group.images[k].x;
      Lanes y[rows], change[rows], square;
      Kind::solve(four, point, w.approach, y);
      if constexpr (way == SweepWay::relaxed)
        for (std::size_t i = 0; i < rows; ++i) y[i] = point[i] + relaxation * (y[i] - point[i]);
      for (std::size_t i = 0; i < rows; ++i) change[i] = y[i] - point[i];
      Kind::act(four, change, w.change);
      product<rows>(change, change, square);
      const Lanes weighed = square * group.courses[k].weight;
      largest = weighed <= largest ? largest : weighed;
      if constexpr (momentum) {
        Lanes ahead[rows], beta;
        for (std::size_t i = 0; i < rows; ++i) ahead[i] = y[i] - image[i];
        grow_older<way, rows>(change, square, ahead, group.courses[k], beta);
        for (std::size_t i = 0; i < rows; ++i) {
          ahead[i] *= beta;
          image[i] = y[i];
          point[i] = y[i] + ahead[i];
        }
        Kind::act(four, ahead, w.ahead);
      } else {
        for (std::size_t i = 0; i < rows; ++i) image[i] = point[i] = y[i];
      }
    }
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const Four& four = group.four[k];
      typename Kind::Impulse change = work[k].change;
      Kind::by_lane(change);
      [[maybe_unused]] typename Kind::Impulse ahead;
      if constexpr (momentum) {
        ahead = work[k].ahead;
        Kind::by_lane(ahead);
      }
      for (int lane = 0; lane < 4; ++lane) {
        if (four.first[lane] == group.ground) continue;
        Body& one = group.bodies[four.first[lane]];
        Kind::add_to_first(four, change, lane, one, one.velocity, one.spin);
        if constexpr (momentum) Kind::add_to_first(four, ahead, lane, one, one.later[0], one.later[1]);
        if (four.second[lane] == group.ground) continue;
        Body& other = group.bodies[four.second[lane]];
        Kind::add_to_second(four, change, lane, other, other.velocity, other.spin);
        if constexpr (momentum) Kind::add_to_second(four, ahead, lane, other, other.later[0], other.later[1]);
      }
    }
    group.four += count;
    group.points += count;
    group.images += count;
    group.courses += count;
  }
  finding.largest = largest;
}

// Of the points.
template <class Kind>
inline void FourContacts<Kind>::add_velocities(Group group, Finding& /*unused*/) {
  for (const Four* four = group.four; four != group.end; ++four, ++group.points) {
    typename Kind::Impulse impulse;
    Kind::act(*four, group.points->x, impulse);
    Kind::by_lane(impulse);
    for (int lane = 0; lane < 4; ++lane) {
      if (four->first[lane] == group.ground) continue;
      Body& one = group.bodies[four->first[lane]];
      Kind::add_to_first(*four, impulse, lane, one, one.velocity, one.spin);
      if (four->second[lane] == group.ground) continue;
      Body& other = group.bodies[four->second[lane]];
      Kind::add_to_second(*four, impulse, lane, other, other.velocity, other.spin);
    }
  }
}

// Of the images.
template <class Kind>
inline void FourContacts<Kind>::add_magnitudes(Group group, Finding& /*unused*/) {
  for (const Four* four = group.four; four != group.end; ++four, ++group.images) {
    Lanes linear, one, other;
    Kind::magnitudes(*four, group.images->x, linear, one, other);
    for (int k = 0; k < 4; ++k) {
      if (four->first[k] == group.ground) continue;
      group.magnitudes[four->first[k]].linear += linear[k];
      group.magnitudes[four->first[k]].angular += one[k];
      if (four->second[k] == group.ground) continue;
      group.magnitudes[four->second[k]].linear += linear[k];
      group.magnitudes[four->second[k]].angular += other[k];
    }
  }
}

// Where the velocities are those of the images.
template <class Kind>
inline void FourContacts<Kind>::find_errors(Group group, Finding& finding) {
  const Lanes zero = {}, unity = zero + 1.0;
  Lanes largest = finding.largest;
  const double square_tolerance = group.tolerance * group.tolerance;
  for (const Four* four = group.four; four != group.end; ++four, ++group.images, ++group.courses, ++group.errors) {
    Lanes defect[rows], unit, error;
    Kind::error(*four, group.images->x, group.bodies, group.magnitudes, defect, unit);
    const Lanes weight = unit > zero ? unity / (unit * unit) : zero;
    group.courses->weight = weight;
    product<rows>(defect, defect, error);
    error *= weight;
    group.errors->square = error;
    largest = error <= largest ? largest : error;
    for (int k = 0; k < 4; ++k) finding.count += error[k] > square_tolerance ? 1 : 0;
  }
  finding.largest = largest;
}

// What momentum adds to the velocities before a sweep.
template <class Kind>
inline void FourContacts<Kind>::add_later(Body* body, const Body* end) {
  for (; body != end; ++body) {
    body->velocity += body->later[0];
    body->spin += body->later[1];
    body->later[0] = body->later[1] = Lanes{};
  }
}

// The same operations on every lane whatever the processor, so that the bits are the same too. More registers, not
// wider ones, are what AVX-512 adds: a sweep has some forty vectors in use at a time.
template <class Kind>
struct FourContacts<Kind>::Kernels {
  Kernel sweeps[4];  // by SweepWay
  Kernel add_velocities, add_magnitudes, find_errors;
  void (*add_later)(Body* body, const Body* end);

#define CAROM_FOUR_KERNELS(Name, ...)                                                                                 \
  struct Name {                                                                                                       \
    template <SweepWay way>                                                                                           \
    __VA_ARGS__ static void sweep(Group group, Finding& finding) {                                                    \
      FourContacts::solve<way>(group, finding);                                                                       \
    }                                                                                                                 \
    __VA_ARGS__ static void velocities(Group group, Finding& finding) {                                               \
      FourContacts::add_velocities(group, finding);                                                                   \
    }                                                                                                                 \
    __VA_ARGS__ static void magnitudes(Group group, Finding& finding) {                                               \
      FourContacts::add_magnitudes(group, finding);                                                                   \
    }                                                                                                                 \
    __VA_ARGS__ static void errors(Group group, Finding& finding) { FourContacts::find_errors(group, finding); }      \
    __VA_ARGS__ static void later(Body* body, const Body* end) { FourContacts::add_later(body, end); }                \
    static Kernels all() {                                                                                            \
      return {{sweep<SweepWay::plain>, sweep<SweepWay::momentum>, sweep<SweepWay::calmed>, sweep<SweepWay::relaxed>}, \
              velocities,                                                                                             \
              magnitudes,                                                                                             \
              errors,                                                                                                 \
              later};                                                                                                 \
    }                                                                                                                 \
  };
  CAROM_FOUR_KERNELS(Plain)
#if defined(__x86_64__)
  CAROM_FOUR_KERNELS(Wide, [[gnu::target("avx2")]])
  CAROM_FOUR_KERNELS(Roomy, [[gnu::target("avx512f,avx512vl,avx512dq")]])
#endif
#undef CAROM_FOUR_KERNELS

  static Kernels suitable() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) return Roomy::all();
    if (__builtin_cpu_supports("avx2")) return Wide::all();
#endif
    return Plain::all();
  }
};

template <class Kind>
const typename FourContacts<Kind>::Kernels& FourContacts<Kind>::kernels() {
  static const Kernels kernels = Kernels::suitable();
  return kernels;
}

template <class Kind>
void FourContacts<Kind>::refresh() {
  with_threads([&](int thread, int threads, Finding& finding) {
    const Part part = part_of(0, bodies_.size(), thread, threads);
    for (std::size_t k = part.begin; k < part.end; ++k) {
      bodies_[k].velocity = Lanes{0.0, 0.0, 0.0, bodies_[k].velocity[3]};
      bodies_[k].spin = Lanes{0.0, 0.0, 0.0, bodies_[k].spin[3]};
      bodies_[k].later[0] = bodies_[k].later[1] = Lanes{};
    }
    if (threads > 1) team_->barrier();
    by_colours(kernels().add_velocities, order_.all(), thread, finding);
  });
  momentum_waits_ = false;
}

template <class Kind>
double FourContacts<Kind>::sweep(SweepWay way) {
  const Kernel kernel = kernels().sweeps[static_cast<int>(way)];
  with_threads([&](int thread, int threads, Finding& finding) {
    if (momentum_waits_) {
      const Part part = part_of(0, bodies_.size(), thread, threads);
      kernels().add_later(bodies_.data() + part.begin, bodies_.data() + part.end);
      if (threads > 1) team_->barrier();
    }
    by_colours(kernel, order_.swept(), thread, finding);
  });
  momentum_waits_ = way == SweepWay::momentum || way == SweepWay::calmed;
  return collected().largest[0];
}

template <class Kind>
SweepJudgement FourContacts<Kind>::judge(double tolerance) {
  magnitudes_.assign(bodies_.size(), {});
  with_threads([&](int thread, int threads, Finding& finding) {
    by_colours(kernels().add_magnitudes, order_.all(), thread, finding);
    const Part part = part_of(0, fours_.size(), thread, threads);
    kernels().find_errors(group(part.begin, part.end, tolerance), finding);
  });
  const Finding all = collected();
  return {std::sqrt(all.largest[0]), all.count};
}

}  // namespace carom::inline inclusion
