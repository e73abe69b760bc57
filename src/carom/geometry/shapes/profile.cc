#include "carom/geometry/shapes/profile.h"

#include "carom/geometry/area_integrals.h"
#include "carom/geometry/shapes/shape_check.h"

namespace carom::geometry {

Profile::Profile(SharedCurve c) : curve(std::move(c)) {
  if (!curve) throw LogicError("a profile without a curve");
}

Bounds Profile::bounds(const Pose& pose) const {
  Bounds box;
  for (const Curve::Sample& sample : curve->samples()) box.add(pose.point(Vector3(sample.x.x(), sample.x.y(), 0.0)));
  Bounds grown = box.grown(curve->sample_spacing());  // the curve may leave its chords
  grown.lower.z() = grown.upper.z() = box.lower.z();
  return grown;
}

// Green's theorem, six points of Gauss between two samples: exact for splines, whose samples include the knots only if
// these are equally spaced; elsewhere the error is that of a smooth integrand on a short piece.
MassProperties Profile::mass_properties() const {
  if (!curve->closed()) throw LogicError("an open profile has no mass properties");
  constexpr double nodes[] = {0.23861918608319690863, 0.66120938646626451366, 0.93246951420315202781};
  constexpr double weights[] = {0.46791393457269104739, 0.36076157304813860757, 0.17132449237917034504};
  AreaIntegrals integrals;
  const auto& samples = curve->samples();
  const double h = (curve->upper() - curve->lower()) / static_cast<double>(samples.size());
  for (const Curve::Sample& sample : samples)
    for (int k = 0; k < 3; ++k)
      for (const double s : {-nodes[k], nodes[k]}) {
        const CurvePoint p = curve->at(sample.u + 0.5 * h * (1.0 + s));
        integrals.add(p.x, 0.5 * h * weights[k] * p.d1.y());
      }
  return integrals.mass_properties();
}

}  // namespace carom::geometry
