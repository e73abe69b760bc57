#include "carom/laws/contact_law.h"

#include <cmath>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "carom/base/errors.h"
#include "carom/laws/bilateral_law.h"
#include "carom/laws/contensou_law.h"
#include "carom/laws/joint_friction_law.h"
#include "carom/laws/planar_coulomb_law.h"
#include "carom/laws/poisson_law.h"
#include "carom/laws/spatial_coulomb_law.h"
#include "carom/laws/unilateral_law.h"

namespace carom::inline laws {

namespace {

void check_range(bool within, const char* key, double value, const char* range, const char* hint,
                 std::vector<InputProblem>& problems) {
  if (!within)
    problems.push_back(
        {"E0120", std::string(key) + " = " + std::to_string(value) + " is not " + range, key, hint, {}, 0, 0, {}});
}

}  // namespace

void check(const ContactParameters& p) {
  std::vector<InputProblem> problems;
  check_range(p.restitution >= 0.0 && p.restitution <= 1.0, "restitution", p.restitution, "within 0 and 1",
              "above 1 an impact would create energy", problems);
  check_range(p.friction >= 0.0 && std::isfinite(p.friction), "friction", p.friction, "a finite number >= 0",
              "the ratio of tangential to normal force in sliding", problems);
  check_range(p.tangential_restitution >= 0.0 && p.tangential_restitution <= 1.0, "tangential_restitution",
              p.tangential_restitution, "within 0 and 1", "above 1 an impact would create energy", problems);
  check_range(p.spin_radius >= 0.0 && std::isfinite(p.spin_radius), "spin_radius", p.spin_radius,
              "a finite number >= 0", "the mean friction radius of the contact patch", problems);
  check_range(p.spin_radius == 0.0 || p.friction > 0.0, "spin_radius", p.spin_radius, "of use without friction",
              "give friction > 0, or leave spin_radius out", problems);
  if (!problems.empty()) throw InputError(std::move(problems));
}

std::shared_ptr<const Law> make_contact_law(Space space, const ContactParameters& p) {
  check(p);
  if (p.has_two_phases()) {
    ContactParameters compression = p;
    compression.restitution = 0.0;
    return std::make_shared<PoissonLaw>(p, make_contact_law(space, compression));
  }
  if (p.friction == 0.0) return std::make_shared<UnilateralLaw>(p.restitution, p.impact);
  if (space == Space::planar) {
    if (p.spin_radius > 0.0)
      throw InputError({"E0122",
                        "spin_radius in a planar model",
                        "spin_radius",
                        "a planar contact cannot spin about its normal: leave spin_radius out",
                        {},
                        0,
                        0,
                        {}});
    return std::make_shared<PlanarCoulombLaw>(p);
  }
  if (p.spin_radius > 0.0) {
    if (p.spin_reservoir == SpinReservoir::exact) return std::make_shared<ContensouLaw>(p);
    return std::make_shared<ContensouEllipsoidLaw>(p);
  }
  return std::make_shared<SpatialCoulombLaw>(p);
}

std::shared_ptr<const Law> remade(const Law& law) {
  if (law.kind() == LawKind::bilateral) return make_bilateral_law(law.dim());
  if (law.has_constant_bounds()) return std::make_shared<JointFrictionLaw>(static_cast<const JointFrictionLaw&>(law));
  if (!law.contact()) return nullptr;
  auto again = make_contact_law(law.kind() == LawKind::planar_coulomb ? Space::planar : Space::spatial, *law.contact());
  return typeid(*again) == typeid(law) ? again : nullptr;
}

std::shared_ptr<const Law> make_bilateral_law(Index rows) { return std::make_shared<BilateralLaw>(rows); }

}  // namespace carom::inline laws
