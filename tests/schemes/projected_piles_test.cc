// projection_combined over piles leaves sets that grow before they are solved to the end, and positions with them. What
// a step ends with is the solution of the published problem all the same, asked of its definition: nothing is closed
// that is not in the set, the momentum is balanced, the laws hold.
#include <gtest/gtest.h>

#include "carom/model/multibody_scenes.h"
#include "carom/schemes/scheme.h"

namespace carom {
namespace {

constexpr double tolerance = 1e-8, position_tolerance = 1e-7;

struct Errors {
  double gap = 0.0, momentum = 0.0, normal = 0.0, friction = 0.0;  // the worst, relative to their scales
  int contacts = 0, sets = 0, sliding = 0;
};

// Rows of all contacts near the start, at the end of the step; those that acted with their impulses.
void look(const System& system, const State& start, const StepResult& result, double dt, Errors& worst) {
  ContactSet near;
  system.detect(start.t, start.q, start.v, dt, near);
  ActiveSet all;
  all.reset(near);
  all.add_all();
  Evaluation end;
  system.evaluate(result.next.t, result.next.q, result.next.v, Need::inertia | Need::force | Need::gap | Need::jacobian,
                  all, end);
  Buffer lambda, gamma;
  lambda.assign(all.rows(), 0.0);
  Index row = 0;
  for (Index k = 0; k < all.size(); ++k) {
    const Constraint& constraint = all.constraint(k);
    worst.gap = std::max(worst.gap, -end.g[row] / constraint.length_scale);
    for (const StepContact& contact : result.contacts)
      if (contact.constraint.id == constraint.id)
        for (Index r = 0; r < constraint.law->dim(); ++r) lambda[row + r] = result.impulse[contact.row + r];
    row += constraint.law->dim();
  }
  Vector left = dt * end.h, change = result.next.v - start.v;
  end.W.multiply_add(lambda.data(), left.data());
  const double size = left.norm() + change.norm();
  end.M.multiply_add(-1.0, change.data(), left.data());
  worst.momentum = std::max(worst.momentum, left.norm() / size);

  for (const StepContact& contact : result.contacts) {
    const double *impulse = result.impulse.data() + contact.row, *gamma_1 = result.gamma_plus.data() + contact.row;
    const double mu = contact.constraint.law->contact()->friction, speed = 0.1;  // of this fall
    worst.normal = std::max({worst.normal, -impulse[0], -gamma_1[0] / speed,
                             impulse[0] > 0.0 ? std::min(impulse[0], std::abs(gamma_1[0]) / speed) : 0.0});
    const double tangential = std::hypot(impulse[1], impulse[2]), slip = std::hypot(gamma_1[1], gamma_1[2]);
    worst.friction = std::max(worst.friction, tangential - mu * impulse[0]);
    if (slip > 1e-3 && impulse[0] > 1e-6) {
      ++worst.sliding;
      worst.friction = std::max(worst.friction, mu * impulse[0] - tangential);
    }
  }
  worst.contacts = std::max(worst.contacts, static_cast<int>(result.contacts.size()));
  worst.sets = std::max(worst.sets, result.index_set_iterations);
}

TEST(ProjectedPiles, StepsEndWithTheWholeProblemSolved) {
  const Model model = spheres_in_box({6, 6, 5}).build();
  for (const char* first_set : {"pushing", "joints"}) {
    const auto scheme = make_scheme("projection_combined", {{"first_set", std::string(first_set)},
                                                            {"newton_tolerance", tolerance},
                                                            {"position_tolerance", position_tolerance}});
    const auto solver = make_solver("automatic", {{"tolerance", tolerance}});
    StepWorkspace workspace;
    StepResult result;
    State state = model.initial;
    const double dt = 2e-3;
    scheme->start(*model.system, dt, state);
    Errors worst;
    for (int k = 0; k < 160; ++k) {
      scheme->step(*model.system, *solver, state, dt, workspace, result);
      ASSERT_EQ(result.status, StepStatus::ok) << first_set << " " << k;
      look(*model.system, state, result, dt, worst);
      state = result.next;
    }
    EXPECT_LE(worst.gap, position_tolerance) << first_set;
    EXPECT_LE(worst.momentum, 1e-6) << first_set;
    EXPECT_LE(worst.normal, 1e-6) << first_set;
    EXPECT_LE(worst.friction, 1e-6) << first_set;
    EXPECT_GT(worst.contacts, 150) << "a pile, or nothing is rough";
    EXPECT_GT(worst.sets, 4) << "sets grow";
    EXPECT_GT(worst.sliding, 100) << first_set;
  }
}

}  // namespace
}  // namespace carom
