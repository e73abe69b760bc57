// What a contact primitive says of the poses of its two bodies: the gap, the normal from the second body to the first,
// and the points where they (would) touch. Written for any scalar, so that rates and derivatives follow from the same
// lines. The closest points move along the surfaces only, so n . (velocity of first - velocity of second) at these
// points is the gap's rate.
#pragma once

#include "carom/base/pose.h"
#include "carom/geometry/contact_features.h"

namespace carom::model {

template <class S>
struct Touch {
  S gap;
  Vector3Of<S> normal;
  Vector3Of<S> first, second;  // in the world
};

// A direction and its length; where there is none, the frozen normal stands in.
template <class S>
Vector3Of<S> unit_or(const Vector3Of<S>& d, const Vector3& otherwise, S& length) {
  using std::sqrt;
  const S square = d.dot(d);
  if (!(value_of(square) > 0.0)) {
    length = S(0.0);
    return otherwise.cast<S>();
  }
  length = sqrt(square);
  return d / length;
}

}  // namespace carom::model
