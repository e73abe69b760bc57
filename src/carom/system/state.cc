#include "carom/system/state.h"

namespace carom::inline system {

bool identical(const State& a, const State& b) {
  return a.t == b.t && a.q.size() == b.q.size() && a.v.size() == b.v.size() && a.q == b.q && a.v == b.v &&
         a.memory == b.memory && a.impulses == b.impulses;
}

}  // namespace carom::inline system
