// Two accelerations of the same sweep, because what stops one is easy for the other:
//
//   momentum    every contact its own (round_contacts.h). Impulses jammed between walls, which plain sweeps move by a
//               constant little, gather speed. But where friction turns impulses in circles, momentum feeds them.
//   Anderson    on the map of ten sweeps at once. Ten sweeps leave the slow motions only, and a circle is two of them:
//               on single sweeps the columns are filled by what dies out by itself.
//
// They take turns that grow longer. Anderson's method begins where momentum is; momentum goes on from where fewer
// contacts are in error, its own last image or Anderson's: in a large pile one part circles and another is jammed.
//
// In a large pile most contacts are solved long before the last. Of spheres the region around the errors is then
// solved to the end with all others held, by these turns again (contact_region.h): errors need not wait
// for each other, and sweeps that crawl cost what the region has. A row of spheres that sticks and moves by a constant
// little may want 50,000 of them, over a hundred contacts.
//
// Elsewhere momentum goes on near the errors only, and a sweep counts as the share of the contacts it goes over.
// Anderson's method always takes all: over parts it gained nothing.
//
// Where momentum has led to many times the errors of the best point, Anderson's method begins at that one, once: of a
// guess that 20 sweeps had brought to 1.5e-6, momentum made 1e-3, and 15,000 sweeps did not come back.
//
// A slow motion of many bodies, a row that sticks, shows at the few contacts that a sweep comes to first; shared by all
// of them its error would be small. So where the residual is nearly small enough, relaxed sweeps spread what is left.
//
// Where the residual stands still in spite of momentum and few contacts are in error, these are solved together
// (contact_patches.h).
#include "carom/inclusion/round_sweeps.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "carom/inclusion/large_memory.h"

namespace carom::inline inclusion {

namespace {

constexpr double longer = 1.25;  // a turn than the one before
constexpr int window = 10;
// Anderson's method on the map of so many sweeps.
struct AndersonWay {
  int sweeps;
  double most_growth;  // |T(x) - x|^2 may grow by this factor in an extrapolation; it is taken back where it grows more
  double steady;       // patches are tried where the residual stays within this factor; 0: nowhere
};
constexpr AndersonWay sweep_by_sweep{1, 1.0, 2.0}, ten_sweeps{10, 9.0, 0.0};
constexpr double check_interval = 20.0, longest_interval = 60.0;  // in sweeps over all, in sweeps over parts
constexpr int least_interval = 3;
// Sweeps with momentum go over what is near errors (near_errors.h) of more than this share of the tolerance, where that
// is not most of the pile.
constexpr int sweeps_before_focus = 40, near_depth = 5;
constexpr double near_error = 0.6, most_near = 0.5;
// Sweeps after which a residual that is not met is computed by its definition: what is met may be rounding.
constexpr int definition_interval = 200;
// Patches are tried where the residual stays within this factor from check to check: as long as it moves, up or down,
// contacts still change their states, and patches would disturb the sweeps.
constexpr double steady = 1.2;
constexpr Index most_in_error_share = 64;          // of all contacts, one in so many
constexpr Index lost_factor = 20, lost_few = 100;  // contacts in error beside those of the best point
// Problems that are solved in a few sweeps want neither of these:
constexpr int sweeps_before_calming = 150, sweeps_before_spreading = 120;
// The residual that is spread and the errors near which it is, in tolerances.
constexpr double nearly = 5.0, spread_error = 0.3;
constexpr int relaxed_sweeps = 12, spread_depth = 2;
constexpr int patient_attempts = 6, most_doublings = 8;
constexpr double patch_work = 8000.0;  // multiplications for patches at one check, per row
// Regions: contacts this far from errors of more than near_error tolerances, where one in so many is in error and they
// are not more than this share of all.
constexpr Index least_contacts = 100, in_error_share = 32;
constexpr int region_depth = 4, plain_sweeps = 20;  // after each, over all
constexpr double most_region = 0.25;
// They are looked for when momentum has settled, and not at every check.
constexpr double sweeps_before_regions = 60.0, region_pause = 40.0;
// Nor longer than this: what is left then circles in thousands of contacts.
constexpr double sweeps_with_regions = 1500.0;
constexpr double region_tolerance = 0.3;                         // beside that of the whole
constexpr double region_sweeps = 5000.0, region_budget = 300.0;  // over the region; as many over all

// Contacts: RoundContacts, ShapedContacts or NormalContacts.
template <class Contacts>
class Turns {
 public:
  Turns(const InclusionProblem& problem, const SweepOptions& options, int most_sweeps, Contacts& contacts,
        BodySweepMemory& m, SolverWorkspace& w, InclusionResult& result)
      : problem_(problem),
        options_(options),
        m_(m),
        contacts_(contacts),
        w_(w),
        result_(result),
        iterations_before_(result.iterations),
        most_work_(most_sweeps),
        with_regions_(std::is_same_v<Contacts, RoundContacts> && problem.block_count() >= least_contacts),
        best_(result.residual) {
    contacts_.load(result.lambda.data());
    last_value_ = reference_ = best_;
    Buffer& weight = m.judged;
    weight.resize(problem.block_count());
    for (Index b = 0; b < problem.block_count(); ++b) {
      const double root = w.residual.scale[b] > 0.0 ? problem.G->rho(b) / w.residual.scale[b] : 0.0;
      weight[b] = root * root;
    }
    contacts_.weigh(weight.data());
    keep(m.best);
  }

  // With so many sweeps accelerated one by one before all turns.
  bool solve(int single) {
    if (single > 0) {
      sweep_with_anderson(single, sweep_by_sweep);
      if (!end_) contacts_.set_points(m_.best.data());
    }
    double turn = options_.first_turn;
    for (; !end_; turn *= longer) {
      sweep_with_momentum(work_ + turn);
      if (end_) break;
      if (is_lost()) return_to_best();
      keep(m_.kept);
      const Index in_error = judged_.in_error;
      sweep_with_anderson(work_ + turn, ten_sweeps);
      if (end_) break;
      contacts_.set_points(judged_.in_error < in_error ? m_.anderson.last_image().data() : m_.kept.data());
    }
    if (solved_) return true;
    contacts_.set_points(m_.best.data());
    contacts_.store(result_.lambda.data());
    return is_solved();
  }

 private:
  void keep(Buffer& images) const {
    images.resize(contacts_.size());
    std::copy_n(contacts_.images(), contacts_.size(), images.data());
  }

  // The change of the sweep, weighed as the residual is.
  double sweep(SweepWay way) {
    const double change = std::sqrt(contacts_.sweep(way));
    ++sweeps_;
    work_ += share_;
    result_.iterations = iterations_before_ + static_cast<int>(std::ceil(work_));
    return change;
  }

  void sweep_with_momentum(double until) {
    while (work_ < until) {
      const double change = sweep(sweeps_ < sweeps_before_calming ? SweepWay::momentum : SweepWay::calmed);
      if (!is_time_to_check(change, until)) continue;
      check();
      if (end_ || is_lost()) break;
      if (!uses_regions() && sweeps_ >= sweeps_before_focus)
        share_ = contacts_.focus(near_error * options_.tolerance, near_depth, most_near);
      if (solve_region()) continue;
      if (end_) break;
      if (!solve_patches(steady, most_in_error_share)) contacts_.refresh();
    }
    contacts_.sweep_all();
    share_ = 1.0;
  }

  void sweep_with_anderson(double until, const AndersonWay& way) {
    Buffer &x = m_.point, &last_image = m_.anderson.last_image();
    keep(x);
    contacts_.set_points(x.data());
    double* weights = m_.anderson.weights(contacts_.size());
    contacts_.spread(mobilities(), weights);
    m_.anderson.begin(contacts_.size(), window, weights);
    last_image = x;
    double last_distance = 0.0;
    bool extrapolated = false;
    while (work_ < until) {
      double change = 0.0;
      for (int k = 0; k < way.sweeps && work_ < most_work_; ++k) change = sweep(SweepWay::plain);
      if (is_time_to_check(change, until)) {
        check();
        const bool changed = !end_ && (solve_region() || (way.steady > 0.0 && solve_patches(way.steady, 1)));
        if (end_) return;
        if (changed) {
          keep(x);
          m_.anderson.forget();
          extrapolated = false;
          continue;
        }
      }
      const double distance = m_.anderson.distance(x.data(), contacts_.images());
      if (extrapolated && distance > way.most_growth * last_distance) {
        x = last_image;
        m_.anderson.forget();
        extrapolated = false;
      } else {
        last_distance = distance;
        m_.anderson.step(x.data(), contacts_.images());
        extrapolated = true;
      }
      contacts_.set_points(x.data());
    }
  }

  // The energy of impulses, for the norm of Anderson's method.
  const double* mobilities() {
    Buffer& rho = m_.judged;
    rho.resize(problem_.block_count());
    for (Index b = 0; b < problem_.block_count(); ++b) rho[b] = problem_.G->rho(b);
    return rho.data();
  }

  bool is_lost() const { return !best_tried_ && judged_.in_error > lost_factor * best_in_error_ + lost_few; }
  void return_to_best() {
    best_tried_ = true;
    contacts_.set_points(m_.best.data());
    judged_ = contacts_.judge(options_.tolerance);
  }

  bool is_time_to_check(double change, double until) const {
    const int since = sweeps_ - last_check_;
    return since >= std::min(check_interval / share_, longest_interval) || work_ >= until || work_ >= most_work_ ||
           (change <= 2.0 * options_.tolerance && since >= least_interval);
  }

  void check() {
    judged_ = contacts_.judge(options_.tolerance);
    full_interval_ = sweeps_ - last_check_ >= check_interval;
    last_check_ = sweeps_;
    if (judged_.residual < best_) {
      best_ = judged_.residual;
      best_in_error_ = judged_.in_error;
      best_tried_ = false;
      keep(m_.best);
    }
    if (judged_.residual < 0.99 * reference_) {
      reference_ = judged_.residual;
      last_progress_ = work_;
    }
    if (judged_.residual <= 2.0 * options_.tolerance || work_ - last_definition_ >= definition_interval) {
      last_definition_ = work_;
      contacts_.store(result_.lambda.data());
      solved_ = is_solved();
    }
    solved_ = solved_ || spread_errors();
    end_ = solved_ || !std::isfinite(judged_.residual) || work_ - last_progress_ >= options_.patience ||
           work_ >= most_work_;
  }

  // Whether that solved the problem; otherwise all is as before, but for ages.
  bool spread_errors() {
    if (sweeps_ < sweeps_before_spreading || judged_.residual <= options_.tolerance ||
        !(judged_.residual <= nearly * options_.tolerance))
      return false;
    Buffer& images = m_.image;
    keep(images);
    const double share = contacts_.focus(spread_error * options_.tolerance, spread_depth, 1.0);
    contacts_.set_points(images.data());
    for (int k = 0; k < relaxed_sweeps; ++k) contacts_.sweep(SweepWay::relaxed);
    work_ += relaxed_sweeps * share;
    contacts_.sweep_all();
    share_ = 1.0;
    if (contacts_.judge(options_.tolerance).residual <= options_.tolerance) {
      contacts_.store(result_.lambda.data());
      if (is_solved()) return true;
    }
    contacts_.set_points(images.data());
    judged_ = contacts_.judge(options_.tolerance);
    return false;
  }

  bool uses_regions() const { return with_regions_ && work_ < sweeps_with_regions; }

  // Whether impulses were changed; they are judged then.
  bool solve_region() {
    if (!uses_regions() || work_ < next_region_ || in_error_share * judged_.in_error > problem_.block_count())
      return false;
    next_region_ = work_ + region_pause;
    contacts_.store(result_.lambda.data());
    solved_ = end_ = is_solved();  // which finds the errors by their definition
    if (end_) return false;
    if (!m_.region) m_.region = std::make_unique<ContactRegion>();
    const double share = m_.region->find(problem_, near_error * options_.tolerance, region_depth, w_.residual);
    if (share == 0.0 || share > most_region) return false;
    SweepOptions options = options_;
    options.tolerance = region_tolerance * options_.tolerance;
    options.max_iterations = options.patience = static_cast<int>(std::min(region_sweeps, region_budget / share));
    options.max_round_iterations = 0;
    options.threads = 1;  // few contacts: threads would wait for each other
    m_.image = result_.lambda;
    const int sweeps = m_.region->solve(problem_, options, result_.xi, result_.lambda);
    if (is_large(problem_)) m_.region.reset();
    if (sweeps == 0) return false;
    work_ += share * sweeps;
    contacts_.load_changed(m_.image.data(), result_.lambda.data());
    for (int k = 0; k < plain_sweeps; ++k) sweep(SweepWay::plain);
    check();
    next_region_ = work_;
    return true;
  }

  bool is_solved() {
    result_.residual = residual(problem_, result_.lambda, result_.xi, w_.residual);
    return solves(problem_, result_.residual, options_.tolerance, w_.residual);
  }

  // Whether points were changed, and their velocities made anew.
  bool solve_patches(double steady_within, Index in_error_share) {
    const double ratio = judged_.residual / last_value_;
    last_value_ = judged_.residual;
    const bool stands = ratio * steady_within > 1.0 && ratio < steady_within && full_interval_;
    if (!stands || in_error_share * judged_.in_error > problem_.block_count() || --pause_ >= 0) return false;
    ++attempts_;
    pause_ = attempts_ <= patient_attempts ? 1 : 1 << std::min(attempts_ - patient_attempts, most_doublings);
    contacts_.store(result_.lambda.data());
    result_.residual = residual(problem_, result_.lambda, result_.xi, w_.residual);
    Buffer& given = m_.image;
    given = result_.lambda;
    if (!m_.patches.solve(problem_, options_.tolerance, w_.residual, patch_work * problem_.rows(), result_.lambda))
      return false;
    contacts_.load_changed(given.data(), result_.lambda.data());
    return true;
  }

  const InclusionProblem& problem_;
  const SweepOptions& options_;
  BodySweepMemory& m_;
  Contacts& contacts_;
  SolverWorkspace& w_;
  InclusionResult& result_;
  const int iterations_before_;
  const double most_work_;
  const bool with_regions_;
  SweepJudgement judged_;
  double best_;                                         // residual of m.best
  Index best_in_error_ = 0;                             // its contacts in error
  bool best_tried_ = true;                              // Anderson's method has begun there, or it is the guess
  double last_value_ = 0.0;                             // residual of the last check
  double reference_ = 0.0;                              // of the last that was progress
  double share_ = 1.0;                                  // of all contacts, that is swept
  double work_ = 0.0;                                   // sweeps over all, or as many over parts
  double last_definition_ = 0.0, last_progress_ = 0.0;  // work when
  double next_region_ = sweeps_before_regions;          // not before this work
  int sweeps_ = 0, last_check_ = 0;
  int attempts_ = 0, pause_ = 0;  // of patches: checks to leave out after one, more and more where they do not help
  bool end_ = false, solved_ = false, full_interval_ = false;
};

}  // namespace

bool round_sweeps(const InclusionProblem& problem, const SweepOptions& options, BodySweepMemory& memory,
                  SolverWorkspace& workspace, InclusionResult& result) {
  memory.round.use_threads(options.threads);
  const int most = options.max_round_iterations > 0 ? options.max_round_iterations : options.max_iterations;
  return Turns(problem, options, most, memory.round, memory, workspace, result).solve(0);
}

bool shaped_sweeps(const InclusionProblem& problem, const SweepOptions& options, BodySweepMemory& memory,
                   SolverWorkspace& workspace, InclusionResult& result) {
  memory.shaped.use_threads(options.threads);
  return Turns(problem, options, options.max_iterations, memory.shaped, memory, workspace, result)
      .solve(options.max_single);
}

bool normal_sweeps(const InclusionProblem& problem, const SweepOptions& options, BodySweepMemory& memory,
                   SolverWorkspace& workspace, InclusionResult& result) {
  memory.normal.use_threads(options.threads);
  return Turns(problem, options, options.max_iterations, memory.normal, memory, workspace, result)
      .solve(options.max_single);
}

}  // namespace carom::inline inclusion
