// Contacts for sweeps that solve four of them at once, lane by lane with the same operations, in the order of
// contact_order.h. A Kind of contact (round_contacts.h, shaped_contacts.h, normal_contacts.h) says what it knows of
// four contacts, `Four`, of so many `rows`, and of a `Body`, which has velocity, spin and `later`, what momentum adds
// before the next sweep; and in functions of four contacts each
//
//   approach         what the solution is found from, `Approach`: bodies are read here
//   solve            y, the exact solutions of the single contacts with all others held
//   act              what impulses are to bodies, `Impulse`; by_lane turns that from lanes to bodies
//   add_to_first     the impulse of one lane, to velocities or to what momentum adds later; add_to_second
//   magnitudes       |force| and |moment| of impulses
//   error            the defect of impulses, and what the residual divides it by (residual.h)
//
// Points x and their images T: a sweep solves each contact exactly with all others held, x -> T, and keeps the
// velocities of the bodies; how the next points follow from the images is said in sweep_way.h. There are no sums over
// contacts anywhere: results have the same bits for any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/base/make_room.h"
#include "carom/base/thread_team.h"
#include "carom/base/types.h"
#include "carom/inclusion/contact_order.h"
#include "carom/inclusion/four_lanes.h"
#include "carom/inclusion/sweep_way.h"

namespace carom::inline inclusion {

// Of the images of a sweep, as residual.h has it; and how many contacts are above the tolerance.
struct SweepJudgement {
  double residual = 0.0;
  Index in_error = 0;
};

// Sums of |force| and |moment| over what acts on a body.
struct ImpulseMagnitude {
  double linear, angular;
};

template <class Kind>
class FourContacts {
 public:
  virtual ~FourContacts() = default;

  // Cells of so many bodies where there are more than `from` bodies.
  void use_cells(std::size_t bodies, std::size_t from) { order_.use_cells(bodies, from); }
  // Sweeps by so many threads; their results have the same bits.
  void use_threads(int count);

  // All begin at lambda, at age one.
  void load(const double* lambda);
  // Those whose lambda is not what it was begin there anew; the others go on.
  void load_changed(const double* before, const double* lambda);
  // The image T of the last sweep.
  void store(double* lambda) const;
  // The velocities of the points, without the rounding of many sweeps.
  void refresh();

  // weight_b: how the change T - x of block b counts in what a sweep returns, the largest |T - x|^2 weight.
  void weigh(const double* weight);
  double sweep(SweepWay way);
  // At a tenth of the cost of the definition, because all is at hand here. Weighs by their scales.
  SweepJudgement judge(double tolerance);
  // From now on sweeps go over contacts of bodies near errors above `limit`, as judged last (near_errors.h), or over
  // all where that is more than the share `most`. The others stay at their images; velocities are to be made anew.
  // Returns the share that is swept.
  double focus(double limit, int depth, double most);
  void sweep_all() { order_.sweep_all(); }

  // Points and images as one vector each of `size` numbers, in an order of its own; points are set with their
  // velocities, at age one.
  Index size() const { return static_cast<Index>(4 * rows * fours_.size()); }
  const double* images() const { return reinterpret_cast<const double*>(images_.data()); }
  void set_points(const double* points);
  // A number of every block, for each of its places in these vectors; 0 where there is no contact.
  void spread(const double* values, double* out) const;

  // What a sweep reads and writes.
  std::size_t bytes() const {
    return fours_.size() * (sizeof(Four) + 2 * sizeof(Vectors) + sizeof(Course)) + bodies_.size() * sizeof(Body);
  }

 protected:
  using Four = typename Kind::Four;
  using Body = typename Kind::Body;
  static constexpr std::size_t rows = Kind::rows;

  // The impulses of block b as the Kind has them, and back.
  virtual void from_lambda(std::size_t b, const double* lambda, double* x) const = 0;
  virtual void to_lambda(std::size_t b, const double* x, double* lambda) const = 0;

  // Once order_ is found: room for all, with contacts of the ground with itself.
  void make_fours();

  ContactOrder order_;
  std::vector<Four> fours_;
  std::vector<Body> bodies_;  // at their places; the last is the ground

 private:
  struct Vectors {
    Lanes x[rows];
  };
  struct Course {
    Lanes age, weight;
    Lanes oldest, turned;  // what calms: the most an age may be; |T - x|^2 at the last turn
  };
  struct Errors {
    Lanes square;
  };
  // What threads find, the worst of all.
  struct Finding {
    Lanes largest;
    Index count;
  };
  struct Group {
    const Four *four, *end;
    Vectors *points, *images;
    Course* courses;
    Body* bodies;
    ImpulseMagnitude* magnitudes;
    Errors* errors;
    std::int32_t ground;
    double tolerance;
  };
  using Kernel = void (*)(Group, Finding&);
  struct Kernels;
  static const Kernels& kernels();
  Group group(std::size_t begin, std::size_t end, double tolerance = 0.0);
  template <class Job>
  void with_threads(const Job& job);
  ThreadTeam* team() const { return team_ && fours_.size() >= least_fours ? team_.get() : nullptr; }
  void by_colours(Kernel kernel, const ContactOrder::Ranges& ranges, int thread, Finding& finding);
  Finding collected() const;
  void set_point(std::size_t b, const double* lambda);

  // Into the kernels of every processor; said here, because a definition outside the class does not tell its uses.
  template <SweepWay way>
  [[gnu::always_inline]] static void solve(Group group, Finding& finding);
  [[gnu::always_inline]] static void add_velocities(Group group, Finding& finding);
  [[gnu::always_inline]] static void add_magnitudes(Group group, Finding& finding);
  [[gnu::always_inline]] static void find_errors(Group group, Finding& finding);
  [[gnu::always_inline]] static void add_later(Body* body, const Body* end);

  static constexpr std::size_t least_fours = 100;  // for threads: smaller piles are swept before others have woken up

  std::vector<Vectors> points_, images_;
  std::vector<Course> courses_;
  std::vector<Finding> findings_;  // by thread
  std::unique_ptr<ThreadTeam> team_;
  std::vector<ImpulseMagnitude> magnitudes_;
  std::vector<Errors> errors_;   // as judged last
  bool momentum_waits_ = false;  // velocities are those of the images; what momentum adds is in `later`
};

}  // namespace carom::inline inclusion
