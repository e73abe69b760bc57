// Every contact primitive by its kind. A new one: a formula in a file of this folder, one line here and one in
// geometry/primitives.def.
#pragma once

#include "carom/base/errors.h"
#include "carom/model/contacts/primitives/balls.h"
#include "carom/model/contacts/primitives/curves.h"
#include "carom/model/contacts/primitives/lines.h"
#include "carom/model/contacts/primitives/rings.h"

namespace carom::model {

template <class S>
Touch<S> touch(const geometry::ContactPrimitive& p, const PoseOf<S>& first, const PoseOf<S>& second) {
  using enum geometry::PrimitiveKind;
  switch (p.kind) {
    case ball_plane:
    case disc_line: return model::ball_plane(p, first, second);
    case ball_ball:
    case disc_disc: return model::ball_ball(p, first, second, false);
    case ball_ball_inner:
    case disc_disc_inner: return model::ball_ball(p, first, second, true);
    case ball_line: return model::ball_line(p, first, second, false);
    case ball_line_inner: return model::ball_line(p, first, second, true);
    case ball_ring: return model::ball_ring(p, first, second);
    case line_line: return model::line_line(p, first, second);
    case line_ring: return model::line_ring(p, first, second);
    case rim_plane: return model::rim_plane(p, first, second);
    case rim_line_inner: return model::rim_line_inner(p, first, second);
    case ring_ring: return model::ring_ring(p, first, second);
    case disc_curve: return model::disc_curve(p, first, second);
    case curve_line: return model::curve_line(p, first, second);
    case curve_curve: return model::curve_curve(p, first, second);
  }
  throw LogicError("a contact primitive without a formula");
}

}  // namespace carom::model
