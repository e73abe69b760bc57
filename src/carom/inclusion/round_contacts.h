// Contacts of spheres for sweeps: all levers point along the normal n, all inertias are multiples of the identity.
// Impulses are kept as vectors of the world, x = F' lambda, so that a contact needs neither its tangents nor its
// lever matrices:
//
//   xi = v_1 - v_2 + (s_1 omega_1 + s_2 omega_2) x n + c          s_i: levers along n
//   v_1 += dx / m_1,   v_2 -= dx / m_2,   omega_i += s_i / I_i  n x dx
//
// The exact solution of the one contact, T: y = x - xi_N n / a - xi_T / e with G_bb = diag(a, e, e); then 0 where
// y_N <= 0, or y_T shortened to mu y_N. A contact is 96 bytes with 64 of its impulses, a body 128. Four contacts are
// solved at once, lane by lane with the same operations.
//
// Sweeps go by colours: contacts of one colour share no body, so that they may be solved at once, by any number of
// threads, with the same bits; and a processor need not wait for one before it begins the next. There are no sums over
// contacts anywhere. It takes as many sweeps as the order of the blocks does (docs/theory/large_problems.md).
//
// Large piles are cut into cells of bodies that hang together. Contacts within a cell are swept cell by cell, each by
// its colours, so that its bodies stay in a core's cache; then come the contacts between cells, by theirs. Cells share
// no bodies: threads wait for each other once for all cells, not once a colour.
//
// Momentum, and other ways of a sweep: sweep_way.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "carom/base/thread_team.h"
#include "carom/inclusion/four_lanes.h"
#include "carom/inclusion/inclusion_problem.h"
#include "carom/inclusion/near_errors.h"
#include "carom/inclusion/sweep_way.h"

namespace carom::inline inclusion {

class RoundContacts {
 public:
  // False: a block of the problem is no such contact, up to the share `exactness` of its levers. The problem must
  // outlive this.
  bool build(const InclusionProblem& problem, double exactness);
  // Cells of so many bodies where there are more than `from` bodies.
  void use_cells(std::size_t bodies, std::size_t from) {
    cell_bodies_ = bodies;
    cells_from_ = from;
  }
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
  // The residual of the images after a sweep (residual.h), at a tenth of its cost because all is at hand here, and how
  // many contacts are above the tolerance. Weighs by their scales.
  struct Judgement {
    double residual = 0.0;
    Index in_error = 0;
  };
  Judgement judge(double tolerance);
  // From now on sweeps go over contacts of bodies near errors above `limit`, as judged last (near_errors.h), or over
  // all where that is more than the share `most`. The others stay at their images; velocities are to be made anew.
  // Returns the share that is swept.
  double focus(double limit, int depth, double most);
  void sweep_all() { focused_ = false; }

  // Points and images as one vector each of `size` numbers, in an order of its own; points are set with their
  // velocities, at age one.
  Index size() const { return static_cast<Index>(12 * fours_.size()); }
  const double* images() const { return reinterpret_cast<const double*>(images_.data()); }
  void set_points(const double* points);
  // A number of every block, for each of its three places in these vectors; 0 where there is no contact.
  void spread(const double* values, double* out) const;

  // What a sweep reads and writes.
  std::size_t bytes() const {
    return fours_.size() * (sizeof(Four) + 2 * sizeof(Vectors) + sizeof(Course)) + bodies_.size() * sizeof(Body);
  }

 private:
  struct Contact {
    std::int32_t first, second;  // bodies; second: the ground where there is none
    double n[3], c[3];
    double inverse_a, inverse_e, mu;
    double s[2];
  };
  // Four contacts of one colour, by lanes. Lanes that are left over hold contacts of the ground with itself.
  struct Four {
    std::int32_t first[4], second[4];
    Lanes n[3], c[3];
    Lanes inverse_e, difference, mu;  // 1/e, 1/e - 1/a
    Lanes s[2];
  };
  static_assert(sizeof(Four) == 4 * 96);
  struct Vectors {
    Lanes x[3];
  };
  struct Course {
    Lanes age, weight;
    Lanes oldest, turned;  // what calms: the most an age may be; |T - x|^2 at the last turn
  };
  struct Errors {
    Lanes square;
  };
  struct Body {
    Lanes velocity;  // three, and the inverse of the mass
    Lanes spin;      // three, and the inverse of the inertia
    Lanes later[2];  // what momentum adds to both before the next sweep, and nothing

    // While contacts are read, in `later` and one more place: from the world's axes to its own, in which W and the
    // inertias are given.
    void keep_axes(const Matrix3& Q) {
      const double* q = Q.data();
      for (int i = 0; i < 8; ++i) later[i / 4][i % 4] = q[i];
      velocity[0] = q[8];
    }
    Matrix3 axes() const {
      Matrix3 Q;
      for (int i = 0; i < 8; ++i) Q.data()[i] = later[i / 4][i % 4];
      Q.data()[8] = velocity[0];
      return Q;
    }
  };
  static_assert(sizeof(Body) == 128);

  bool find_bodies(const InclusionProblem& problem);
  bool read(const InclusionProblem& problem, std::size_t b, double exactness, Contact& contact);
  void find_cells();
  void find_neighbours();
  void order();
  // Places for these blocks from a Four on; the Four behind them.
  std::size_t order_cell(const std::uint32_t* begin, const std::uint32_t* end, std::size_t fours);
  void put(std::size_t place, const Contact& contact);
  void set_point(std::size_t place, const double* lambda);
  // Sums over what acts on a body: |impulse| / m, |moment| / I.
  struct Magnitude {
    double linear, angular;
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
    Magnitude* magnitudes;
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
  const Ranges& swept() const { return focused_ ? part_ : whole_; }
  bool is_near(const Four& four) const;
  // The kernel for the parts of each colour in turn.
  void by_colours(Kernel kernel, const Ranges& ranges, int thread, int threads, Finding& finding);
  void add_momentum(int thread, int threads);
  Finding collected() const;

  template <SweepWay way>
  static void solve(Group group, Finding& finding);
  static void add_velocities(Group group, Finding& finding);
  static void add_magnitudes(Group group, Finding& finding);
  static void find_errors(Group group, Finding& finding);
  static void add_later(Body* body, const Body* end);

  const ConstraintJacobian* W_ = nullptr;
  struct Pair {
    std::int32_t first, second;  // as in Contact
  };
  std::vector<Pair> pairs_;                                              // in the order of the blocks
  std::size_t cell_bodies_ = 1024, cells_from_ = 3000, cell_count_ = 0;  // 128 bytes each
  std::vector<std::int32_t> place_of_, by_place_;                        // of bodies, where there are cells
  std::vector<std::uint32_t> neighbours_begin_;                          // of a body; the last is the end
  std::vector<std::int32_t> neighbours_;
  std::vector<std::size_t> cells_;  // begins in by_cell_: of each cell, then of what is between; the last is the end
  std::vector<std::uint32_t> by_cell_;    // blocks
  std::vector<std::size_t> cell_groups_;  // begins in groups_, likewise
  std::vector<Four> fours_;               // by cell and colour; of a colour, pairs of bodies first
  std::vector<Vectors> points_, images_;
  std::vector<Course> courses_;
  std::vector<std::uint32_t> place_;  // of a block: four times its Four, and its lane
  std::vector<std::size_t> groups_;   // begins of the colours of all cells in fours_; the last is the end
  std::vector<std::uint64_t> taken_;  // colours by body
  std::vector<std::uint8_t> colour_;
  std::vector<Finding> findings_;  // by thread
  std::unique_ptr<ThreadTeam> team_;
  std::vector<Body> bodies_;  // the last is the ground
  struct Inverses {
    double mass, inertia;
  };
  std::vector<Inverses> inverses_;  // of bodies before they got their places
  std::vector<Magnitude> magnitudes_;
  std::vector<Errors> errors_;  // as judged last
  NearErrors near_;
  Ranges whole_, part_;
  bool focused_ = false;         // sweeps go over part_
  bool momentum_waits_ = false;  // velocities are those of the images; what momentum adds is in `later`
};

}  // namespace carom::inline inclusion
