// After warm-up nothing is allocated, while contacts come and go.
#include <gtest/gtest.h>

#include "carom/model/multibody_scenes.h"
#include "inclusion/counting_allocator.h"
#include "model/multibody_test_scene.h"

namespace carom {
namespace {

// The lattice breathes: contacts of spheres and walls close and open again.
TEST(MultibodyAllocation, NoneInDetectionEvaluationAndMoves) {
  const Model model = spheres_in_box({5, 5, 4}).build();
  const System& system = *model.system;
  const Vector& start = model.initial.q;
  const Vector v = Vector::Constant(system.nv(), 0.2);
  Vector q = start, dq = 1e-3 * v, back, Tv;
  ContactSet contacts;
  ActiveSet all;
  Evaluation out;
  Index fewest = 1 << 30, most = 0;
  const auto breathe = [&] {
    for (int k = 0; k < 40; ++k) {
      const double scale = 0.91 + 0.1 * std::sin(0.3 * k);
      for (Index b = 0; b < system.nq() / body_q; ++b) q.segment<3>(body_q * b) = scale * start.segment<3>(body_q * b);
      system.detect(0.0, q, v, 1e-3, contacts);
      fewest = std::min(fewest, contacts.size());
      most = std::max(most, contacts.size());
      all.reset(contacts);
      all.add_all();
      system.evaluate(0.0, q, v,
                      Need::inertia | Need::force | Need::force_jacobian | Need::gap | Need::gap_rate | Need::jacobian |
                          Need::convective,
                      all, out);
      system.move(q, dq, q);
      system.difference(start, q, back);
      system.apply_T(q, v, Tv);
    }
  };
  breathe();
  const long before = test::allocation_count();
  breathe();
  EXPECT_EQ(test::allocation_count(), before);
  EXPECT_LT(fewest, 20);
  EXPECT_GT(most, 200);
}

}  // namespace
}  // namespace carom
