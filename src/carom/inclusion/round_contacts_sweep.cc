// What is done with round contacts four at a time, compiled for what the processor has.
#include <algorithm>
#include <cmath>

#include "carom/inclusion/round_contacts.h"

namespace carom::inline inclusion {

namespace {

constexpr std::size_t least_fours = 100;  // for threads
constexpr double circles = 0.5;           // |T - x|^2 of a turn beside that of the turn before

}  // namespace

RoundContacts::Group RoundContacts::group(std::size_t begin, std::size_t end, double tolerance) {
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

void RoundContacts::use_threads(int count) {
  if (count == (team_ ? team_->count() : 1)) return;
  team_ = count > 1 ? std::make_unique<ThreadTeam>(count) : nullptr;
}

// Small piles are swept before others have woken up.
template <class Job>
void RoundContacts::with_threads(const Job& job) {
  findings_.assign(team_ ? static_cast<std::size_t>(team_->count()) : 1, Finding{});
  if (team_ && fours_.size() >= least_fours)
    team_->run([&](int thread) { job(thread, team_->count(), findings_[static_cast<std::size_t>(thread)]); });
  else
    job(0, 1, findings_[0]);
}

// Cells are dealt out: they share no bodies. Of a colour between cells one range is shared by all threads, several are
// dealt out.
void RoundContacts::by_colours(Kernel kernel, const Ranges& ranges, int thread, int threads, Finding& finding) {
  Finding found = finding;
  const auto run = [&](std::size_t begin, std::size_t end) { kernel(group(begin, end), found); };
  const Part cells = part_of(0, cell_count_, thread, threads);
  for (std::size_t r = ranges.groups[cell_groups_[cells.begin]]; r < ranges.groups[cell_groups_[cells.end]]; ++r)
    run(ranges.all[r].begin, ranges.all[r].end);
  if (threads > 1 && cell_count_ > 0) team_->barrier();
  for (std::size_t g = cell_groups_[cell_count_]; g + 1 < ranges.groups.size(); ++g) {
    const std::size_t first = ranges.groups[g], last = ranges.groups[g + 1];
    if (last - first == 1) {
      const Part part = part_of(ranges.all[first].begin, ranges.all[first].end, thread, threads);
      run(part.begin, part.end);
    } else {
      const Part part = part_of(first, last, thread, threads);
      for (std::size_t r = part.begin; r < part.end; ++r) run(ranges.all[r].begin, ranges.all[r].end);
    }
    if (threads > 1) team_->barrier();
  }
  finding = found;
}

RoundContacts::Finding RoundContacts::collected() const {
  Finding all = findings_[0];
  for (std::size_t t = 1; t < findings_.size(); ++t) {
    all.largest = findings_[t].largest <= all.largest ? all.largest : findings_[t].largest;
    all.count += findings_[t].count;
  }
  for (int k = 1; k < 4; ++k)
    if (!(all.largest[k] <= all.largest[0])) all.largest[0] = all.largest[k];
  return all;
}

// xi of the impulses whose velocities the bodies have. The fourth lanes of v, u, spin, turn: inverse masses, inertias.
struct GatheredBodies {
  Lanes v[4], u[4], spin[4], turn[4];

  template <class Four, class Body>
  [[gnu::always_inline]] GatheredBodies(const Four& four, const Body* bodies) {
    for (int k = 0; k < 4; ++k) {
      const Body &one = bodies[four.first[k]], &other = bodies[four.second[k]];
      v[k] = one.velocity;
      spin[k] = one.spin;
      u[k] = other.velocity;
      turn[k] = other.spin;
    }
    transpose(v);
    transpose(u);
    transpose(spin);
    transpose(turn);
  }
  template <class Four>
  [[gnu::always_inline]] void relative_velocity(const Four& four, Lanes* xi) const {
    Lanes rotation[3];
    for (int i = 0; i < 3; ++i) rotation[i] = four.s[0] * spin[i] + four.s[1] * turn[i];
    cross(rotation, four.n, xi);
    for (int i = 0; i < 3; ++i) xi[i] += (v[i] - u[i]) + four.c[i];
  }
};

namespace {

// y := its nearest admissible impulse: 0 where y_N <= 0, or y_T shortened to mu y_N.
[[gnu::always_inline]] inline void project(const Lanes* n, const Lanes& mu, Lanes* y) {
  const Lanes zero = {}, unity = zero + 1.0;
  Lanes y_N, square;
  dot(n, y, y_N);
  y_N = y_N > zero ? y_N : zero;
  const Lanes reach = mu * y_N;
  for (int i = 0; i < 3; ++i) y[i] -= y_N * n[i];
  dot(y, y, square);
  Lanes length = square;
  square_root(length);
  const Lanes shrink = square > reach * reach ? reach / length : unity;
  for (int i = 0; i < 3; ++i) y[i] = y_N * n[i] + shrink * y[i];
}

}  // namespace

// In three parts, each for a few fours in turn: one contact is a long chain of operations that wait for each other (a
// root and two divisions among them), longer than what a processor looks ahead. Short loops let it work on several at
// once.
template <SweepWay way>
[[gnu::always_inline]] inline void RoundContacts::solve(Group group, Finding& finding) {
  constexpr bool calmed = way == SweepWay::calmed, momentum = calmed || way == SweepWay::momentum;
  constexpr std::ptrdiff_t together = 8;
  struct {
    Lanes y[3];
    Lanes linear[2], angular[2];  // what impulses and their moments do to velocities and spins of both bodies
    Lanes change[4], moment[4], ahead[4], later[4];  // the last of each: nothing
  } work[together];
  for (auto& w : work) w.change[3] = w.moment[3] = w.ahead[3] = w.later[3] = Lanes{};
  [[maybe_unused]] const Lanes zero = {}, unity = zero + 1.0;
  Lanes largest = finding.largest;
  while (group.four != group.end) {
    const std::ptrdiff_t count = std::min(together, group.end - group.four);
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const Four& four = group.four[k];
      auto& w = work[k];
      const GatheredBodies bodies(four, group.bodies);
      const Lanes* point = group.points[k].x;
      Lanes n[3], xi[3], difference;
      for (int i = 0; i < 3; ++i) n[i] = four.n[i];
      bodies.relative_velocity(four, xi);
      dot(n, xi, difference);
      difference *= four.difference;
      for (int i = 0; i < 3; ++i) w.y[i] = point[i] - four.inverse_e * xi[i] + difference * n[i];
      w.linear[0] = bodies.v[3];
      w.linear[1] = bodies.u[3];
      w.angular[0] = four.s[0] * bodies.spin[3];
      w.angular[1] = four.s[1] * bodies.turn[3];
    }
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const Four& four = group.four[k];
      auto& w = work[k];
      Lanes *point = group.points[k].x, *image = group.images[k].x;
      Lanes n[3], y[3], change[3], weighed;
      for (int i = 0; i < 3; ++i) {
        n[i] = four.n[i];
        y[i] = w.y[i];
      }
      project(n, four.mu, y);
      if constexpr (way == SweepWay::relaxed)
        for (int i = 0; i < 3; ++i) y[i] = point[i] + relaxation * (y[i] - point[i]);
      for (int i = 0; i < 3; ++i) w.change[i] = change[i] = y[i] - point[i];
      cross(n, change, w.moment);
      dot(change, change, weighed);
      [[maybe_unused]] const Lanes square = weighed;
      weighed *= group.courses[k].weight;
      largest = weighed <= largest ? largest : weighed;
      if constexpr (momentum) {
        Lanes ahead[3], turned;
        for (int i = 0; i < 3; ++i) ahead[i] = y[i] - image[i];
        dot(change, ahead, turned);
        Course& course = group.courses[k];
        Lanes age = turned < zero ? unity : course.age + 1.0;
        if constexpr (calmed) {
          const Lanes half = 0.5 * course.age, twice = 2.0 * course.oldest;
          const Lanes limit = square > circles * course.turned ? (half > unity ? half : unity) : twice;
          course.oldest = turned < zero ? limit : course.oldest;
          course.turned = turned < zero ? square : course.turned;
          age = age < course.oldest ? age : course.oldest;
        }
        const Lanes beta = (age - 1.0) / (age + 2.0);
        course.age = age;
        for (int i = 0; i < 3; ++i) {
          w.ahead[i] = ahead[i] *= beta;
          image[i] = y[i];
          point[i] = y[i] + ahead[i];
        }
        cross(n, ahead, w.later);
      } else {
        for (int i = 0; i < 3; ++i) image[i] = point[i] = y[i];
      }
    }
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const Four& four = group.four[k];
      auto& w = work[k];
      Lanes change[4], moment[4], ahead[4], later[4];
      for (int i = 0; i < 4; ++i) {
        change[i] = w.change[i];
        moment[i] = w.moment[i];
        if constexpr (momentum) {
          ahead[i] = w.ahead[i];
          later[i] = w.later[i];
        }
      }
      transpose(change);
      transpose(moment);
      if constexpr (momentum) {
        transpose(ahead);
        transpose(later);
      }
      for (int lane = 0; lane < 4; ++lane) {
        if (four.first[lane] == group.ground) continue;
        Body& one = group.bodies[four.first[lane]];
        one.velocity += w.linear[0][lane] * change[lane];
        one.spin += w.angular[0][lane] * moment[lane];
        if constexpr (momentum) {
          one.later[0] += w.linear[0][lane] * ahead[lane];
          one.later[1] += w.angular[0][lane] * later[lane];
        }
        if (four.second[lane] == group.ground) continue;
        Body& other = group.bodies[four.second[lane]];
        other.velocity -= w.linear[1][lane] * change[lane];
        other.spin += w.angular[1][lane] * moment[lane];
        if constexpr (momentum) {
          other.later[0] -= w.linear[1][lane] * ahead[lane];
          other.later[1] += w.angular[1][lane] * later[lane];
        }
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
[[gnu::always_inline]] inline void RoundContacts::add_velocities(Group group, Finding& /*unused*/) {
  for (const Four* four = group.four; four != group.end; ++four, ++group.points) {
    Lanes force[4] = {}, moment[4] = {};
    for (int i = 0; i < 3; ++i) force[i] = group.points->x[i];
    cross(four->n, force, moment);
    transpose(force);
    transpose(moment);
    for (int k = 0; k < 4; ++k) {
      if (four->first[k] == group.ground) continue;
      Body& one = group.bodies[four->first[k]];
      one.velocity += one.velocity[3] * force[k];
      one.spin += (four->s[0][k] * one.spin[3]) * moment[k];
      if (four->second[k] == group.ground) continue;
      Body& other = group.bodies[four->second[k]];
      other.velocity -= other.velocity[3] * force[k];
      other.spin += (four->s[1][k] * other.spin[3]) * moment[k];
    }
  }
}

// Of the images.
[[gnu::always_inline]] inline void RoundContacts::add_magnitudes(Group group, Finding& /*unused*/) {
  const Lanes zero = {};
  for (const Four* four = group.four; four != group.end; ++four, ++group.images) {
    const Lanes* x = group.images->x;
    Lanes moment[3];
    cross(four->n, x, moment);
    Lanes linear, angular;
    dot(x, x, linear);
    dot(moment, moment, angular);
    square_root(linear);
    square_root(angular);
    const Lanes one = angular * (four->s[0] < zero ? -four->s[0] : four->s[0]);
    const Lanes other = angular * (four->s[1] < zero ? -four->s[1] : four->s[1]);
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

// Where the velocities are those of the images. rho = e; |W_bk| of a 3-block: 1, 1, 1 and 0, |s|, |s| by rows.
[[gnu::always_inline]] inline void RoundContacts::find_errors(Group group, Finding& finding) {
  const Lanes zero = {}, unity = zero + 1.0;
  Lanes largest = finding.largest;
  const double square_tolerance = group.tolerance * group.tolerance;
  for (const Four* four = group.four; four != group.end; ++four, ++group.images, ++group.courses, ++group.errors) {
    const Lanes* x = group.images->x;
    const GatheredBodies bodies(*four, group.bodies);
    Lanes xi[3], y[3];
    bodies.relative_velocity(*four, xi);
    for (int i = 0; i < 3; ++i) y[i] = x[i] - four->inverse_e * xi[i];
    project(four->n, four->mu, y);
    for (int i = 0; i < 3; ++i) y[i] -= x[i];
    const Magnitude* m = group.magnitudes;
    const std::int32_t *p = four->first, *q = four->second;
    const Lanes linear_one = {m[p[0]].linear, m[p[1]].linear, m[p[2]].linear, m[p[3]].linear};
    const Lanes linear_other = {m[q[0]].linear, m[q[1]].linear, m[q[2]].linear, m[q[3]].linear};
    const Lanes angular_one = {m[p[0]].angular, m[p[1]].angular, m[p[2]].angular, m[p[3]].angular};
    const Lanes angular_other = {m[q[0]].angular, m[q[1]].angular, m[q[2]].angular, m[q[3]].angular};
    const Lanes normal = linear_one * bodies.v[3] + linear_other * bodies.u[3];
    const Lanes lever_one = four->s[0] < zero ? -four->s[0] : four->s[0];
    const Lanes lever_other = four->s[1] < zero ? -four->s[1] : four->s[1];
    Lanes given, error;
    Lanes scale = normal + lever_one * angular_one * bodies.spin[3] + lever_other * angular_other * bodies.turn[3];
    scale = normal * normal + 2.0 * scale * scale;
    dot(four->c, four->c, given);
    square_root(scale);
    square_root(given);
    const Lanes unit = four->inverse_e * (scale + given);  // of impulses
    const Lanes weight = unit > zero ? unity / (unit * unit) : zero;
    group.courses->weight = weight;
    dot(y, y, error);
    error *= weight;
    group.errors->square = error;
    largest = error <= largest ? largest : error;
    for (int k = 0; k < 4; ++k) finding.count += error[k] > square_tolerance ? 1 : 0;
  }
  finding.largest = largest;
}

// What momentum adds to the velocities before a sweep.
[[gnu::always_inline]] inline void RoundContacts::add_later(Body* body, const Body* end) {
  for (; body != end; ++body) {
    body->velocity += body->later[0];
    body->spin += body->later[1];
    body->later[0] = body->later[1] = Lanes{};
  }
}

// The same operations on every lane whatever the processor, so that the bits are the same too. More registers, not
// wider ones, are what AVX-512 adds: a sweep has some forty vectors in use at a time.
struct RoundContacts::Kernels {
  Kernel sweeps[4];  // by SweepWay
  Kernel add_velocities, add_magnitudes, find_errors;
  void (*add_later)(Body* body, const Body* end);

#define CAROM_ROUND_KERNELS(Name, ...)                                                                                \
  struct Name {                                                                                                       \
    template <SweepWay way>                                                                                           \
    __VA_ARGS__ static void sweep(Group group, Finding& finding) {                                                    \
      solve<way>(group, finding);                                                                                     \
    }                                                                                                                 \
    __VA_ARGS__ static void velocities(Group group, Finding& finding) {                                               \
      RoundContacts::add_velocities(group, finding);                                                                  \
    }                                                                                                                 \
    __VA_ARGS__ static void magnitudes(Group group, Finding& finding) {                                               \
      RoundContacts::add_magnitudes(group, finding);                                                                  \
    }                                                                                                                 \
    __VA_ARGS__ static void errors(Group group, Finding& finding) { RoundContacts::find_errors(group, finding); }     \
    __VA_ARGS__ static void later(Body* body, const Body* end) { RoundContacts::add_later(body, end); }               \
    static Kernels all() {                                                                                            \
      return {{sweep<SweepWay::plain>, sweep<SweepWay::momentum>, sweep<SweepWay::calmed>, sweep<SweepWay::relaxed>}, \
              velocities,                                                                                             \
              magnitudes,                                                                                             \
              errors,                                                                                                 \
              later};                                                                                                 \
    }                                                                                                                 \
  };
  CAROM_ROUND_KERNELS(Plain)
#if defined(__x86_64__)
  CAROM_ROUND_KERNELS(Wide, [[gnu::target("avx2")]])
  CAROM_ROUND_KERNELS(Roomy, [[gnu::target("avx512f,avx512vl,avx512dq")]])
#endif
#undef CAROM_ROUND_KERNELS

  static Kernels suitable() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) return Roomy::all();
    if (__builtin_cpu_supports("avx2")) return Wide::all();
#endif
    return Plain::all();
  }
};

const RoundContacts::Kernels& RoundContacts::kernels() {
  static const Kernels kernels = Kernels::suitable();
  return kernels;
}

void RoundContacts::refresh() {
  with_threads([&](int thread, int threads, Finding& finding) {
    const Part part = part_of(0, bodies_.size(), thread, threads);
    for (std::size_t k = part.begin; k < part.end; ++k) {
      bodies_[k].velocity = Lanes{0.0, 0.0, 0.0, bodies_[k].velocity[3]};
      bodies_[k].spin = Lanes{0.0, 0.0, 0.0, bodies_[k].spin[3]};
      bodies_[k].later[0] = bodies_[k].later[1] = Lanes{};
    }
    if (threads > 1) team_->barrier();
    by_colours(kernels().add_velocities, whole_, thread, threads, finding);
  });
  momentum_waits_ = false;
}

void RoundContacts::add_momentum(int thread, int threads) {
  const Part part = part_of(0, bodies_.size(), thread, threads);
  kernels().add_later(bodies_.data() + part.begin, bodies_.data() + part.end);
  if (threads > 1) team_->barrier();
}

double RoundContacts::sweep(SweepWay way) {
  const Kernel kernel = kernels().sweeps[static_cast<int>(way)];
  with_threads([&](int thread, int threads, Finding& finding) {
    if (momentum_waits_) add_momentum(thread, threads);
    by_colours(kernel, swept(), thread, threads, finding);
  });
  momentum_waits_ = way == SweepWay::momentum || way == SweepWay::calmed;
  return collected().largest[0];
}

RoundContacts::Judgement RoundContacts::judge(double tolerance) {
  magnitudes_.assign(bodies_.size(), {});
  with_threads([&](int thread, int threads, Finding& finding) {
    by_colours(kernels().add_magnitudes, whole_, thread, threads, finding);
    const Part part = part_of(0, fours_.size(), thread, threads);
    kernels().find_errors(group(part.begin, part.end, tolerance), finding);
  });
  const Finding all = collected();
  return {std::sqrt(all.largest[0]), all.count};
}

}  // namespace carom::inline inclusion
