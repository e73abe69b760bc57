// Constraints on coordinates of joints: limits, prescribed motion, gears, racks, screws, constant friction. One row
// each,
//
//   g = sum_k c_k phi_k(q) - rest - f(t)      bilateral, or unilateral with an impact law
//
// Prescribed on velocity level, and of friction, the row has no g.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "carom/laws/law.h"
#include "carom/model/joints/joint_coordinate.h"

namespace carom::model {

// f, f', f'' at a time.
struct Prescribed {
  double value = 0.0, rate = 0.0, second = 0.0;
};

struct CoordinateConstraint {
  struct Term {
    double factor = 1.0;
    JointCoordinate coordinate;
  };
  std::string name;
  std::vector<Term> terms;
  double rest = 0.0;
  std::function<Prescribed(double t)> motion;  // empty: none
  bool velocity_level = false;
  std::shared_ptr<const Law> law;  // of one row
  double length = 1.0;             // what counts as a length
  double clearance = 0.0;          // the play it bounds
};

class CoordinateConstraints final : public ConstraintGroup {
 public:
  explicit CoordinateConstraints(std::vector<CoordinateConstraint> constraints)
      : constraints_(std::move(constraints)) {}

  void detect(const At& at, double dt, Index number, ContactSet& contacts) const override;
  void evaluate(const At& at, Need need, const ActiveSet& active, Index begin, Index end, Index row,
                Evaluation& out) const override;
  std::string name(const Constraint& constraint) const override;
  void describe(FeatureSet& features, Constancy& constancy) const override;

 private:
  std::vector<CoordinateConstraint> constraints_;
};

}  // namespace carom::model
